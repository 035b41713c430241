package feeds

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/queries"
	"wallboard/model"
)

// carrier is a wire that a whole feed can be on.
type carrier struct{ wire }

func (*carrier) Abort(error)                 {}
func (*carrier) Subprotocol() string         { return graphqlws.TransportWS }
func (*carrier) Opened() time.Time           { return time.Time{} }
func (*carrier) ResponseHeader() http.Header { return nil }
func (*carrier) Stats() graphqlws.Stats      { return graphqlws.Stats{} }

// shift is a feed, and a platform with agents on one channel.
type shift struct {
	t      *testing.T
	feed   *Feed
	h      *handler
	wire   *carrier
	now    time.Time
	agents map[string]bool
	slow   string // the operation whose queries are not answered now
}

// newShift is live with so many agents, and audited.
func newShift(t *testing.T, many int) *shift {
	t.Helper()
	s := &shift{t: t, now: time.Unix(1_800_000_000, 0), agents: make(map[string]bool)}
	for i := range many {
		s.agents[fmt.Sprintf("u%05d", i)] = true
	}
	feed, err := New(Options{URL: "http://x", WSURL: "ws://x", Auth: AuthToken, Now: func() time.Time { return s.now }})
	if err != nil {
		t.Fatal(err)
	}
	s.feed, s.h, s.wire = feed, &handler{f: feed}, &carrier{wire{sent: make(map[string]string)}}
	feed.up(s.h, s.wire)
	s.pass(2 * time.Minute)
	return s
}

// full is what the platform answers.
func (s *shift) full(op, text string) string {
	var records []string
	for name := range s.agents {
		switch {
		case op == opUsers:
			records = append(records, agent(name))
		case op == opUserStats && strings.Contains(text, queries.Literal(name)):
			records = append(records, fmt.Sprintf(`{"username":%q,"channel":"CALL"}`, name))
		}
	}
	switch op {
	case opVersion:
		return `{"data":{"version":{"server":{"major":1,"minor":1,"patch":1}}}}`
	case opServerHealth:
		return `{"data":{"serverHealth":{}}}`
	}
	return `{"data":{"` + op + `":[` + strings.Join(records, ",") + `]}}`
}

func agent(name string) string {
	return fmt.Sprintf(`{"username":%q,"mutation":"UPDATED","statuses":{"CALL":"READY"}}`, name)
}

// pass lets time pass, in which the platform answers.
func (s *shift) pass(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); s.now = s.now.Add(50 * time.Millisecond) {
		s.step()
	}
}

// step has the feed do what is due, and the platform answer at once.
func (s *shift) step() {
	s.feed.mu.Lock()
	s.feed.stepAll(s.now)
	s.feed.mu.Unlock()
	for _, sub := range s.feed.subs {
		answer := func(id string) { s.h.Next(id, []byte(s.full(sub.doc.Root, s.wire.sent[id]))) }
		if id := sub.handover.pending; id != "" && !sub.handover.started {
			answer(id)
		}
		if id := sub.handover.query; id != "" && sub.doc.Root != s.slow {
			answer(id)
		}
		if id := sub.audit.Query(); id != "" {
			answer(id)
		}
	}
}

// shown is the state of an operation as it is reported.
func (s *shift) shown(op string) model.SubState {
	h := s.feed.report(s.now)
	i := slices.IndexFunc(h.Subscriptions, func(sub model.Subscription) bool { return sub.Name == model.Op(op) })
	return h.Subscriptions[i].State
}

// tell sends an update of the users.
func (s *shift) tell(record string) {
	s.h.Next(s.feed.subs.named(opUsers).active, []byte(`{"data":{"users":[`+record+`]}}`))
}

// TestWhoIsAwayForAMomentKeepsHisFigures has somebody go and come back while
// somebody else's figures are on their way.
func TestWhoIsAwayForAMomentKeepsHisFigures(t *testing.T) {
	t.Parallel()
	s := newShift(t, 1200)
	sub := s.feed.subs.named(opUserStats)
	there := func() bool {
		return s.feed.store.UserStats.Get(model.UserStatKey{Username: "u00900", Channel: model.Call}) != nil
	}
	s.slow = opUserStats
	s.agents["v1"] = true
	s.tell(agent("v1"))
	s.pass(1200 * time.Millisecond)
	if sub.handover.query == "" || !there() {
		t.Fatal("nothing is on its way, or they were never there")
	}
	s.tell(`{"username":"u00900","mutation":"DELETED"}`)
	s.pass(600 * time.Millisecond)
	if there() {
		t.Fatal("they have not gone")
	}
	s.tell(agent("u00900"))
	s.pass(600 * time.Millisecond)
	s.slow = ""
	s.pass(3 * time.Second)
	if !there() || sub.status.State != model.SubLive || sub.status.Drift != (model.Drift{}) {
		t.Fatalf("they are there: %v; %s, drift %+v", there(), sub.status.State, sub.status.Drift)
	}
}

// TestRefusedSmallOneTellsNothingOfTheDialect has a server bear one subscription
// of a kind, and say so in words that could be about the filter.
func TestRefusedSmallOneTellsNothingOfTheDialect(t *testing.T) {
	t.Parallel()
	s := newShift(t, 1200)
	sub := s.feed.subs.named(opUserStats)
	for i := range 4 {
		name := fmt.Sprintf("v%d", i)
		s.agents[name] = true
		s.tell(agent(name))
	}
	for end := s.now.Add(10 * time.Second); sub.handover.pending == "" && s.now.Before(end); {
		s.slow = opUserStats
		s.pass(50 * time.Millisecond)
	}
	if r, _ := sub.pendingRequest(); queries.CountKeys(r.Filter) != 4 {
		t.Fatalf("%d names are asked for", queries.CountKeys(r.Filter))
	}
	s.h.Fail(sub.handover.pending, []graphqlws.GraphQLError{{Message: "too many subscriptions"}})
	s.slow = ""
	s.pass(20 * time.Second)
	if n := s.feed.learner.dialect.Most(opUserStats); n != 0 || s.feed.store.UserStats.Len() != 1204 || sub.status.State != model.SubLive {
		t.Fatalf("%d names in a filter at most; %d records; %s", n, s.feed.store.UserStats.Len(), sub.status.State)
	}
}

// TestLiveAgainStaysLive has somebody go while the connection is down, and
// somebody come just after everything is live again: nobody was missed, and who
// comes now is followed as ever.
func TestLiveAgainStaysLive(t *testing.T) {
	t.Parallel()
	s := newShift(t, 1200)
	s.feed.down(model.LinkBackoff, "cut", s.now, 1)
	delete(s.agents, "u00900")
	s.pass(time.Second)
	s.feed.up(s.h, s.wire)
	shown := func() model.SubState { return s.shown(opUserStats) }
	for range 100 {
		if s.pass(50 * time.Millisecond); shown() == model.SubLive {
			break
		}
	}
	if state := shown(); state != model.SubLive {
		t.Fatalf("%s five seconds after the cut", state)
	}
	s.agents["v1"] = true
	s.tell(agent("v1"))
	for range 100 {
		if state := shown(); state != model.SubLive {
			t.Fatalf("%s when somebody comes", state)
		}
		s.pass(50 * time.Millisecond)
	}
	if s.feed.store.UserStats.Get(model.UserStatKey{Username: "v1", Channel: model.Call}) == nil {
		t.Fatal("who came has no figures")
	}
}

// TestWhoCameMeanwhileIsMissed has somebody come while the connection is down, and
// everything be answered at the instant that it is asked: what is live has them.
func TestWhoCameMeanwhileIsMissed(t *testing.T) {
	t.Parallel()
	s := newShift(t, 12)
	s.feed.down(model.LinkBackoff, "cut", s.now, 1)
	s.agents["v1"] = true
	s.pass(time.Second)
	s.feed.up(s.h, s.wire)
	for i := range 200 {
		s.slow = ""
		if i < 3 { // the users are known before figures are
			s.slow = opUserStats
		}
		if s.step(); i > 100 { // until then it is all one instant
			s.now = s.now.Add(50 * time.Millisecond)
		}
		there := s.feed.store.UserStats.Get(model.UserStatKey{Username: "v1", Channel: model.Call}) != nil
		switch state := s.shown(opUserStats); {
		case state == model.SubLive && !there:
			t.Fatal("live, and who came is missing")
		case state == model.SubLive:
			return
		}
	}
	t.Fatal("it does not become live again")
}
