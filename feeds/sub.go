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
	// queryAfter is how long a subscription gets to send its first frame before
	// the full state is asked for: there is no answer to a subscribe, and an
	// update between the two would be lost. One that took longer the last time
	// gets twice that, up to queryLate: the first frame of thousands is a full
	// state itself, and after the query it would have to be kept.
	queryAfter = 250 * time.Millisecond
	queryLate  = 3 * time.Second
	// resyncEvery bounds how often unreadable updates make us ask for the full state.
	resyncEvery = time.Second
	// shorterEvery is the same for updates whose lists lack elements: a server
	// may send only the changed elements, and then that is all the time.
	shorterEvery = 15 * time.Second
	// reshapeAfter collects the users who come and go before a filter follows,
	// but not for longer than reshapeWithin: somebody always comes or goes.
	reshapeAfter  = 500 * time.Millisecond
	reshapeWithin = 2 * time.Second
	// reshapeLarge is the same for a filter of largeKeys, whose full state comes
	// twice each time.
	reshapeLarge = 10 * time.Second
	largeKeys    = 1000
	// lossShown is how long a lost update may be healed without a word.
	lossShown = 3 * time.Second
	// healthyLive is how long a subscription must be live to be taken for sound.
	healthyLive = time.Minute
	maxRetry    = 30 * time.Second
	// maxKept bounds the memory of updates that wait for the full state, in bytes.
	// Where that is of very many records, each has keptEach.
	maxKept  = 16 << 20
	keptEach = 1 << 10
)

// sub is one subscription: it follows what is wanted, on whatever connection
// there is. A changed filter is subscribed and synchronised beside the old one,
// which goes on until then.
type sub struct {
	doc    queries.Document
	data   stream
	status model.Subscription
	warn   func(op, msg string, err error)
	clean  func(string) string // makes text from outside fit for the screen
	env    *merge.Env          // the feed's, its clock set before every call

	requests  *requests.Requests
	want      queries.Request
	wantAt    time.Time       // when want last changed
	wantOld   time.Time       // since when it is not what active covers
	have      queries.Request // what active covers
	fresh     queries.Request // what pending covers
	active    string          // id of the subscription that delivers
	pending   string          // id of the one that is to take its place
	query     string          // id of the query for the full state
	since     time.Time       // when pending was sent, or query
	sentAt    time.Time       // when pending was sent
	started   bool            // pending has delivered something
	starts    time.Duration   // what it took the last one until it did
	resync    bool            // an update was lost: the full state must be asked for
	lostAt    time.Time       // when the first update since the last full state was lost
	shorter   bool            // a list became shorter: the full state reports whether it did
	verified  bool            // the full state was taken over on this connection
	firstAt   time.Time       // when that was so first
	delivered bool            // some of it, or an update, was
	resyncAt  time.Time       // when it was asked for last
	took      time.Duration

	kept    picture.Backlog // updates since pending began, or the query was sent
	retired retired
	gaps    gaps

	failures int
	retryAt  time.Time
	rate     rate

	speech    *dialect.Dialect // the feed's
	spread    bool             // it has to be made again, one per record
	adaptions int              // on this connection
	searched  bool             // that was looked for on this connection
	hunt      *hunt            // for what the server does not take; nil: none is under way
	poll      time.Duration    // how often the full state is asked for where no update comes by itself; 0: they come

	parsed    parsed
	joined    joined
	cover     coverage
	opening   opening
	audit     *verify.Verifier
	renew     bool          // the platform started anew: the subscription is made again
	unbroken  bool          // no update was lost before the full state was asked for
	ago       func() uint64 // the store's version picture.LagBound ago
	drifted   func(op string, d *picture.Difference, of int)
	restarted func(why string)
}

func newSub(doc queries.Document, data stream, env *merge.Env, speech *dialect.Dialect, warn func(op, msg string, err error), clean func(string) string) *sub {
	s := &sub{
		doc: doc, data: data, env: env, warn: warn, clean: clean, requests: requests.New(doc, data, speech),
		speech: speech, opening: opening{platform: &openings{}},
		status: model.Subscription{Name: model.Op(doc.Root), State: model.SubConnecting},
		ago:    func() uint64 { return 0 }, drifted: func(string, *picture.Difference, int) {}, restarted: func(string) {},
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
	case r.Ready || !s.requests.Connected() || s.active != "" || s.pending != "":
	case known:
		s.setState(model.SubWaiting, "", now)
	default:
		s.setState(model.SubConnecting, "what to ask for is not known yet", now)
	}
	if r != s.want {
		if s.want == s.have {
			s.wantOld = now
		}
		s.want, s.wantAt = r, now
		s.dropEarly()
		s.awaitNewcomers()
	}
}

// owns reports whether an id of the connection is one of this subscription's.
func (s *sub) owns(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (s.delivers(id) || id == s.pending || id == s.query || s.looking(id) || s.isRetired(id))
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
	s.status.Reason = s.clean(reason)
}

// linkUp starts over on a new connection.
func (s *sub) linkUp(conn requests.Connection, now time.Time) {
	s.linkDown("", now)
	s.requests.Up(conn)
	s.hunt, s.searched = nil, false
	s.failures, s.retryAt, s.adaptions, s.starts, s.joined.refused = 0, time.Time{}, 0, 0, false
	s.cover = coverage{}
}

// linkDown forgets everything that belonged to the connection. The records
// stay: an old picture that says so is better than none.
func (s *sub) linkDown(reason string, now time.Time) {
	s.requests.Down()
	s.spread = false
	s.active, s.have = "", queries.Request{}
	s.abandon()
	s.forgetRetired()
	s.leaveLarge(now)
	s.resync, s.shorter, s.verified, s.delivered, s.lostAt = false, false, false, false, time.Time{}
	s.renew = false
	s.audit.Drop()
	s.setState(model.SubConnecting, reason, now)
}

// abandon drops a synchronisation that is under way.
func (s *sub) abandon() {
	s.pending, s.query, s.started = "", "", false
	s.opening = opening{platform: s.opening.platform}
	s.kept = picture.Backlog{}
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
	if s.want.Ready && s.query != "" && s.gaps.request.Ready && s.followsNow(now) {
		s.dropGaps() // the filter follows, and its full state has them
	}
	switch {
	case !s.want.Ready:
		s.stopAll(now)
	case s.query != "":
		s.giveUpQuery(now)
	case s.pending != "":
		if s.requests.Sending(s.pending) {
			s.since, s.sentAt = now, now
		} else if s.begun(now) {
			s.sendQuery(s.asked(), now)
		}
	case s.spread && s.active != "" && !now.Before(s.retryAt):
		s.subscribe(now)
	case s.resyncs(now):
		s.status.Resyncs++
		s.sendQuery(s.have, now)
	case s.askAgain(now):
		s.sendAgain(now)
	case now.Before(s.retryAt):
	case s.active == "":
		s.subscribe(now)
	case s.want != s.have, s.renew:
		s.follow(now)
	}
}

// resyncs reports whether the full state is to be asked for again now.
func (s *sub) resyncs(now time.Time) bool {
	since := now.Sub(s.resyncAt)
	return s.active != "" && (s.resync && since >= s.resyncPace() || s.shorter && since >= shorterEvery)
}

// begun reports whether the pending subscription has sent its first frame, or has had
// the time to.
func (s *sub) begun(now time.Time) bool {
	switch {
	case s.started:
		return true
	case now.Sub(s.since) < s.waits():
		return false
	}
	if !s.joined.next.Ready {
		s.starts = 0 // nothing came: the next has no more time than the first
		s.opening.platform.full = s.opening.platform.full && s.expected() < openingMany
	}
	return true
}

// giveUpQuery ends a query that got no answer.
func (s *sub) giveUpQuery(now time.Time) {
	patience := verify.Patience(s.failures)
	if now.Sub(s.since) <= patience {
		return
	}
	s.requests.Cancel(s.query)
	s.query = ""
	s.unverified(fmt.Sprintf("no answer to the query for the full state within %v", patience), now)
}

// settled reports whether a changed filter is to be followed now. A big one takes
// the server long; it is not sent again and again while a whole shift logs in.
func (s *sub) settled(now time.Time) bool {
	return now.Sub(s.wantAt) >= max(reshapeAfter, 2*s.took) || now.Sub(s.wantOld) >= s.followsWithin()
}

// followsWithin is how long it may take until a changed filter is followed.
func (s *sub) followsWithin() time.Duration {
	within := max(reshapeWithin, 8*s.took)
	if s.want.Keys >= largeKeys {
		within = max(within, min(30*s.took, reshapeLarge))
	}
	return within
}

// judge corrects the state for what only time tells.
func (s *sub) judge(now time.Time) {
	if s.status.State.Current() {
		if why := s.audit.Overdue(s.status.VerifiedAt, now); why != "" {
			s.setState(model.SubUnverified, why, now)
		}
	}
	switch {
	case s.status.State == model.SubLive && !s.lostAt.IsZero() && now.Sub(s.lostAt) >= lossShown:
		s.setState(model.SubUnverified, "an update was lost; the full state is asked for", now)
	case s.status.State.Current() && now.Sub(s.status.Since) >= healthyLive:
		s.failures = 0
	case s.status.State == model.SubRefused && s.active != "" && s.want == s.have:
		s.resync = true // the filter that was refused is not wanted any more
	}
}

// lost notes that an update was lost.
func (s *sub) lost(now time.Time) {
	s.resync = true
	if s.lostAt.IsZero() {
		s.lostAt = now
	}
}

// busy reports whether something of the subscription is under way that has a
// deadline within the second.
func (s *sub) busy() bool {
	return s.requests.Connected() && s.want.Ready &&
		(s.pending != "" || s.query != "" || s.resync || s.spread || len(s.gaps.names) > 0 || s.active == "" || s.want != s.have)
}

func (s *sub) stopAll(now time.Time) {
	if s.active == "" && s.pending == "" && s.data.Records() == 0 {
		return
	}
	for _, id := range []string{s.active, s.pending, s.query} {
		if id != "" {
			s.requests.Cancel(id)
		}
	}
	s.audit.Drop()
	s.active, s.have = "", queries.Request{}
	s.abandon()
	s.forgetRetired()
	s.leaveLarge(now)
	s.data.Clear()
	s.setState(model.SubWaiting, "", now)
}

func (s *sub) subscribe(now time.Time) {
	id, err := s.requests.Send(queries.KindSubscription, s.want, now)
	if err != nil {
		return // the session has ended; its end is an event of its own
	}
	s.await(id, now)
	s.welcome(now)
	s.spread = false
	s.status.Keys = s.want.Keys
	if s.active == "" {
		s.setState(model.SubSyncing, "", now)
	}
}

// await makes an operation the pending subscription to what is wanted.
func (s *sub) await(id string, now time.Time) {
	s.abandon()
	s.pending, s.fresh, s.since, s.sentAt, s.cover.fresh = id, s.want, now, now, now
}

// asked is what the pending subscription is for.
func (s *sub) asked() queries.Request {
	switch {
	case s.joined.next.Ready:
		return s.joined.next.Request
	case s.gaps.request.Ready:
		return s.gaps.request
	}
	return s.fresh
}

func (s *sub) sendQuery(r queries.Request, now time.Time) {
	id, err := s.requests.Send(queries.KindQuery, r, now)
	if err != nil {
		return
	}
	s.query, s.since = id, now
	s.giveUpOpening()
	s.kept.Mark = len(s.kept.List)
	if s.pending == "" {
		s.endRetired() // the answer is newer than what they have told
	}
	if s.joined.next.Ready || s.gaps.request.Ready { // it says nothing about the others
		s.unbroken = !s.resync && !s.renew
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
		st.NextTry = s.retryAt
	}
	return st
}
