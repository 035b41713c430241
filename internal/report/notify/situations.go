package notify

import (
	"fmt"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// NotifySituations queues a message about each changed situation for the targets. platform is
// the name of the platform, or "" if there is only one. The message is in the target's language.
// NotifySituations does not block.
func (n *Notifier) NotifySituations(platform string, changes []situation.Change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range changes {
		for _, w := range n.workers {
			told := c.In(w.target.Words)
			if told, is := w.situationMessage(&told); is {
				w.queueMessage(platform, told)
			}
		}
	}
}

// situationMessage returns the message about a changed situation for the target. The bool
// result is false if the target gets no message. The level of the message is the highest level
// among the situation's alerts for this target. A situation about a figure of the day concerns
// only targets named by a rule, because it requires no immediate action.
func (w *worker) situationMessage(c *situation.Change) (pendingMessage, bool) {
	sit := c.Situation
	level, own := alert.Normal, func(a alert.Alert) bool {
		return a.SilentUntil.IsZero() && (w.isNamedBy(&a) || !c.Daily && w.accepts(&a))
	}
	rule := ""
	for i := range sit.Alerts {
		if a := &sit.Alerts[i]; own(*a) && a.Level > level {
			level, rule = a.Level, a.Rule
		}
	}
	if rule == "" || c.Kind != situation.ChangeEnded && (level < w.target.MinSeverity || !slices.ContainsFunc(c.NewAlerts, own)) {
		return pendingMessage{}, false
	}
	n := pendingMessage{
		event: map[situation.ChangeKind]Event{
			situation.ChangeBegun: EventBegin, situation.ChangeJoined: EventBegin, situation.ChangeWorse: EventEscalate, situation.ChangeEnded: EventEnd,
		}[c.Kind],
		alert: alert.Alert{
			ID: sit.ID, Rule: rule, Key: sit.Place.Key, Level: min(level, sit.Level), Since: sit.Since, Ended: c.Ended,
			Text: strings.TrimSuffix(sit.Text(), "."),
		},
		onlyIfNew: c.Kind == situation.ChangeJoined,
	}
	if c.Daily {
		n.dailyFigure = fmt.Sprintf("%s %s %s", n.alert.Key, rule, n.alert.Level)
	}
	if n.event == EventEnd {
		n.alert.Text = strings.TrimSuffix(sit.Place.TitleWithHeadline(c.Headline, w.target.Words), ".")
		return n, true
	}
	if len(sit.Causes) > 0 {
		n.causes = sit.CauseLines()
	}
	n.remedyLabel, n.remedies = sit.HelpPhrases()
	return n, true
}
