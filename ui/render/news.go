package render

import (
	"time"

	"wallboard/alert"
	"wallboard/themes"
	"wallboard/ui/table"
)

// NewsFor is how long it is said of what has just begun that it is new, and of what has
// just ended that it has recovered.
const NewsFor = 4 * time.Second

// headline is when a record came into trouble, or was well again.
type headline struct {
	at   time.Time
	well bool
}

// herald collects what is news, as of the last change. What the board was started with is
// none, nor is what a day adds up to.
func (a *Alerts) herald() {
	var latest time.Time
	for _, e := range a.Entries {
		if at := e.changed(); at.After(latest) {
			latest = at
		}
	}
	for _, e := range a.Entries {
		at := e.changed()
		if e.Day || latest.Sub(at) >= NewsFor || e.Ended.IsZero() && e.FromStart {
			continue
		}
		alarm := a.Alarm(e.Key)
		well := !e.Ended.IsZero()
		if well && alarm != nil && alarm.Level > Normal { // not all is well
			continue
		}
		if was, is := a.news[e.Key]; is && was.at.After(at) {
			continue
		}
		if a.news == nil {
			a.news = make(map[alert.Key]headline)
		}
		a.news[e.Key] = headline{at, well}
	}
}

// changed is when an alert ended, or else was raised.
func (e *Entry) changed() time.Time {
	if !e.Ended.IsZero() {
		return e.Ended
	}
	return e.Raised
}

// News implements [table.Herald].
func (s *source[R]) News(i int) table.News {
	if s.view.Alerts == nil || len(s.view.Alerts.news) == 0 || s.def.about == nil || s.rows[i].rec == nil {
		return table.News{}
	}
	is, some := s.view.Alerts.news[s.def.about(s.rows[i].rec)]
	left := NewsFor - s.view.Now.Sub(is.at)
	if !some || left <= 0 || left > NewsFor {
		return table.News{}
	}
	if is.well {
		return table.News{Sign: s.view.pick("✓", "+"), Style: s.view.style(themes.OK), For: left}
	}
	return table.News{Sign: "*", Style: s.view.style(themes.Flash), For: left}
}
