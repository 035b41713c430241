package phrases_test

import (
	"testing"
	"time"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// TestLasting says nothing of a duration below a second.
func TestLasting(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		58 * time.Second: " (0:58)", time.Second: " (0:01)", time.Second - 1: "", 0: "", -time.Minute: "",
	} {
		if got := phrases.BracketedDuration(" (", d, ")", phrases.Duration); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

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
		got := [3]string{phrases.ChannelName(ch), phrases.ShortChannelName(ch), phrases.BusyWord(ch)}
		if got != want {
			t.Errorf("%s: %q, want %q", ch, got, want)
		}
	}
	if got := phrases.ComponentName("NEW"); got != "NEW" {
		t.Errorf("component that is not listed: got %q", got)
	}
}
