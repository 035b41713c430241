package widgets

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestDrawStates draws the bar and its legend. The positions of the words are those in the lines.
func TestDrawStates(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme}, render.Options{})
	snap := model.NewStore().Publish(time.Unix(1000, 0), model.Health{Link: model.Link{State: model.LinkUp}})
	v := &floorview.View{Channel: model.Call, Shown: snap, Newest: snap, LocalNow: time.Unix(1000, 0)}
	floor := &model.Floor{Users: 4, States: map[model.UserStatus]int{model.Busy: 3, model.Ready: 1}}
	lines, spots := DrawStates(lk, v, floor, 60, MaxStateLines)
	if len(lines) < 2 || !strings.Contains(ansi.Strip(lines[1]), "● Talking 3") || !strings.Contains(ansi.Strip(lines[1]), "○ Ready 1") {
		t.Fatalf("%q", lines)
	}
	for i, l := range lines {
		if w := style.Width(l); w != 60 {
			t.Errorf("line %d is %d cells wide", i, w)
		}
	}
	legend := ansi.Strip(lines[1])
	for _, word := range []string{"Talking", "Ready"} {
		x := style.Width(legend[:strings.Index(legend, word)])
		if got := spots.At(x, 1); got != word {
			t.Errorf("a click on %s means %q", word, got)
		}
	}
	lines, spots = DrawStates(lk, v, &model.Floor{}, 60, MaxStateLines)
	if text := ansi.Strip(strings.Join(lines, "\n")); strings.TrimSpace(text) == "" || len(spots) > 0 {
		t.Errorf("without agents: %q, %v", text, spots)
	}
}
