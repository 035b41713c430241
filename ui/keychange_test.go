package ui

import (
	"testing"

	"wallboard/ui/pages"
)

// TestChangedKeysAreObeyed changes keys at the start and at runtime.
func TestChangedKeysAreObeyed(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.Navigation.Keys = map[string]string{"next_page": "N", "chart": "T"} })
	b.press("N")
	if b.pages.Current != pages.Services {
		t.Errorf("the changed key leads to %v", b.pages.Current)
	}
	b.press("]", "t")
	if b.pages.Current != pages.Services || b.dialogs.Top() != nil {
		t.Error("the keys from before are still obeyed")
	}
	b.press("T")
	if b.dialogs.Top() == nil {
		t.Fatal("the changed key opens no chart")
	}
	b.press("esc")
	o := *b.scene.Options
	o.Navigation.Keys = map[string]string{"next_pane": "N"}
	b.send(reloadMsg{reload: Reload{Options: o}})
	b.press("]", "6")
	before := b.pages.CurrentPage().Focused().Noun
	b.press("N")
	if got := b.pages.CurrentPage().Focused().Noun; got == before {
		t.Errorf("after the reload the key leads to %s", got)
	}
	b.press("?")
	b.shows("N", "next pane")
}
