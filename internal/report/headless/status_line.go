package headless

import (
	"cmp"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// StatusLine returns a line about the platform in a language, for example for the status line of
// tmux. It says whether the data is live, and contains some figures and the most urgent situation.
func (v *Viewer) StatusLine(l *words.Language) string {
	dot, ring := "● ", "○ "
	if v.ascii {
		dot, ring = "* ", "o "
	}
	if v.LastSnapshot == nil {
		return ring + words.StatusNotLive().In(l)
	}
	var b strings.Builder
	if v.IsLive() {
		b.WriteString(dot + words.BadgeLive().In(l))
	} else {
		b.WriteString(ring + v.connectionText().In(l))
	}
	floor := alert.Key{Scope: alert.Floor, Channel: model.Call}
	format := textformat.Format{ASCII: v.ascii, Words: l}
	figure := func(name string) string { return string(format.Figure(nil, v.Value(name, floor))) }
	b.WriteString("  " + words.StatusFigures(string(format.Percent(nil, v.Value("serviceLevel", floor))), figure("queuedCalls"), figure("readyUsers")).In(l))
	critical, warning, today := v.CountSituations()
	if v.view == nil {
		return b.String()
	}
	sep := "  "
	if n := len(v.view.Silenced); n > 0 {
		b.WriteString(sep + words.StatusSilent(n).In(l))
	}
	for _, c := range []struct {
		n    int
		text func(int) words.Text
	}{{critical, words.StatusCritical}, {warning, words.StatusWarning}, {today, words.StatusToday}} {
		if c.n > 0 {
			b.WriteString(sep + c.text(c.n).In(l))
			sep = " "
		}
	}
	view := v.view.In(l)
	s, unattended := mostUrgent(view), view.UnattendedText()
	if s != nil {
		b.WriteString(": " + textformat.ToASCII(s.SummaryLine(), v.ascii))
	}
	if unattended != "" && (s == nil || !s.NeedsAction()) {
		b.WriteString("  " + textformat.ToASCII(unattended, v.ascii))
	}
	return b.String()
}

// connectionText says that the data is not live, and why.
func (v *Viewer) connectionText() words.Text {
	h := &v.LastSnapshot.Health
	if reason := cmp.Or(h.Link.Reason, h.Notice); reason != "" {
		return words.StatusNotLiveBecause(string(h.Link.State), reason)
	}
	return words.StatusNotLiveLink(string(h.Link.State))
}

// mostUrgent returns the most urgent situation that needs action. If there is none, it returns
// the first situation about a figure of the day, or nil.
func mostUrgent(view *situation.View) *situation.Situation {
	for i := range view.Live {
		if s := &view.Live[i]; s.NeedsAction() {
			return s
		}
	}
	if len(view.Today) > 0 {
		return &view.Today[0]
	}
	return nil
}
