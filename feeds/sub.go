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

// healthyLive is how long a subscription must be live to count as healthy.
const healthyLive = time.Minute

// host is what a subscription needs from its feed.
type host struct {
	warn  func(op, msg string, err error) // logs a problem with a message
	clean func(string) string             // makes external text safe to display
	ago   func() uint64                   // the store's version [picture.LagBound] ago
	// drifted logs one of several repaired differences; restarted
	// resynchronizes everything because the platform restarted.
	drifted   func(op string, d *picture.Difference, of int)
	restarted func(why string)
}

// progress tracks what a subscription has received on a connection.
type progress struct {
	delivered bool      // an update or a part of the full state arrived
	verified  bool      // a full state was applied
	firstAt   time.Time // when that first happened
}

// sub is one subscription. It follows the wanted filter on whatever connection
// there is. A changed filter is subscribed to and synchronized next to the
// active subscription, which continues until then.
type sub struct {
	doc    queries.Document
	data   stream
	status status
	host   host
	env    *merge.Env       // the feed's; its clock is set before every call
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

	active string // id of the active subscription
	renew  bool   // the platform restarted: subscribe again
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

// ask sets the wanted filter. known is false until the records it depends on
// have arrived; an empty request is then not final.
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

// owns reports whether id is an operation of this subscription.
func (s *sub) owns(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (s.delivers(id) || id == s.hand.pending || id == s.hand.query || s.audit.Asks(id) || s.retired.has(id))
}

// delivers reports whether id is a subscription that updates the records.
func (s *sub) delivers(id string) bool {
	return id != "" && (id == s.active || id == s.joined.id)
}

// isSubscription reports whether id is the active subscription or its
// replacement.
func (s *sub) isSubscription(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (id == s.active || id == s.hand.pending)
}

// synced reports whether a full state was applied and updates arrive.
func (s *sub) synced() bool {
	return s.active != "" && s.progress.verified && s.delivery.poll == 0
}

// looks reports whether an audit check can begin.
func (s *sub) looks() bool {
	return s.requests.Connected() && s.synced() && s.hand.phase() == idle && !s.losses.resync && !s.renew
}

// linkUp resets the subscription for a new connection.
func (s *sub) linkUp(conn requests.Connection, now time.Time) {
	s.linkDown("", now)
	s.requests.Up(conn)
	s.retry = retry{}
	s.adapted = adapting{}
	s.hand.starts, s.joined.refused = 0, false
	s.cover = coverage{}
}

// linkDown forgets everything that belonged to the connection. The records
// stay: old data marked as old is better than none.
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

// abandon cancels a running handover.
func (s *sub) abandon() {
	s.hand.reset()
	s.gaps.done()
	s.joined.next = joining{}
}

// busy reports whether something is due within the next second.
func (s *sub) busy() bool {
	return s.requests.Connected() && s.filter.want.Ready &&
		(s.hand.pending != "" || s.hand.query != "" || s.losses.resync || s.delivery.spread || len(s.gaps.names) > 0 || s.active == "" || s.filter.differs())
}

// await makes id the pending subscription to the wanted filter.
func (s *sub) await(id string, now time.Time) {
	s.abandon()
	s.hand.begin(id, s.filter.want, now)
	s.cover.begins()
}

// asked returns the request of the pending subscription or running query. named
// reports whether the request covers a record; nil means that it covers all.
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

// asking records that the full state was queried.
func (s *sub) asking(r queries.Request, at time.Time) {
	s.losses.unbroken = s.active != "" && s.hand.pending != "" && !s.losses.resync && !s.renew &&
		queries.Terms(s.filter.covered()) == queries.Terms(s.filter.parsed.of(r.Filter))
	s.losses.none()
	s.losses.askedAt = at
}

// missed queries the records of users who returned before the filter dropped
// them; no update brings their figures back.
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

// gatherFrom records that the wanted filter follows from the current users.
func (s *sub) gatherFrom() {
	f := &s.filter
	s.cover.gather(s.hand.pending != "" && f.want == s.hand.fresh, !f.want.Ready || s.active != "" && f.want == f.have)
}

// respread requests one subscription per record if the dialect needs that.
func (s *sub) respread() { s.delivery.respread(cmp.Or(s.hand.pending, s.active)) }
