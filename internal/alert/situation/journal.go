package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Journal holds the situations of a recording as the board that recorded them judged them. A tracker
// with a journal shows the ended situations of the journal instead of its own from the same period, and
// continues the open ones. A Journal is immutable. A nil Journal is empty.
type Journal struct {
	entries []journalEntry // sorted by time
	alerts  []alert.Alert  // known alerts of all entries, without duplicates
	from    time.Time      // beginning of the earliest situation
	until   time.Time      // end of the journal; zero: the end of the recording
}

// journalEntry is the state of a situation from the time at until the situation's next entry.
type journalEntry struct {
	at             time.Time
	key            placeKey
	fromStart      bool
	critical       time.Time
	explanation    recordedExplanation
	ack            alert.Ack // latest take-over since the situation became critical, possibly later than at
	EndedSituation           // the situation; Ended is zero while it is open
}

// NewJournal returns a journal of the incidents in marks, or nil if there are none. If two marks describe the
// same state of an incident, it ignores the second one unless the second one has an explanation. Alerts in
// known replace alerts in marks with the same ID, because they may be more complete.
func NewJournal(marks []model.Mark, known []alert.Alert) *Journal {
	type state struct {
		id    string
		ended int64
		level int
		at    int64 // time of the mark if it changes only the explanation; otherwise 0
	}
	j := &Journal{}
	seen := make(map[state]bool)
	newest := make(map[string]alert.Alert)
	for i := range marks {
		m := &marks[i]
		in := m.Incident
		if in == nil {
			continue
		}
		is := state{in.ID, in.Ended.UnixMilli(), in.Level, 0}
		if seen[is] && len(in.Causes) > 0 && in.Ended.IsZero() {
			is.at = m.At.UnixMilli()
		}
		for _, a := range alertsOf(in) {
			if old, has := newest[a.ID]; !has || old.Ended.IsZero() {
				newest[a.ID] = a
			}
		}
		if !seen[is] {
			seen[is] = true
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
	addTakeOvers(newest, marks)
	for _, a := range newest {
		j.alerts = append(j.alerts, a)
	}
	slices.SortFunc(j.alerts, func(a, b alert.Alert) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.ID, b.ID)) })
	j.addBeginnings()
	slices.SortStableFunc(j.entries, func(a, b journalEntry) int { return a.at.Compare(b.at) })
	j.fillFromPrevious()
	for i := range j.entries {
		e := &j.entries[i]
		for _, id := range e.alertIDs {
			if a := newest[id].Ack; a.At.After(e.ack.At) && !a.At.Before(e.critical) {
				e.ack = a
			}
		}
		if j.from.IsZero() || e.Began.Before(j.from) {
			j.from = e.Began
		}
	}
	return j
}

// addTakeOvers adds the take-overs in marks to alerts that have none, by ID. The mark of an incident
// that is still open does not contain a later take-over.
func addTakeOvers(alerts map[string]alert.Alert, marks []model.Mark) {
	for i := range marks {
		t, at := &marks[i].Taken, marks[i].At
		key := alert.Key{Scope: alert.Scope(t.Scope), Code: t.Code, Channel: t.Channel}
		for id, a := range alerts {
			isOpen := !at.Before(a.Since) && (a.Ended.IsZero() || !at.After(a.Ended))
			if isOpen && a.Rule == t.Rule && a.Key == key && a.Ack.At.IsZero() {
				a.Ack = alert.Ack{By: cmp.Or(t.By, AnonymousName), At: at}
				alerts[id] = a
			}
		}
	}
}

// AnonymousName stands for the viewer who took an alert over, in recordings without names.
const AnonymousName = "somebody"

// addBeginnings adds an entry for the beginning of each situation that has only an entry for its
// end. The beginning has no mark if, for example, the situation existed before the observation
// began.
func (j *Journal) addBeginnings() {
	begun := make(map[string]bool)
	for i := range j.entries {
		begun[j.entries[i].ID] = begun[j.entries[i].ID] || j.entries[i].Ended.IsZero()
	}
	for _, e := range j.entries {
		if !begun[e.ID] {
			begun[e.ID] = true
			e.at, e.Ended, e.HighestLevel, e.explanation = e.Began, time.Time{}, alert.Normal, recordedExplanation{}
			j.entries = append(j.entries, e)
		}
	}
}

// fillFromPrevious copies alerts and explanations to entries that lack them from the previous entry of the
// same situation. The mark of an explanation has no alerts, and a state known from the live board
// has no explanation.
func (j *Journal) fillFromPrevious() {
	last := make(map[string]*journalEntry)
	for i := range j.entries {
		e := &j.entries[i]
		if was := last[e.ID]; was != nil && len(e.alertIDs) == 0 {
			e.alertIDs = was.alertIDs
		}
		if was := last[e.ID]; was != nil && len(e.explanation.causes) == 0 {
			if e.explanation = was.explanation; !e.Ended.IsZero() {
				e.causes = e.explanation.causes
			}
		}
		last[e.ID] = e
	}
}

// maxUnended is how long after its last mark a situation without an end still counts as open. The
// end has no mark if the board had stopped. In recordings of an earlier version, the end of a
// silenced situation has no mark either.
const maxUnended = 12 * time.Hour

// PartUntil returns the part of the journal up to at. If ongoing is false, it leaves out the situations
// that are open at that time, because they may have ended unobserved.
func (j *Journal) PartUntil(at time.Time, ongoing bool) *Journal {
	if j == nil {
		return nil
	}
	out := &Journal{entries: slices.Clone(j.entries[:j.countUpTo(at)]), from: j.from, until: at}
	ended, active := j.Alerts(at)
	out.alerts = ended
	known := make(map[string]bool) // by ID: whether the situation has ended or counts as open
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

// EndSituationsAt returns the journal in which each situation without an end ends at the first stop after its
// last mark. stops holds the starts of gaps in the recording, sorted.
func (j *Journal) EndSituationsAt(stops []time.Time) *Journal {
	if j == nil || len(stops) == 0 {
		return j
	}
	out := &Journal{entries: slices.Clone(j.entries), alerts: slices.Clone(j.alerts), from: j.from, until: j.until}
	last := make(map[string]journalEntry)
	for _, e := range j.entries {
		last[e.ID] = e
	}
	ends := make(map[string]time.Time) // by ID of the alert
	for _, e := range last {
		i, _ := slices.BinarySearchFunc(stops, e.at, time.Time.Compare)
		if !e.Ended.IsZero() || i == len(stops) {
			continue
		}
		e.at, e.Ended, e.Unfinished, e.causes = stops[i], stops[i], true, e.explanation.causes
		out.entries = append(out.entries, e)
		for _, id := range e.alertIDs {
			ends[id] = stops[i]
		}
	}
	for i := range out.alerts {
		if a := &out.alerts[i]; a.Ended.IsZero() {
			a.Ended = ends[a.ID]
		}
	}
	slices.SortStableFunc(out.entries, func(a, b journalEntry) int { return a.at.Compare(b.at) })
	return out
}

// PastSituationsAt returns the ended situations that were open at the given time, one entry for
// each, the worst first. It leaves out situations about figures of the day.
func (j *Journal) PastSituationsAt(at time.Time, names model.Names) []PastSituation {
	var out []PastSituation
	for _, r := range j.endedSituations() {
		if r.Began.After(at) || r.Ended.Before(at) {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(j.alerts), func(a alert.Alert) bool { return !slices.Contains(r.alertIDs, a.ID) })
		out = append(out, SummarizeEndedAlerts(nil, names, own, &View{ended: []EndedSituation{r}})...)
	}
	slices.SortStableFunc(out, func(a, b PastSituation) int {
		return cmp.Or(cmp.Compare(b.HighestLevel, a.HighestLevel), cmp.Compare(b.TotalDuration, a.TotalDuration))
	})
	return out
}

// NearestSituation returns the ended situation that was open at the time at or nearest to it. It returns the
// zero value if no situation has ended. It ignores situations about figures of the day.
func (j *Journal) NearestSituation(at time.Time) (best EndedSituation) {
	distance := func(r *EndedSituation) time.Duration { return max(r.Began.Sub(at), at.Sub(r.Ended), 0) }
	for _, r := range j.endedSituations() {
		if best.Began.IsZero() || distance(&r) < distance(&best) {
			best = r
		}
	}
	return best
}

// OpenSituation is a situation that is open in a recording.
type OpenSituation struct {
	IncidentSummary
	At  time.Time // time of the headline
	Ack alert.Ack

	headline words.Text // Headline as a message; zero: only the text is recorded
}

// In returns the situation with its texts in a language; nil means English.
func (s OpenSituation) In(l *words.Language) OpenSituation {
	s.Place.Title, s.Headline = s.Place.titleIn(l), textInLanguage(s.headline, s.Headline, l)
	return s
}

// OpenSituationsAt returns the situations that are open at the given time, the worst and oldest first. It
// leaves out situations about figures of the day.
func (j *Journal) OpenSituationsAt(at time.Time) (out []OpenSituation) {
	last := make(map[string]*journalEntry)
	for i := range j.countUpTo(at) {
		last[j.entries[i].ID] = &j.entries[i]
	}
	_, active := j.Alerts(at)
	isActive := func(id string) bool {
		return slices.ContainsFunc(active, func(a alert.Alert) bool { return a.ID == id })
	}
	for _, e := range last {
		if !e.Ended.IsZero() || e.key.daily || at.Sub(e.at) > maxUnended || len(e.alertIDs) > 0 && !slices.ContainsFunc(e.alertIDs, isActive) {
			continue
		}
		one := OpenSituation{At: e.at, headline: e.headline, IncidentSummary: IncidentSummary{
			Place: e.Place, Headline: e.Headline, HighestLevel: max(e.HighestLevel, alert.Warning), Began: e.Began, FromStart: e.fromStart,
			MostWaiting: e.Waiting, LongestWait: e.LongestWait,
		}}
		for i := range active { // the mark of the beginning may have no level yet
			if slices.Contains(e.alertIDs, active[i].ID) {
				one.HighestLevel = max(one.HighestLevel, active[i].Level)
			}
		}
		if !e.ack.At.After(at) {
			one.Ack = e.ack
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b OpenSituation) int {
		return cmp.Or(cmp.Compare(b.HighestLevel, a.HighestLevel), a.Began.Compare(b.Began), cmp.Compare(a.Place.Title, b.Place.Title))
	})
	return out
}

// endedSituations returns the situations that have ended, sorted by end. It leaves out situations
// about figures of the day.
func (j *Journal) endedSituations() (out []EndedSituation) {
	if j == nil {
		return nil
	}
	for i := range j.entries {
		if e := &j.entries[i]; !e.Ended.IsZero() && !e.key.daily {
			out = append(out, e.EndedSituation)
		}
	}
	return out
}

// Start returns the beginning of the earliest situation. For a nil journal it returns the zero time.
func (j *Journal) Start() time.Time {
	if j == nil {
		return time.Time{}
	}
	return j.from
}

func entryOf(in *model.Incident, at time.Time) journalEntry {
	k := alert.Key{Scope: alert.Scope(in.Scope), Code: in.Code, Channel: in.Channel}
	e := journalEntry{at: at, key: placeKey{k, in.Daily}, fromStart: in.FromStart, critical: in.Critical, explanation: recordedExplanationOf(in), EndedSituation: EndedSituation{
		ID: in.ID, Place: Place{k, in.Title}, headline: recordedHeadline(in), Headline: in.Headline, Began: in.Began, Ended: in.Ended, HighestLevel: clampLevel(in.Level),
		Waiting: in.Waiting, LongestWait: time.Duration(in.Longest) * time.Second,
	}}
	if !in.Ended.IsZero() {
		e.at, e.causes = in.Ended, e.explanation.causes
	}
	for _, a := range alertsOf(in) {
		e.alertIDs = append(e.alertIDs, a.ID)
	}
	return e
}

// recordedHeadline returns the recorded headline as a message. Recordings of an earlier version have only a text.
// It is converted if it is about the queue of an ended situation. Otherwise the result is the zero Text.
func recordedHeadline(in *model.Incident) words.Text {
	if text := words.Restored(in.Message); !text.IsZero() {
		return text
	}
	contacts := words.CountWaiting(in.Waiting, in.Channel)
	text := words.SituationEnded(contacts)
	if in.Longest > 0 {
		text = words.SituationEndedWait(contacts, words.Duration(time.Duration(in.Longest)*time.Second))
	}
	if text.In(nil) != in.Headline { // recorded texts are in English
		return words.Text{}
	}
	return text
}

func clampLevel(n int) alert.Level { return alert.Level(min(max(n, 0), int(alert.Critical))) }

// alertsOf converts the alerts of an incident to alerts as an engine returns them.
func alertsOf(in *model.Incident) []alert.Alert {
	out := make([]alert.Alert, 0, len(in.Alerts))
	for i := range in.Alerts {
		r := &in.Alerts[i]
		a := alert.Alert{
			Rule: r.Rule, Key: alert.Key{Scope: alert.Scope(r.Scope), Code: r.Code, Channel: r.Channel}, HighestLevel: clampLevel(r.Level), Level: clampLevel(r.Level),
			Since: r.Since, Raised: r.Raised, Ended: r.Ended, FromStart: r.FromStart, Vanished: r.Vanished, Daily: in.Daily, Text: r.Text, Message: textformat.RestoredMessage(r.Title, r.What),
		}
		a.ID = alert.ID(a.Rule, a.Key, a.Raised)
		if r.By != "" {
			a.Ack = alert.Ack{By: r.By, At: r.TakenAt}
		}
		out = append(out, a)
	}
	return out
}

// Covers reports whether at is in the period of the journal. The journal contains all situations of
// that period.
func (j *Journal) Covers(at time.Time) bool {
	return j != nil && !at.Before(j.from) && (j.until.IsZero() || !at.After(j.until))
}

// countUpTo returns the number of entries that are not later than at.
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

// AddToView returns a copy of view with the situations of the journal added that ended between from and
// to, except situations about figures of the day. view may be nil.
func (j *Journal) AddToView(view *View, from, to time.Time) *View {
	out := &View{}
	if view != nil {
		*out = *view
	}
	if j == nil {
		return out
	}
	known := make(map[string]bool)
	for i := range out.ended {
		known[out.ended[i].ID] = true
	}
	for _, list := range [][]Situation{out.Live, out.HeldBack} {
		for i := range list {
			known[list[i].ID] = true
		}
	}
	out.ended = slices.Clone(out.ended)
	for i := range j.entries {
		e := &j.entries[i]
		if known[e.ID] || e.key.daily || e.Ended.IsZero() || e.Ended.Before(from) || e.Ended.After(to) {
			continue
		}
		known[e.ID] = true
		out.ended = append(out.ended, endedIn([]EndedSituation{e.EndedSituation}, out.words)...)
	}
	slices.SortStableFunc(out.ended, func(a, b EndedSituation) int { return a.Ended.Compare(b.Ended) })
	return out
}

// HasChanged reports whether the journal has an entry after the time after and up to and including
// upTo.
func (j *Journal) HasChanged(after, upTo time.Time) bool {
	return j.countUpTo(after) != j.countUpTo(upTo)
}

// Alerts returns the state of the alerts at the given time: the alerts that had ended, sorted by
// end, and the active alerts.
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
			a.Ended, a.Vanished, a.Ack = time.Time{}, false, alert.Ack{} // acknowledgements have their own marks
			active = append(active, a)
		}
	}
	return ended, active
}

// journalState is the state of all places at one time, according to a journal.
type journalState struct {
	last   map[string]*journalEntry // last entry of each situation, by its ID
	open   map[placeKey]*journalEntry
	ended  []EndedSituation // ended situations, the latest last; without those about figures of the day
	places map[placeKey]placeTotals
}

// placeTotals holds the number and total duration of the situations of a place that have ended on
// the current day.
type placeTotals struct {
	count      int
	total      time.Duration
	firstBegan time.Time
}

// add updates the state with the next entry. midnight is the beginning of the current day.
func (s *journalState) add(e *journalEntry, midnight time.Time) {
	if was := s.last[e.ID]; was != nil {
		s.undo(was, midnight)
	}
	s.last[e.ID] = e
	if e.Ended.IsZero() {
		s.open[e.key] = e
		return
	}
	if open := s.open[e.key]; open != nil && open.Began.Before(e.Began) {
		delete(s.open, e.key) // the end of the earlier situation has no mark
	}
	if !e.key.daily {
		s.ended = append(s.ended[max(len(s.ended)+1-maxEnded, 0):], e.EndedSituation)
	}
	if !e.Ended.Before(midnight) {
		of, began := s.places[e.key], e.beganToday(midnight)
		if of.count++; of.firstBegan.IsZero() || began.Before(of.firstBegan) {
			of.firstBegan = began
		}
		of.total += max(e.Ended.Sub(began), 0)
		s.places[e.key] = of
	}
}

// undo removes an entry that a later entry of the same situation replaces.
func (s *journalState) undo(was *journalEntry, midnight time.Time) {
	if was.Ended.IsZero() {
		if s.open[was.key] == was {
			delete(s.open, was.key)
		}
		return
	}
	s.ended = slices.DeleteFunc(s.ended, func(r EndedSituation) bool { return r.ID == was.ID })
	if !was.Ended.Before(midnight) {
		of := s.places[was.key] // firstBegan stays because the situation continues
		of.count, of.total = of.count-1, of.total-max(was.Ended.Sub(was.beganToday(midnight)), 0)
		s.places[was.key] = of
	}
}

// beganToday returns the beginning of the situation, or midnight if the situation began earlier.
func (e *journalEntry) beganToday(midnight time.Time) time.Time {
	if e.Began.Before(midnight) {
		return midnight
	}
	return e.Began
}

// journalFollower tracks how many entries of a journal a [Tracker] has processed, and the state
// after them.
type journalFollower struct {
	journal     *Journal // nil: there is none
	state       journalState
	entriesRead int // number of entries that state includes
	day         int // day of state as a number, see [Tracker.dayOf]
}

// advanceTo updates the state to the time now and reports whether it has changed. midnight and day
// describe the current day; see [Tracker.dayOf].
func (r *journalFollower) advanceTo(now, midnight time.Time, day int) bool {
	n := r.journal.countUpTo(now)
	if n == 0 && r.entriesRead == 0 || n == r.entriesRead && day == r.day {
		return false
	}
	if n < r.entriesRead || day != r.day {
		r.entriesRead, r.state.last = 0, nil
	}
	if r.state.last == nil {
		r.state = journalState{last: make(map[string]*journalEntry), open: make(map[placeKey]*journalEntry), places: make(map[placeKey]placeTotals)}
	}
	for r.day = day; r.entriesRead < n; r.entriesRead++ {
		r.state.add(&r.journal.entries[r.entriesRead], midnight)
	}
	return true
}

// restorePlaces sets, for each place in the journal, the number and total duration of today's situations:
// those of the journal and those of the tracker that the journal does not contain.
func (w *Tracker) restorePlaces() {
	for k, of := range w.pastSituations.follower.state.places {
		l := w.places[k]
		if l == nil {
			l = &placeState{}
			w.places[k] = l
		}
		l.occurrences, l.totalDuration, l.firstBegan = of.count, of.total, of.firstBegan
		if l.hasSituation {
			l.occurrences++
		}
		for i := range w.pastSituations.ended { // add the situations that ended after the end of the journal
			if r := &w.pastSituations.ended[i]; !k.daily && r.Place.Key == k.place && !w.pastSituations.follower.journal.Covers(r.Ended) {
				l.occurrences, l.totalDuration = l.occurrences+1, l.totalDuration+r.Ended.Sub(r.Began)
			}
		}
	}
}

// maxStartDifference is how much earlier a situation may begin in the journal than in the tracker
// to count as the same situation.
const maxStartDifference = 10 * time.Minute

// restoreOpenSituation copies the ID, beginning, level, alert IDs and take-over of the open situation of a
// place from the journal. If the journal has no such situation, it does nothing.
func (w *Tracker) restoreOpenSituation(k placeKey, l *placeState, now time.Time) {
	e, sit := w.pastSituations.follower.state.open[k], &l.current
	if e == nil || sit.ID != e.ID && !sit.FromStart && (!w.pastSituations.follower.journal.Covers(sit.Since) || sit.Since.Sub(e.Began) > maxStartDifference) {
		return
	}
	if (sit.ID != e.ID || !l.visible) && !e.ack.At.IsZero() && !e.ack.At.After(now) {
		sit.Ack, sit.Level = e.ack, max(sit.Level, e.HighestLevel)
	}
	sit.ID, sit.Since, sit.FromStart, sit.HighestLevel = e.ID, e.Began, e.fromStart, max(sit.HighestLevel, e.HighestLevel)
	if sit.alertIDs = e.alertIDs; !e.critical.IsZero() {
		sit.CriticalSince = e.critical
	}
	l.visible = true
	if l.firstBegan.IsZero() || l.occurrences <= 1 {
		l.firstBegan = e.Began
	}
}

// UseJournal makes the tracker use j, a journal of the time before the tracker started. j may be nil.
func (w *Tracker) UseJournal(j *Journal) {
	w.pastSituations.follower = journalFollower{journal: j}
	w.view = nil
}

// JournalStart returns the beginning of the earliest situation in the journal. Without a journal it
// returns the zero time.
func (w *Tracker) JournalStart() time.Time { return w.pastSituations.follower.journal.Start() }

// applyJournal replaces the ended situations in the journal's period with those of the journal.
func (p *pastSituations) applyJournal() {
	before := slices.DeleteFunc(slices.Clone(p.ended), func(r EndedSituation) bool { return p.follower.journal.Covers(r.Ended) })
	if all := append(before, p.follower.state.ended...); len(all) > 0 {
		p.ended = all[max(len(all)-maxEnded, 0):]
		return
	}
	p.ended = nil
}
