package render

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
)

func TestStatesAreToldWithoutColour(t *testing.T) {
	t.Parallel()
	all := model.UserStatuses()
	var glyphs, stand, texts []string
	for _, s := range append(all[:], "", "SOMETHING_NEW") {
		st := StateOf(s, model.Call)
		for _, g := range []string{st.Glyph(false), st.Glyph(true)} {
			if w := ansi.StringWidth(g); w != 1 {
				t.Errorf("%q: glyph %q is %d cells wide", s, g, w)
			}
		}
		if !ascii(st.Glyph(true)) {
			t.Errorf("%q: glyph %q is not ASCII", s, st.Glyph(true))
		}
		glyphs, stand, texts = append(glyphs, st.Glyph(false)), append(stand, st.Glyph(true)), append(texts, st.Word.In(nil))
	}
	for _, list := range [][]string{glyphs, stand, texts} {
		slices.Sort(list)
		if got := len(slices.Compact(list)); got != len(all)+2 {
			t.Errorf("only %d of %d differ: %q", got, len(all)+2, list)
		}
	}
}

func TestStateWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status  model.UserStatus
		channel model.Channel
		want    string
	}{
		{model.Busy, model.Call, "Talking"},
		{model.Busy, model.Chat, "Handling"},
		{model.WNR, model.Call, "Wrap-up"},
		{"", model.Call, "Unknown"},
		{"ON_THE_MOON", model.Call, "ON_THE_MOON"},
	} {
		if got := StateOf(tt.status, tt.channel).Word.In(nil); got != tt.want {
			t.Errorf("%q on %s: got %q, want %q", tt.status, tt.channel, got, tt.want)
		}
	}
}

func TestStateOrderHasEveryState(t *testing.T) {
	t.Parallel()
	order, all := StateOrder(), model.States()
	for _, s := range all {
		if !slices.Contains(order[:], s) {
			t.Errorf("%s is missing", s)
		}
	}
}

func TestCampaignState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		rec  model.Campaign
		want CampaignState
	}{
		{"nothing is known", model.Campaign{}, CampaignUnknown},
		{"to do unknown, lines free", model.Campaign{UsedChannels: n(0)}, CampaignUnknown},
		{"to do unknown, lines used", model.Campaign{UsedChannels: n(1)}, CampaignRunning},
		{"rings", model.Campaign{UsedChannels: n(0), RingingContacts: n(1), ToDoContacts: n(1)}, CampaignRunning},
		{"idle", model.Campaign{UsedChannels: n(0), ToDoContacts: n(1)}, CampaignIdle},
		{"dry while the last talk", model.Campaign{UsedChannels: n(2), ToDoContacts: n(0)}, CampaignEmpty},
	} {
		if got := CampaignStateOf(&tt.rec); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
