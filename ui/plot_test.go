package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// newWatched returns a board that has run for twenty minutes, with a gap of five.
func newWatched(t *testing.T, w, h int, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, 0, 0, change...) // without a screen: nothing is drawn
	const steps = 120
	for i := range steps {
		b.Now = b.Now.Add(10 * time.Second)
		b.floor.putService(4, model.Call, int64(i*i/50%9))
		b.floor.Health.Link.State = model.LinkUp
		if i > steps-50 && i < steps-20 {
			b.floor.Health.Link.State = model.LinkBackoff
		}
		b.publish()
	}
	b.send(tea.WindowSizeMsg{Width: w, Height: h})
	return b
}

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
				b.press(keys...)
				golden.RequireEqual(t, b.text())
			})
		}
	}
}

func TestGoldenPlotASCII(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 80, 24, func(o *Options) { o.ASCII = true })
	b.press("2", "t", "left", "pgup")
	if text := b.text(); strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		t.Errorf("it has more than ASCII:\n%s", text)
	}
	golden.RequireEqual(t, b.text())
}

// The first esc removes the cursor, the second closes the chart.
func TestPlotCursor(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.press("2", "t", "left", "left")
	b.shows("at 1")
	before := b.text()
	b.Now = b.Now.Add(time.Second)
	b.press("esc")
	if b.dialogs.Top() == nil || b.text() == before {
		t.Fatalf("esc did not take the cursor away:\n%s", b.text())
	}
	b.click(60, 10)
	b.shows("at 1")
	b.press("end", "esc")
	if b.dialogs.Top() != nil {
		t.Error("the chart is still open")
	}
}

// The chart of a frozen board stands still, while data is still collected.
func TestPlotOfFrozenPicture(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.press("p", "2", "t")
	chart := func() string { return strings.Join(b.trimmed()[1:39], "\n") } // not the clock, nor what is said
	before := chart()
	for i := range 60 {
		b.Now = b.Now.Add(10 * time.Second)
		b.floor.putService(4, model.Call, int64(i))
		b.publish()
	}
	if after := chart(); before != after {
		t.Errorf("it moved from\n%s\nto\n%s", before, after)
	}
}

// Gaps in the data are gaps in the chart.
func TestPlotHasGapsWhileDown(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	for range 12 {
		b.pass(10 * time.Second)
	}
	b.press("2", "t")
	b.shows("Waiting –")
}

func TestPlotZoom(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.press("2", "t")
	b.shows("the last 15 minutes")
	b.press("-")
	b.shows("since 10:42", "every 10 seconds") // no longer than anything is known
	b.press("-", "-")
	b.shows("since 10:42", "every minute")
	b.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 20, Y: 10})
	b.shows("since 10:42", "every 10 seconds")
}

// A chart pane has the size of its pane and handles its keys.
func TestPlotPane(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	p := panes.NewPlotPane(panes.PaneSpec{Kind: "chart", Services: []string{serviceCode(0), serviceCode(4)}, KPIs: []string{"queuedCalls"}, Span: 15 * time.Minute})
	press := func(k string) bool {
		_, done := p.Press(b.scene.panes(), tea.KeyPressMsg{Code: rune(k[0]), Text: k})
		return done
	}
	view := func() string {
		lines := p.View(b.scene.panes(), 3, 5, 70, 12)
		for _, l := range lines {
			if style.Width(l) != 70 {
				t.Errorf("%d cells: %q", style.Width(l), l)
			}
		}
		if len(lines) != 12 {
			t.Errorf("%d lines", len(lines))
		}
		return strings.Join(lines, "\n")
	}
	if v := view(); !strings.Contains(v, "Billing: Waiting") || !strings.Contains(v, "the last 15 minutes") {
		t.Errorf("it shows\n%s", v)
	}
	if !press("-") || !strings.Contains(view(), "since 10:42") {
		t.Errorf("it does not zoom:\n%s", view())
	}
	p.Update(b.scene.panes(), tea.MouseClickMsg{X: 60, Y: 8, Button: tea.MouseLeft})
	if !strings.Contains(view(), "at 1") {
		t.Errorf("a click sets no cursor:\n%s", view())
	}
	if press("q") {
		t.Error("it takes a key that is not its own")
	}
}

// TestPlotGrows checks that the chart's axis grows with the data.
func TestPlotGrows(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 0, 0, paged(row("chart")))
	past := func(d time.Duration) {
		for end := b.Now.Add(d); b.Now.Before(end); {
			b.Now = b.Now.Add(10 * time.Second)
			b.publish()
		}
		b.send(windowSize(120, 40))
	}
	p := b.pages.page().(*panes.PanePage).All[0].Pane.(*panes.PlotPane) //nolint:forcetypeassert // it is one
	for _, step := range []struct {
		watch   time.Duration
		samples int
		says    string
	}{
		{10 * time.Second, 6, "since 10:42:"}, // to the second in the first minutes
		{10 * time.Minute, 62, "since 10:42"},
		{40 * time.Minute, 302, "since 10:42"},
		{15 * time.Minute, 360, "the last hour"},
	} {
		past(step.watch)
		b.shows(step.says)
		if n := len(p.Chart.Window.Samples); n != step.samples {
			t.Errorf("after %v more it shows %d samples, want %d", step.watch, n, step.samples)
		}
	}
	b.floor.Health.Link.State = model.LinkBackoff
	past(20 * time.Minute)
	b.floor.Health.Link.State = model.LinkUp
	past(50 * time.Minute)
	b.shows("the last hour") // it begins with a gap, before which there was something
	b.press("-")
	b.shows("since 10:42")
}

// TestHourOfAnAgent checks the chart of an agent's activity.
func TestHourOfAnAgent(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	b.press("4", "t")
	b.shows("Calls", "█")
	b.shows("Booked", "15:30")
	b.shows("The board has watched since 10:42")
	b.press("esc")
	b.hides("The board has watched since")
}
