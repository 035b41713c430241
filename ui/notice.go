package ui

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chrome"
	"wallboard/ui/look"
	"wallboard/ui/render"
	"wallboard/ui/task"
)

// notice is a message in the footer, for a while.
type notice struct {
	text  string       // "": none
	token themes.Token // of what it is about
	id    uint64
}

// noticeOverMsg comes when a message in the footer has been there long enough;
// id says whether it is still that message.
type noticeOverMsg struct{ id uint64 }

const noticeLasts = 5 * time.Second

// say shows a message.
func (n *notice) say(ctx context.Context, token themes.Token, text string) tea.Cmd {
	n.id++
	n.token = token
	n.text = model.CleanText(look.OneLine(text), model.MaxBody)
	return task.After(ctx, noticeLasts, noticeOverMsg{n.id})
}

// over takes the message away, and reports whether it was still there.
func (n *notice) over(msg noticeOverMsg) bool {
	if msg.id != n.id || n.text == "" {
		return false
	}
	n.text = ""
	return true
}

// line is the last line with the message in it, which on a board that nothing covers leaves
// the way to help at its right.
func (n *notice) line(lk *look.Look, now *chrome.Moment, l *look.Line, bare bool, help key.Help) string {
	const roomy = 60
	bar, end := lk.Style(themes.StatusBar), look.NewLine(now.Width, lk.Glyphs.Ellipsis)
	if bare && now.Width >= roomy {
		lk.BarHints(end, look.Hint{Key: help.Key, Does: help.Desc})
	}
	text := render.WholeWords(now.Notice, now.Width-2-end.Used(), lk.ASCII)
	l.Add(lk.OnBar(n.token), " "+text+" ")
	l.Space(bar, l.Room()-end.Used())
	return l.Raw(end.String(), end.Used()).End(bar)
}
