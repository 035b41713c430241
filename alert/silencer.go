package alert

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Silencer is what keeps the alerts of an engine quiet. It belongs to the goroutine of
// its engine.
type Silencer struct {
	outside sync.Locker // held while those who share the engine call; nil: nobody does
	planned []Silence
	snoozes *Snoozes
	version uint64              // of the snoozes at the last look
	active  map[string]*raised  // of the engine
	tell    func(*raised) Alert // what an alert says now

	inForce []Quiet
	some    bool      // there were silent alerts at the last look
	now     []Silence // planned ones that are in force, and when they end
	ends    []time.Time
	snoozed []Snooze
}

// Silencer returns what keeps the engine's alerts quiet.
func (e *Engine) Silencer() *Silencer { return e.quiet }

// Snooze keeps alerts quiet; see [NewSnooze].
func (q *Silencer) Snooze(z Snooze) {
	defer q.enter()()
	q.snoozes.Add(z)
	q.look(z.From)
	for _, a := range q.active {
		a.Silent = q.until(&a.Alert)
		q.some = q.some || !a.Silent.IsZero()
	}
}

// Wake ends the snoozes of the records of some alerts, none for every snooze, and
// returns how many have ended. Planned silences go on.
func (q *Silencer) Wake(alerts []Alert, now time.Time) int {
	defer q.enter()()
	n := 0
	for _, z := range q.snoozes.List() {
		ours := len(alerts) == 0 || slices.ContainsFunc(alerts, func(a Alert) bool {
			return slices.Contains(z.Keys, a.Key)
		})
		if ours && z.at(now) {
			z.Until = later(now.Round(0), z.From.Add(time.Millisecond))
			q.snoozes.Add(z)
			n++
		}
	}
	return n
}

// InForce returns the silences that are in force, the first to end first.
func (q *Silencer) InForce() []Quiet {
	defer q.enter()()
	return slices.Clone(q.inForce)
}

// Guard has several goroutines share the engine, each of which calls it with a lock
// held: Snooze, Wake and InForce take it themselves.
func (q *Silencer) Guard(l sync.Locker) { q.outside = l }

// enter takes the lock of who shares the engine, and returns what gives it back.
func (q *Silencer) enter() (leave func()) {
	if q.outside == nil {
		return func() {}
	}
	q.outside.Lock()
	return q.outside.Unlock
}

// Share has the engine go by snoozes that others share.
func (q *Silencer) Share(s *Snoozes) { q.snoozes = s }

// Snoozes are those that the engine goes by.
func (q *Silencer) Snoozes() *Snoozes {
	defer q.enter()()
	return q.snoozes
}

// inherit goes on with what another knew.
func (q *Silencer) inherit(old *Silencer) {
	q.snoozes, q.version, q.inForce, q.some = old.snoozes, old.version, old.inForce, old.some
}

// outdated reports whether there are other snoozes than at the last look.
func (q *Silencer) outdated() bool { return q.version != q.snoozes.at() }

// look finds out what is in force at a time.
func (q *Silencer) look(now time.Time) {
	q.inForce, q.now, q.ends, q.snoozed = nil, q.now[:0], q.ends[:0], q.snoozed[:0]
	q.version = q.snoozes.at()
	for i := range q.planned {
		if end := q.planned[i].Until(now); !end.IsZero() {
			q.now, q.ends = append(q.now, q.planned[i]), append(q.ends, end)
			q.inForce = append(q.inForce, Quiet{Title: q.planned[i].Title, Until: end, Planned: true})
		}
	}
	for _, z := range q.snoozes.List() {
		if z.at(now) {
			q.snoozed = append(q.snoozed, z)
			q.inForce = append(q.inForce, Quiet{Title: z.Title, By: z.By, Until: z.Until})
		}
	}
	slices.SortStableFunc(q.inForce, func(a, b Quiet) int { return cmp.Or(a.Until.Compare(b.Until), cmp.Compare(a.Title, b.Title)) })
}

// until returns how long an alert is silent, the zero time where it is not.
func (q *Silencer) until(a *Alert) time.Time {
	var end time.Time
	for i := range q.now {
		if q.now[i].covers(a) {
			end = later(end, q.ends[i])
		}
	}
	for i := range q.snoozed {
		if q.snoozed[i].covers(a) {
			end = later(end, q.snoozed[i].Until)
		}
	}
	return end
}

// mark notes on every alert, and on those of changes, until when it is silent. It
// returns the changes with those whose silence is over while they last.
func (q *Silencer) mark(changes []Change, now time.Time) []Change {
	q.look(now)
	if len(q.inForce) == 0 && !q.some {
		return changes
	}
	q.some = false
	news := make(map[string]bool, len(changes))
	for i := range changes {
		c := &changes[i].Alert
		news[c.ID] = true
		if c.Ended.IsZero() {
			c.Silent = q.until(c)
		}
	}
	for _, a := range q.active {
		was := a.Silent
		a.Silent = q.until(&a.Alert)
		q.some = q.some || !a.Silent.IsZero()
		if !was.IsZero() && a.Silent.IsZero() && !news[a.ID] {
			changes = append(changes, Change{Kind: Resumed, Alert: q.tell(a)})
		}
	}
	return changes
}
