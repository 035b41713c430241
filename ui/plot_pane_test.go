package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// newWatched returns a board that has run for twenty minutes, with a gap of five.
func newWatched(t *testing.T, w, h int, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, 0, 0, change...) // without a size, the board draws nothing
	b.PassTwentyMinutes()
	b.send(windowSize(w, h))
	return b
}

// TestPlotPane checks that a chart pane has the size of its pane and handles its keys.
func TestPlotPane(t *testing.T) {
	t.Parallel()
	b := newWatched(t, 120, 40)
	p := panes.NewPlotPane(panes.PaneSpec{Kind: "chart", Services: []string{serviceCode(0), serviceCode(4)}, KPIs: []string{"queuedCalls"}, Span: 15 * time.Minute})
	press := func(k string) bool {
		_, done := p.Press(b.scene.paneScene(), tea.KeyPressMsg{Code: rune(k[0]), Text: k})
		return done
	}
	view := func() string {
		lines := p.View(b.scene.paneScene(), 3, 5, 70, 12)
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
	if v := view(); !strings.Contains(v, "Billing: Waiting") || !strings.Contains(v, "the last 15 min") {
		t.Errorf("it shows\n%s", v)
	}
	if !press("-") || !strings.Contains(view(), "since 10:42") {
		t.Errorf("it does not zoom:\n%s", view())
	}
	p.Update(b.scene.paneScene(), tea.MouseClickMsg{X: 60, Y: 8, Button: tea.MouseLeft})
	if !strings.Contains(view(), "at 1") {
		t.Errorf("a click sets no cursor:\n%s", view())
	}
	if press("q") {
		t.Error("it takes a key that is not its own")
	}
}

// TestPlotGrows checks that the time axis of a chart gets longer with the data.
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
	p := b.pages.CurrentPage().(*panes.PanePage).Slots[0].Pane.(*panes.PlotPane) //nolint:forcetypeassert // it is one
	for _, step := range []struct {
		watch   time.Duration
		samples int
		says    string
	}{
		{10 * time.Second, 6, "since 10:42:"}, // seconds are shown only in the first minutes
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
	b.shows("the last hour") // there are values from before the gap at its start
	b.press("-")
	b.shows("since 10:42")
}
