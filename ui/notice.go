package ui

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// notice is a temporary message in the footer.
type notice struct {
	text  string       // "": none
	token themes.Token // color
	id    uint64
}

// noticeOverMsg ends the message with the id. A newer message stays.
type noticeOverMsg struct{ id uint64 }

const noticeLasts = 5 * time.Second

// say shows a message for [noticeLasts].
func (n *notice) say(ctx context.Context, token themes.Token, text string) tea.Cmd {
	n.id++
	n.token = token
	n.text = model.CleanText(style.OneLine(text), model.MaxBody)
	return dialog.After(ctx, noticeLasts, noticeOverMsg{n.id})
}

// over removes the message if it is still the one that msg is about, and reports whether it
// did.
func (n *notice) over(msg noticeOverMsg) bool {
	if msg.id != n.id || n.text == "" {
		return false
	}
	n.text = ""
	return true
}

// line draws the footer with the message. If bare is true, the hint for the help stays at
// the right.
func (n *notice) line(lk *style.Look, now *frame.Frame, l *style.Line, bare bool, help key.Help) string {
	const roomy = 60
	bar, end := lk.Style(themes.StatusBar), style.NewLine(now.Width, lk.Glyphs.Ellipsis)
	if bare && now.Width >= roomy {
		lk.BarHints(end, style.KeyHint{Key: help.Key, Does: help.Desc})
	}
	text := render.TruncateWords(now.Notice, now.Width-2-end.Used(), lk.ASCII)
	l.Add(lk.OnBar(n.token), " "+text+" ")
	l.Space(bar, l.Room()-end.Used())
	return l.Raw(end.String(), end.Used()).End(bar)
}
