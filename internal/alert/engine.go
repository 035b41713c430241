package alert

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/model"
)

// Options configures an [Engine]. The caller must not change it after calling [New].
type Options struct {
	KPIs  []KPI
	Rules []Rule
	// Goal holds the targets of all records except the services in Goals. The keys of Goals are
	// service codes.
	Goal  Goal
	Goals map[string]Goal
	Names model.Names
	// MaxGap is the longest time without data that still counts as proof that a
	// condition was met throughout; 0 means 30 seconds.
	MaxGap time.Duration
	// MaxEnded limits the number of ended alerts that are kept; 0 means 500.
	MaxEnded int
	// SpellOut makes messages spell out figures for reading aloud; see [Format.Spoken].
	SpellOut bool
	// Silences are the planned silences.
	Silences []Silence
	// Breaks holds the limits for kinds of breaks; nil: none.
	Breaks *breaks.Allowances
	// Tolerance applies unless an active note sets another tolerance; see [Engine.ApplyNotes].
	Tolerance Tolerance
}

// Engine evaluates KPIs and rules. It is not safe for concurrent use.
type Engine struct {
	rowsByScope     map[Scope]*scopeRows
	goals           goals
	toleranceChange Tolerance // change of the tolerance since the last evaluation
	maxGap          time.Duration
	maxEnded        int

	serverTime time.Time
	lastSecond int64
	newSecond  bool // true if a new second of server time has begun since the last evaluation
	changes    []Change
	texts      alertTexts

	floorTallies   map[model.Channel]*model.FloorTally // sums for the floor, by channel
	active         map[string]*activeAlert
	sorted         []*activeAlert // the active alerts as sorted by the last call of Active, and alerts that have begun or ended since
	ended          []*Alert
	restoredAlerts map[alertKey]*Alert // acknowledged alerts of an earlier engine whose records have not appeared yet
	silencer       *Silencer

	forecasts Forecasts
}

// New returns an engine with compiled KPIs and rules. The error is of type [Problems] and lists all
// problems.
func New(o Options) (*Engine, error) {
	e := &Engine{
		rowsByScope: make(map[Scope]*scopeRows), active: make(map[string]*activeAlert),
		texts: alertTexts{names: o.Names}, floorTallies: make(map[model.Channel]*model.FloorTally),
		maxGap: cmp.Or(o.MaxGap, 30*time.Second), maxEnded: cmp.Or(max(o.MaxEnded, 0), 500),
	}
	e.goals.init(o.Goal, o.Goals, o.Tolerance)
	e.silencer = &Silencer{planned: o.Silences, snoozes: &Snoozes{}, active: e.active, currentCopy: e.texts.currentCopy}
	var problems Problems
	report := func(p *Problem) { problems = append(problems, p) }
	for _, s := range Scopes() {
		e.rowsByScope[s] = &scopeRows{library: newLibrary(s, report), rowsByKey: make(map[Key]*row)}
		e.rowsByScope[s].library.breaks, e.rowsByScope[s].library.forecasts = o.Breaks, &e.forecasts
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
	for _, p := range e.rowsByScope {
		p.library.sampleKPIs()
		slots = max(slots, len(p.library.customKPIs))
	}
	e.texts.env.spelledOut, e.texts.env.forecasts = o.SpellOut, &e.forecasts
	e.texts.env.memo = make([]cachedKPI, slots)
	return e, nil
}

func (e *Engine) defineKPIs(kpis []KPI, report func(*Problem)) {
	for i, k := range kpis {
		p := e.rowsByScope[k.Scope]
		if p == nil {
			report(&Problem{Section: "kpi", Index: i, Name: k.Name, Field: "scope", Message: unknownScopeMessage(k.Scope)})
			continue
		}
		p.library.addKPI(k, i)
	}
	for _, s := range Scopes() {
		l := e.rowsByScope[s].library
		for _, k := range l.customKPIs {
			l.compileKPI(k)
		}
	}
}

func (e *Engine) defineRules(rules []Rule, report func(*Problem)) {
	for i, r := range rules {
		p := e.rowsByScope[r.Scope]
		problem := func(field, message string) {
			report(&Problem{Section: "alert", Index: i, Name: r.Name, Field: field, Message: message})
		}
		switch {
		case p == nil:
			problem("scope", unknownScopeMessage(r.Scope))
			continue
		case r.Disabled:
			continue
		case len(p.rules) == maxRules:
			problem("name", "there are too many rules in the scope "+string(r.Scope))
			continue
		}
		if other := p.describeConflict(&r); other != "" {
			problem("name", other)
			continue
		}
		if c := p.library.compileRule(r, i); c != nil {
			p.rules, p.everySecond = append(p.rules, c), p.everySecond || c.everySecond
		}
	}
}

func unknownScopeMessage(s Scope) string {
	message := "the scope is service, group, user, campaign, floor or feed"
	if n := NearestWord(string(s), []string{"service", "group", "user", "campaign", "floor", "feed"}); n != "" {
		message += "; did you mean " + n + "?"
	}
	return message
}

// describeConflict returns an error message if an earlier rule of the same name conflicts with r:
// both cover the whole scope, or both list the same code. Otherwise it returns "".
func (p *scopeRows) describeConflict(r *Rule) string {
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

// Evaluate processes a snapshot at a server time and returns the changes of alerts, critical ones
// first. It does nothing for a nil snapshot.
//
// If the data of a scope is not current, its alerts are neither raised nor cleared but marked as
// unverified.
func (e *Engine) Evaluate(s *model.Snapshot, now time.Time) []Change {
	if s == nil {
		return nil
	}
	// Strip the monotonic reading: now is server time, which must not depend on changes of the
	// local clock or on sleep of the machine.
	e.serverTime, e.changes = now.Round(0), nil
	e.newSecond = now.Unix() != e.lastSecond
	e.lastSecond = now.Unix()
	remarked := e.forecasts.consumeChange() || s.Health.Presumed != e.texts.env.presumed || e.toleranceChange != (Tolerance{})
	e.texts.env.presumed = s.Health.Presumed
	for _, scope := range Scopes() {
		e.evaluateScope(e.rowsByScope[scope], s, remarked)
	}
	if e.newSecond || len(e.changes) > 0 || e.silencer.version != e.silencer.snoozes.currentVersion() {
		e.changes = e.silencer.markSilenced(e.changes, e.serverTime)
	}
	slices.SortStableFunc(e.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Alert.Level, a.Alert.Level), cmp.Compare(a.Alert.ID, b.Alert.ID))
	})
	changes := e.changes
	e.changes, e.toleranceChange = nil, Tolerance{}
	return changes
}

// evaluateScope evaluates the rules of one scope. If remarked is true, it judges all rules again,
// because the forecasts, the tolerance or the times with a presumed unit have changed.
func (e *Engine) evaluateScope(p *scopeRows, s *model.Snapshot, remarked bool) {
	wasFresh := p.isFresh
	if p.isFresh = p.library.isFresh(&s.Health); !p.isFresh {
		if wasFresh {
			p.markUnverified(&e.texts)
		}
		return
	}
	before, setBack := p.recordFreshData(e.serverTime, e.maxGap)
	e.updateRows(p, s)
	if p.startedAt.IsZero() && len(p.rows) > 0 {
		p.startedAt = e.serverTime
	}
	all := !wasFresh || setBack || remarked // after the clock was set back, the due times are wrong
	now := instantOf(e.serverTime)
	for _, r := range p.rows {
		sampled := r.samples != nil && e.newSecond && r.samples.sampleIfDue(p.library, e.loadFrame(p, r))
		timeDependent := e.newSecond && (p.everySecond || r.changesAt.isReached(now))
		if all || r.dirty || sampled || timeDependent || r.dueAt.isReached(now) {
			e.judgeRow(p, r, before, all || r.dirty, sampled)
		}
	}
	if e.newSecond || setBack {
		p.lastTick = now
	}
}

// recordFreshData records that the scope has current data. before is the previous time at which the scope
// had current data, or now if there is none. setBack reports whether the clock has been set back
// since. In that case, before is also now.
func (p *scopeRows) recordFreshData(now time.Time, maxGap time.Duration) (before time.Time, setBack bool) {
	setBack = now.Before(p.lastFresh)
	if p.lastFresh.IsZero() || now.Sub(p.lastFresh) > maxGap || setBack && p.observedSince.After(now) {
		p.observedSince = now
	}
	before = p.lastFresh
	if p.lastFresh = now; before.IsZero() || setBack {
		before = now
	}
	return before, setBack
}

// markUnverified marks the alerts of a scope without current data as unverified.
func (p *scopeRows) markUnverified(texts *alertTexts) {
	for _, r := range p.rows {
		for i := range r.states {
			if a := r.states[i].alert; a != nil && a.UnverifiedSince.IsZero() {
				texts.updateText(a)
				a.UnverifiedSince = p.lastFresh
			}
		}
	}
}

// loadFrame puts a record at the server time into the shared frame for expressions, and returns the
// frame.
func (e *Engine) loadFrame(p *scopeRows, r *row) *evalEnv {
	return e.texts.loadFrame(p, r, e.serverTime)
}

// Forecasts returns the forecasts that the rules of the engine use.
func (e *Engine) Forecasts() *Forecasts { return &e.forecasts }

// judgeRow judges the rules of a record whose result may have changed since the previous
// evaluation, which was at before. If all is true, it judges every rule. sampled is true if new
// samples were taken.
func (e *Engine) judgeRow(p *scopeRows, r *row, before time.Time, all, sampled bool) {
	f := e.texts.loadJudgingFrame(p, r, e.serverTime)
	stamp := f.version
	r.dueAt = 0
	now := instantOf(e.serverTime)
	clockTicked := all || e.newSecond && r.changesAt.isReached(now)
	if clockTicked {
		r.changesAt = 0 // rules that depend on time are judged below and set it again
	}
	alertsChanged := false
	for i, rule := range r.rules {
		st := r.state(i)
		isDue := st.dueAt.isReached(now)
		givesWay := alertsChanged && rule.SuppressedBy != "" // the alert of the rule that takes precedence has begun or ended
		byClock := rule.dependsOnTime && (clockTicked || rule.everySecond && e.newSecond)
		if all || byClock || givesWay || rule.usesSamples && sampled || isDue {
			if f.version != stamp { // setting the text of an alert has loaded another record into the frame
				stamp = e.texts.loadJudgingFrame(p, r, e.serverTime).version
			}
			v := ruleVerdict{now: e.serverTime, previousTime: before, observedSince: p.observedSince}
			present := st.level
			if rule.dependsOn(e.toleranceChange) { // judge without the recovery distance because the tolerance has changed
				present = Normal
			}
			if v.level, v.certain = rule.levelFor(f, present); r.isSuppressed(i) || rule.isTolerated(f, present) {
				v.level, v.certain = Normal, true
			}
			r.changesAt = earlierInstant(r.changesAt, f.changesAt)
			was := st.level
			e.applyLevel(rule, r, &st, st.nextLevel(v, rule.For, e.maxGap))
			r.setState(i, st)
			alertsChanged = alertsChanged || st.level != was
		}
		r.dueAt = earlierInstant(r.dueAt, st.dueAt)
	}
	r.dirty, r.judgedRecord = false, nil
}
