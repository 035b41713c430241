package dialog

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/style"
)

// Stack holds the open dialogs. The last dialog is on top and has the keyboard focus.
type Stack struct {
	Host

	dialogs  []placedDialog
	mutedKey string    // key that opened or closed the last dialog; see IsRepeat
	mutedAt  time.Time // when mutedKey was last pressed
}

// NewStack returns a stack without dialogs.
func NewStack(h Host) *Stack { return &Stack{Host: h} }

// DoublePress is the time within which a second press of the same key is considered accidental.
const DoublePress = 400 * time.Millisecond

// placedDialog is a dialog with its area on the screen when it was last drawn.
type placedDialog struct {
	Dialog

	x, y, w, h int // area of the content
}

// toDialogPosition converts a position on the screen into a position relative to the content of the
// dialog. It returns false if the position is outside the content.
func (p *placedDialog) toDialogPosition(x, y *int) bool {
	*x, *y = *x-p.x, *y-p.y
	return *x >= 0 && *x < p.w && *y >= 0 && *y < p.h
}

// Open puts a dialog on top of the others. It returns the command with which the dialog starts, or
// nil.
func (s *Stack) Open(d Dialog) tea.Cmd {
	s.dialogs = append(s.dialogs, placedDialog{Dialog: d})
	if b, ok := d.(Starter); ok {
		return b.Begin()
	}
	return nil
}

// Close removes a dialog from the stack, even if it is not on top.
func (s *Stack) Close(d Dialog) {
	s.dialogs = slices.DeleteFunc(s.dialogs, func(p placedDialog) bool { return p.Dialog == d })
}

// Top returns the dialog on top, or nil if no dialog is open.
func (s *Stack) Top() Dialog {
	if top := s.top(); top != nil {
		return top.Dialog
	}
	return nil
}

func (s *Stack) top() *placedDialog {
	if n := len(s.dialogs); n > 0 {
		return &s.dialogs[n-1]
	}
	return nil
}

// Len returns the number of open dialogs.
func (s *Stack) Len() int { return len(s.dialogs) }

// OpenQuestion returns the open question with the given topic, or nil if there is none.
func (s *Stack) OpenQuestion(topic string) *QuestionDialog {
	for _, p := range s.dialogs {
		if q, ok := p.Dialog.(*QuestionDialog); ok && q.Topic == topic {
			return q
		}
	}
	return nil
}

// UnsentTitles returns the titles of open dialogs with unsent input.
func (s *Stack) UnsentTitles() []string {
	var out []string
	for _, p := range s.dialogs {
		if t, ok := p.Dialog.(UnsavedInput); ok && t.Unsaved() {
			out = append(out, p.Title())
		}
	}
	return out
}

// CloseEmptyQuestions closes the questions whose [Question.LiveLines] returns no more lines.
func (s *Stack) CloseEmptyQuestions() {
	before := len(s.dialogs)
	s.dialogs = slices.DeleteFunc(s.dialogs, func(p placedDialog) bool {
		q, ok := p.Dialog.(*QuestionDialog)
		return ok && q.LiveLines != nil && len(q.LiveLines()) == 0
	})
	if len(s.dialogs) < before {
		s.MuteIfEmpty("enter")
	}
}

// MuteKey makes [Stack.IsRepeat] return true for further presses of a key that has just opened or
// closed a dialog.
func (s *Stack) MuteKey(key string) { s.mutedKey, s.mutedAt = key, s.Now() }

// MuteIfEmpty calls [Stack.MuteKey] if no dialog is open.
func (s *Stack) MuteIfEmpty(key string) {
	if len(s.dialogs) == 0 {
		s.MuteKey(key)
	}
}

// IsRepeat reports whether the muted key was pressed again within [DoublePress]. The caller must
// ignore such a press, because the user pressed the key for the previous screen.
func (s *Stack) IsRepeat(msg tea.KeyPressMsg) bool {
	if msg.String() != s.mutedKey || !s.Now().Before(s.mutedAt.Add(DoublePress)) {
		s.mutedKey = ""
		return false
	}
	s.mutedAt = s.Now()
	return true
}

// RouteAnswer returns a command that runs cmd and sends its message to the dialog d, even if d is not on
// top. If d has been closed, the message is dropped.
func (s *Stack) RouteAnswer(d Dialog, cmd tea.Cmd) tea.Cmd {
	return RecoverPanic(func() tea.Msg { return AnswerMsg{d, cmd()} })
}

// DeliverAnswer passes the message in msg to the dialog to which it is addressed. open is false if that
// dialog has been closed.
func (s *Stack) DeliverAnswer(msg AnswerMsg) (cmd tea.Cmd, open bool) {
	return s.Send(msg.recipient, msg.msg)
}

// Send passes a message to the dialog d. If d has been closed, it drops the message, and open is
// false.
func (s *Stack) Send(d Dialog, msg tea.Msg) (cmd tea.Cmd, open bool) {
	if !slices.ContainsFunc(s.dialogs, func(p placedDialog) bool { return p.Dialog == d }) {
		return nil, false
	}
	cmd = d.Update(msg)
	s.MuteIfEmpty("enter") // further presses of enter are meant for the dialog that has closed
	return cmd, true
}

// Press passes a key to the dialog on top. The key esc closes the dialog, unless the dialog handles
// esc itself. If input would be lost, the stack first asks for confirmation.
func (s *Stack) Press(msg tea.KeyPressMsg) tea.Cmd {
	d := s.Top()
	if msg.String() != "esc" {
		cmd := d.Update(msg)
		s.MuteIfEmpty(msg.String())
		return cmd
	}
	if h, ok := d.(EscHandler); ok && h.HandleEsc() {
		return nil
	}
	if t, ok := d.(UnsavedInput); ok && t.Unsaved() {
		l := s.Look().Format.Words
		return s.OpenQuestionDialog(Question{
			Name: words.DialogClose().In(l), Text: words.DialogUnsent().In(l), YesLabel: words.DialogDiscard().In(l), NoLabel: words.DialogGoOnTyping().In(l),
			OnYes: func(bool) tea.Cmd { s.Close(d); return nil },
		})
	}
	s.Close(d)
	return nil
}

// Click passes a mouse click to the dialog on top if the click is inside the dialog's content.
func (s *Stack) Click(msg tea.MouseClickMsg) tea.Cmd {
	if !s.top().toDialogPosition(&msg.X, &msg.Y) {
		return nil
	}
	return s.Top().Update(msg)
}

// Wheel passes a message of the mouse wheel to the dialog on top if the mouse is over the dialog's
// content.
func (s *Stack) Wheel(msg tea.MouseWheelMsg) tea.Cmd {
	if !s.top().toDialogPosition(&msg.X, &msg.Y) {
		return nil
	}
	return s.Top().Update(msg)
}

// Typing reports whether a text field of the dialog on top has the keyboard focus.
func (s *Stack) Typing() bool {
	p, ok := s.Top().(CursorOwner)
	if !ok {
		return false
	}
	_, _, typing := p.Cursor()
	return typing
}

// Cursor returns the terminal's cursor in the dialog on top, or nil if the dialog shows no cursor.
func (s *Stack) Cursor() *tea.Cursor {
	top := s.top()
	p, ok := top.Dialog.(CursorOwner)
	if !ok {
		return nil
	}
	x, y, ok := p.Cursor()
	if !ok || x >= top.w || y >= top.h {
		return nil
	}
	return tea.NewCursor(top.x+x, top.y+y)
}

// Overlay draws the dialog on top over the lines of a screen that is width cells wide. The other
// dialogs are not drawn, because only fragments of them would be visible.
func (s *Stack) Overlay(lines []string, width int) {
	d := s.top()
	if d == nil {
		return
	}
	const frameW, frameH = 4, 3 // size of the frame, and a line for the status line above it
	lk := s.Look()
	maxW, maxH := max(width-frameW, 1), max(len(lines)-frameH, 1)
	w, h := d.Size(maxW, maxH)
	d.w, d.h = max(min(w, maxW), 1), max(min(h, maxH), 1)
	content := style.FitLines(d.View(d.w, d.h), d.w, d.h, lk.Glyphs.Ellipsis)
	title := d.Title()
	if platform := s.Platform(); platform != "" { // shows the user on which platform an action has an effect
		title = platform + ": " + title
	}
	x, y := lk.Box(lines, width, style.Truncate(title, max(d.w-1, 1), lk.Glyphs.Ellipsis), content)
	d.x, d.y = x+frameW/2, y+1
}

// Hints returns the key hints of the dialog on top, for the footer.
func (s *Stack) Hints() []style.KeyHint {
	var keys []style.KeyHint
	if _, warns := s.Top().(*Warning); !warns {
		keys = append(keys, style.KeyHint{Key: "esc", Description: words.DialogKeyClose().In(s.Look().Format.Words)})
	}
	if a, ok := s.Top().(Hinter); ok {
		keys = append(keys, a.Hints()...)
	}
	return keys
}

// Restyle makes the open dialogs drop everything drawn with the previous theme.
func (s *Stack) Restyle() {
	for _, p := range s.dialogs {
		if d, ok := p.Dialog.(Restyler); ok {
			d.Restyle()
		}
	}
}
