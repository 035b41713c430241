package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/task"
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

func newTextPane(sc *scene, spec PaneSpec) *textPane {
	t := &textPane{speed: max(spec.Speed, fastestText), still: !sc.Flash}
	for l := range strings.SplitSeq(strings.TrimSpace(spec.Text), "\n") {
		t.lines = append(t.lines, model.CleanText(l, model.MaxBody))
	}
	return t
}

func (*textPane) Refresh(*scene) {}
func (t *textPane) hide()        { t.runs = false }

// Want is a line, and as many as the text takes without moving.
func (t *textPane) Want(_ *scene, w int) room {
	return room{width: 10, least: 1, wanted: 1, steps: []int{1, len(t.wrapped(w))}}
}

// wrapped is the text in lines that are not wider than w, broken between words.
func (t *textPane) wrapped(w int) []string {
	var out []string
	for _, l := range t.lines {
		out = append(out, strings.Split(ansi.Wordwrap(l, max(w-2, 1), ""), "\n")...)
	}
	return out
}

// moving returns how long the text stands still before it moves on, 0 where it
// does not.
func (t *textPane) moving() time.Duration {
	if t.runs && !t.still {
		return t.speed
	}
	return 0
}

func (t *textPane) View(sc *scene, _, _, w, h int) []string {
	lines := t.wrapped(w)
	fits := len(lines) <= h
	for _, l := range lines {
		fits = fits && look.Width(l) <= w-2 // a word may be longer than the line
	}
	st := sc.look.Style(themes.Text)
	if fits {
		t.runs = false
		out := make([]string, 0, h)
		for range (h - len(lines)) / 2 {
			out = append(out, look.Blanks(w))
		}
		for _, l := range lines {
			at := look.NewLine(w, sc.look.Glyphs.Ellipsis)
			out = append(out, at.Space(themes.Style{}, max(w-look.Width(l), 0)/2).Add(st, l).End(themes.Style{}))
		}
		return look.FitLines(out, w, h, sc.look.Glyphs.Ellipsis)
	}
	t.runs = true
	return look.FitLines([]string{look.NewLine(w, "").Add(st, t.window(sc, w)).End(themes.Style{})}, w, h, "")
}

// window is what is seen of the text now: where it stands still, its beginning.
func (t *textPane) window(sc *scene, w int) string {
	whole := strings.Join(t.lines, "  "+sc.look.Glyphs.Dot+"  ")
	if t.still {
		return look.Cut(whole, w, sc.look.Glyphs.Ellipsis)
	}
	loop := whole + "   " + sc.look.Glyphs.Dot + "   "
	width := look.Width(loop)
	at := int(sc.floor.Ours.UnixMilli()/t.speed.Milliseconds()) % width
	return look.Fit(ansi.Cut(loop+loop, at, at+w), w, "")
}

// textKind is the kind of panes that are texts.
func textKind() paneKind {
	return paneKind{
		name: "text", takes: []string{"text", "speed"},
		make: func(sc *scene, s PaneSpec) Pane { return newTextPane(sc, s) },
	}
}

// moveMsg has what moves by itself move on.
type moveMsg struct{}

// moveTick brings the next moveMsg while there is anything on the screen that
// moves by itself.
func (m *Model) moveTick() tea.Cmd {
	p, ok := m.page().(mover)
	if m.moving || !ok {
		return nil
	}
	d := p.moving()
	if d == 0 {
		return nil
	}
	m.moving = true
	return task.After(m.scene.Context, d, moveMsg{})
}
