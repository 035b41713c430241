package panes

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/areas"
	"wallboard/ui/look"
)

// textPane is a text that stands still where it fits, and else moves through its
// line.
type textPane struct {
	lines []string // as they are written
	speed time.Duration
	still bool // nothing may move by itself
	runs  bool // the last view did not fit
}

// The shortest time after which a text moves on: faster it cannot be read, and
// every move draws a frame.
const fastestText = 250 * time.Millisecond

func newTextPane(sc *Scene, spec PaneSpec) *textPane {
	t := &textPane{speed: max(spec.Speed, fastestText), still: !sc.Flash}
	for l := range strings.SplitSeq(strings.TrimSpace(spec.Text), "\n") {
		t.lines = append(t.lines, model.CleanText(l, model.MaxBody))
	}
	return t
}

func (*textPane) Refresh(*Scene) {}
func (t *textPane) hide()        { t.runs = false }

// Want is a line, and as many as the text takes without moving.
func (t *textPane) Want(_ *Scene, w int) areas.Room {
	return areas.Room{Width: 10, Least: 1, Wanted: 1, Steps: []int{1, len(t.wrapped(w))}}
}

// wrapped is the text in lines that are not wider than w, broken between words.
func (t *textPane) wrapped(w int) []string {
	var out []string
	for _, l := range t.lines {
		out = append(out, strings.Split(ansi.Wordwrap(l, max(w-2, 1), ""), "\n")...)
	}
	return out
}

// Moving returns how long the text stands still before it moves on, 0 where it
// does not.
func (t *textPane) Moving() time.Duration {
	if t.runs && !t.still {
		return t.speed
	}
	return 0
}

func (t *textPane) View(sc *Scene, _, _, w, h int) []string {
	lines := t.wrapped(w)
	fits := len(lines) <= h
	for _, l := range lines {
		fits = fits && look.Width(l) <= w-2 // a word may be longer than the line
	}
	st := sc.Look.Style(themes.Text)
	if fits {
		t.runs = false
		out := make([]string, 0, h)
		for range (h - len(lines)) / 2 {
			out = append(out, look.Blanks(w))
		}
		for _, l := range lines {
			at := look.NewLine(w, sc.Look.Glyphs.Ellipsis)
			out = append(out, at.Space(themes.Style{}, max(w-look.Width(l), 0)/2).Add(st, l).End(themes.Style{}))
		}
		return look.FitLines(out, w, h, sc.Look.Glyphs.Ellipsis)
	}
	t.runs = true
	return look.FitLines([]string{look.NewLine(w, "").Add(st, t.window(sc, w)).End(themes.Style{})}, w, h, "")
}

// window is what is seen of the text now: where it stands still, its beginning.
func (t *textPane) window(sc *Scene, w int) string {
	whole := strings.Join(t.lines, "  "+sc.Look.Glyphs.Dot+"  ")
	if t.still {
		return look.Cut(whole, w, sc.Look.Glyphs.Ellipsis)
	}
	loop := whole + "   " + sc.Look.Glyphs.Dot + "   "
	width := look.Width(loop)
	at := int(sc.Floor.Ours.UnixMilli()/t.speed.Milliseconds()) % width
	return look.Fit(ansi.Cut(loop+loop, at, at+w), w, "")
}

// textKind is the kind of panes that are texts.
func textKind() paneKind {
	return paneKind{
		name: "text", takes: []string{"text", "speed"},
		make: func(sc *Scene, s PaneSpec) Pane { return newTextPane(sc, s) },
	}
}
