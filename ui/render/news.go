package render

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/themes"
	"wallboard/ui/table"
)

// ChangeSignDuration is how long a new situation is marked as new, and an ended one as recovered.
const ChangeSignDuration = 4 * time.Second

// recordChange is the news about a record: its latest alert or, if recovered is true, its recovery.
type recordChange struct {
	at        time.Time
	recovered bool
}

// collectChanges collects the news about records within ChangeSignDuration before the latest change. It
// ignores alerts that existed when the board was started, and alerts about figures of the day.
func (a *Alerts) collectChanges() {
	var latest time.Time
	for _, e := range a.Entries {
		if at := e.changedAt(); at.After(latest) {
			latest = at
		}
	}
	for _, e := range a.Entries {
		at := e.changedAt()
		if e.Daily || latest.Sub(at) >= ChangeSignDuration || e.Ended.IsZero() && e.FromStart {
			continue
		}
		alarm := a.Alarm(e.Key)
		recovered := !e.Ended.IsZero()
		if recovered && alarm.hasReasons() { // the record has another alert, so it has not recovered
			continue
		}
		if previous, ok := a.changesByKey[e.Key]; ok && previous.at.After(at) {
			continue
		}
		if a.changesByKey == nil {
			a.changesByKey = make(map[alert.Key]recordChange)
		}
		a.changesByKey[e.Key] = recordChange{at, recovered}
	}
}

// changedAt returns the time at which the alert ended. If the alert is active, it returns the time
// at which the alert was raised.
func (e *AlertEntry) changedAt() time.Time {
	if !e.Ended.IsZero() {
		return e.Ended
	}
	return e.Raised
}

// ChangeSign implements [table.ChangeSignSource].
func (s *source[R]) ChangeSign(i int) table.ChangeSign {
	if s.view.Alerts == nil || len(s.view.Alerts.changesByKey) == 0 || s.spec.alertKey == nil || s.rows[i].record == nil {
		return table.ChangeSign{}
	}
	current, known := s.view.Alerts.changesByKey[s.spec.alertKey(s.rows[i].record)]
	remaining := ChangeSignDuration - s.view.Now.Sub(current.at)
	if !known || remaining <= 0 || remaining > ChangeSignDuration {
		return table.ChangeSign{}
	}
	if current.recovered {
		return table.ChangeSign{Text: s.view.Options.glyphOrASCII("✓", "+"), Style: s.view.sgr(themes.OK), Remaining: remaining}
	}
	return table.ChangeSign{Text: "*", Style: s.view.sgr(themes.Flash), Remaining: remaining}
}
