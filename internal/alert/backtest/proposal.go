package backtest

import (
	"math"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// Proposal is a changed level or duration with which a rule would have raised fewer alerts but
// still all alerts that mattered. The zero Proposal means that there is none.
type Proposal struct {
	// IsLevel is true if a level is proposed. Level is the proposed level, and OldLevel is the
	// current one.
	IsLevel  bool
	Level    float64
	OldLevel float64 `json:"Was"`
	Format   alert.Format
	// For is the proposed duration, and OldFor is the current one. Both are 0 if no duration is
	// proposed.
	For    time.Duration
	OldFor time.Duration `json:"WasFor"`

	Fired         int  // number of alerts with the proposal
	CurrentFired  int  `json:"Instead"` // number of alerts with the current rule
	Mattered      int  // number of alerts that were acknowledged or preceded a miss
	NeverMattered bool `json:"Doubt"` // the rule raised at least minUselessAlerts alerts and none mattered; always false for RuleUnstaffed
}

const (
	// minSavedAlerts is the minimum number of alerts that a proposal must save. It must also save
	// at least one in minSavedDivisor of the alerts.
	minSavedAlerts  = 3
	minSavedDivisor = 4
	// maxExtraDuration limits by how much a proposed duration may be longer, so that alerts do not
	// come too late.
	maxExtraDuration = 2 * time.Minute
	// minUselessAlerts is the minimum number of alerts of a rule for reporting that none of them
	// mattered.
	minUselessAlerts = 5
)

// Exists reports whether there is a proposal.
func (p *Proposal) Exists() bool { return p.IsLevel || p.For > 0 }

// propose returns the change of a rule's level or duration that saves most alerts in list without
// losing an alert that mattered. until is the end of the evaluated period.
func propose(e *alert.Engine, r *RuleStats, list []*judgedAlert, until time.Time) Proposal {
	var mattered []*judgedAlert
	for _, f := range list {
		if f.mattered() {
			mattered = append(mattered, f)
		}
	}
	none := Proposal{Mattered: len(mattered), CurrentFired: len(list), NeverMattered: len(mattered) == 0 && len(list) >= minUselessAlerts && r.Judged && r.Name != alert.RuleUnstaffed}
	if len(mattered) == 0 {
		return none
	}
	rule, alone := findRule(e, r)
	if !alone {
		return none
	}
	best := none
	for _, p := range []Proposal{proposeLevel(rule, list, mattered), proposeDuration(rule, list, mattered, until)} {
		spared := len(list) - p.Fired
		if p.Exists() && spared >= minSavedAlerts && minSavedDivisor*spared >= len(list) && (!best.Exists() || p.Fired < best.Fired) {
			p.Mattered, p.CurrentFired = len(mattered), len(list)
			best = p
		}
	}
	return best
}

// findRule returns the rule with the name and scope of r. If there is no such rule or more than
// one, unique is false.
func findRule(e *alert.Engine, r *RuleStats) (rule alert.Rule, unique bool) {
	for _, one := range alert.RulesOf(e) {
		if one.Name == r.Name && one.Scope == r.Scope {
			if rule.Name != "" {
				return rule, false
			}
			rule = one
		}
	}
	return rule, rule.Name != ""
}

// proposeDuration proposes the longest duration with which the rule still raises all alerts that
// mattered. An alert that preceded a missed interval must be raised before the interval ends.
func proposeDuration(rule alert.Rule, list, mattered []*judgedAlert, until time.Time) Proposal {
	more := time.Duration(math.MaxInt64)
	for _, f := range mattered {
		more = min(more, f.duration(until))
		if !f.missEnd.IsZero() {
			more = min(more, f.missEnd.Sub(f.Raised))
		}
	}
	const unit = 5 * time.Second
	more = min(more.Truncate(unit), maxExtraDuration)
	if more <= 0 {
		return Proposal{}
	}
	p := Proposal{For: rule.For + more, OldFor: rule.For}
	for _, f := range list {
		if f.duration(until) >= more {
			p.Fired++
		}
	}
	return p
}

// proposeLevel proposes the level with which the rule still raises all alerts that mattered. If the
// thresholds are relative to a Base, it proposes none.
func proposeLevel(rule alert.Rule, list, mattered []*judgedAlert) Proposal {
	was, has := rule.Thresholds.Warning.Get()
	if !has {
		was, has = rule.Thresholds.Critical.Get()
	}
	if rule.KPI == "" || rule.Base != "" || !has {
		return Proposal{}
	}
	d := rule.Direction
	level, format := math.NaN(), mattered[0].Format
	for _, f := range mattered {
		if !f.hasPeak {
			return Proposal{}
		}
		if math.IsNaN(level) || isWorse(d, level, f.peak) {
			level = f.peak
		}
	}
	level = roundLevel(level, format, d)
	if !isWorse(d, level, was) {
		return Proposal{}
	}
	p := Proposal{IsLevel: true, Level: level, OldLevel: was, Format: format}
	for _, f := range list {
		if f.hasPeak && !isWorse(d, level, f.peak) {
			p.Fired++
		}
	}
	return p
}

// roundLevel rounds a level to a number that is easy to read. It never rounds to a worse value,
// because that would lose alerts.
func roundLevel(v float64, as alert.Format, d alert.Direction) float64 {
	unit := 1.0
	switch {
	case as == alert.Percent:
		unit = 0.01
	case as == alert.Duration && v >= 60:
		unit = 5
	case as == alert.Duration, as == alert.Number:
	}
	if d == alert.HigherIsBetter {
		return math.Ceil(v/unit) * unit
	}
	return math.Floor(v/unit) * unit
}

// Text describes the proposal in a phrase. If there is no proposal and NeverMattered is false, it
// returns the zero Text. level formats a level.
func (p *Proposal) Text(level func(float64, alert.Format) string) words.Text {
	effect := words.ReplayProposalEffect(p.Fired, p.CurrentFired, p.Mattered)
	switch {
	case p.IsLevel:
		return words.ReplayProposal(level(p.Level, p.Format), level(p.OldLevel, p.Format), effect)
	case p.For > 0:
		return words.ReplayProposalFor(textformat.ConfigDuration(p.For), textformat.ConfigDuration(p.OldFor), effect)
	case p.NeverMattered:
		return words.ReplayProposalNever()
	}
	return words.Text{}
}
