package alert

import (
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// activeAlert is an active alert with its record's row and the rule that raised it. The text is
// computed on demand, because most alerts are not on the screen and many texts contain a running
// duration.
type activeAlert struct {
	Alert
	scopeRows *scopeRows
	row       *row
	rule      *rule
	judgedAt  instant // when the alert was last known to hold
	textAt    instant // time for which Value and Text were computed; 0: they must be computed again
}

// textTime returns the time for which to compute the value and the text of the alert. It is the
// time of the last judgment or, for a rule that depends on time, the last second that the engine
// has evaluated.
func (a *activeAlert) textTime() instant {
	if a.rule.dependsOnTime {
		return max(a.judgedAt, a.scopeRows.lastTick)
	}
	return a.judgedAt
}

// alertTexts computes the texts of the alerts of one engine. All computations share one frame and
// one buffer.
type alertTexts struct {
	names  model.Names
	env    evalEnv
	buffer []byte
}

// loadFrame sets up the shared frame for expressions about a record at a time, and returns it.
func (s *alertTexts) loadFrame(p *scopeRows, r *row, now time.Time) *evalEnv {
	f := &s.env
	f.library, f.record, f.row, f.goal, f.now = p.library, r.record, r, &r.goal.Goal, now
	f.version, f.changesAt = f.version+1, 0
	return f
}

// updateText updates the value and the text of an alert from the record that was judged last.
// Callers must call it before the alert becomes unverified or ends, because the alert then keeps
// its last text.
func (s *alertTexts) updateText(a *activeAlert) {
	at := a.textTime()
	if !a.UnverifiedSince.IsZero() || a.textAt == at {
		return // the alert is unverified or its text is up to date
	}
	f := s.loadFrame(a.scopeRows, a.row, at.timeIn(a.scopeRows.lastFresh))
	if a.row.judgedRecord != nil {
		f.record = a.row.judgedRecord
	}
	f.value = model.Figure{}
	if a.rule.value != nil {
		f.value = a.rule.value.number(f)
	}
	s.setText(a)
	a.textAt = at
}

// loadJudgingFrame is like loadFrame, but the frame has the targets by which rules judge the
// record. These targets include the tolerance.
func (s *alertTexts) loadJudgingFrame(p *scopeRows, r *row, at time.Time) *evalEnv {
	f := s.loadFrame(p, r, at)
	f.goal = r.goal.judgedGoal
	return f
}

// setText sets the value and the text of an alert from the shared frame, which must hold the
// alert's record.
func (s *alertTexts) setText(a *activeAlert) {
	if s.env.goal != &a.row.goal.Goal { // a frame for judging has targets with the tolerance, but the text contains the agreed targets
		s.env.goal, s.env.version = &a.row.goal.Goal, s.env.version+1
	}
	a.Value = s.env.value
	s.env.title = s.recordTitle(a.Key, s.env.record)
	m := a.rule.message
	if m.text != nil {
		if values := m.values(&s.env); !a.Message.Matches(m.text, s.env.title, &values) {
			a.Message = m.text.NewMessage(titleText(a.Key, s.env.title), s.env.title, values)
			a.Text = a.Message.WithTitle().In(nil)
		}
		return
	}
	s.buffer = m.render(s.buffer[:0], &s.env)
	if string(s.buffer) == a.Text && a.Message != nil {
		return
	}
	a.Text = model.CleanText(string(s.buffer), maxMessageLength)
	told := &textformat.AlertMessage{Problem: words.Name(a.Text)}
	if rest, ok := strings.CutPrefix(a.Text, s.env.title+": "); ok && m.hasTitle {
		told.Title, told.Problem = titleText(a.Key, s.env.title), words.Name(rest)
	}
	a.Message = told
}

// titleText returns the display name of a record as a text.
func titleText(k Key, title string) words.Text {
	if floor := words.FloorTitle(k.Channel); k.Scope == Floor && floor.In(nil) == title {
		return floor
	}
	return words.Name(title)
}

// currentCopy returns a copy of an alert with an up-to-date value and text.
func (s *alertTexts) currentCopy(a *activeAlert) Alert {
	s.updateText(a)
	return a.clone()
}

// recordTitle returns the display name of the record rec, whose key is k.
func (s *alertTexts) recordTitle(k Key, rec any) string {
	if name := k.Name(s.names, nil); name != k.Code {
		return name
	}
	switch u := rec.(type) {
	case *model.Campaign:
		return s.names.CampaignName(u)
	case *model.UserStat:
		return textformat.FullName(u.Surname, u.Name, k.Code)
	}
	if k.Scope == Floor {
		return textformat.FloorTitle(k.Channel)
	}
	return k.Code
}

// addActive adds a to the active alerts and returns the new entry. of is the row of the alert's
// record. by is the rule that raised the alert.
func (e *Engine) addActive(a Alert, of *row, by *rule) *activeAlert {
	one := &activeAlert{Alert: a, scopeRows: e.rowsByScope[a.Key.Scope], row: of, rule: by}
	e.active[a.ID] = one
	e.sorted = append(e.sorted, one)
	return one
}
