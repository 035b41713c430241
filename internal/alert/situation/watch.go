package situation

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// recoveredDisplayTime is how long an ended situation stays listed. A situation that begins at the same
// place within maxReopenDelay of the end continues the ended situation.
const (
	recoveredDisplayTime = 5 * time.Minute
	maxReopenDelay       = time.Minute
)

// Options configures a [Tracker].
type Options struct {
	Names model.Names
	Zone  *time.Location // time zone in which days begin; nil: the zone of the times that callers pass
	// Hold is how long warnings that may end before a supervisor can act are held back. If Hold is
	// 0, no situation is held back.
	Hold time.Duration
	// Goal returns the targets of a service. If it is nil, the targets are unknown.
	Goal func(service string) alert.Goal
	// Baseline returns the usual number of contacts per minute of a service at a time, and a
	// description of the data behind it. ok is false if there is no data. Baseline may be nil.
	Baseline func(k model.ServiceKey, at time.Time) (perMinute float64, basis words.Text, ok bool)
	// Notes provides the notes and marks that may explain a surge of contacts. It may be nil.
	Notes diagnosis.Notes
}

// Tracker tracks the situations of one alert engine. It is not safe for concurrent use.
type Tracker struct {
	names    model.Names
	zone     *time.Location
	hold     time.Duration
	goal     func(service string) alert.Goal
	baseline func(k model.ServiceKey, at time.Time) (perMinute float64, basis words.Text, ok bool)
	notes    diagnosis.Notes

	history        *diagnosis.History
	groupServices  groupServices
	namesakes      model.Namesakes
	places         map[placeKey]*placeState
	joinedTo       map[string]alert.Key   // by ID of an alert about a group: the service whose situation the alert has joined
	agentPlaces    map[placeKey]alert.Key // by key of an agent without channel: the place of the agent's situation
	pastSituations pastSituations

	agentIndex   *diagnosis.AgentIndex // agents by readiness; nil until an update needs them
	namesVersion int                   // last value of [diagnosis.History.NamesVersion]

	lastTables       causeTables
	queuesWidespread bool // many services have a queue at the same time

	lastSnapshot *model.Snapshot
	lastAlerts   alertList // alerts at the last update
	grouping     grouping
	lastSecond   int64

	soonUnattended bool // a service will be in [View.Unattended] if nothing changes
	day            int  // the current day as a number, see dayOf
	view           *View
}

// New returns a Tracker that has no situations yet.
func New(o Options) *Tracker {
	return &Tracker{
		names: o.Names, zone: o.Zone, hold: o.Hold, goal: o.Goal, baseline: o.Baseline, notes: o.Notes, history: diagnosis.NewHistory(),
		places: make(map[placeKey]*placeState), joinedTo: make(map[string]alert.Key),
	}
}

// pastSituations holds the ended situations of a tracker. Views share the slices.
type pastSituations struct {
	ended         []EndedSituation // ended situations, the latest last
	unshownAlerts []string         // alerts of situations that ended before they were shown, the latest last
	follower      journalFollower
}

// causeTables holds the tables from which causes are computed. While none of them is replaced, causes
// are computed less often.
type causeTables struct {
	services *model.Table[model.ServiceKey, model.Service]
	stats    *model.Table[model.UserStatKey, model.UserStat]
	users    *model.Table[string, model.User]
}

// placeKey identifies the state of a place. A situation about figures of the day has a separate
// state.
type placeKey struct {
	place alert.Key
	daily bool
}

// placeState holds the situation of a place, and the totals of the place today.
type placeState struct {
	hasSituation  bool
	visible       bool // the situation is shown and not held back
	current       Situation
	ended         time.Time
	occurrences   int
	totalDuration time.Duration // total duration of today's situations that have ended
	firstBegan    time.Time

	previousAffected, lastAffected int // people affected at the last two samples; see [placeState.updateSamples]
	sampledAt                      time.Time

	headlineInputs headlineInputs // values for which the headline was made

	explainedAt    time.Time // time at which the causes were last computed
	explainedLevel alert.Level
	figuresStale   bool // the figures were outdated at explainedAt
}

// Limits of how often causes are computed. It takes too long to compute them every second or for
// all places at once.
const (
	explainInterval     = 5 * time.Second
	idleExplainInterval = 30 * time.Second // interval of recomputing causes while the floor does not change
	maxExplained        = 50               // maximum number of recomputations per second
)

// needsCauses reports whether the causes of a situation must be computed now. If so, it records the
// time. places is the number of situations. idle is true if the floor has not changed. old is true
// if the figures are outdated. *remaining is the number of recomputations that are still allowed in
// this evaluation.
func (l *placeState) needsCauses(places int, idle, old bool, remaining *int, now time.Time) bool {
	interval := max(explainInterval, time.Duration(places/maxExplained+1)*time.Second)
	if idle {
		interval = idleExplainInterval
	}
	sit := &l.current
	switch {
	case l.explainedAt.IsZero() || l.explainedLevel != sit.Level || l.figuresStale != old:
	case now.Sub(l.explainedAt).Abs() >= interval && *remaining > 0:
		*remaining--
	default:
		return false
	}
	l.explainedAt, l.explainedLevel, l.figuresStale = now, sit.Level, old
	return true
}

// AgentHour returns the states that an agent had on a channel in the hour before now.
func (w *Tracker) AgentHour(k model.UserStatKey, now time.Time) diagnosis.AgentHour {
	return w.history.AgentHour(k, now)
}

// History returns the recent history of the floor.
func (w *Tracker) History() *diagnosis.History { return w.history }

// Update processes a snapshot and the active alerts of the engine at a server time, and returns the
// view. changes are the changes of alerts since the last call. If nothing has changed, it returns
// the previous view. The tracker keeps active and changes its order.
func (w *Tracker) Update(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time) *View {
	now = now.Round(0)
	if s == nil {
		return cmp.Or(w.view, &View{At: now})
	}
	w.history.Update(s, now)
	w.dropNames()
	midnight, day := w.dayOf(now)
	recalled := w.pastSituations.follower.advanceTo(now, midnight, day)
	if w.view != nil && !recalled && len(changes) == 0 && w.lastAlerts.equals(active) &&
		(now.Unix() == w.lastSecond || w.view.isEmpty() && len(active) == 0 && !w.soonUnattended) &&
		hasSameFigures(s, w.lastSnapshot) {
		return w.view
	}
	w.lastSnapshot, w.lastSecond = s, now.Unix()
	w.resetDay(now, day)
	if recalled {
		w.restorePlaces()
	}
	w.closeSituations(w.openSituations(s, active, now), now)
	if w.pastSituations.follower.journal != nil {
		w.pastSituations.applyJournal()
	}
	v := w.newView(s, now)
	if w.view != nil && w.view.isEmpty() && v.isEmpty() && v.QuietLine == w.view.QuietLine {
		return w.view
	}
	w.view = v
	return v
}

// hasSameFigures reports whether two snapshots lead to the same situations at the same time and with
// the same alerts: they share all tables that a tracker reads, and their feeds are alike.
func hasSameFigures(s, o *model.Snapshot) bool {
	return s == o || s.Services == o.Services && s.Groups == o.Groups && s.Users == o.Users && s.UserStats == o.UserStats && s.Campaigns == o.Campaigns &&
		s.Profiles == o.Profiles && s.Attendants == o.Attendants && s.Operators == o.Operators && s.OperatorProfiles == o.OperatorProfiles &&
		s.Health.Link.State == o.Health.Link.State && s.Health.Presumed == o.Health.Presumed && isFresh(s) == isFresh(o)
}

// newView returns a view of the current situations.
func (w *Tracker) newView(s *model.Snapshot, now time.Time) *View {
	v := &View{At: now}
	v.Live, v.Today = w.listedSituations(false), w.listedSituations(true)
	v.cacheCounts()
	v.Silenced = w.silencedSituations()
	v.ended, v.unshownAlerts = w.pastSituations.ended, w.pastSituations.unshownAlerts
	for _, r := range slices.Backward(w.pastSituations.ended) {
		if now.Sub(r.Ended).Abs() <= recoveredDisplayTime && (isFresh(s) || s.Services.Len() > 0) { // before the first data, nothing has recovered
			v.Recovered = append(v.Recovered, r)
		}
	}
	v.HeldBack = w.hiddenOrSilenced()
	v.Unattended, w.soonUnattended = unattendedServices(s, w.history, w.placeTitle, now)
	if len(v.Live) == 0 {
		v.quietMessage = w.quietLine(s, v)
		if n := len(v.PlacesHeldBack()) + len(v.Silenced); n > 0 && isFresh(s) {
			v.quietMessage = heldBackLine(v)
		}
		v.QuietLine = v.quietMessage.In(nil)
	}
	return v
}

// dropNames drops all texts that contain names of agents if the names have changed, for example
// because they are masked now.
func (w *Tracker) dropNames() {
	if w.namesVersion == w.history.NamesVersion() {
		return
	}
	w.namesVersion, w.view, w.pastSituations = w.history.NamesVersion(), nil, pastSituations{}
	for _, l := range w.places {
		l.current.messages, l.current.Headline, l.current.Causes, l.current.Help, l.current.Ack, l.explainedAt = messages{}, "", nil, Help{}, alert.Ack{}, time.Time{}
		l.current.peak.causes = nil
	}
}

// listedSituations returns the visible situations that are not silenced, arranged by urgency. If
// day is true, it returns the situations about figures of the day, otherwise the live ones.
func (w *Tracker) listedSituations(day bool) []Situation {
	var open []*Situation
	for _, l := range w.places {
		if l.hasSituation && l.visible && allDaily(l.current.Alerts) == day && silentUntil(l.current.Alerts).IsZero() {
			open = append(open, &l.current)
		}
	}
	out := make([]Situation, 0, len(open))
	var previous []Situation
	if w.view != nil {
		previous = w.view.Live
		if day {
			previous = w.view.Today
		}
	}
	for _, sit := range sortSituations(open, previous) {
		out = append(out, *sit)
	}
	return out
}

// isEmpty reports whether the view has no situation at all.
func (v *View) isEmpty() bool {
	return len(v.Live)+len(v.Today)+len(v.Recovered)+len(v.Silenced)+len(v.HeldBack)+len(v.Unattended) == 0
}

// dayOf returns the beginning of the day of now and a number that identifies this day. The number
// consists of the year and the day of the year.
func (w *Tracker) dayOf(now time.Time) (midnight time.Time, day int) {
	local := now
	if w.zone != nil {
		local = now.In(w.zone)
	}
	return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location()), local.Year()*1000 + local.YearDay()
}

// resetDay resets the totals of the day when a new day has begun.
func (w *Tracker) resetDay(now time.Time, day int) {
	if day == w.day {
		return
	}
	w.day = day
	for k, l := range w.places {
		if !l.hasSituation && now.Sub(l.ended) > recoveredDisplayTime {
			delete(w.places, k)
			continue
		}
		l.occurrences, l.totalDuration, l.firstBegan = min(l.occurrences, 1), 0, now
		if l.hasSituation {
			l.current.FirstToday = now
		}
	}
}

// openSituations creates or updates the situation of each place that has alerts. It returns the set
// of these places.
func (w *Tracker) openSituations(s *model.Snapshot, active []alert.Alert, now time.Time) map[placeKey]bool {
	places := w.groupByPlace(s, active, now)
	w.queuesWidespread = areQueuesWidespread(places, s)
	has := make(map[placeKey]bool, len(places))
	left := maxExplained
	floor := causeTables{s.Services, s.UserStats, s.Users}
	idle := w.lastTables == floor
	w.lastTables = floor
	defer func() { w.agentIndex = nil }() // the index refers to all records of the snapshot
	for i := range places {
		p := &places[i]
		k := p.key
		has[k] = true
		l := w.places[k]
		if l == nil {
			l = &placeState{}
			w.places[k] = l
		}
		since, fromStart := startOf(k.place, p.alerts)
		switch {
		case l.hasSituation && l.current.FromStart && since.Before(l.current.Since): // the recording contains the actual start
			l.current.Since, l.current.FromStart = since, fromStart
			if l.occurrences == 1 {
				l.firstBegan = since
			}
		case l.hasSituation:
		case l.visible && l.occurrences > 0 && now.Sub(l.ended).Abs() <= maxReopenDelay: // the situation ended less than a minute ago, so it continues
			l.hasSituation, l.current.Ack = true, alert.Ack{}
			w.pastSituations.ended = slices.DeleteFunc(slices.Clone(w.pastSituations.ended), func(r EndedSituation) bool { return r.ID == l.current.ID })
			l.totalDuration -= l.ended.Sub(l.current.Since)
		default:
			l.hasSituation, l.visible, l.occurrences, l.explainedAt = true, false, l.occurrences+1, time.Time{}
			l.previousAffected, l.lastAffected, l.sampledAt = 0, 0, time.Time{}
			l.current = Situation{ID: situationID(k, since), Since: since, FromStart: fromStart}
			if l.occurrences == 1 {
				l.firstBegan = since
			}
		}
		w.restoreOpenSituation(k, l, now)
		w.updateSituation(s, l, p, now)
		if l.needsCauses(len(places), idle, l.current.isOutdated(s), &left, now) {
			w.explainSituation(s, &l.current, now)
			l.keepPeakCauses(w, s)
			l.current.updateExplanation(now)
		}
		w.pastSituations.follower.restoreExplanation(s, k, &l.current, now)
		w.updateVisible(l, now)
	}
	return has
}

func situationID(k placeKey, since time.Time) string {
	out := k.place.String() + "@" + strconv.FormatInt(since.UnixMilli(), 10)
	if k.daily {
		out += "/today"
	}
	return out
}

// startOf returns the start of a situation, and whether the situation existed when the board
// started. The start is the earliest start of the alerts about the place itself. Other alerts count
// only if there are none, because an agent who has been on a break for an hour may explain a queue
// but did not start it.
func startOf(place alert.Key, alerts []alert.Alert) (since time.Time, fromStart bool) {
	isOwn := func(a *alert.Alert) bool { return a.Key.Scope == place.Scope }
	own := containsAlert(alerts, isOwn)
	for i := range alerts {
		if a := &alerts[i]; (isOwn(a) || !own) && (since.IsZero() || a.Since.Before(since)) {
			since, fromStart = a.Since, a.FromStart
		}
	}
	return since, fromStart
}

// updateSituation updates the situation of a place from its alerts and figures.
func (w *Tracker) updateSituation(s *model.Snapshot, l *placeState, p *placeAlerts, now time.Time) {
	sit := &l.current
	sit.Place = Place{p.key.place, w.placeTitle(s, p.key.place)}
	previous, previousLevel, previousAck := sit.Alerts, sit.Level, sit.Ack
	sit.setAlerts(p.alerts)
	if p.key.daily {
		sit.Level = min(sit.Level, alert.Warning)
		sit.AtRisk = w.isNearTarget(s, sit)
	}
	if sit.Level <= previousLevel && previousAck.At.After(sit.Ack.At) { // an acknowledgement lasts until the situation ends or becomes critical
		sit.Ack = previousAck
	}
	if k := sit.Place.Key; k.Scope == alert.User {
		u := s.Users.Get(k.Code)
		sit.displayPriority.noService = u != nil && len(u.Services) == 0
	}
	if sit.StaleSince.IsZero() || sit.Headline == "" {
		q, hasQueue := w.queueOf(s, sit.Place.Key, sit.Since)
		if hasQueue && !p.key.daily {
			sit.peak.update(q, now)
			sit.QueueEmpty = isEased(q, p.alerts)
		}
		l.updateHeadline(headlineInputs{q, hasQueue, sit.peak.waiting, sit.peak.longestWait, now.Unix()}, previous, now)
		if p.key.daily && len(p.alerts) > 0 {
			sit.peak.day.update(&p.alerts[0], sit.messages.headline)
		}
		sit.Affected, sit.displayPriority.loggedIn, sit.displayPriority.isShortWait = affectedPeople(s, sit), q.loggedInAgents(), q.isBrief(w.hold)
		sit.displayPriority.rank = sit.displayPriority.rank.next(sit.QueueEmpty, sit.Affected, now)
	}
	sit.HighestLevel = max(sit.HighestLevel, sit.Level)
	sit.OccurrencesToday, sit.FirstToday = l.occurrences, l.firstBegan
	sit.TotalToday = l.totalDuration + sit.Lasted(now)
}

// setAlerts sets the alerts of a situation and what follows from them: Level, Ack and StaleSince. It
// also adds the IDs of the alerts to alertIDs.
func (s *Situation) setAlerts(alerts []alert.Alert) {
	s.Alerts, s.Level, s.StaleSince, s.Ack = alerts, maxLevel(unsilencedAlerts(alerts)), time.Time{}, alert.Ack{}
	for i := range alerts {
		a := &alerts[i]
		if len(s.alertIDs) < maxAlertIDs && !slices.Contains(s.alertIDs, a.ID) {
			s.alertIDs = append(slices.Clip(s.alertIDs), a.ID)
		}
		if !a.UnverifiedSince.IsZero() && (s.StaleSince.IsZero() || a.UnverifiedSince.Before(s.StaleSince)) {
			s.StaleSince = a.UnverifiedSince
		}
		if a.Level >= s.Level && a.Ack.At.After(s.Ack.At) {
			s.Ack = a.Ack
		}
	}
}

// updateHeadline words the headline of the situation again if its inputs or its alerts have changed.
// previous contains the alerts before this update.
func (l *placeState) updateHeadline(in headlineInputs, previous []alert.Alert, now time.Time) {
	sit := &l.current
	if in == l.headlineInputs && sit.Headline != "" && haveSameTexts(previous, sit.Alerts) {
		return
	}
	l.headlineInputs = in
	old := sit.messages.headline
	sit.messages.headline, sit.messages.queueSize = headline(sit, in.queue, in.hasQueue, now)
	if sit.Headline == "" || !old.Equal(sit.messages.headline) {
		sit.Headline = sit.messages.headline.In(nil)
	}
}

// closeSituations ends the situations of places that no longer have alerts. withAlerts is the set
// of places with alerts.
func (w *Tracker) closeSituations(withAlerts map[placeKey]bool, now time.Time) {
	var openIDs map[string]string // IDs of open situations by alert ID
	for k, l := range w.places {
		if !l.hasSituation || withAlerts[k] {
			continue
		}
		l.hasSituation, l.ended = false, now
		l.current.Alerts = slices.Clone(l.current.Alerts) // no longer a part of the array of all places
		if !l.visible {                                   // the situation was never shown
			l.occurrences--
			all := append(slices.Clone(w.pastSituations.unshownAlerts), l.current.alertIDs...)
			w.pastSituations.unshownAlerts = all[max(len(all)-maxUnshown, 0):]
			continue
		}
		l.totalDuration += max(now.Sub(l.current.Since), 0)
		if k.daily {
			continue
		}
		if openIDs == nil {
			openIDs = w.situationIDsByAlert(withAlerts)
		}
		if hasMoved(&l.current, openIDs) {
			continue
		}
		sit := &l.current
		headline := sit.endedHeadline()
		w.pastSituations.ended = append(slices.Clone(w.pastSituations.ended[max(len(w.pastSituations.ended)+1-maxEnded, 0):]), EndedSituation{
			ID: sit.ID, Place: sit.Place, headline: headline, Headline: textInLanguage(headline, sit.Headline, nil), Began: sit.Since, Ended: now, HighestLevel: sit.HighestLevel,
			Waiting: sit.peak.waiting, LongestWait: sit.peak.wait(), isPresumed: sit.peak.longestWait.IsUnitPresumed(), alertIDs: sit.alertIDs, causes: sit.lastCauses(),
		})
	}
}

// maxEnded limits the number of ended situations that a tracker stores, and maxAlertIDs the number
// of alert IDs that it stores for each situation. maxUnshown limits the number of alert IDs of
// situations that were never shown. It equals the number of ended alerts that an engine keeps by
// default.
const (
	maxEnded    = 200
	maxAlertIDs = 100
	maxUnshown  = 500
)

// situationIDsByAlert maps the IDs of alerts to the IDs of their open situations. withAlerts is the
// set of places with alerts.
func (w *Tracker) situationIDsByAlert(withAlerts map[placeKey]bool) map[string]string {
	out := make(map[string]string)
	for k, l := range w.places {
		if l.hasSituation && withAlerts[k] {
			for i := range l.current.Alerts {
				out[l.current.Alerts[i].ID] = l.current.ID
			}
		}
	}
	return out
}

// hasMoved reports whether an alert of the situation now belongs to another situation. openIDs maps
// IDs of alerts to IDs of their open situations.
func hasMoved(sit *Situation, openIDs map[string]string) bool {
	for i := range sit.Alerts {
		if in, is := openIDs[sit.Alerts[i].ID]; is && in != sit.ID {
			return true
		}
	}
	return false
}

// affectedPeople returns the number of people that a situation affects: the contacts waiting at its
// place, the abandoned contacts for a situation about figures of the day, or the ringing contacts
// for a campaign.
func affectedPeople(s *model.Snapshot, sit *Situation) int {
	k := sit.Place.Key
	switch k.Scope {
	case alert.Service:
		r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel})
		switch {
		case r == nil:
		case allDaily(sit.Alerts):
			return int(r.ChannelStats.HangupCalls.Or(0))
		default:
			return int(r.ChannelStats.QueuedCalls.Or(0))
		}
	case alert.Group:
		if r := s.Groups.Get(model.GroupKey{Code: k.Code, Channel: k.Channel}); r != nil {
			return int(r.ChannelStats.QueuedCalls.Or(0))
		}
	case alert.Campaign:
		if id, err := strconv.ParseInt(k.Code, 10, 64); err == nil {
			if r := s.Campaigns.Get(id); r != nil {
				return int(r.RingingContacts.Or(0))
			}
		}
	case alert.User, alert.Floor, alert.Feed:
	}
	return 0
}
