package textformat_test

import (
	"testing"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

func TestNamesOfChannels(t *testing.T) {
	t.Parallel()
	for ch, want := range map[model.Channel][3]string{
		model.Call:     {"Calls", "Calls", "Talking"},
		model.Video:    {"Video", "Video", "Talking"},
		model.Chat:     {"Chat", "Chat", "Handling"},
		model.Custom2:  {"Custom 2", "Cust 2", "Handling"},
		model.LiveHelp: {"Live help", "Live", "Handling"},
		model.OmniDesk: {"OmniDesk", "Omni", "Handling"},
		"FAX":          {"FAX", "FAX", "Talking"}, // not listed in document 2
	} {
		got := [3]string{textformat.ChannelName(ch), words.ShortChannelName(ch).In(nil), words.BusyWord(ch).In(nil)}
		if got != want {
			t.Errorf("%s: %q, want %q", ch, got, want)
		}
	}
	if got := words.ComponentName("NEW").In(nil); got != "NEW" {
		t.Errorf("component that is not listed: got %q", got)
	}
}
