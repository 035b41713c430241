package frame_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// foreign matches words with a vowel without an accent. They are not in the pseudo-language.
var foreign = regexp.MustCompile(`[a-zA-Z]*[aeiouAEIOU][a-zA-Z]+`)

// TestFrameIsToldInTheLanguage draws the status line and the banners in the pseudo-language, and finds words that
// are not in the catalogue.
func TestFrameIsToldInTheLanguage(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme, Location: time.UTC, Words: words.PseudoLanguage()}, render.Options{})
	names := []string{"Bolzano", "Anna", "Calls"} // the channel comes from package floorview
	check := func(lines ...string) {
		t.Helper()
		for _, l := range lines {
			for _, w := range foreign.FindAllString(ansi.Strip(l), -1) {
				if !slices.Contains(names, w) {
					t.Errorf("%q is not in the catalogue: %s", w, ansi.Strip(l))
				}
			}
		}
	}
	for _, state := range []model.LinkState{model.LinkConnecting, model.LinkUp, model.LinkStopped, model.LinkUnrecorded} {
		h := healthy()
		h.Link.State, h.Link.InsecureTLS = state, true
		h.Subscriptions[0].VerifiedAt = now().Add(-time.Minute)
		h.Subscriptions[0].Drift.Value = 3
		m := moment(t, 200, h)
		m.Control = frame.Control{}
		m.Silences = []alert.ActiveSilence{{}, {}}
		m.Silences[0].By = "Anna"
		m.Look = lk
		var lines frame.Lines
		check(lines.Status(m))
		m.Floor.Freeze()
		m.Floor.LocalNow = now().Add(time.Minute)
		check(lines.Status(m))
		if state == model.LinkUp {
			check(m.Banners()...)
		}
	}
	if got := strings.Join(frame.TooSmall(39, 12, words.PseudoLanguage()), " "); foreign.MatchString(got) {
		t.Errorf("a screen that is too small says %q", got)
	}
}
