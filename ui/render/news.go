package render

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/themes"
	"wallboard/ui/table"
)

// NewsDuration is how long a new situation is marked as new, and an ended one as recovered.
const NewsDuration = 4 * time.Second

// recordNews is the news about a record: its latest alert or, if recovered is true, its recovery.
type recordNews struct {
	at        time.Time
	recovered bool
}

// collectNews collects the news about records within NewsDuration before the latest change. It
// ignores alerts that existed when the board was started, and alerts about figures of the day.
func (a *Alerts) collectNews() {
	var latest time.Time
	for _, e := range a.Entries {
		if at := e.changedAt(); at.After(latest) {
			latest = at
		}
	}
	for _, e := range a.Entries {
		at := e.changedAt()
		if e.Daily || latest.Sub(at) >= NewsDuration || e.Ended.IsZero() && e.FromStart {
			continue
		}
		alarm := a.Alarm(e.Key)
		recovered := !e.Ended.IsZero()
		if recovered && alarm.hasReasons() { // the record has another alert, so it has not recovered
			continue
		}
		if previous, ok := a.newsByKey[e.Key]; ok && previous.at.After(at) {
			continue
		}
		if a.newsByKey == nil {
			a.newsByKey = make(map[alert.Key]recordNews)
		}
		a.newsByKey[e.Key] = recordNews{at, recovered}
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

// News implements [table.NewsSource].
func (s *source[R]) News(i int) table.News {
	if s.view.Alerts == nil || len(s.view.Alerts.newsByKey) == 0 || s.spec.alertKey == nil || s.rows[i].record == nil {
		return table.News{}
	}
	current, known := s.view.Alerts.newsByKey[s.spec.alertKey(s.rows[i].record)]
	remaining := NewsDuration - s.view.Now.Sub(current.at)
	if !known || remaining <= 0 || remaining > NewsDuration {
		return table.News{}
	}
	if current.recovered {
		return table.News{Sign: s.view.Options.glyphOrASCII("✓", "+"), Style: s.view.sgr(themes.OK), Remaining: remaining}
	}
	return table.News{Sign: "*", Style: s.view.sgr(themes.Flash), Remaining: remaining}
}
