package feeds

import (
	"errors"
	"fmt"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/merge"
	"wallboard/model"
)

const (
	// queryAfter is how long a subscription gets to send its first frame before
	// the full state is asked for: there is no answer to a subscribe, and an
	// update between the two would be lost.
	queryAfter   = 250 * time.Millisecond
	queryTimeout = 15 * time.Second
	// resyncEvery bounds how often unreadable updates make us ask for the full state.
	resyncEvery = time.Second
	// shorterEvery is the same for updates whose lists lack elements: a server
	// may send only the changed elements, and then that is all the time.
	shorterEvery = 15 * time.Second
	// reshapeAfter collects the users who come and go before a filter follows.
	reshapeAfter = 500 * time.Millisecond
	// refusedRetry is the slow lane of a subscription that the server refuses.
	refusedRetry = time.Minute
	maxRetry     = 30 * time.Second
	// maxKept bounds the memory of updates that wait for the full state, in bytes.
	maxKept = 64 << 20
)

// session is what a subscription needs of a connection.
type session interface {
	Subscribe(query string, variables map[string]any) (string, error)
	Unsubscribe(id string)
}

// sub is one subscription: it follows what is wanted, on whatever connection
// there is. A changed filter is subscribed and synchronised beside the old one,
// which goes on until then.
type sub struct {
	doc    document
	data   stream
	status model.Subscription
	warn   func(op, msg string, err error)

	conn     session // nil while the link is down
	subRoot  string  // the subscription's name on this server
	want     request
	wantAt   time.Time // when want last changed
	have     request   // what active covers
	fresh    request   // what pending covers
	active   string    // id of the subscription that delivers
	pending  string    // id of the one that is to take its place
	query    string    // id of the query for the full state
	since    time.Time // when pending was sent, or query
	started  bool      // pending has delivered something
	resync   bool      // the full state must be asked for
	resyncAt time.Time // when that was done last
	took     time.Duration

	kept     [][]byte // updates since pending was sent
	keptSize int
	mark     int // index in kept of the first update after the query was sent

	failures int
	retryAt  time.Time
	rate     rate
}

func newSub(doc document, data stream, warn func(op, msg string, err error)) *sub {
	return &sub{
		doc: doc, data: data, warn: warn, subRoot: doc.root,
		status: model.Subscription{Name: doc.root, State: model.SubConnecting},
	}
}

// ask sets what is wanted. known tells whether that is final for now: while the
// users are not known, nothing to ask for does not mean that there is nothing.
func (s *sub) ask(r request, known bool, now time.Time) {
	switch {
	case r.ready || s.conn == nil || s.active != "" || s.pending != "":
	case known:
		s.setState(model.SubWaiting, "", now)
	default:
		s.setState(model.SubConnecting, "what to ask for is not known yet", now)
	}
	if r != s.want {
		s.want, s.wantAt = r, now
	}
}

// owns tells whether an id of the connection is one of this subscription's.
func (s *sub) owns(id string) bool {
	return id != "" && (id == s.active || id == s.pending || id == s.query)
}

// setState changes the state as it is shown.
func (s *sub) setState(st model.SubState, reason string, now time.Time) {
	if s.status.State != st {
		s.status.State, s.status.Since = st, now
	}
	s.status.Reason = model.CleanText(reason, model.MaxName)
}

// linkUp starts over on a new connection.
func (s *sub) linkUp(conn session, now time.Time) {
	s.linkDown("", now)
	s.conn = conn
	s.failures, s.retryAt = 0, time.Time{}
}

// linkDown forgets everything that belonged to the connection. The records
// stay: an old picture that says so is better than none.
func (s *sub) linkDown(reason string, now time.Time) {
	s.conn = nil
	s.active, s.have = "", request{}
	s.abandon()
	s.resync = false
	s.setState(model.SubConnecting, reason, now)
}

// abandon drops a synchronisation that is under way.
func (s *sub) abandon() {
	s.pending, s.query, s.started = "", "", false
	s.kept, s.keptSize, s.mark = nil, 0, 0
}

// step does what is due now. It is called after every event and on every tick.
func (s *sub) step(now time.Time) {
	switch {
	case s.conn == nil:
	case !s.want.ready:
		s.stopAll(now)
	case s.query != "":
		if now.Sub(s.since) > queryTimeout {
			s.conn.Unsubscribe(s.query)
			s.query = ""
			s.unverified(fmt.Sprintf("no answer to the query for the full state within %v", queryTimeout), now)
		}
	case s.pending != "":
		if s.started || now.Sub(s.since) >= queryAfter {
			s.sendQuery(s.fresh, now)
		}
	case now.Before(s.retryAt):
	case s.active == "":
		s.subscribe(now)
	case s.want != s.have:
		// A big filter takes the server long; it is not sent again and again
		// while a whole shift logs in.
		if now.Sub(s.wantAt) >= max(reshapeAfter, 4*s.took) {
			s.subscribe(now)
		}
	case s.resync && now.Sub(s.resyncAt) >= resyncEvery:
		s.status.Resyncs++
		s.sendQuery(s.have, now)
	}
}

// busy tells whether something of the subscription is under way that has a
// deadline within the second.
func (s *sub) busy() bool {
	return s.conn != nil && s.want.ready &&
		(s.pending != "" || s.query != "" || s.resync || s.active == "" || s.want != s.have)
}

func (s *sub) stopAll(now time.Time) {
	if s.active == "" && s.pending == "" {
		return
	}
	for _, id := range []string{s.active, s.pending, s.query} {
		if id != "" {
			s.conn.Unsubscribe(id)
		}
	}
	s.active, s.have = "", request{}
	s.abandon()
	s.data.clear()
	s.setState(model.SubWaiting, "", now)
}

func (s *sub) subscribe(now time.Time) {
	id, err := s.conn.Subscribe(s.doc.text("subscription", s.subRoot, s.want.filter), nil)
	if err != nil {
		return // the session has ended; its end is an event of its own
	}
	s.abandon()
	s.pending, s.fresh, s.since = id, s.want, now
	s.status.Keys = s.want.keys
	if s.active == "" {
		s.setState(model.SubSyncing, "", now)
	}
}

func (s *sub) sendQuery(r request, now time.Time) {
	id, err := s.conn.Subscribe(s.doc.text("query", s.doc.root, r.filter), nil)
	if err != nil {
		return
	}
	s.query, s.since = id, now
	s.resync, s.resyncAt = false, now
	s.mark = len(s.kept)
}

// next takes a payload over: an update, or the full state.
func (s *sub) next(id string, payload []byte, env *merge.Env, now time.Time) {
	s.status.Messages++
	s.status.Bytes += uint64(len(payload))
	if id == s.query {
		s.answer(payload, env, now)
		return
	}
	if id == s.pending {
		s.started = true
	}
	if s.pending != "" || s.query != "" {
		s.keep(payload)
	}
	if s.active == "" {
		return // the first full state is not there yet: the old picture stays
	}
	env.Shorter = false
	a, err := s.data.delta(payload, env)
	s.count(a, err)
	if env.Shorter && now.Sub(s.resyncAt) >= shorterEvery {
		s.resync = true
	}
	if err != nil {
		s.resync = true
		return
	}
	if a.records > 0 {
		s.status.LastData = now
		s.status.Updates += a.records
		s.rate.add(now, a.records)
	}
}

func (s *sub) keep(payload []byte) {
	s.keptSize += len(payload)
	if s.keptSize > maxKept {
		s.kept, s.mark = nil, 0
		s.resync = true // what was dropped is in the next full state
		s.keptSize = 0
		return
	}
	s.kept = append(s.kept, append([]byte(nil), payload...))
}

// count notes the errors of a message. Data with errors are still data.
func (s *sub) count(a applied, err error) {
	if len(a.errs) > 0 {
		s.status.Errors++
		s.warn(s.doc.root, "the server reports errors with the data", errors.New(graphQLErrors(a.errs)))
	}
	if err != nil {
		s.status.BadMessages++
		s.warn(s.doc.root, "message not understood", err)
	}
	if a.skipped != nil {
		s.status.BadMessages++
		s.resync = true
		s.warn(s.doc.root, "update not understood", a.skipped)
	}
}

// answer takes the full state over, with the updates that came since it was
// asked for on top, and makes the pending subscription the active one.
func (s *sub) answer(payload []byte, env *merge.Env, now time.Time) {
	a, err := s.data.replace(payload, s.kept[s.mark:], env)
	s.query = "" // its complete is for nobody
	s.count(a, err)
	switch {
	case err != nil:
		s.unverified("the full state is not understood: "+err.Error(), now)
		return
	case !a.hasData:
		s.unverified("the full state is empty: "+graphQLErrors(a.errs), now)
		return
	}
	s.status.Updates += a.records
	s.status.LastData, s.status.VerifiedAt = now, now
	s.promote(now)
	reason := ""
	if len(a.errs) > 0 {
		reason = "the server reports: " + graphQLErrors(a.errs)
	}
	s.failures = 0
	s.setState(model.SubLive, reason, now)
}

// promote makes the pending subscription the active one.
func (s *sub) promote(now time.Time) {
	if s.pending == "" {
		s.abandon()
		return
	}
	if s.active != "" {
		s.conn.Unsubscribe(s.active)
	}
	s.took = now.Sub(s.since)
	s.active, s.have = s.pending, s.fresh
	s.abandon()
}

// unverified goes on with the updates alone when the full state can not be had,
// and asks again later.
func (s *sub) unverified(reason string, now time.Time) {
	var kept [][]byte
	if s.active == "" { // else they were merged as they came
		kept = s.kept
	}
	s.promote(now)
	for _, p := range kept {
		a, err := s.data.delta(p, &merge.Env{Now: now})
		s.count(a, err)
	}
	s.setState(model.SubUnverified, reason, now)
	s.resync = true
	s.resyncAt = now.Add(s.backoff())
}

// backoff is the delay before the next try after one more failure.
func (s *sub) backoff() time.Duration {
	s.failures++
	return min(maxRetry, time.Second<<min(s.failures-1, 5))
}

// fail handles an operation that the server ended with an error.
func (s *sub) fail(id string, errs []graphqlws.GraphQLError, now time.Time) {
	reason := "refused"
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	s.status.Errors++
	s.warn(s.doc.root, "operation refused", errors.New(reason))
	switch id {
	case s.query:
		s.query = ""
		s.unverified("the query for the full state is refused: "+reason, now)
	case s.pending, s.active:
		if id == s.pending && s.active != "" { // the old filter goes on
			s.abandon()
		} else {
			s.active, s.have = "", request{}
			s.abandon()
		}
		s.retryAt = now.Add(refusedRetry)
		s.setState(model.SubRefused, reason, now)
	}
}

// complete handles an operation that the server ended. Nobody asked it to end a
// subscription, so that is made again.
func (s *sub) complete(id string, now time.Time) {
	switch id {
	case s.query:
		s.query = ""
		s.unverified("the server ended the query for the full state without an answer", now)
	case s.pending, s.active:
		s.active, s.have = "", request{}
		s.abandon()
		s.retryAt = now.Add(s.backoff())
		s.setState(model.SubStale, "the server ended the subscription", now)
	}
}

// report is the status as it is shown.
func (s *sub) report(now time.Time) model.Subscription {
	st := s.status
	st.Records = s.data.records()
	st.PerSecond = s.rate.perSecond(now)
	return st
}
