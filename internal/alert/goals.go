package alert

import (
	"slices"
	"sync/atomic"
	"time"

	"wallboard/model"
	"wallboard/model/kpi"
)

// goals holds the targets of all records.
type goals struct {
	fallback   recordGoal             // targets of all records except services with targets of their own
	perService map[string]*recordGoal // targets of services, by service code
	configured Tolerance
	tolerance  atomic.Pointer[Tolerance] // the current tolerance; readers need no lock
}

// recordGoal holds the targets of a record. judgedGoal holds the targets by which rules judge the
// record, which include the tolerance. Without a tolerance, judgedGoal points to Goal.
type recordGoal struct {
	Goal
	judgedGoal *Goal
}

// Tolerance is how much worse than their targets figures may be without counting as missed.
type Tolerance = kpi.Tolerance

// Names of the figures for which a tolerance can be agreed.
const (
	ToleratedServiceLevel = "serviceLevel"
	ToleratedAbandonRate  = "abandonRate"
)

func (g *goals) init(fallback Goal, perService map[string]Goal, tolerance Tolerance) {
	g.fallback.Goal, g.perService, g.configured = fallback, make(map[string]*recordGoal, len(perService)), tolerance
	for code, goal := range perService {
		g.perService[code] = &recordGoal{Goal: goal}
	}
	g.setTolerance(tolerance)
}

// goalOf returns the targets of a record. Only services can have targets of their own.
func (g *goals) goalOf(k Key) *recordGoal {
	if own := g.perService[k.Code]; k.Scope == Service && own != nil {
		return own
	}
	return &g.fallback
}

// setTolerance sets the current tolerance and returns its change. The first call returns no change.
func (g *goals) setTolerance(t Tolerance) (change Tolerance) {
	if was := g.tolerance.Load(); was != nil {
		if change = (Tolerance{ServiceLevel: t.ServiceLevel - was.ServiceLevel, Abandon: t.Abandon - was.Abandon}); change == (Tolerance{}) {
			return change
		}
	}
	g.tolerance.Store(&t)
	g.fallback.setTolerance(t)
	for _, own := range g.perService {
		own.setTolerance(t)
	}
	return change
}

func (g *recordGoal) setTolerance(t Tolerance) {
	g.judgedGoal = &g.Goal
	if t != (Tolerance{}) {
		judged := g.Goal
		judged.Tolerance = t
		judged = judged.WithTolerance()
		g.judgedGoal = &judged
	}
}

// ToleranceAt returns the tolerance at an instant. For each figure, the tolerance of the latest
// active note about it applies. Without such a note, the configured tolerance applies. notes must
// be sorted by time.
func ToleranceAt(configured Tolerance, notes []model.Note, at time.Time) Tolerance {
	t := configured
	for i := range notes {
		n := &notes[i]
		if !n.IsActive(at) {
			continue
		}
		switch points := n.Tolerance.Points / 100; n.Tolerance.Figure {
		case ToleratedServiceLevel:
			t.ServiceLevel = points
		case ToleratedAbandonRate:
			t.Abandon = points
		}
	}
	return t
}

// ApplyNotes sets the tolerance that [ToleranceAt] returns for the configured tolerance, the notes
// and the time at. The next [Engine.Evaluate] judges all records with it. notes must be sorted by
// time.
func (e *Engine) ApplyNotes(notes []model.Note, at time.Time) {
	change := e.goals.setTolerance(ToleranceAt(e.goals.configured, notes, at))
	e.toleranceChange.ServiceLevel += change.ServiceLevel
	e.toleranceChange.Abandon += change.Abandon
}

// dependsOn reports whether the change of the tolerance may change the rule's judgment.
func (r *rule) dependsOn(change Tolerance) bool {
	usesTarget := func(p *program) bool { return p != nil && p.usesTarget }
	return r.toleratedShift(change) != 0 ||
		change.ServiceLevel != 0 && slices.ContainsFunc([]*program{r.value, r.base, r.calls, r.when, r.recover}, usesTarget)
}

// isTolerated reports whether an alert of the rule must not be raised because of the tolerance: the alert
// would only warn that a service is about to miss its target, and the service level is still within the
// tolerance. present is the current level of the rule. If it is not Normal, the rule already has an alert and
// isTolerated returns false.
func (r *rule) isTolerated(f *evalEnv, present Level) bool {
	if present != Normal || r.Name != RuleBudgetSpent || r.Scope != Service || f.goal.Tolerance.ServiceLevel == 0 {
		return false
	}
	level, ok := record[model.Service](f).ChannelStats.ServiceLevel(f.goal.Formula).Get()
	return ok && level >= f.goal.ServiceLevel.Or(0)
}

// toleratedShift returns the effect of the tolerance t on the rule. The result must be added to a
// value of the rule's figure before the value is compared with the thresholds. It is 0 for figures
// without a tolerance. It is also 0 for a service level with a Base, because the tolerance already
// changes the target in Base.
func (r *rule) toleratedShift(t Tolerance) float64 {
	switch {
	case r.kpi == nil || !r.kpi.BuiltIn:
	case r.kpi.Name == ToleratedServiceLevel && r.base == nil:
		return t.ServiceLevel
	case r.kpi.Name == ToleratedAbandonRate:
		return -t.Abandon
	}
	return 0
}
