package feeds

import (
	"fmt"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/feeds/requests"
	"wallboard/feeds/verify"
	"wallboard/model"
)

const (
	// healthyLive is how long a subscription must be live to be taken for sound.
	healthyLive = time.Minute
	// maxKept bounds the memory of updates that wait for the full state, in bytes.
	// Where that is of very many records, each has keptEach.
	maxKept  = 16 << 20
	keptEach = 1 << 10
)

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
	status model.Subscription
	host   host
	env    *merge.Env // the feed's, its clock set before every call

	requests *requests.Requests
	filter   following
	hand     handover
	losses   losses
	retry    retry
	progress progress
	active   string // id of the subscription that delivers

	retired retired
	gaps    gaps

	rate rate

	speech  *dialect.Dialect // the feed's
	spread  bool             // it has to be made again, one per record
	adapted adapting
	poll    time.Duration // how often the full state is asked for where no update comes by itself; 0: they come

	parsed parsed
	joined joined
	cover  coverage
	audit  *verify.Verifier
	renew  bool // the platform started anew: the subscription is made again
}

func newSub(doc queries.Document, data stream, env *merge.Env, speech *dialect.Dialect, h host) *sub {
	s := &sub{
		doc: doc, data: data, env: env, host: h, requests: requests.New(doc, data, speech),
		speech: speech, hand: handover{first: firstMessage{platform: &openings{}}},
		status: model.Subscription{Name: model.Op(doc.Root), State: model.SubConnecting},
	}
	s.audit = verify.New(verify.Options{
		Op: model.Op(doc.Root), Interval: defaultAuditInterval,
		SeeksUnits: func() bool { return seeksUnits(doc.Root, env.Times) },
	}, data, env, s.requests)
	return s
}

// ask sets what is wanted. known reports whether that is final for now: while the
// users are not known, nothing to ask for does not mean that there is nothing.
func (s *sub) ask(r queries.Request, known bool, now time.Time) {
	switch {
	case r.Ready || !s.requests.Connected() || s.active != "" || s.hand.pending != "":
	case known:
		s.setState(model.SubWaiting, "", now)
	default:
		s.setState(model.SubConnecting, "what to ask for is not known yet", now)
	}
	if s.filter.ask(r, now) {
		s.dropEarly()
		s.awaitNewcomers()
	}
}

// owns reports whether an id of the connection is one of this subscription's.
func (s *sub) owns(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (s.delivers(id) || id == s.hand.pending || id == s.hand.query || s.looking(id) || s.isRetired(id))
}

// delivers reports whether an id is of what keeps the records up to date.
func (s *sub) delivers(id string) bool {
	return id != "" && (id == s.active || id == s.joined.id)
}

// setState changes the state as it is shown.
func (s *sub) setState(st model.SubState, reason string, now time.Time) {
	if was := s.status.State; was != st {
		s.status.State, s.status.Since = st, now
		switch {
		case st.Fresh():
			s.status.FreshUntil = time.Time{}
		case was.Fresh():
			s.status.FreshUntil = now
		}
	}
	s.status.Reason = s.host.clean(reason)
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
	s.spread = false
	s.active, s.filter.have = "", queries.Request{}
	s.abandon()
	s.forgetRetired()
	s.leaveLarge(now)
	s.losses.none()
	s.progress = progress{firstAt: s.progress.firstAt}
	s.renew = false
	s.audit.Drop()
	s.setState(model.SubConnecting, reason, now)
}

// abandon drops a synchronisation that is under way.
func (s *sub) abandon() {
	s.hand.reset()
	s.gaps.done()
	s.joined.next = joining{}
}

// step does what is due now. It is called after every event and on every tick.
func (s *sub) step(now time.Time) {
	if !s.requests.Connected() {
		return
	}
	s.requests.Pump(now)
	s.env.WholeLists = s.gaps.lists.is()
	s.pollDue(now)
	s.judge(now)
	s.audit.Step(now)
	s.stepRetired(now)
	if s.filter.want.Ready && s.hand.query != "" && s.gaps.request.Ready && s.followsNow(now) {
		s.dropGaps() // the filter follows, and its full state has them
	}
	switch at := s.hand.phase(); {
	case !s.filter.want.Ready:
		s.stopAll(now)
	case at == asking:
		s.giveUpQuery(now)
	case at == opening:
		if s.requests.Sending(s.hand.pending) {
			s.hand.since, s.hand.sentAt = now, now
		} else if s.begun(now) {
			s.sendQuery(s.asked(), now)
		}
	case s.spread && s.active != "" && !s.retry.waits(now):
		s.subscribe(now)
	case s.active != "" && s.losses.due(s.resyncPace(), now):
		s.status.Resyncs++
		s.sendQuery(s.filter.have, now)
	case s.askAgain(now):
		s.sendAgain(now)
	case s.retry.waits(now):
	case s.active == "":
		s.subscribe(now)
	case s.filter.differs(), s.renew:
		s.follow(now)
	}
}

// begun reports whether the pending subscription has sent its first frame, or has had
// the time to.
func (s *sub) begun(now time.Time) bool {
	switch {
	case s.hand.started:
		return true
	case now.Sub(s.hand.since) < s.hand.waits(s.expected(), s.joined.next.Ready):
		return false
	}
	if !s.joined.next.Ready {
		s.hand.silent(s.expected())
	}
	return true
}

// giveUpQuery ends a query that got no answer.
func (s *sub) giveUpQuery(now time.Time) {
	patience := verify.Patience(s.retry.failures)
	if now.Sub(s.hand.since) <= patience {
		return
	}
	s.requests.Cancel(s.hand.query)
	s.hand.query = ""
	s.unverified(fmt.Sprintf("no answer to the query for the full state within %v", patience), now)
}

// judge corrects the state for what only time tells.
func (s *sub) judge(now time.Time) {
	if s.status.State.Current() {
		if why := s.audit.Overdue(s.status.VerifiedAt, now); why != "" {
			s.setState(model.SubUnverified, why, now)
		}
	}
	switch {
	case s.status.State == model.SubLive && s.losses.shows(now):
		s.setState(model.SubUnverified, "an update was lost; the full state is asked for", now)
	case s.status.State.Current() && now.Sub(s.status.Since) >= healthyLive:
		s.retry.failures = 0
	case s.status.State == model.SubRefused && s.active != "" && !s.filter.differs():
		s.losses.resync = true // the filter that was refused is not wanted any more
	}
}

// busy reports whether something of the subscription is under way that has a
// deadline within the second.
func (s *sub) busy() bool {
	return s.requests.Connected() && s.filter.want.Ready &&
		(s.hand.pending != "" || s.hand.query != "" || s.losses.resync || s.spread || len(s.gaps.names) > 0 || s.active == "" || s.filter.differs())
}

func (s *sub) stopAll(now time.Time) {
	if s.active == "" && s.hand.pending == "" && s.data.Records() == 0 {
		return
	}
	for _, id := range []string{s.active, s.hand.pending, s.hand.query} {
		if id != "" {
			s.requests.Cancel(id)
		}
	}
	s.audit.Drop()
	s.active, s.filter.have = "", queries.Request{}
	s.abandon()
	s.forgetRetired()
	s.leaveLarge(now)
	s.data.Clear()
	s.setState(model.SubWaiting, "", now)
}

func (s *sub) subscribe(now time.Time) {
	id, err := s.requests.Send(queries.KindSubscription, s.filter.want, now)
	if err != nil {
		return // the session has ended; its end is an event of its own
	}
	s.await(id, now)
	s.welcome(now)
	s.spread = false
	s.status.Keys = s.filter.want.Keys
	if s.active == "" {
		s.setState(model.SubSyncing, "", now)
	}
}

// await makes an operation the pending subscription to what is wanted.
func (s *sub) await(id string, now time.Time) {
	s.abandon()
	s.hand.begin(id, s.filter.want, now)
	s.cover.fresh = now
}

// asked is what the pending subscription is for.
func (s *sub) asked() queries.Request {
	switch {
	case s.joined.next.Ready:
		return s.joined.next.Request
	case s.gaps.request.Ready:
		return s.gaps.request
	}
	return s.hand.fresh
}

func (s *sub) sendQuery(r queries.Request, now time.Time) {
	id, err := s.requests.Send(queries.KindQuery, r, now)
	if err != nil {
		return
	}
	s.hand.asks(id, s.maxKept(), now)
	if s.hand.pending == "" {
		s.endRetired() // the answer is newer than what they have told
	}
	if s.joined.next.Ready || s.gaps.request.Ready { // it says nothing about the others
		s.losses.unbroken = !s.losses.resync && !s.renew
		return
	}
	s.asking(r, now)
}

// report is the status as it is shown.
func (s *sub) report(now time.Time) model.Subscription {
	st := s.status
	st.Records = s.data.Records()
	st.PerSecond = s.rate.perSecond(now)
	if st.State == model.SubBackoff || st.State == model.SubRefused {
		st.NextTry = s.retry.at
	}
	return st
}
