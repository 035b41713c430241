package frame

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// Notice is a temporary message in the footer.
type Notice struct {
	Text  string // "": no message
	Token themes.Token
	ID    uint64
}

// NoticeExpiredMsg removes the message with the given ID. It has no effect on a newer message.
type NoticeExpiredMsg struct{ ID uint64 }

// NoticeDuration is how long a message stays on the screen.
const NoticeDuration = 5 * time.Second

// Show shows a message. The returned command removes the message after [NoticeDuration].
func (n *Notice) Show(ctx context.Context, token themes.Token, text string) tea.Cmd {
	n.ID++
	n.Token = token
	n.Text = cleanText(text)
	return dialog.DelayMsg(ctx, NoticeDuration, NoticeExpiredMsg{n.ID})
}

// IsShowing reports whether text is on the screen.
func (n *Notice) IsShowing(text string) bool {
	return n.Text != "" && n.Text == cleanText(text)
}

// cleanText returns text in the form in which it is shown.
func cleanText(text string) string { return model.CleanText(style.OneLine(text), model.MaxBody) }

// FitsBesideKeys reports whether the footer, which is w cells wide, has room for keys beside the
// message. It has room if the message is not critical and takes at most half of the footer.
func (n *Notice) FitsBesideKeys(w int) bool {
	return n.Token == themes.Accent && style.Width(n.Text) <= w/2
}

// Expire removes the message if it has the ID in msg. Otherwise it returns false.
func (n *Notice) Expire(msg NoticeExpiredMsg) bool {
	if msg.ID != n.ID || n.Text == "" {
		return false
	}
	n.Text = ""
	return true
}

// Draw draws the message after the content of the footer in l. If bare is true and the screen is
// not narrow, it also draws the key help at the right end.
func (n *Notice) Draw(lk *style.Look, frameData *Frame, l *style.Line, bare bool, help key.Help) string {
	const roomy = 60
	bar, end := lk.Style(themes.StatusBar), style.NewLine(frameData.Width, lk.Glyphs.Ellipsis)
	if bare && frameData.Width >= roomy {
		lk.AddBarHints(end, style.KeyHint{Key: help.Key, Description: help.Desc})
	}
	text := textlayout.TruncateWords(frameData.Notice, frameData.Width-2-end.UsedWidth(), lk.ASCII)
	l.Add(lk.BarTextStyle(n.Token), " "+text+" ")
	l.Space(bar, l.RemainingWidth()-end.UsedWidth())
	return l.AddRaw(end.String(), end.UsedWidth()).Finish(bar)
}
