package alerts_test

import (
	"context"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// board checks that all messages are in the pseudo-language.
type board struct {
	t    *testing.T
	look *style.Look
	said int
}

func (b *board) Look() *style.Look               { return b.look }
func (b *board) Platform() string                { return "" }
func (b *board) Width() int                      { return 200 }
func (b *board) Now() time.Time                  { return start() }
func (b *board) Context() context.Context        { return b.t.Context() }
func (b *board) ShowMessage(text string) tea.Cmd { b.said++; b.check(text); return nil }

// check fails the test if a text contains English words.
func (b *board) check(text string) {
	b.t.Helper()
	if left := testkit.Untranslated(text, "queue", "Queue", "Maria"); len(left) > 0 || text == "" {
		b.t.Errorf("%q is not in the catalogue: %s", left, text)
	}
}

// TestMessagesInPseudo snoozes and takes over alerts in the pseudo-language.
func TestMessagesInPseudo(t *testing.T) {
	t.Parallel()
	b := &board{t: t, look: style.New(style.Options{Location: time.UTC}, render.Options{})}
	b.look.Format.Words = words.PseudoLanguage()
	w, e, view := newWatch(t)
	live(view)
	w.Evaluate(b.look)
	e.raise(true, "queue", "queue 2")
	b.check(w.Evaluate(b.look).Text)
	dialogs := dialog.NewStack(b)
	floor := []alert.Alert{{Key: alert.Key{Scope: alert.Floor, Channel: model.Chat}, Text: "queue", Level: alert.Critical}, {Key: alert.Key{Scope: alert.Feed}}}
	for _, selected := range [][]alert.Alert{nil, floor, {{Text: "queue", Key: alert.Key{Scope: alert.Service, Code: "queue", Channel: model.Call}}}} {
		for _, shared := range []bool{false, true} {
			w.SetVisibleToOthers(shared)
			w.Snooze(dialogs, selected, "Maria")
			b.checkForm(dialogs, "10s", "soon", "5m")
			if len(selected) > 0 {
				w.TakeOver(dialogs, selected, "Maria", time.UTC)
				b.checkForm(dialogs)
				w.TakeOverAll(dialogs, selected, "Maria", time.UTC)
				b.checkForm(dialogs)
			}
		}
		for _, c := range w.SnoozeCommands(dialogs, selected, "Maria", key.NewBinding()) {
			b.check(c.Name)
			b.check(c.Keywords)
		}
		for _, c := range w.ParseSnooze(dialogs, "snooze all 5m", selected, "Maria") {
			b.check(c.Name)
			c.Run()
		}
	}
	b.check(w.NoAlertReason(alert.Key{Scope: alert.Floor}, "Queue", b.look))
	if b.said < 3 {
		t.Errorf("only %d messages", b.said)
	}
}

// checkForm checks the texts of the form on top, submits it with each of the values, and closes it.
func (b *board) checkForm(dialogs *dialog.Stack, values ...string) {
	b.t.Helper()
	d, ok := dialogs.Top().(*dialog.Form)
	if !ok {
		b.t.Fatalf("%T is no form", dialogs.Top())
	}
	b.check(d.Title())
	b.check(d.Remark())
	for _, value := range values {
		d.Fields.SetValue("for", value)
		d.OnSubmit()
	}
	dialogs.Close(d)
}
