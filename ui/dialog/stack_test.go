package dialog

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// board is a board of 80 cells that records its messages.
type board struct {
	look *style.Look
	now  time.Time
	ctx  context.Context //nolint:containedctx // context of the test
	said []string
}

func newStack(t *testing.T) (*Stack, *board) {
	t.Helper()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	b := &board{look: style.New(style.Options{Theme: theme}, render.Options{}), now: time.Unix(1000, 0), ctx: t.Context()}
	return NewStack(b), b
}

func (b *board) Look() *style.Look        { return b.look }
func (b *board) Platform() string         { return "" }
func (b *board) Width() int               { return 80 }
func (b *board) Now() time.Time           { return b.now }
func (b *board) Context() context.Context { return b.ctx }

func (b *board) ShowMessage(text string) tea.Cmd {
	b.said = append(b.said, text)
	return nil
}

// press presses keys, and runs the resulting commands.
func press(s *Stack, keys ...string) {
	for _, k := range keys {
		msg := tea.KeyPressMsg{Text: k}
		switch k {
		case "esc":
			msg = tea.KeyPressMsg{Code: tea.KeyEscape}
		case "enter":
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		}
		s.Press(msg)
	}
}

// drawn returns the stack drawn on an empty board.
func drawn(s *Stack) string {
	lines := make([]string, 24)
	for i := range lines {
		lines[i] = style.Blanks(80)
	}
	s.Overlay(lines, 80)
	return ansi.Strip(strings.Join(lines, "\n"))
}

func TestAnswersReachTheirDialogOnly(t *testing.T) {
	t.Parallel()
	s, _ := newStack(t)
	sheet := &Sheet[string]{
		Dialogs: s, Name: "Names", EmptyText: "There are none.",
		Read: func(context.Context) (string, error) { return "Ada", nil },
		Draw: func(lk *style.Look, v string, _ int) []Line { return []Line{PlainLine(lk, themes.Text, v)} },
	}
	read := s.Open(sheet)
	s.OpenWarning("Careful", "Something lies on top.", "")
	msg, ok := read().(AnswerMsg)
	if !ok {
		t.Fatalf("got %T", msg)
	}
	if s.DeliverAnswer(msg); strings.Contains(drawn(s), "Ada") {
		t.Error("the sheet is drawn over the dialog on top")
	}
	s.Close(s.Top())
	if got := drawn(s); !strings.Contains(got, "Ada") {
		t.Errorf("the answer did not arrive:\n%s", got)
	}
	s.Close(sheet)
	if _, open := s.Send(sheet, msg); open {
		t.Error("a closed dialog takes messages")
	}
}

func TestEscAsksBeforeTypedTextIsLost(t *testing.T) {
	t.Parallel()
	s, _ := newStack(t)
	s.Open(NewForm(s, "Write", "Send", []Field{{ID: "text", Label: "Text"}}, nil))
	s.Top().Update(tea.PasteMsg{Content: "hello"})
	if press(s, "esc"); s.Len() != 2 || !strings.Contains(drawn(s), "would be lost") {
		t.Fatalf("%d dialogs:\n%s", s.Len(), drawn(s))
	}
	if press(s, "n"); s.Len() != 1 {
		t.Fatal("no closes more than the question")
	}
	if press(s, "esc", "y"); s.Len() != 0 {
		t.Error("yes leaves the form open")
	}
}

func TestWarningStaysUntilItIsRead(t *testing.T) {
	t.Parallel()
	s, b := newStack(t)
	s.OpenWarning("Careful", "It is not recorded.", "")
	if press(s, "esc", "enter"); s.Len() != 1 {
		t.Fatal("it closed before it could be read")
	}
	b.now = b.now.Add(WarningReadTime)
	if press(s, "esc"); s.Len() != 1 {
		t.Fatal("esc closes it")
	}
	if press(s, "enter"); s.Len() != 0 {
		t.Error("it cannot be acknowledged")
	}
}

// TestNoIsHeard answers no in every way.
func TestNoIsHeard(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{{"n"}, {"esc"}, {"enter"}, {"tab", "tab", "space"}} {
		s, _ := newStack(t)
		no := 0
		s.OpenQuestionDialog(Question{Text: "Quit?", YesLabel: "Quit", OnNo: func() { no++ }})
		if press(s, keys...); no != 1 || s.Len() != 0 {
			t.Errorf("%q: no was called %d times, %d dialogs are open", keys, no, s.Len())
		}
	}
}

func TestMootQuestionCloses(t *testing.T) {
	t.Parallel()
	s, b := newStack(t)
	open := []string{"dial: Ada"}
	s.OpenQuestionDialog(Question{Topic: "quit", Text: "Quit?", YesLabel: "Quit", LiveLines: func() []string { return open }})
	if s.CloseEmptyQuestions(); s.OpenQuestion("quit") == nil {
		t.Fatal("it closed while an action is pending")
	}
	open = nil
	if s.CloseEmptyQuestions(); s.OpenQuestion("quit") != nil {
		t.Fatal("it stays open although all actions are done")
	}
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	if !s.IsRepeat(enter) {
		t.Error("the enter that was meant for it reaches the board")
	}
	b.now = b.now.Add(DoublePress)
	if s.IsRepeat(enter) {
		t.Error("the key stays muted")
	}
}
