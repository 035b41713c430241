package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
)

// sortSituations returns the situations in the order of their lines, the most urgent first. previous holds
// the situations in their previous order. A line moves past another one only if its situation is
// clearly more urgent, so similar situations do not swap while a viewer reads their numbers. A new
// situation is inserted before the first less urgent one.
func sortSituations(open []*Situation, previous []Situation) []*Situation {
	position := make(map[string]int, len(previous))
	for i := range previous {
		position[previous[i].ID] = i
	}
	out, added := make([]*Situation, 0, len(open)), make([]*Situation, 0, len(open))
	for _, s := range open {
		if _, listed := position[s.ID]; listed {
			out = append(out, s)
		} else {
			added = append(added, s)
		}
	}
	slices.SortFunc(out, func(a, b *Situation) int { return cmp.Compare(position[a.ID], position[b.ID]) })
	for i := 1; i < len(out); i++ {
		for j := i; j > 0 && isClearlyMoreUrgent(out[j], out[j-1]); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	slices.SortFunc(added, compareUrgency)
	for _, s := range added {
		i := slices.IndexFunc(out, func(other *Situation) bool { return compareUrgency(s, other) < 0 })
		if i < 0 {
			i = len(out)
		}
		out = slices.Insert(out, i, s)
	}
	return out
}

// isClearlyMoreUrgent reports whether the line of a must move above the line of b: a is in a more
// urgent group, has a higher level in the same group, or affects at least half as many people again
// and at least two more.
func isClearlyMoreUrgent(a, b *Situation) bool {
	if c := compareGroups(a, b); c != 0 {
		return c < 0
	}
	few := b.displayPriority.rank.affected
	return a.displayPriority.rank.affected >= few+max(few/2, 2)
}

// compareUrgency compares situations for sorting, the most urgent first: by group and level, then
// by the number of people affected, then by age.
func compareUrgency(a, b *Situation) int {
	return cmp.Or(compareGroups(a, b), cmp.Compare(b.displayPriority.rank.affected, a.displayPriority.rank.affected), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
}

// compareGroups compares two situations by group. Within a group, it compares them by level and
// then puts problems of the feed first, because all figures depend on the feed.
func compareGroups(a, b *Situation) int {
	feed := func(s *Situation) int {
		if s.Place.Key.Scope == alert.Feed {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.group(), b.group()), cmp.Compare(b.Level, a.Level), cmp.Compare(feed(b), feed(a)))
}

// group returns the group by which the situation is sorted. Group 2 has the situations with an
// empty queue and those with a target that is only at risk. Group 1 has the situations about agents
// who serve no service. Group 0 has all others.
func (sit *Situation) group() int {
	switch {
	case sit.displayPriority.rank.queueEmpty || sit.AtRisk:
		return 2
	case sit.displayPriority.noService:
		return 1
	}
	return 0
}

// rank holds the values by which situations of one level are sorted. It follows the queue slowly,
// so lines do not move every few seconds while a viewer reads them.
type rank struct {
	queueEmpty bool // the queue is empty
	affected   int  // people affected
	at         time.Time
	trend      int       // 1: the queue is clearly longer than the rank says, -1: clearly shorter, 0: neither
	trendSince time.Time // since when the queue has had this trend
}

// A rank follows the queue only after the queue has been clearly longer or shorter than the rank says for
// one of the first two durations. A rank that is roughly right is corrected after rankCorrectionDelay.
const (
	rankRiseDelay       = 5 * time.Second
	rankFallDelay       = 30 * time.Second
	rankCorrectionDelay = time.Minute
)

// next returns the rank that follows r. eased reports whether the queue is empty. affected is the
// current number of people affected.
func (r rank) next(eased bool, affected int, now time.Time) rank {
	trend := 0
	switch {
	case r.queueEmpty && !eased || affected > 2*r.affected:
		trend = 1
	case eased && !r.queueEmpty || 2*affected < r.affected:
		trend = -1
	}
	if trend != r.trend {
		r.trend, r.trendSince = trend, now
	}
	age, lasts := now.Sub(r.at).Abs(), now.Sub(r.trendSince).Abs()
	if r.at.IsZero() || trend > 0 && lasts >= rankRiseDelay || trend < 0 && lasts >= rankFallDelay || trend == 0 && age >= rankCorrectionDelay {
		return rank{queueEmpty: eased, affected: affected, at: now}
	}
	return r
}
