package alert

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
	"wallboard/model/pause"
)

// Options are what an engine is made of. They must not be changed afterwards.
type Options struct {
	KPIs  []KPI
	Rules []Rule
	// Goal is that of the floor and of services without one of their own in
	// Goals, which are by service code.
	Goal  Goal
	Goals map[string]Goal
	Names model.Names
	// MaxGap is how long the engine may not know, and still count the time as
	// proof that a condition was met all along; 0 is 30 seconds.
	MaxGap time.Duration
	// History is how many ended alerts are remembered; 0 is 500.
	History int
	// Words has messages say figures in words, to be read aloud; see
	// [Format.Words].
	Words bool
	// Silences are those that are planned.
	Silences []Silence
	// Breaks says what kinds of breaks may take; nil knows no kinds.
	Breaks *pause.Book
}

// Engine evaluates KPIs and rules. It belongs to one goroutine.
type Engine struct {
	populations map[Scope]*population
	goals       goals
	maxGap      time.Duration
	history     int

	now     time.Time
	second  int64
	tick    bool // a new second has begun
	changes []Change
	speech  speech

	tallies    map[model.Channel]*model.Tally // of the floor
	active     map[string]*raised
	ended      []*Alert
	departures departures
	last       *model.Snapshot
	recalled   map[about]*Alert // acknowledged ones of an engine before, whose record is not there yet
	quiet      *Silencer
}

// New compiles KPIs and rules. Its error is [Problems]: all of them at once.
func New(o Options) (*Engine, error) {
	e := &Engine{
		populations: make(map[Scope]*population), active: make(map[string]*raised),
		goals: newGoals(o.Goal, o.Goals), speech: speech{names: o.Names}, tallies: make(map[model.Channel]*model.Tally),
		maxGap: cmp.Or(o.MaxGap, 30*time.Second), history: cmp.Or(max(o.History, 0), 500),
	}
	e.quiet = &Silencer{planned: o.Silences, snoozes: &Snoozes{}, active: e.active, tell: e.speech.told}
	var problems Problems
	report := func(p *Problem) { problems = append(problems, p) }
	for _, s := range Scopes() {
		e.populations[s] = &population{lib: newLibrary(s, report), index: make(map[Key]*row)}
		e.populations[s].lib.breaks = o.Breaks
	}
	e.defineKPIs(o.KPIs, report)
	e.defineRules(o.Rules, report)
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b *Problem) int {
			return cmp.Or(-cmp.Compare(a.Section, b.Section), cmp.Compare(a.Index, b.Index))
		})
		return nil, problems
	}
	slots := 0
	for _, p := range e.populations {
		p.lib.sampleKPIs()
		slots = max(slots, len(p.lib.order))
	}
	e.speech.frame.words = o.Words
	e.speech.frame.memo = make([]memo, slots)
	return e, nil
}

func (e *Engine) defineKPIs(kpis []KPI, report func(*Problem)) {
	for i, k := range kpis {
		p := e.populations[k.Scope]
		if p == nil {
			report(&Problem{Section: "kpi", Index: i, Name: k.Name, Field: "scope", Message: noScope(k.Scope)})
			continue
		}
		p.lib.add(k, i)
	}
	for _, s := range Scopes() {
		l := e.populations[s].lib
		for _, k := range l.order {
			l.define(k)
		}
	}
}

func (e *Engine) defineRules(rules []Rule, report func(*Problem)) {
	for i, r := range rules {
		p := e.populations[r.Scope]
		problem := func(field, message string) {
			report(&Problem{Section: "alert", Index: i, Name: r.Name, Field: field, Message: message})
		}
		switch {
		case p == nil:
			problem("scope", noScope(r.Scope))
			continue
		case r.Off:
			continue
		case len(p.rules) == maxRules:
			problem("name", "there are too many rules in the scope "+string(r.Scope))
			continue
		}
		if other := p.clash(&r); other != "" {
			problem("name", other)
			continue
		}
		if c := p.lib.rule(r, i); c != nil {
			p.rules, p.restless = append(p.rules, c), p.restless || c.restless
		}
	}
}

func noScope(s Scope) string {
	message := "the scope is service, group, user, campaign, floor or feed"
	if n := Nearest(string(s), []string{"service", "group", "user", "campaign", "floor", "feed"}); n != "" {
		message += "; did you mean " + n + "?"
	}
	return message
}

// clash says why a rule cannot stand beside those before it, or "".
func (p *population) clash(r *Rule) string {
	for _, other := range p.rules {
		if other.Name != r.Name {
			continue
		}
		if len(r.Codes) == 0 && len(other.Codes) == 0 {
			return "there are two rules of that name for all of the scope " + string(r.Scope)
		}
		for _, code := range r.Codes {
			if slices.Contains(other.Codes, code) {
				return "there are two rules of that name for " + model.CleanText(code, 40)
			}
		}
	}
	return ""
}

// Evaluate takes in a snapshot at a time on the server's clock and returns what
// changed, the most urgent first. A nil snapshot changes nothing.
//
// Where the feed is not live, nothing is raised or cleared: the alerts of that
// scope are marked as unverified.
func (e *Engine) Evaluate(s *model.Snapshot, now time.Time) []Change {
	if s == nil {
		return nil
	}
	// Of a time that Go measured, the wall clock only: it is the server's. How our
	// own was set meanwhile, and for how long the machine slept, is no part of it.
	e.now, e.changes = now.Round(0), nil
	e.tick = now.Unix() != e.second
	e.second = now.Unix()
	remarked := s.Health.Presumed != e.speech.frame.presumed
	e.speech.frame.presumed = s.Health.Presumed
	for _, scope := range Scopes() {
		e.evaluate(e.populations[scope], s, remarked)
	}
	e.last = s
	if e.tick || len(e.changes) > 0 || e.quiet.outdated() {
		e.changes = e.quiet.mark(e.changes, e.now)
	}
	slices.SortStableFunc(e.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Alert.Level, a.Alert.Level), cmp.Compare(a.Alert.ID, b.Alert.ID))
	})
	changes := e.changes
	e.changes = nil
	return changes
}

// evaluate evaluates one scope. remarked reports whether other times than before are in a
// presumed unit.
func (e *Engine) evaluate(p *population, s *model.Snapshot, remarked bool) {
	was := p.fresh
	if p.fresh = p.lib.isFresh(&s.Health); !p.fresh {
		if was {
			e.doubt(p)
		}
		return
	}
	before, setBack := p.look(e.now, e.maxGap)
	e.take(p, s)
	if p.begun.IsZero() && len(p.rows) > 0 {
		p.begun = e.now
	}
	all := !was || setBack || remarked // what is due is due by the clock as it was
	now := instantOf(e.now)
	for _, r := range p.rows {
		sampled := e.sample(p, r)
		moves := e.tick && (p.restless || r.moves.reached(now))
		if all || r.dirty || sampled || moves || r.due.reached(now) {
			e.judge(p, r, before, all || r.dirty, sampled)
		}
	}
	if e.tick || setBack {
		p.ticked = now
	}
}

// look notes that the records are looked at, and returns when they were before, and whether
// the clock was set back since.
func (p *population) look(now time.Time, maxGap time.Duration) (before time.Time, setBack bool) {
	setBack = now.Before(p.lastFresh)
	if p.lastFresh.IsZero() || now.Sub(p.lastFresh) > maxGap || setBack && p.unbroken.After(now) {
		p.unbroken = now
	}
	before = p.lastFresh
	if p.lastFresh = now; before.IsZero() || setBack {
		before = now
	}
	return before, setBack
}

// doubt marks the alerts of a scope that nothing is known of any more.
func (e *Engine) doubt(p *population) {
	for _, r := range p.rows {
		for i := range r.states {
			if a := r.states[i].alert; a != nil && a.Unverified.IsZero() {
				e.speech.settle(a)
				a.Unverified = p.lastFresh
			}
		}
	}
}

// load makes a record the one that programs compute from now.
func (e *Engine) load(p *population, r *row) *frame { return e.speech.load(p, r, e.now) }

// sample takes the samples of a record if it is time to, and reports whether it
// was.
func (e *Engine) sample(p *population, r *row) bool {
	return r.samples != nil && e.tick && r.samples.take(p.lib, e.load(p, r))
}

// judge evaluates those rules of a record whose outcome may have changed since
// it was looked at before.
func (e *Engine) judge(p *population, r *row, before time.Time, all, sampled bool) {
	f := e.load(p, r)
	stamp := f.stamp
	r.due = 0
	now := instantOf(e.now)
	moves := all || e.tick && r.moves.reached(now)
	if moves {
		r.moves = 0 // every rule that goes by the clock is judged, and notes it anew
	}
	turned := false
	for i, ru := range r.rules {
		st := &r.states[i]
		isDue := st.due.reached(now)
		givesWay := turned && ru.GivesWay != "" // or does not any more
		byClock := ru.clocked && (moves || ru.restless && e.tick)
		if all || byClock || givesWay || ru.windowed && sampled || isDue {
			if f.stamp != stamp { // an alert was put into words as it was
				stamp = e.load(p, r).stamp
			}
			v := verdict{now: e.now, before: before, unbroken: p.unbroken}
			if v.want, v.certain = ru.judge(f, st.level); r.yields(i) {
				v.want, v.certain = Normal, true
			}
			r.moves = sooner(r.moves, f.until)
			was := st.level
			e.apply(ru, r, st, st.next(v, ru.For, e.maxGap))
			turned = turned || st.level != was
		}
		r.due = sooner(r.due, st.due)
	}
	r.dirty, r.was = false, nil
}
