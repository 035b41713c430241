package situation

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/staffing"
	"wallboard/situation/track"
)

// How long what is over is still told, and how soon it must be back to be the same.
const (
	toldFor = 5 * time.Minute
	sameFor = time.Minute
)

// Options are what a watch is made of.
type Options struct {
	Names model.Names
	Zone  *time.Location // that the day begins by; nil: that of the times it is given
	// Hold is how long warnings are held back that may be over by themselves before
	// anybody could act; 0: not at all.
	Hold time.Duration
	// Goal returns the targets of a service; nil: nobody knows whether it is in target.
	Goal func(service string) alert.Goal
	// Usual returns how many contacts a minute usually come for a service at a time of
	// the day, and what that was made from; nil, or false: nobody knows.
	Usual func(k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool)
}

// Watch follows the situations of one alert engine. It belongs to one goroutine.
type Watch struct {
	names model.Names
	zone  *time.Location
	hold  time.Duration
	goal  func(service string) alert.Goal
	usual func(k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool)

	track  *track.Track
	served served
	called namesakes
	lives  map[lifeKey]*life
	joined map[string]alert.Key  // by alert: the service whose situation a group's has joined
	people map[lifeKey]alert.Key // by agent, without a channel: the place of what is wrong with them
	gone   []Recovered

	floor    *staffing.Floor // who is ready for what, in the picture below
	ready    *model.Snapshot
	pictures int // of [track.Track.Pictures]

	explained  floorOf
	widespread bool // many services have a queue at once

	seen   *model.Snapshot
	was    []alert.Alert // what the view is made of
	second int64
	day    int // since the epoch
	view   *View
}

// New returns a watch.
func New(o Options) *Watch {
	return &Watch{
		names: o.Names, zone: o.Zone, hold: o.Hold, goal: o.Goal, usual: o.Usual, track: track.New(),
		lives: make(map[lifeKey]*life), joined: make(map[string]alert.Key),
	}
}

// floorOf is what of a picture causes are made of.
type floorOf struct {
	services *model.Table[model.ServiceKey, model.Service]
	stats    *model.Table[model.UserStatKey, model.UserStat]
	users    *model.Table[string, model.User]
}

// lifeKey tells what goes on at a place from what its figures of the day say.
type lifeKey struct {
	place alert.Key
	day   bool
}

// life is what a place has been through today.
type life struct {
	open    bool
	told    bool // it is not held back
	current Situation
	ended   time.Time
	times   int
	total   time.Duration // of those that are over
	first   time.Time

	before, hurt int // how many people it hurt when that was noted the last two times
	noted        time.Time

	explained time.Time // when it was last said why
	level     alert.Level
	stale     bool // its figures were not the present ones then
}

// Why something is so need not be said anew every second, nor of all places at once.
const (
	explainEvery = 5 * time.Second
	explainIdle  = 30 * time.Second // where nothing on the floor has changed
	explainMost  = 50               // a second, of those that have been explained
)

// unclear reports whether it has to be said anew why a situation is as it is. left is
// how many more may be looked at now.
func (l *life) unclear(places int, idle, old bool, left *int, now time.Time) bool {
	every := max(explainEvery, time.Duration(places/explainMost+1)*time.Second)
	if idle {
		every = explainIdle
	}
	sit := &l.current
	switch {
	case l.explained.IsZero() || l.level != sit.Level || l.stale != old:
	case now.Sub(l.explained).Abs() >= every && *left > 0:
		*left--
	default:
		return false
	}
	l.explained, l.level, l.stale = now, sit.Level, old
	return true
}

// Hour tells what an agent did in the hour before a time on a channel.
func (w *Watch) Hour(k model.UserStatKey, now time.Time) track.Hour { return w.track.Hour(k, now) }

// Look takes in a snapshot and what the engine says of it at a time on the server's
// clock. The same view again says that nothing has changed.
func (w *Watch) Look(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time) *View {
	now = now.Round(0)
	if s == nil {
		return cmp.Or(w.view, &View{At: now})
	}
	w.track.Note(s, now)
	w.hide()
	tick := now.Unix() != w.second
	if w.view != nil && len(changes) == 0 && w.sameAlerts(active) && (!tick || s == w.seen && w.view.empty() && len(active) == 0) {
		return w.view
	}
	w.seen, w.second, w.was = s, now.Unix(), active
	w.turnDay(now)
	v := &View{At: now}
	w.close(w.open(s, active, now), now)
	v.Live, v.Today = w.listed(false), w.listed(true)
	v.count()
	v.Silenced = w.silenced()
	w.gone = slices.DeleteFunc(w.gone, func(r Recovered) bool { return now.Sub(r.Ended).Abs() > toldFor })
	v.Recovered = slices.Clone(w.gone)
	slices.Reverse(v.Recovered)
	v.Held = w.held()
	if len(v.Live) == 0 {
		v.Quiet = w.quiet(s, v)
		if n := len(v.Watched()) + len(v.Silenced); n > 0 && fresh(s) {
			v.Quiet = unquiet(v)
		}
	}
	if w.view != nil && w.view.empty() && v.empty() && v.Quiet == w.view.Quiet {
		return w.view
	}
	w.view = v
	return v
}

// hide forgets what was said of agents who are called otherwise now.
func (w *Watch) hide() {
	if w.pictures == w.track.Pictures() {
		return
	}
	w.pictures, w.gone, w.view = w.track.Pictures(), nil, nil
	for _, l := range w.lives {
		l.current.Headline, l.current.Causes, l.current.Help, l.explained = "", nil, Help{}, time.Time{}
		l.current.worst.causes = nil
	}
}

// listed are the situations of what goes on, or of the day, in their order.
func (w *Watch) listed(day bool) []Situation {
	var open []*Situation
	for _, l := range w.lives {
		if l.open && l.told && allOfDay(l.current.Alerts) == day && silentUntil(l.current.Alerts).IsZero() {
			open = append(open, &l.current)
		}
	}
	slices.SortFunc(open, order)
	out := make([]Situation, 0, len(open))
	for _, sit := range open {
		out = append(out, *sit)
	}
	return out
}

// empty reports whether there is nothing to say but that all is well.
func (v *View) empty() bool {
	return len(v.Live)+len(v.Today)+len(v.Recovered)+len(v.Silenced)+len(v.Held) == 0
}

// order puts what somebody has to see to first: by level, then by how many people it
// hurts. Agents who serve no service come after the queues, and last what is as good as
// over. Without the feed nothing else is known.
func order(a, b *Situation) int {
	feed := func(s *Situation) int {
		if s.Place.Key.Scope == alert.Feed {
			return 1
		}
		return 0
	}
	over := func(s *Situation) int {
		if s.Eased || s.Near {
			return 1
		}
		return 0
	}
	apart := func(s *Situation) int {
		if s.apart {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(over(a), over(b)), cmp.Compare(apart(a), apart(b)), cmp.Compare(b.Level, a.Level), cmp.Compare(feed(b), feed(a)), cmp.Compare(b.Hurts, a.Hurts),
		a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID),
	)
}

// turnDay forgets how often it was when a new day begins.
func (w *Watch) turnDay(now time.Time) {
	local := now
	if w.zone != nil {
		local = now.In(w.zone)
	}
	day := local.Year()*1000 + local.YearDay()
	if day == w.day {
		return
	}
	w.day = day
	for k, l := range w.lives {
		if !l.open && now.Sub(l.ended) > toldFor {
			delete(w.lives, k)
			continue
		}
		l.times, l.total, l.first = min(l.times, 1), 0, now
		if l.open {
			l.current.First = now
		}
	}
}

// open makes a situation of the alerts of each place, or goes on with the one that
// it has. It returns which places have one.
func (w *Watch) open(s *model.Snapshot, active []alert.Alert, now time.Time) map[lifeKey]bool {
	places := w.gather(s, active, now)
	w.widespread = widespread(places, s)
	has := make(map[lifeKey]bool, len(places))
	left := explainMost
	floor := floorOf{s.Services, s.UserStats, s.Users}
	idle := w.explained == floor
	w.explained = floor
	for _, p := range places {
		k := p.key
		has[k] = true
		l := w.lives[k]
		if l == nil {
			l = &life{}
			w.lives[k] = l
		}
		since, fromStart := began(p.alerts)
		switch {
		case l.open && l.current.FromStart && since.Before(l.current.Since): // somebody remembers it
			l.current.Since, l.current.FromStart, l.first = since, fromStart, since
		case l.open:
		case l.told && l.times > 0 && now.Sub(l.ended).Abs() <= sameFor: // it was hardly over
			l.open = true
			w.gone = slices.DeleteFunc(w.gone, func(r Recovered) bool {
				return r.Place.Key == k.place && r.Began.Equal(l.current.Since)
			})
			l.total -= l.ended.Sub(l.current.Since)
		default:
			l.open, l.told, l.times, l.explained = true, false, l.times+1, time.Time{}
			l.before, l.hurt, l.noted = 0, 0, time.Time{}
			l.current = Situation{ID: id(k, since), Since: since, FromStart: fromStart}
			if l.times == 1 {
				l.first = since
			}
		}
		w.refresh(s, l, p, now)
		if l.unclear(len(places), idle, l.current.old(s), &left, now) {
			w.explain(s, &l.current, now)
			l.hindsight(w, s)
		}
		w.tell(l, now)
	}
	return has
}

func id(k lifeKey, since time.Time) string {
	out := k.place.String() + "@" + strconv.FormatInt(since.UnixMilli(), 10)
	if k.day {
		out += "/today"
	}
	return out
}

// began returns when the first of some alerts began, and whether nobody saw it begin.
func began(alerts []alert.Alert) (since time.Time, fromStart bool) {
	for i := range alerts {
		if a := &alerts[i]; since.IsZero() || a.Since.Before(since) {
			since, fromStart = a.Since, a.FromStart
		}
	}
	return since, fromStart
}

// refresh says anew what goes on at a place.
func (w *Watch) refresh(s *model.Snapshot, l *life, p *gathered, now time.Time) {
	sit := &l.current
	sit.Place = Place{p.key.place, w.title(s, p.key.place)}
	sit.Alerts, sit.Level, sit.Stale, sit.Ack = p.alerts, levelOf(heard(p.alerts)), time.Time{}, alert.Ack{}
	for i := range p.alerts {
		a := &p.alerts[i]
		if !a.Unverified.IsZero() && (sit.Stale.IsZero() || a.Unverified.Before(sit.Stale)) {
			sit.Stale = a.Unverified
		}
		if a.Ack.At.After(sit.Ack.At) {
			sit.Ack = a.Ack
		}
	}
	if p.key.day {
		sit.Level = min(sit.Level, alert.Warning)
		sit.Near = w.near(s, sit)
	}
	if k := sit.Place.Key; k.Scope == alert.User {
		u := s.Users.Get(k.Code)
		sit.apart = u != nil && len(u.Services) == 0
	}
	if sit.Stale.IsZero() || sit.Headline == "" {
		q, some := w.queueOf(s, sit.Place.Key)
		if some && !p.key.day {
			sit.worst.note(q, now)
			sit.Eased = eased(q, p.alerts)
		}
		sit.Headline = headline(sit, q, some, now)
		sit.Hurts, sit.logged, sit.brief = hurts(s, sit), q.agents(), q.brief(w.hold)
	}
	sit.Highest = max(sit.Highest, sit.Level)
	sit.Times, sit.First = l.times, l.first
	sit.Total = l.total + max(now.Sub(sit.Since), 0)
}

// close ends the situations of places that have none any more.
func (w *Watch) close(has map[lifeKey]bool, now time.Time) {
	var stay map[string]string // the alerts of those that stay, with their situations
	for k, l := range w.lives {
		if !l.open || has[k] {
			continue
		}
		l.open, l.ended = false, now
		if !l.told { // as if it had not been
			l.times--
			continue
		}
		l.total += max(now.Sub(l.current.Since), 0)
		if k.day {
			continue
		}
		if stay == nil {
			stay = w.alertsOf(has)
		}
		if moved(&l.current, stay) {
			continue
		}
		if len(w.gone) == mostGone {
			w.gone = slices.Delete(w.gone, 0, 1)
		}
		w.gone = append(w.gone, Recovered{l.current.Place, l.current.recovered(), l.current.Since, now})
	}
}

// mostGone is how many recovered situations are remembered.
const mostGone = 200

// alertsOf returns what the situations are made of that there are, by the alerts.
func (w *Watch) alertsOf(has map[lifeKey]bool) map[string]string {
	out := make(map[string]string)
	for k, l := range w.lives {
		if l.open && has[k] {
			for i := range l.current.Alerts {
				out[l.current.Alerts[i].ID] = l.current.ID
			}
		}
	}
	return out
}

// moved reports whether what a situation was made of is part of another one now.
func moved(sit *Situation, stay map[string]string) bool {
	for i := range sit.Alerts {
		if in, is := stay[sit.Alerts[i].ID]; is && in != sit.ID {
			return true
		}
	}
	return false
}

// hurts is how many people wait, or how many customers of the day it concerns.
func hurts(s *model.Snapshot, sit *Situation) int {
	k := sit.Place.Key
	switch k.Scope {
	case alert.Service:
		r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel})
		switch {
		case r == nil:
		case allOfDay(sit.Alerts):
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
