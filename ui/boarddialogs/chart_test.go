package boarddialogs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/ui"
)

func TestGoldenPlot(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		for name, keys := range map[string][]string{
			"floor":    {"t"},
			"service":  {"2", "t", "-"},
			"cursor":   {"2", "t", "left", "pgup", "pgup"},
			"shift":    {"2", "t", "-", "-"},
			"campaign": {"5", "t"},
			"agent":    {"4", "t"},
		} {
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], name), func(t *testing.T) {
				t.Parallel()
				b := newWatched(t, size[0], size[1])
				b.Press(keys...)
				golden.RequireEqual(t, b.Text())
			})
		}
	}
}

func TestGoldenPlotASCII(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 80, 24, func(o *ui.Options) { o.Display.ASCII = true })
	b.Press("2", "t", "left", "pgup")
	if text := b.Text(); strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		t.Errorf("the chart has characters that are not ASCII:\n%s", text)
	}
	golden.RequireEqual(t, b.Text())
}

// TestPlotCursor checks that the first esc removes the cursor and the second one closes the chart.
func TestPlotCursor(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.Press("2", "t", "left", "left")
	b.CheckShows("at 1")
	before := b.Text()
	b.Now = b.Now.Add(time.Second)
	b.Press("esc")
	if b.Dialog() == nil || b.Text() == before {
		t.Fatalf("esc did not take the cursor away:\n%s", b.Text())
	}
	b.Click(60, 10)
	b.CheckShows("at 1")
	b.Press("end", "esc")
	if b.Dialog() != nil {
		t.Error("the chart is still open")
	}
}

// TestPlotOfFrozenPicture checks that the chart of a frozen board stands still, while data is still
// collected.
func TestPlotOfFrozenPicture(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.Press("p", "2", "t")
	chart := func() string { return strings.Join(b.Lines()[1:39], "\n") } // excludes the clock and the messages
	before := chart()
	for i := range 60 {
		b.Now = b.Now.Add(10 * time.Second)
		b.Floor.PutService(4, model.Call, int64(i))
		b.Publish()
	}
	if after := chart(); before != after {
		t.Errorf("it moved from\n%s\nto\n%s", before, after)
	}
}

// TestPlotHasGapsWhileDown checks that gaps in the data are gaps in the chart.
func TestPlotHasGapsWhileDown(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.ChangeLink(func(l *model.Link) { l.State = model.LinkBackoff })
	for range 12 {
		b.AdvanceClock(10 * time.Second)
	}
	b.Press("2", "t")
	b.CheckShows("Waiting –")
}

func TestPlotZoom(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.Press("2", "t")
	b.CheckShows("the last 15 min")
	b.Press("-")
	b.CheckShows("since 10:42", "every 10 seconds") // the chart begins with the first known value
	b.Press("-", "-")
	b.CheckShows("since 10:42", "every minute")
	b.Send(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 20, Y: 10})
	b.CheckShows("since 10:42", "every 10 seconds")
}

// TestHourOfAnAgent checks the chart of an agent's activity.
func TestHourOfAnAgent(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.Press("4", "t")
	b.CheckShows("Calls", "█")
	b.CheckShows("Reserved", "15:30")
	b.CheckShows("Recorded since 10:42; gaps left out.")
	b.Press("esc")
	b.CheckHides("Recorded since")
}
