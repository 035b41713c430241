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
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// notice is a temporary message in the footer.
type notice struct {
	text  string       // "": none
	token themes.Token // color
	id    uint64
}

// noticeExpiredMsg ends the message with the id. A newer message stays.
type noticeExpiredMsg struct{ id uint64 }

const noticeDuration = 5 * time.Second

// say shows a message for [noticeDuration].
func (n *notice) say(ctx context.Context, token themes.Token, text string) tea.Cmd {
	n.id++
	n.token = token
	n.text = model.CleanText(style.OneLine(text), model.MaxBody)
	return dialog.After(ctx, noticeDuration, noticeExpiredMsg{n.id})
}

// expire removes the message if it is still the one that msg is about, and reports whether it
// did.
func (n *notice) expire(msg noticeExpiredMsg) bool {
	if msg.id != n.id || n.text == "" {
		return false
	}
	n.text = ""
	return true
}

// line draws the footer with the message. If bare is true, the hint for the help stays at
// the right.
func (n *notice) line(lk *style.Look, frameData *frame.Frame, l *style.Line, bare bool, help key.Help) string {
	const roomy = 60
	bar, end := lk.Style(themes.StatusBar), style.NewLine(frameData.Width, lk.Glyphs.Ellipsis)
	if bare && frameData.Width >= roomy {
		lk.BarHints(end, style.KeyHint{Key: help.Key, Description: help.Desc})
	}
	text := textlayout.TruncateWords(frameData.Notice, frameData.Width-2-end.Used(), lk.ASCII)
	l.Add(lk.OnBar(n.token), " "+text+" ")
	l.Space(bar, l.Room()-end.Used())
	return l.AddRaw(end.String(), end.Used()).End(bar)
}
