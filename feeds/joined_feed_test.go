package feeds

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// carrier is a wire for a whole feed.
type carrier struct{ wire }

func (*carrier) Abort(error)                 {}
func (*carrier) Subprotocol() string         { return graphql.TransportWS }
func (*carrier) Opened() time.Time           { return time.Time{} }
func (*carrier) ResponseHeader() http.Header { return nil }
func (*carrier) Stats() graphql.Stats        { return graphql.Stats{} }

// shift is a feed with a platform that has agents on one channel.
type shift struct {
	t      *testing.T
	feed   *Feed
	h      *handler
	wire   *carrier
	now    time.Time
	agents map[string]bool
	slow   string // operation whose queries are not answered at present
}

// newShift returns a live and audited feed with the given number of agents.
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
	s.feed, s.h, s.wire = feed, &handler{feed: feed}, &carrier{wire{sent: make(map[string]string)}}
	feed.startSession(s.h, s.wire)
	s.pass(2 * time.Minute)
	return s
}

// full returns the platform's answer.
func (s *shift) full(op, text string) string {
	var records []string
	for name := range s.agents {
		switch {
		case op == opUsers:
			records = append(records, agent(name))
		case op == opUserStats && strings.Contains(text, graphql.StringLiteral(name)):
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

// pass lets time pass while the platform answers.
func (s *shift) pass(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); s.now = s.now.Add(50 * time.Millisecond) {
		s.step()
	}
}

// step does due work and answers at once.
func (s *shift) step() {
	s.feed.mu.Lock()
	s.feed.stepAll(s.now)
	s.feed.mu.Unlock()
	for _, sub := range s.feed.subs {
		answer := func(id string) { s.h.Next(id, []byte(s.full(sub.doc.Root, s.wire.sent[id]))) }
		if id := sub.handover.pendingID; id != "" && !sub.handover.pendingStarted {
			answer(id)
		}
		if id := sub.handover.queryID; id != "" && sub.doc.Root != s.slow {
			answer(id)
		}
		if id := sub.audit.RunningQuery(); id != "" {
			answer(id)
		}
	}
}

// shown returns the reported state of an operation.
func (s *shift) shown(op string) model.SubState {
	h := s.feed.currentHealth(s.now)
	i := slices.IndexFunc(h.Subscriptions, func(sub model.Subscription) bool { return sub.Name == model.Op(op) })
	return h.Subscriptions[i].State
}

// tell sends an update of the users.
func (s *shift) tell(record string) {
	s.h.Next(s.feed.subs.byOperation(opUsers).activeID, []byte(`{"data":{"users":[`+record+`]}}`))
}

// TestWhoIsAwayForAMomentKeepsHisFigures: a user leaves and returns while
// another user's figures are being queried.
func TestWhoIsAwayForAMomentKeepsHisFigures(t *testing.T) {
	t.Parallel()
	s := newShift(t, 1200)
	sub := s.feed.subs.byOperation(opUserStats)
	there := func() bool {
		return s.feed.store.UserStats.Get(model.UserStatKey{Username: "u00900", Channel: model.Call}) != nil
	}
	s.slow = opUserStats
	s.agents["v1"] = true
	s.tell(agent("v1"))
	s.pass(1200 * time.Millisecond)
	if sub.handover.queryID == "" || !there() {
		t.Fatal("no query is running, or the user was never there")
	}
	s.tell(`{"username":"u00900","mutation":"DELETED"}`)
	s.pass(600 * time.Millisecond)
	if there() {
		t.Fatal("the user has not left")
	}
	s.tell(agent("u00900"))
	s.pass(600 * time.Millisecond)
	s.slow = ""
	s.pass(3 * time.Second)
	if !there() || sub.status.State != model.SubLive || sub.status.Drift != (model.Drift{}) {
		t.Fatalf("present: %v; %s, drift %+v", there(), sub.status.State, sub.status.Drift)
	}
}

// TestRefusedSmallOneTellsNothingOfTheDialect: a server accepts one
// subscription of a kind and refuses the second with a message that could be
// about the filter.
func TestRefusedSmallOneTellsNothingOfTheDialect(t *testing.T) {
	t.Parallel()
	s := newShift(t, 1200)
	sub := s.feed.subs.byOperation(opUserStats)
	for i := range 4 {
		name := fmt.Sprintf("v%d", i)
		s.agents[name] = true
		s.tell(agent(name))
	}
	for end := s.now.Add(10 * time.Second); sub.handover.pendingID == "" && s.now.Before(end); {
		s.slow = opUserStats
		s.pass(50 * time.Millisecond)
	}
	if r, _ := sub.pendingRequest(); graphql.CountKeys(r.Filter) != 4 {
		t.Fatalf("%d names are requested", graphql.CountKeys(r.Filter))
	}
	s.h.Fail(sub.handover.pendingID, []graphql.Error{{Message: "too many subscriptions"}})
	s.slow = ""
	s.pass(20 * time.Second)
	if n := s.feed.learner.dialect.MaxKeys(opUserStats); n != 0 || s.feed.store.UserStats.Len() != 1204 || sub.status.State != model.SubLive {
		t.Fatalf("%d names in a filter at most; %d records; %s", n, s.feed.store.UserStats.Len(), sub.status.State)
	}
}

// TestLiveAgainStaysLive: a user leaves while the connection is down and
// another arrives just after everything is live again; nothing was missed, and
// the newcomer is followed normally.
func TestLiveAgainStaysLive(t *testing.T) {
	t.Parallel()
	s := newShift(t, 1200)
	s.feed.endSession(model.LinkBackoff, "cut", s.now, 1)
	delete(s.agents, "u00900")
	s.pass(time.Second)
	s.feed.startSession(s.h, s.wire)
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
			t.Fatalf("%s when a user arrives", state)
		}
		s.pass(50 * time.Millisecond)
	}
	if s.feed.store.UserStats.Get(model.UserStatKey{Username: "v1", Channel: model.Call}) == nil {
		t.Fatal("the newcomer has no figures")
	}
}

// TestWhoCameMeanwhileIsMissed: a user arrives while the connection is down,
// and all queries are answered instantly; live data must include the user.
func TestWhoCameMeanwhileIsMissed(t *testing.T) {
	t.Parallel()
	s := newShift(t, 12)
	s.feed.endSession(model.LinkBackoff, "cut", s.now, 1)
	s.agents["v1"] = true
	s.pass(time.Second)
	s.feed.startSession(s.h, s.wire)
	for i := range 200 {
		s.slow = ""
		if i < 3 { // the users are known before the figures
			s.slow = opUserStats
		}
		if s.step(); i > 100 { // until then everything happens at the same instant
			s.now = s.now.Add(50 * time.Millisecond)
		}
		there := s.feed.store.UserStats.Get(model.UserStatKey{Username: "v1", Channel: model.Call}) != nil
		switch state := s.shown(opUserStats); {
		case state == model.SubLive && !there:
			t.Fatal("live, but the newcomer is missing")
		case state == model.SubLive:
			return
		}
	}
	t.Fatal("not live again")
}
