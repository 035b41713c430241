package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Journal holds the situations of a recording as they were judged when they happened. A tracker
// with a journal shows them the same way. A Journal is immutable; a nil Journal is empty.
type Journal struct {
	entries []journalEntry // in order of time
	alerts  []alert.Alert  // alerts of all entries, as far as they are known, without duplicates
	from    time.Time      // the earliest beginning
	until   time.Time      // the end; zero: the end of the recording
}

// journalEntry is the state of a situation from an instant on.
type journalEntry struct {
	at        time.Time
	key       placeKey
	fromStart bool
	critical  time.Time
	Recovered // Ended is zero while the situation is open
}

// NewJournal returns a journal of the incidents in marks, or nil if there are none. If two marks
// describe the same state of an incident, the first one is used. known holds alerts that are more
// complete than those in the marks.
func NewJournal(marks []model.Mark, known []alert.Alert) *Journal {
	type state struct {
		id    string
		ended int64
		level int
	}
	j := &Journal{}
	told := make(map[state]bool)
	newest := make(map[string]alert.Alert)
	for i := range marks {
		m := &marks[i]
		in := m.Incident
		if in == nil {
			continue
		}
		is := state{in.ID, in.Ended.UnixMilli(), in.Level}
		for _, a := range alertsOf(in) {
			if old, has := newest[a.ID]; !has || old.Ended.IsZero() {
				newest[a.ID] = a
			}
		}
		if !told[is] {
			told[is] = true
			j.entries = append(j.entries, entryOf(in, m.At))
		}
	}
	if len(j.entries) == 0 {
		return nil
	}
	for i := range known {
		if _, has := newest[known[i].ID]; has {
			newest[known[i].ID] = known[i]
		}
	}
	for _, a := range newest {
		j.alerts = append(j.alerts, a)
	}
	slices.SortFunc(j.alerts, func(a, b alert.Alert) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.ID, b.ID)) })
	j.addBeginnings()
	slices.SortStableFunc(j.entries, func(a, b journalEntry) int { return a.at.Compare(b.at) })
	for i := range j.entries {
		if e := &j.entries[i]; j.from.IsZero() || e.Began.Before(j.from) {
			j.from = e.Began
		}
	}
	return j
}

// addBeginnings adds the beginning of each ended situation that lacks one, for example because it
// existed when the observation began.
func (j *Journal) addBeginnings() {
	begun := make(map[string]bool)
	for i := range j.entries {
		begun[j.entries[i].ID] = begun[j.entries[i].ID] || j.entries[i].Ended.IsZero()
	}
	for _, e := range j.entries {
		if !begun[e.ID] {
			begun[e.ID] = true
			e.at, e.Ended, e.Highest = e.Began, time.Time{}, alert.Normal
			j.entries = append(j.entries, e)
		}
	}
}

// maxUnended is the time after its last mark for which a situation without an end counts as open.
// The end has no mark if the situation was silenced then, or if the board stopped.
const maxUnended = 12 * time.Hour

// Until returns the part of the journal up to an instant. If ongoing is false, it leaves out the
// situations that had not ended, because they may have ended unobserved.
func (j *Journal) Until(at time.Time, ongoing bool) *Journal {
	if j == nil {
		return nil
	}
	out := &Journal{entries: slices.Clone(j.entries[:j.countUpTo(at)]), from: j.from, until: at}
	ended, active := j.Alerts(at)
	out.alerts = ended
	known := make(map[string]bool) // by ID: ended, or counts as open
	for i := range out.entries {
		e := &out.entries[i]
		known[e.ID] = known[e.ID] || !e.Ended.IsZero() || ongoing && at.Sub(e.at) <= maxUnended
	}
	for _, a := range active {
		if ongoing && at.Sub(a.Raised) <= maxUnended {
			out.alerts = append(out.alerts, a)
		}
	}
	out.entries = slices.DeleteFunc(out.entries, func(e journalEntry) bool { return !known[e.ID] })
	return out
}

// From returns the earliest beginning; the zero time if j is nil.
func (j *Journal) From() time.Time {
	if j == nil {
		return time.Time{}
	}
	return j.from
}

func entryOf(in *model.Incident, at time.Time) journalEntry {
	k := alert.Key{Scope: alert.Scope(in.Scope), Code: in.Code, Channel: in.Channel}
	e := journalEntry{at: at, key: placeKey{k, in.Daily}, fromStart: in.FromStart, critical: in.Critical, Recovered: Recovered{
		ID: in.ID, Place: Place{k, in.Title}, Headline: in.Headline, Began: in.Began, Ended: in.Ended, Highest: levelFrom(in.Level),
	}}
	if !in.Ended.IsZero() {
		e.at = in.Ended
	}
	for _, a := range alertsOf(in) {
		e.alertIDs = append(e.alertIDs, a.ID)
	}
	return e
}

func levelFrom(n int) alert.Level { return alert.Level(min(max(n, 0), int(alert.Critical))) }

// alertsOf returns the alerts of an incident.
func alertsOf(in *model.Incident) []alert.Alert {
	out := make([]alert.Alert, 0, len(in.Alerts))
	for i := range in.Alerts {
		r := &in.Alerts[i]
		a := alert.Alert{
			Rule: r.Rule, Key: alert.Key{Scope: alert.Scope(r.Scope), Code: r.Code, Channel: r.Channel}, Worst: levelFrom(r.Level), Level: levelFrom(r.Level),
			Since: r.Since, Raised: r.Raised, Ended: r.Ended, FromStart: r.FromStart, Vanished: r.Vanished, Daily: in.Daily, Text: r.Text,
		}
		a.ID = alert.ID(a.Rule, a.Key, a.Raised)
		if r.By != "" {
			a.Ack = alert.Ack{By: r.By, At: r.TakenAt}
		}
		out = append(out, a)
	}
	return out
}

// Covers reports whether the journal contains all situations of an instant.
func (j *Journal) Covers(at time.Time) bool {
	return j != nil && !at.Before(j.from) && (j.until.IsZero() || !at.After(j.until))
}

// countUpTo returns the number of entries up to an instant.
func (j *Journal) countUpTo(at time.Time) int {
	if j == nil {
		return 0
	}
	n, _ := slices.BinarySearchFunc(j.entries, at, func(e journalEntry, at time.Time) int {
		if e.at.After(at) {
			return 1
		}
		return -1
	})
	return n
}

// Changed reports whether there are entries after one instant and up to another.
func (j *Journal) Changed(after, upTo time.Time) bool { return j.countUpTo(after) != j.countUpTo(upTo) }

// Alerts returns the alerts as of an instant, in order of their ends: those that had ended, and
// those that were active, without an end.
func (j *Journal) Alerts(at time.Time) (ended, active []alert.Alert) {
	if j == nil {
		return nil, nil
	}
	for _, a := range j.alerts {
		switch {
		case a.Raised.After(at):
		case !a.Ended.IsZero() && !a.Ended.After(at):
			ended = append(ended, a)
		default:
			a.Ended, a.Vanished, a.Ack = time.Time{}, false, alert.Ack{} // an acknowledgement has a mark of its own
			active = append(active, a)
		}
	}
	return ended, active
}

// journalState is the state of all places at an instant.
type journalState struct {
	open   map[placeKey]*journalEntry
	ended  []Recovered // live situations that have ended, the latest last
	places map[placeKey]placeTotals
}

// placeTotals holds the ended situations of a place on the day.
type placeTotals struct {
	count int
	total time.Duration
	first time.Time
}

// stateAfter returns the state after the first n entries. The day begins at midnight.
func (j *Journal) stateAfter(n int, midnight time.Time) journalState {
	s := journalState{open: make(map[placeKey]*journalEntry), places: make(map[placeKey]placeTotals)}
	last := make(map[string]*journalEntry) // by ID
	for i := range j.entries[:n] {
		last[j.entries[i].ID] = &j.entries[i]
	}
	for i := range j.entries[:n] {
		e := &j.entries[i]
		if last[e.ID] != e {
			continue
		}
		if e.Ended.IsZero() {
			s.open[e.key] = e
			continue
		}
		if open := s.open[e.key]; open != nil && open.Began.Before(e.Began) {
			delete(s.open, e.key) // its end has no mark
		}
		if !e.key.daily {
			s.ended = append(s.ended, e.Recovered)
		}
		if !e.Ended.Before(midnight) {
			of := s.places[e.key]
			began := e.Began
			if began.Before(midnight) {
				began = midnight
			}
			if of.count++; of.first.IsZero() || began.Before(of.first) {
				of.first = began
			}
			of.total += max(e.Ended.Sub(began), 0)
			s.places[e.key] = of
		}
	}
	s.ended = s.ended[max(len(s.ended)-maxEnded, 0):]
	return s
}

// journalFollower is the part of a [Tracker] that follows a journal.
type journalFollower struct {
	journal     func() *Journal // nil: no journal
	state       journalState
	entriesRead int // entries in state
	day         int // day of state, see [Tracker.resetDay]
}

// follow updates the state to an instant and reports whether it has changed.
func (r *journalFollower) follow(now, midnight time.Time, day int) bool {
	if r.journal == nil {
		return false
	}
	j := r.journal()
	n := j.countUpTo(now)
	if n == 0 && r.entriesRead == 0 || n == r.entriesRead && day == r.day {
		return false
	}
	r.state, r.entriesRead, r.day = j.stateAfter(n, midnight), n, day
	return true
}

// covers reports whether the journal contains all situations of an instant.
func (r *journalFollower) covers(at time.Time) bool {
	return r.journal != nil && r.journal().Covers(at)
}

// recallPlaces takes over the number and duration of today's situations of each place.
func (w *Tracker) recallPlaces() {
	for k, of := range w.past.follower.state.places {
		l := w.places[k]
		if l == nil {
			l = &placeState{}
			w.places[k] = l
		}
		l.occurrences, l.total, l.first = of.count, of.total, of.first
		if l.hasSituation {
			l.occurrences++
		}
		for i := range w.past.ended { // situations after the end of the journal
			if r := &w.past.ended[i]; !k.daily && r.Place.Key == k.place && !w.past.follower.covers(r.Ended) {
				l.occurrences, l.total = l.occurrences+1, l.total+r.Ended.Sub(r.Began)
			}
		}
	}
}

// maxStartDifference is how much earlier a situation may begin in the journal than in the tracker and
// still be the same one.
const maxStartDifference = 10 * time.Minute

// recallOpen gives an open situation its recorded identity, beginning and level.
func (w *Tracker) recallOpen(k placeKey, l *placeState) {
	e, sit := w.past.follower.state.open[k], &l.current
	if e == nil || sit.ID != e.ID && !sit.FromStart && (!w.past.follower.covers(sit.Since) || sit.Since.Sub(e.Began) > maxStartDifference) {
		return
	}
	sit.ID, sit.Since, sit.FromStart, sit.Highest = e.ID, e.Began, e.fromStart, max(sit.Highest, e.Highest)
	if sit.alertIDs = e.alertIDs; !e.critical.IsZero() {
		sit.CriticalSince = e.critical
	}
	l.visible = true
	if l.first.IsZero() || l.occurrences <= 1 {
		l.first = e.Began
	}
}

// Recall takes over a journal of the time before this tracker, nil for none.
func (w *Tracker) Recall(j *Journal) {
	w.past.follower = journalFollower{journal: func() *Journal { return j }}
	w.view = nil
}

// RecalledFrom returns the earliest beginning in the journal; the zero time if there is none.
func (w *Tracker) RecalledFrom() time.Time {
	if w.past.follower.journal == nil {
		return time.Time{}
	}
	return w.past.follower.journal().From()
}

// applyJournal replaces the ended situations that the journal covers by those of the journal.
func (p *pastSituations) applyJournal() {
	before := slices.DeleteFunc(slices.Clone(p.ended), func(r Recovered) bool { return p.follower.covers(r.Ended) })
	if all := append(before, p.follower.state.ended...); len(all) > 0 {
		p.ended = all[max(len(all)-maxEnded, 0):]
		return
	}
	p.ended = nil
}
