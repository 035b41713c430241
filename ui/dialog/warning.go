package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// WarningReadTime is how long a warning is open before it can be closed. A user who is typing when
// the warning appears has not read it yet.
const WarningReadTime = time.Second

// Warning is a dialog with an important message. It stays open until the user acknowledges it.
type Warning struct {
	dialogs          *Stack
	name             string
	warning, details string
	openedAt         time.Time
	text             Scroller
}

// OpenWarning opens a warning on top of all dialogs. text is an explanation below the warning, or "".
func (s *Stack) OpenWarning(name, warning, text string) tea.Cmd {
	return s.Open(&Warning{dialogs: s, name: name, warning: warning, details: text, openedAt: s.Now()})
}

// HandleEsc implements [EscHandler]. The key esc does not close a warning.
func (d *Warning) HandleEsc() bool { return true }

// Title implements [Dialog].
func (d *Warning) Title() string { return d.name }

// Size implements [Dialog].
func (d *Warning) Size(maxW, maxH int) (w, h int) {
	w = min(QuestionWidth, maxW)
	return w, min(len(d.lines(w))+HintRows, maxH)
}

func (d *Warning) lines(w int) []string {
	lk := d.dialogs.Look()
	st := lk.Style(themes.BadgeCritical)
	var out []string
	for _, l := range style.WrapText(lk.Glyphs.Failed+" "+d.warning, w-2) {
		out = append(out, style.NewLine(w, lk.Glyphs.Ellipsis).Space(st, 1).Add(st, l).Finish(st))
	}
	if d.details != "" {
		out = append(append(out, ""), lk.Wrap(themes.Text, d.details, w)...)
	}
	return out
}

// View implements [Dialog].
func (d *Warning) View(w, h int) []string {
	out := d.text.View(d.lines(w), 0, 0, w, max(h-1, 0))
	lk := d.dialogs.Look()
	return append(out, lk.HintLine(w, style.KeyHint{Key: "enter", Description: words.DialogKeyRead().In(lk.Format.Words)}))[:h]
}

// Update implements [Dialog].
func (d *Warning) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() != "enter" {
			d.text.Press(msg)
		} else if d.readTimeElapsed() {
			d.dialogs.Close(d)
		}
	case tea.MouseWheelMsg:
		d.text.Wheel(msg)
	}
	return nil
}

// readTimeElapsed reports whether the warning has been open for WarningReadTime, so that the user can
// have read it.
func (d *Warning) readTimeElapsed() bool { return d.dialogs.Now().Sub(d.openedAt) >= WarningReadTime }
