package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/look"
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
