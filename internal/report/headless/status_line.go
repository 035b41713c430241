package headless

import (
	"cmp"
	"fmt"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// StatusLine returns a line about the platform, for example for the status line of tmux. It
// tells whether the data is live, and contains some figures and the most urgent situation.
func (v *Viewer) StatusLine() string {
	dot, ring := "●", "○"
	if v.ascii {
		dot, ring = "*", "o"
	}
	if v.LastSnapshot == nil {
		return ring + " NOT LIVE"
	}
	var b strings.Builder
	if v.Live() {
		b.WriteString(dot + " LIVE")
	} else {
		link := &v.LastSnapshot.Health.Link
		b.WriteString(ring + " NOT LIVE (connection: " + string(link.State) + cmp.Or(reasonSuffix(link.Reason), reasonSuffix(v.LastSnapshot.Health.Notice)) + ")")
	}
	floor := alert.Key{Scope: alert.Floor, Channel: model.Call}
	format := phrases.Format{ASCII: v.ascii}
	figure := func(name string) []byte { return format.Figure(nil, v.Value(name, floor)) }
	fmt.Fprintf(&b, "  SL %s  waiting %s  ready %s", format.Percent(nil, v.Value("serviceLevel", floor)), figure("queuedCalls"), figure("readyUsers"))
	critical, warning, today := v.CountSituations()
	if v.view == nil {
		return b.String()
	}
	if n := len(v.view.Silenced); n > 0 {
		fmt.Fprintf(&b, "  %d silent", n)
	}
	sep := "  "
	for _, c := range []struct {
		n    int
		word string
	}{{critical, "critical"}, {warning, "warning"}, {today, "today"}} {
		if c.n > 0 {
			fmt.Fprintf(&b, "%s%d %s", sep, c.n, c.word)
			sep = " "
		}
	}
	s, unattended := v.mostUrgent(), v.view.UnattendedText()
	if s != nil {
		b.WriteString(": " + phrases.ASCII(s.Line(), v.ascii))
	}
	if unattended != "" && (s == nil || !s.NeedsAction()) {
		b.WriteString("  " + phrases.ASCII(unattended, v.ascii))
	}
	return b.String()
}

// mostUrgent returns the most urgent situation that needs action. If there is none, it returns
// the first situation about a figure of the day, or nil. It requires an earlier evaluation of
// a snapshot.
func (v *Viewer) mostUrgent() *situation.Situation {
	for i := range v.view.Live {
		if s := &v.view.Live[i]; s.NeedsAction() {
			return s
		}
	}
	if len(v.view.Today) > 0 {
		return &v.view.Today[0]
	}
	return nil
}
