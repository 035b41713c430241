package alert

import (
	"time"

	"wallboard/model"
)

// raised is an alert that has not ended. What it says is put into words when somebody wants
// to know: of most alerts of a floor nobody does, and some say every second how long
// something has lasted.
type raised struct {
	Alert
	in     *population
	of     *row
	by     *rule
	judged instant // when it was last known to hold
	said   instant // what the value and the text are of; 0: of nothing any more
}

// due returns what the value and the text of an alert have to be of: when it was judged
// last, or, where it goes by the clock, the last second that was looked at.
func (a *raised) due() instant {
	if a.by.clocked {
		return max(a.judged, a.in.ticked)
	}
	return a.judged
}

// speech puts alerts into words. It belongs to an engine.
type speech struct {
	names model.Names
	frame frame
	text  []byte
}

// load makes a record the one that programs compute from.
func (s *speech) load(p *population, r *row, now time.Time) *frame {
	f := &s.frame
	f.lib, f.rec, f.row, f.goal, f.now = p.lib, r.rec, r, r.goal, now
	f.stamp, f.until = f.stamp+1, 0
	return f
}

// settle puts into words what an alert says. It is called before anything is different: what
// nobody knows any more stays as it was last known, and what ended as it was.
func (s *speech) settle(a *raised) {
	at := a.due()
	if !a.Unverified.IsZero() || a.said == at {
		return // the value and the text are of when somebody knew, or of now
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

// say puts into words what an alert says of the frame.
func (s *speech) say(a *raised) {
	a.Value = s.frame.value
	s.frame.title = s.title(a.Key, s.frame.rec)
	s.text = a.by.message.render(s.text[:0], &s.frame)
	if string(s.text) != a.Text {
		a.Text = model.CleanText(string(s.text), maxMessage)
	}
}

// told returns a copy of an alert as it is now.
func (s *speech) told(a *raised) Alert {
	s.settle(a)
	return a.copy()
}

// title returns what people call a record.
func (s *speech) title(k Key, rec any) string {
	if name := k.Name(s.names); name != k.Code {
		return name
	}
	if u, ok := rec.(*model.UserStat); ok {
		switch first, last := u.Name.String(), u.Surname.String(); {
		case first != "" && last != "":
			return last + " " + first // as the board writes it
		case first+last != "":
			return first + last
		}
	}
	if k.Scope == Floor {
		return "Floor " + string(k.Channel)
	}
	return k.Code
}

// open takes an alert of a rule and a record among those that have not ended.
func (e *Engine) open(a Alert, of *row, by *rule) *raised {
	one := &raised{Alert: a, in: e.populations[a.Key.Scope], of: of, by: by}
	e.active[a.ID] = one
	return one
}
