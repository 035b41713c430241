package panes

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// textPane shows configured text. If the text does not fit, it scrolls on one line.
type textPane struct {
	lines          []string      // lines of the configured text
	interval       time.Duration // interval after which the text moves by one cell
	motionDisabled bool          // motion is disabled, so the text does not scroll
	overflowed     bool          // the text did not fit in the last view
}

// minTextInterval is the shortest interval between two moves of the text. A shorter interval would
// make the text unreadable, and drawing a frame for every move would cost too much.
const minTextInterval = 250 * time.Millisecond

func newTextPane(sc *Scene, spec PaneSpec) *textPane {
	t := &textPane{interval: max(spec.ScrollInterval, minTextInterval), motionDisabled: !sc.MotionEnabled}
	for l := range strings.SplitSeq(strings.TrimSpace(spec.Text), "\n") {
		t.lines = append(t.lines, model.CleanText(l, model.MaxBody))
	}
	return t
}

func (*textPane) Refresh(*Scene) {}
func (t *textPane) hide()        { t.overflowed = false }

// SizeHint implements [Pane]. It needs one line, and can use as many lines as the whole text takes.
func (t *textPane) SizeHint(_ *Scene, w int) frame.SizeHint {
	return frame.SizeHint{MinWidth: 10, MinHeight: 1, WantedHeight: 1, UsefulHeights: []int{1, len(t.wrapLines(w))}}
}

// wrapLines returns the text wrapped between words for a pane of w cells, with a margin of one cell
// on each side. It does not cut words that are wider than a line.
func (t *textPane) wrapLines(w int) []string {
	var out []string
	for _, l := range t.lines {
		out = append(out, strings.Split(ansi.Wordwrap(l, max(w-2, 1), ""), "\n")...)
	}
	return out
}

// ScrollInterval implements [SelfScroller]. It returns 0 if the text fits or motion is disabled.
func (t *textPane) ScrollInterval() time.Duration {
	if t.overflowed && !t.motionDisabled {
		return t.interval
	}
	return 0
}

func (t *textPane) View(sc *Scene, _, _, w, h int) []string {
	lines := t.wrapLines(w)
	fits := len(lines) <= h
	for _, l := range lines {
		fits = fits && style.Width(l) <= w-2 // a single word may be wider than a line
	}
	st := sc.Look.Style(themes.Text)
	if fits {
		t.overflowed = false
		out := make([]string, 0, h)
		for range (h - len(lines)) / 2 {
			out = append(out, style.Blanks(w))
		}
		for _, l := range lines {
			line := style.NewLine(w, sc.Look.Glyphs.Ellipsis)
			out = append(out, line.Space(themes.Style{}, max(w-style.Width(l), 0)/2).Add(st, l).Finish(themes.Style{}))
		}
		return style.FitLines(out, w, h, sc.Look.Glyphs.Ellipsis)
	}
	t.overflowed = true
	return style.FitLines([]string{style.NewLine(w, "").Add(st, t.visibleText(sc, w)).Finish(themes.Style{})}, w, h, "")
}

// visibleText returns the part of the text that a line of w cells currently shows. If motion is
// disabled, it returns the start of the text.
func (t *textPane) visibleText(sc *Scene, w int) string {
	whole := strings.Join(t.lines, "  "+sc.Look.Glyphs.Dot+"  ")
	if t.motionDisabled {
		return style.Truncate(whole, w, sc.Look.Glyphs.Ellipsis)
	}
	loop := whole + "   " + sc.Look.Glyphs.Dot + "   "
	width := style.Width(loop)
	index := int(sc.Floor.LocalNow.UnixMilli()/t.interval.Milliseconds()) % width
	return style.Fit(ansi.Cut(loop+loop, index, index+w), w, "")
}

func textKind() paneKind {
	return paneKind{
		name: "text", settings: []string{"text", "speed"},
		make: func(sc *Scene, s PaneSpec) Pane { return newTextPane(sc, s) },
	}
}
