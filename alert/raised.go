package alert

import (
	"time"

	"wallboard/model"
)

// raised is an active alert. Its text is computed on demand: most alerts of a floor are
// not displayed, and many texts contain a running duration.
type raised struct {
	Alert
	in     *population
	of     *row
	by     *rule
	judged instant // when it was last known to hold
	said   instant // time of the value and text; 0: outdated
}

// due returns the time that the value and text must reflect: the last judgment or, for
// rules that depend on time, the last second.
func (a *raised) due() instant {
	if a.by.clocked {
		return max(a.judged, a.in.ticked)
	}
	return a.judged
}

// speech computes the texts of an engine's alerts.
type speech struct {
	names model.Names
	frame frame
	text  []byte
}

// load prepares the frame for a record.
func (s *speech) load(p *population, r *row, now time.Time) *frame {
	f := &s.frame
	f.lib, f.rec, f.row, f.goal, f.now = p.lib, r.rec, r, r.goal, now
	f.stamp, f.until = f.stamp+1, 0
	return f
}

// settle computes the text of an alert before anything changes, so that unverified and
// ended alerts keep the last verified text.
func (s *speech) settle(a *raised) {
	at := a.due()
	if !a.Unverified.IsZero() || a.said == at {
		return // unverified, or up to date
	}
	f := s.load(a.in, a.of, at.in(a.in.lastFresh))
	if a.of.was != nil {
		f.rec = a.of.was
	}
	f.value = model.Figure{}
	if a.by.value != nil {
		f.value = a.by.value.number(f)
	}
	s.say(a)
	a.said = at
}

// say computes the text of an alert from the frame.
func (s *speech) say(a *raised) {
	a.Value = s.frame.value
	s.frame.title = s.title(a.Key, s.frame.rec)
	s.text = a.by.message.render(s.text[:0], &s.frame)
	if string(s.text) != a.Text {
		a.Text = model.CleanText(string(s.text), maxMessage)
	}
}

// told returns an up-to-date copy of an alert.
func (s *speech) told(a *raised) Alert {
	s.settle(a)
	return a.copy()
}

// title returns the display name of a record.
func (s *speech) title(k Key, rec any) string {
	if name := k.Name(s.names); name != k.Code {
		return name
	}
	if u, ok := rec.(*model.UserStat); ok {
		switch first, last := u.Name.String(), u.Surname.String(); {
		case first != "" && last != "":
			return last + " " + first // same order as on the board
		case first+last != "":
			return first + last
		}
	}
	if k.Scope == Floor {
		return "Floor " + string(k.Channel)
	}
	return k.Code
}

// open adds an active alert.
func (e *Engine) open(a Alert, of *row, by *rule) *raised {
	one := &raised{Alert: a, in: e.populations[a.Key.Scope], of: of, by: by}
	e.active[a.ID] = one
	return one
}
