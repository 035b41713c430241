package verdict

import (
	"math"
	"strconv"
	"time"

	"wallboard/alert"
)

// Proposal is another level, or another duration, by which a rule would have fired less
// often and lost no alarm that mattered. The zero Proposal is none.
type Proposal struct {
	// Level is the other level of the rule's figure, where IsLevel; Was is the present one.
	IsLevel    bool
	Level, Was float64
	Format     alert.Format
	// For is the other duration; WasFor is the present one.
	For, WasFor time.Duration

	Fired    int  // so often it would have fired
	Instead  int  // of so often
	Mattered int  // alarms that somebody took over, or that came before a miss
	Doubt    bool // it fired often, and none of that mattered
}

const (
	// leastSpared is how many alarms a proposal spares at least, and worthwhile which part.
	leastSpared = 3
	worthwhile  = 4
	// longestMore is how much longer a rule may wait: an alarm that comes too late is none.
	longestMore = 2 * time.Minute
	// often is how often a rule that nobody needs has fired before that is said.
	often = 5
)

// Some reports whether there is a proposal.
func (p *Proposal) Some() bool { return p.IsLevel || p.For > 0 }

// propose looks for a level or a duration that spares alarms and loses none that mattered.
func propose(e *alert.Engine, r *Rule, list []*fired, until time.Time) Proposal {
	var mattered []*fired
	for _, f := range list {
		if f.mattered() {
			mattered = append(mattered, f)
		}
	}
	none := Proposal{Mattered: len(mattered), Instead: len(list), Doubt: len(mattered) == 0 && len(list) >= often && r.Judged}
	if len(mattered) == 0 {
		return none
	}
	rule, alone := ruleOf(e, r)
	if !alone {
		return none
	}
	best := none
	for _, p := range []Proposal{higher(rule, list, mattered), longer(rule, list, mattered, until)} {
		spared := len(list) - p.Fired
		if p.Some() && spared >= leastSpared && worthwhile*spared >= len(list) && (!best.Some() || p.Fired < best.Fired) {
			p.Mattered, p.Instead = len(mattered), len(list)
			best = p
		}
	}
	return best
}

// ruleOf is the rule of a name; alone is false where there are several.
func ruleOf(e *alert.Engine, r *Rule) (rule alert.Rule, alone bool) {
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

// longer is the longest duration by which all alarms that mattered would still have come, and
// before the end of the miss.
func longer(rule alert.Rule, list, mattered []*fired, until time.Time) Proposal {
	more := time.Duration(math.MaxInt64)
	for _, f := range mattered {
		more = min(more, f.lasted(until))
		if !f.miss.IsZero() {
			more = min(more, f.miss.Sub(f.Raised))
		}
	}
	const unit = 5 * time.Second
	more = min(more.Truncate(unit), longestMore)
	if more <= 0 {
		return Proposal{}
	}
	p := Proposal{For: rule.For + more, WasFor: rule.For}
	for _, f := range list {
		if f.lasted(until) >= more {
			p.Fired++
		}
	}
	return p
}

// higher is the level by which all alarms that mattered would still have come. Of a rule
// that measures by something that moves there is none.
func higher(rule alert.Rule, list, mattered []*fired) Proposal {
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
		if !f.known {
			return Proposal{}
		}
		if math.IsNaN(level) || worse(d, level, f.peak) {
			level = f.peak
		}
	}
	level = rounded(level, format, d)
	if !worse(d, level, was) {
		return Proposal{}
	}
	p := Proposal{IsLevel: true, Level: level, Was: was, Format: format}
	for _, f := range list {
		if f.known && !worse(d, level, f.peak) {
			p.Fired++
		}
	}
	return p
}

// rounded is a level that people would choose, no worse than the one that was found.
func rounded(v float64, as alert.Format, d alert.Direction) float64 {
	unit := 1.0
	switch {
	case as == alert.Percent:
		unit = 0.01
	case as == alert.Duration && v >= 60:
		unit = 5
	case as == alert.Duration, as == alert.Number:
	}
	if d == alert.Higher {
		return math.Ceil(v/unit) * unit
	}
	return math.Floor(v/unit) * unit
}

// Words tell a proposal, "" for none. level says a level as people read it.
func (p *Proposal) Words(level func(float64, alert.Format) string) string {
	lost := ", none of the " + strconv.Itoa(p.Mattered) + " that mattered lost"
	if p.Mattered == 1 {
		lost = ", the one that mattered not lost"
	}
	count := ": " + strconv.Itoa(p.Fired) + " alarms instead of " + strconv.Itoa(p.Instead) + lost
	switch {
	case p.IsLevel:
		return level(p.Level, p.Format) + " instead of " + level(p.Was, p.Format) + count
	case p.For > 0:
		return "for " + span(p.For) + " instead of " + span(p.WasFor) + count
	case p.Doubt:
		return "nobody took one over, and none came before a miss: is it needed?"
	}
	return ""
}

// span is a duration as a configuration has it: "45s", "2m".
func span(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return d.String()
}
