package alert

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Silencer determines which alerts of an engine are silenced. Like the engine, it is safe for
// concurrent use only with a lock; see [Silencer.SetLock].
type Silencer struct {
	lock        sync.Locker // lock that callers of a shared engine hold; nil: the engine is not shared
	planned     []Silence
	snoozes     *Snoozes
	version     uint64                   // version of the snoozes at the last refresh
	active      map[string]*activeAlert  // active alerts of the engine
	currentCopy func(*activeAlert) Alert // returns an up-to-date copy of an alert

	activeSilences []ActiveSilence
	anySilenced    bool      // an active alert was silenced at the last call of markSilenced or Snooze
	plannedInForce []Silence // planned silences in force; plannedEnds holds their ends in the same order
	plannedEnds    []time.Time
	snoozed        []Snooze
}

// Silencer returns the silencer of the engine.
func (e *Engine) Silencer() *Silencer { return e.silencer }

// Snooze adds a snooze and applies it to the active alerts.
func (q *Silencer) Snooze(z Snooze) {
	defer q.lockIfShared()()
	q.snoozes.Add(z)
	q.refresh(z.From)
	for _, a := range q.active {
		a.SilentUntil = q.silentUntil(&a.Alert)
		q.anySilenced = q.anySilenced || !a.SilentUntil.IsZero()
	}
}

// EndSnoozes ends the snoozes that cover the records of alerts, or all snoozes if alerts is empty.
// It returns how many it ended. Planned silences continue.
func (q *Silencer) EndSnoozes(alerts []Alert, now time.Time) int {
	defer q.lockIfShared()()
	n := 0
	for _, z := range q.snoozes.List() {
		matches := len(alerts) == 0 || slices.ContainsFunc(alerts, func(a Alert) bool {
			return slices.Contains(z.Keys, a.Key)
		})
		if matches && z.inForce(now) {
			z.Until = laterTime(now.Round(0), z.From.Add(time.Millisecond))
			q.snoozes.Add(z)
			n++
		}
	}
	return n
}

// ActiveSilences returns the planned silences and the snoozes in force, sorted by end.
func (q *Silencer) ActiveSilences() []ActiveSilence {
	defer q.lockIfShared()()
	return slices.Clone(q.activeSilences)
}

// SetLock makes Snooze, EndSnoozes, ActiveSilences and Snoozes lock l. It must be called if several
// goroutines share the engine. The callers of the engine must then hold l.
func (q *Silencer) SetLock(l sync.Locker) { q.lock = l }

// lockIfShared locks q.lock, if it is set, and returns a function that unlocks it.
func (q *Silencer) lockIfShared() (leave func()) {
	if q.lock == nil {
		return func() {}
	}
	q.lock.Lock()
	return q.lock.Unlock
}

// UseSnoozes replaces the snoozes of the engine with s, which other engines may also use.
func (q *Silencer) UseSnoozes(s *Snoozes) { q.snoozes = s }

// Snoozes returns the snoozes that the engine uses, which other engines may share.
func (q *Silencer) Snoozes() *Snoozes {
	defer q.lockIfShared()()
	return q.snoozes
}

// adoptSilences copies the snoozes and the silences in force from another silencer.
func (q *Silencer) adoptSilences(old *Silencer) {
	q.snoozes, q.version, q.activeSilences, q.anySilenced = old.snoozes, old.version, old.activeSilences, old.anySilenced
}

func (q *Silencer) refresh(now time.Time) {
	q.activeSilences, q.plannedInForce, q.plannedEnds, q.snoozed = nil, q.plannedInForce[:0], q.plannedEnds[:0], q.snoozed[:0]
	q.version = q.snoozes.currentVersion()
	for i := range q.planned {
		if end := q.planned[i].EndAt(now); !end.IsZero() {
			q.plannedInForce, q.plannedEnds = append(q.plannedInForce, q.planned[i]), append(q.plannedEnds, end)
			q.activeSilences = append(q.activeSilences, ActiveSilence{Title: q.planned[i].Title, Until: end, Planned: true})
		}
	}
	for _, z := range q.snoozes.List() {
		if z.inForce(now) {
			q.snoozed = append(q.snoozed, z)
			q.activeSilences = append(q.activeSilences, ActiveSilence{Title: z.Title, By: z.By, Until: z.Until, PartlyHidden: z.PartlyHidden})
		}
	}
	slices.SortStableFunc(q.activeSilences, func(a, b ActiveSilence) int { return cmp.Or(a.Until.Compare(b.Until), cmp.Compare(a.Title, b.Title)) })
}

// silentUntil returns the end of the silence of an alert, or the zero time if the alert is not
// silenced.
func (q *Silencer) silentUntil(a *Alert) time.Time {
	var end time.Time
	for i := range q.plannedInForce {
		if q.plannedInForce[i].appliesTo(a) {
			end = laterTime(end, q.plannedEnds[i])
		}
	}
	for i := range q.snoozed {
		if q.snoozed[i].covers(a) {
			end = laterTime(end, q.snoozed[i].Until)
		}
	}
	return end
}

// markSilenced sets SilentUntil in all active alerts and in the active alerts of changes. It returns
// changes with a [ChangeResumed] added for each alert whose silence has ended.
func (q *Silencer) markSilenced(changes []Change, now time.Time) []Change {
	q.refresh(now)
	if len(q.activeSilences) == 0 && !q.anySilenced {
		return changes
	}
	q.anySilenced = false
	isNew := make(map[string]bool, len(changes))
	for i := range changes {
		c := &changes[i].Alert
		isNew[c.ID] = true
		if c.Ended.IsZero() {
			c.SilentUntil = q.silentUntil(c)
		}
	}
	for _, a := range q.active {
		was := a.SilentUntil
		a.SilentUntil = q.silentUntil(&a.Alert)
		q.anySilenced = q.anySilenced || !a.SilentUntil.IsZero()
		if !was.IsZero() && a.SilentUntil.IsZero() && !isNew[a.ID] {
			changes = append(changes, Change{Kind: ChangeResumed, Alert: q.currentCopy(a)})
		}
	}
	return changes
}
