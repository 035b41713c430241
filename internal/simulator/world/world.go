package world

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// World is a contact center, created by [New]. It is not safe for concurrent use.
type World struct {
	scheduler
	opts Options

	services   []*service
	groups     []*group
	agents     []*user
	operators  []*user
	attendants []*attendant
	streams    []*contactStream
	recordSets recordSets

	userByName    map[string]*user
	serviceByCode map[string]*service
	groupByCode   map[string]*group
	siteByProfile map[int64]int64 // by profile id

	phones        *Phones
	dialer        *Dialer
	finished      *FinishedContacts
	forcedUpdater *forcedUpdater
}

// Limits of the simulation before the opening. It begins at historyBegin, or later to have
// only about historyLimit contacts.
const (
	historyBegin = 7 * time.Hour
	historyLimit = 25_000
)

// New returns a world at its opening, o.Start. The world has already simulated the time before (see
// the package documentation, section History).
func New(o Options) *World {
	w := newAtHistoryStart(o)
	w.runUntil(w.opening)
	if u := w.exampleUserCandidate(); u != nil {
		w.renameExampleUser(u.profileID)
	}
	if _, _, err := w.StartScenario(o.Scenario, ScenarioDelay); err != nil && o.Drama {
		(&incidentRunner{w: w}).scheduleScript()
	}
	return w
}

// NewAtDayStart returns the world that [New] returns for o, but at the beginning of the
// history that New simulates. [World.RunToOpening] simulates this history.
func NewAtDayStart(o Options) *World {
	w := newAtHistoryStart(o)
	if u := New(o).userByName[exampleUsername]; u != nil {
		w.renameExampleUser(u.profileID)
	}
	return w
}

func newAtHistoryStart(o Options) *World {
	o = o.withDefaults()
	y, m, d := o.Start.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, o.Start.Location())
	w := &World{
		scheduler:     newScheduler(&o, o.Start.Sub(midnight)),
		opts:          o,
		userByName:    map[string]*user{},
		serviceByCode: map[string]*service{},
		groupByCode:   map[string]*group{},
		siteByProfile: map[int64]int64{},
	}
	w.phones = &Phones{w: w}
	w.dialer = &Dialer{w: w, byID: map[int64]*campaign{}}
	w.finished = &FinishedContacts{w: w}
	w.forcedUpdater = &forcedUpdater{w: w}
	(&builder{w: w, persons: newPersonGenerator()}).build()
	w.now = max(0, w.opening-w.historyDuration(), min(w.opening, historyBegin))
	w.finished.archive = w.finished.newArchive()
	w.scheduleProcesses()
	return w
}

// RunToOpening runs the simulation until the opening, in steps of interval on the platform's
// clock. After each step it yields the time on that clock. The last step may be shorter. The
// events do not depend on interval.
func (w *World) RunToOpening(interval time.Duration) iter.Seq[time.Time] {
	step := max(time.Duration(float64(interval)*w.clockSpeed), 1)
	return func(yield func(time.Time) bool) {
		for w.now < w.opening {
			w.runUntil(min(w.now+step, w.opening))
			if !yield(w.Now()) {
				return
			}
		}
	}
}

// withDefaults returns the options with defaults for zero values, and sizes within their limits.
func (o Options) withDefaults() Options {
	limit := func(n *int, def, upper int) { *n = min(max(cmp.Or(*n, def), 0), upper) }
	limit(&o.Services, 12, 200)
	limit(&o.Groups, 10, 50)
	limit(&o.Agents, 60, 25_000)
	limit(&o.Operators, 4, 100)
	limit(&o.Campaigns, 5, 100)
	limit(&o.Sites, 2, 50)
	limit(&o.Channels, 0, NumChannels)
	o.Services, o.Groups, o.Sites = max(o.Services, 1), max(o.Groups, 1), max(o.Sites, 1)
	if o.TrafficFactor <= 0 {
		o.TrafficFactor = 1
	}
	if o.MaxFinished <= 0 {
		o.MaxFinished = 500_000
	}
	if o.Start.IsZero() {
		o.Start = time.Date(2026, time.January, 14, 10, 30, 0, 0, time.UTC)
	}
	if o.Clock.IsZero() {
		o.Clock = o.Start
	}
	if o.Pace <= 0 {
		o.Pace = 1
	}
	o.LongestWait = cmp.Or(o.LongestWait, LongestNow)
	return o
}

// historyDuration returns the maximum duration of the simulation before the opening.
func (w *World) historyDuration() time.Duration {
	if w.opts.WholeDay {
		return w.opening
	}
	rate := 0.1
	for _, s := range w.streams {
		rate += s.rate
	}
	return time.Duration(historyLimit / rate * float64(time.Second))
}

// scheduleProcesses schedules the first event of each recurring process.
func (w *World) scheduleProcesses() {
	for _, s := range w.streams {
		s.scheduleContact()
	}
	for _, u := range w.operators {
		u.login()
	}
	for _, u := range w.agents {
		u.scheduleShift(randomShift(&w.scheduler), 0)
	}
	for _, a := range w.attendants {
		a.scheduleCalls(componentInternal, 50*time.Second)
		a.scheduleCalls(componentExternal, 40*time.Second)
		a.scheduleCalls(componentReturns, 150*time.Second)
	}
	for _, c := range w.dialer.campaigns {
		c.scheduleAttempts()
	}
	if w.opts.LogoutsPerMinute > 0 {
		w.scheduleAt(w.opening, func() { w.scheduleChurn(w.opts.LogoutsPerMinute) })
	}
	w.scheduleAt(day, w.startNewDay)
}

// startNewDay resets the daily counters now and at each following midnight.
func (w *World) startNewDay() {
	w.ResetDailyCounters()
	w.scheduleAfter(day, w.startNewDay)
}

// ResetDailyCounters resets the daily counters, as a restart of the platform does.
func (w *World) ResetDailyCounters() {
	for _, s := range w.services {
		for _, l := range s.channels {
			if l != nil {
				l.startNewDay()
			}
		}
	}
	for _, g := range w.groups {
		for _, d := range g.channels {
			if d != nil {
				d.startNewDay()
			}
		}
	}
	for _, a := range w.attendants {
		a.startNewDay()
	}
	for _, u := range slices.Concat(w.agents, w.operators) {
		for _, m := range u.channels {
			m.startNewDay()
		}
	}
}

// Step advances the simulation by d.
func (w *World) Step(d time.Duration) { w.runUntil(w.now + max(d, 0)) }

// Now returns the time of the platform's clock.
func (w *World) Now() time.Time { return w.clockAt(w.now) }

// Codes returns the codes of the services and groups, and the IDs of the campaigns, each in order.
func (w *World) Codes() (services, groups []string, campaigns []int64) {
	for _, s := range w.services {
		services = append(services, s.code)
	}
	for _, g := range w.groups {
		groups = append(groups, g.code)
	}
	for _, c := range w.dialer.campaigns {
		campaigns = append(campaigns, c.stat.CampaignID)
	}
	return services, groups, campaigns
}

// ServiceName returns the name of a service, or "" if there is no such service.
func (w *World) ServiceName(code string) string {
	if s := w.serviceByCode[code]; s != nil {
		return s.name
	}
	return ""
}

// GroupName returns the name of a group, or "" if there is no such group.
func (w *World) GroupName(code string) string {
	if g := w.groupByCode[code]; g != nil {
		return g.name
	}
	return ""
}

// Phones returns the platform's operations on telephone calls.
func (w *World) Phones() *Phones { return w.phones }

// Dialer returns the dialer with its campaigns and lists.
func (w *World) Dialer() *Dialer { return w.dialer }

// FinishedContacts returns the contacts that ended in the world or before it opened.
func (w *World) FinishedContacts() *FinishedContacts { return w.finished }

// ProfileSite returns the site of a user profile, whether the user is logged in or not. It
// returns 0 if there is no such profile. The userSite filters of document 2 need it.
func (w *World) ProfileSite(id int64) int64 { return w.siteByProfile[id] }
