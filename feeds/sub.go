package feeds

import (
	"cmp"
	"slices"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/feeds/requests"
	"wallboard/feeds/verify"
	"wallboard/model"
)

// healthyLive is how long a subscription must be live to be taken for sound.
const healthyLive = time.Minute

// host is what a subscription needs of its feed.
type host struct {
	warn  func(op, msg string, err error) // logs a trouble with a message
	clean func(string) string             // makes text from outside fit for the screen
	ago   func() uint64                   // the store's version [picture.LagBound] ago
	// drifted logs one difference of so many that were lost, restarted asks for
	// everything again because the platform started anew.
	drifted   func(op string, d *picture.Difference, of int)
	restarted func(why string)
}

// progress is how far a subscription has come on a connection.
type progress struct {
	delivered bool      // some of the full state, or an update, has come
	verified  bool      // the full state was taken over
	firstAt   time.Time // when that was so first
}

// sub is one subscription: it follows what is wanted, on whatever connection
// there is. A changed filter is subscribed and synchronised beside the old one,
// which goes on until then.
type sub struct {
	doc    queries.Document
	data   stream
	status status
	host   host
	env    *merge.Env       // the feed's, its clock set before every call
	speech *dialect.Dialect // the feed's

	requests *requests.Requests
	filter   following
	hand     handover
	retired  retired
	joined   joined
	losses   losses
	gaps     gaps
	delivery delivery
	retry    retry
	adapted  adapting
	progress progress
	cover    coverage
	audit    *verify.Verifier

	active string // id of the subscription that delivers
	renew  bool   // the platform started anew: the subscription is made again
}

func newSub(doc queries.Document, data stream, env *merge.Env, speech *dialect.Dialect, h host) *sub {
	r := requests.New(doc, data, speech)
	s := &sub{
		doc: doc, data: data, env: env, speech: speech, host: h, requests: r,
		status:   status{Subscription: model.Subscription{Name: model.Op(doc.Root), State: model.SubConnecting}, clean: h.clean},
		hand:     handover{requests: r, data: data, first: firstMessage{platform: &openings{}}},
		retired:  retired{requests: r, data: data, env: env},
		joined:   joined{requests: r, data: data},
		delivery: delivery{op: doc.Root, data: data, requests: r, speech: speech},
	}
	s.audit = verify.New(verify.Options{
		Op: model.Op(doc.Root), Interval: defaultAuditInterval, Ready: s.looks,
		SeeksUnits: func() bool { return seeksUnits(doc.Root, env.Times) },
	}, data, env, r)
	return s
}

// ask sets what is wanted. known reports whether that is final for now: while the
// users are not known, nothing to ask for does not mean that there is nothing.
func (s *sub) ask(r queries.Request, known bool, now time.Time) {
	switch {
	case r.Ready || !s.requests.Connected() || s.active != "" || s.hand.pending != "":
	case known:
		s.status.set(model.SubWaiting, "", now)
	default:
		s.status.set(model.SubConnecting, "what to ask for is not known yet", now)
	}
	if s.filter.ask(r, now) {
		s.gaps.dropEarly(&s.filter, s.data)
		if s.synced() && s.filter.want.Keys < largeKeys {
			s.gaps.await(&s.filter)
		}
	}
}

// owns reports whether an id of the connection is one of this subscription's.
func (s *sub) owns(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (s.delivers(id) || id == s.hand.pending || id == s.hand.query || s.audit.Asks(id) || s.retired.has(id))
}

// delivers reports whether an id is of what keeps the records up to date.
func (s *sub) delivers(id string) bool {
	return id != "" && (id == s.active || id == s.joined.id)
}

// isSubscription reports whether an operation is the subscription that delivers, or
// the one that is to take its place.
func (s *sub) isSubscription(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (id == s.active || id == s.hand.pending)
}

// synced reports whether the full state was taken over, and updates come by
// themselves.
func (s *sub) synced() bool {
	return s.active != "" && s.progress.verified && s.delivery.poll == 0
}

// looks reports whether a look of the audit can begin.
func (s *sub) looks() bool {
	return s.requests.Connected() && s.synced() && s.hand.phase() == idle && !s.losses.resync && !s.renew
}

// linkUp starts over on a new connection.
func (s *sub) linkUp(conn requests.Connection, now time.Time) {
	s.linkDown("", now)
	s.requests.Up(conn)
	s.retry = retry{}
	s.adapted = adapting{}
	s.hand.starts, s.joined.refused = 0, false
	s.cover = coverage{}
}

// linkDown forgets everything that belonged to the connection. The records
// stay: an old picture that says so is better than none.
func (s *sub) linkDown(reason string, now time.Time) {
	s.requests.Down()
	s.delivery.spread = false
	s.active, s.filter.have = "", queries.Request{}
	s.abandon()
	s.retired.forget()
	s.joined.leaveLarge(now)
	s.losses.none()
	s.progress = progress{firstAt: s.progress.firstAt}
	s.renew = false
	s.audit.Drop()
	s.status.set(model.SubConnecting, reason, now)
}

// abandon drops a synchronisation that is under way.
func (s *sub) abandon() {
	s.hand.reset()
	s.gaps.done()
	s.joined.next = joining{}
}

// busy reports whether something of the subscription is under way that has a
// deadline within the second.
func (s *sub) busy() bool {
	return s.requests.Connected() && s.filter.want.Ready &&
		(s.hand.pending != "" || s.hand.query != "" || s.losses.resync || s.delivery.spread || len(s.gaps.names) > 0 || s.active == "" || s.filter.differs())
}

// await makes an operation the pending subscription to what is wanted.
func (s *sub) await(id string, now time.Time) {
	s.abandon()
	s.hand.begin(id, s.filter.want, now)
	s.cover.begins()
}

// asked is what the pending subscription, or the query under way, is for. named
// reports of a record whether it is asked for by name; nil: all are asked for.
func (s *sub) asked() (r queries.Request, named func(name string) bool) {
	switch {
	case s.joined.next.Ready:
		who := s.joined.next.who
		return s.joined.next.Request, func(name string) bool { _, ok := who[name]; return ok }
	case s.gaps.request.Ready:
		who := s.gaps.asked
		return s.gaps.request, func(name string) bool { return who[name] }
	}
	return s.hand.fresh, nil
}

// asking notes that the full state was asked for.
func (s *sub) asking(r queries.Request, at time.Time) {
	s.losses.unbroken = s.active != "" && s.hand.pending != "" && !s.losses.resync && !s.renew &&
		queries.Terms(s.filter.covered()) == queries.Terms(s.filter.parsed.of(r.Filter))
	s.losses.none()
	s.losses.askedAt = at
}

// missed asks for the full state when somebody is back before the filter has
// followed their going: nothing else brings their figures.
func (s *sub) missed(back []string, now time.Time) {
	if len(back) == 0 || s.active == "" {
		return
	}
	covered := s.filter.covers()
	if s.hand.pending != "" {
		has, will := covered, s.filter.parsed.has(s.hand.fresh.Filter)
		covered = func(name string) bool { return has(name) || will(name) }
	}
	switch {
	case s.hand.pending == "":
		for _, name := range back {
			s.gaps.add(name)
		}
	case slices.ContainsFunc(back, covered):
		s.losses.note(now)
	}
}

// gatherFrom notes that what is wanted follows from who is there now.
func (s *sub) gatherFrom() {
	f := &s.filter
	s.cover.gather(s.hand.pending != "" && f.want == s.hand.fresh, !f.want.Ready || s.active != "" && f.want == f.have)
}

// respread makes one subscription per record where that is needed.
func (s *sub) respread() { s.delivery.respread(cmp.Or(s.hand.pending, s.active)) }
