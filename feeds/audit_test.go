package feeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// Delays used by the verifier in feeds/records.
const (
	auditAfter = 5 * time.Second
	auditSlack = 2 * time.Second
	lookLate   = 12 * time.Second
	hotFor     = 10 * time.Minute
	maxLooks   = 4

	chunkRecords = 250
)

// nextLook returns the chunk of a subscription that is due first, and when.
func nextLook(s *subscription) (i int, due time.Time, ok bool) {
	if !s.canCheck() || s.audit.RunningQuery() != "" {
		return 0, time.Time{}, false
	}
	for n := range s.audit.Chunks {
		if at := s.audit.Chunks[n].NextCheckAt(); !ok || at.Before(due) {
			i, due, ok = n, at, true
		}
	}
	return i, due, ok
}

// startLook waits for the next due check and starts it.
func (b *bench) startLook() {
	b.t.Helper()
	_, due, ok := nextLook(b.sub)
	if !ok {
		b.t.Fatal("no check is scheduled")
	}
	b.pass(max(0, due.Sub(b.now)))
	i, _, ok := nextLook(b.sub)
	if !ok {
		b.t.Fatal("the check is no longer due")
	}
	b.sub.startCheck(i, b.st.Version(), b.now)
}

// look runs the next due check and answers its query with answer.
func (b *bench) look(answer string) {
	b.t.Helper()
	b.startLook()
	if b.sub.audit.RunningQuery() == "" {
		b.t.Fatal("no query was sent")
	}
	b.next(b.sub.audit.RunningQuery(), answer)
}

// audited completes the first audit after the full state, so that later
// differences count as lost updates.
func (b *bench) audited(answer string) {
	b.t.Helper()
	for range 3 { // the early check and two more
		b.look(answer)
	}
	if d := b.sub.status.Drift; b.sub.status.Late+d.Total() != 0 {
		b.t.Fatalf("drift %+v without a difference", d)
	}
}

func TestAuditRepairsEveryKindOfDrift(t *testing.T) {
	t.Parallel()
	const before = `{"campaignId":1,"freeResources":4,"ringingContacts":1},{"campaignId":2,"freeResources":7}`
	for name, c := range map[string]struct {
		truth string
		want  model.Drift
	}{
		"value":   {`{"campaignId":1,"freeResources":3,"ringingContacts":1},{"campaignId":2,"freeResources":7}`, model.Drift{Value: 1}},
		"cleared": {`{"campaignId":1,"freeResources":4,"ringingContacts":null},{"campaignId":2,"freeResources":7}`, model.Drift{Cleared: 1}},
		"ghost":   {`{"campaignId":1,"freeResources":4,"ringingContacts":1}`, model.Drift{Ghost: 1}},
		"missing": {before + `,{"campaignId":3,"freeResources":9}`, model.Drift{Missing: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.pass(firstMessageWait)
			b.next(b.sub.handover.queryID, campaign(before))
			b.audited(campaign(before))
			b.look(campaign(c.truth))
			if d := b.sub.status.Drift; d.Total() != 0 {
				t.Fatalf("drift %+v after the first check", d)
			}
			if len(b.sub.audit.Chunks[0].Suspects) != 1 {
				t.Fatalf("%d suspects, want 1", len(b.sub.audit.Chunks[0].Suspects))
			}
			seen := b.now
			b.look(campaign(c.truth))
			if d := b.sub.status.Drift; d != c.want || b.now.Sub(seen) > lookLate {
				t.Fatalf("drift %+v after %v, want %+v", d, b.now.Sub(seen), c.want)
			}
			b.look(campaign(c.truth))
			if d, n := b.sub.status.Drift, len(b.sub.audit.Chunks[0].Suspects); d != c.want || n != 0 {
				t.Errorf("drift %+v and %d suspects after the repair", d, n)
			}
		})
	}
}

// TestEarlyCheckFindsAValueThatChangedBack checks that the early check finds a value that changed before the
// query for the full state and changed back before the next update. The update therefore omits the value.
func TestEarlyCheckFindsAValueThatChangedBack(t *testing.T) {
	t.Parallel()
	record := func(free, started int) string {
		return campaign(fmt.Sprintf(`{"campaignId":1,"freeResources":%d,"startedCalls":%d}`, free, started))
	}
	for name, c := range map[string]struct {
		answers []string // answers to the early check and to the checks that repeat it
		update  string   // update after the first answer; "": none
		want    int64
		within  time.Duration
	}{
		"changed back":                       {[]string{record(6, 10), record(6, 10)}, "", 6, 2 * time.Second},
		"changed back, another field counts": {[]string{record(6, 10), record(6, 11)}, campaign(`{"campaignId":1,"startedCalls":11}`), 6, 2 * time.Second},
		"changes once more":                  {[]string{record(6, 10), record(5, 10), record(5, 10)}, "", 5, 3 * time.Second},
		"for a moment":                       {[]string{record(6, 10), record(7, 10)}, "", 7, 2 * time.Second},
		"an update is on its way":            {[]string{record(8, 10)}, campaign(`{"campaignId":1,"freeResources":8}`), 8, 2 * time.Second},
		"a lagging replica answers":          {[]string{record(6, 9)}, "", 7, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.pass(firstMessageWait)
			b.next(b.sub.handover.queryID, record(7, 10))
			began := b.now
			for i, answer := range c.answers {
				b.look(answer)
				if i == 0 && c.update != "" {
					b.next(b.sub.activeID, c.update)
				}
			}
			if got := b.st.Campaigns.Get(1).FreeResources.Or(-1); got != c.want || b.now.Sub(began) > c.within {
				t.Errorf("%d after %v, want %d within %v", got, b.now.Sub(began), c.want, c.within)
			}
			if d := b.sub.status.Drift; d.Total() != 0 {
				t.Errorf("drift %+v: no update was lost", d)
			}
			if _, due, _ := nextLook(b.sub); c.update == "" && due.Sub(began) != auditAfter {
				t.Errorf("the first check follows after %v, want %v", due.Sub(began), auditAfter)
			}
		})
	}
}

// TestLargeSubscriptionsHaveNoEarlyCheck checks that a large subscription has no early check, because the
// check would load the platform.
func TestLargeSubscriptionsHaveNoEarlyCheck(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]time.Duration{500: time.Second, 501: auditAfter} {
		b, _ := newTableBench(t, opUsers, func(s *model.Store) *model.MutableTable[string, model.User, *model.User] { return &s.Users }, "username")
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf(`{"username":"agent%d"}`, i))
		}
		b.next(b.sub.handover.queryID, users(strings.Join(names, ",")))
		if _, due, _ := nextLook(b.sub); due.Sub(b.now) != want {
			t.Errorf("%d records are checked after %v, want %v", n, due.Sub(b.now), want)
		}
	}
}

func TestUpdateBetweenTwoLooksIsNoDrift(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"freeResources":4}`))
	b.audited(campaign(`{"campaignId":1,"freeResources":4}`))
	b.look(campaign(`{"campaignId":1,"freeResources":3}`))
	b.next(b.sub.activeID, campaign(`{"campaignId":1,"freeResources":3}`)) // the update was on its way
	b.startLook()
	if again := b.sub.audit.RunningQuery(); again != "" {
		t.Error("a late update is queried again")
	}
	if d := b.sub.status.Drift; d.Total() != 0 {
		t.Errorf("drift %+v", d)
	}
}

// TestUpdateThatTellsWhatIsShownClearsIt checks that an update that repeats the shown value ends a suspicion.
// The update changes nothing, but it is newer than the first check, and a lagging replica may answer the
// second check.
func TestUpdateThatTellsWhatIsShownClearsIt(t *testing.T) {
	t.Parallel()
	const both = `{"campaignId":1,"freeResources":4,"ringingContacts":1},{"campaignId":2,"freeResources":7}`
	for name, c := range map[string]struct {
		seen, update string
		want         model.Drift
	}{
		"a value":       {`{"campaignId":1,"freeResources":3,"ringingContacts":1},{"campaignId":2,"freeResources":7}`, `{"campaignId":1,"freeResources":4}`, model.Drift{}},
		"a ghost":       {`{"campaignId":1,"freeResources":4,"ringingContacts":1}`, `{"campaignId":2,"freeResources":7}`, model.Drift{}},
		"another value": {`{"campaignId":1,"freeResources":3,"ringingContacts":1},{"campaignId":2,"freeResources":7}`, `{"campaignId":1,"freeResources":null,"ringingContacts":1}`, model.Drift{Value: 1}},
		"another one":   {`{"campaignId":1,"freeResources":4,"ringingContacts":1}`, `{"campaignId":1,"freeResources":4}`, model.Drift{Ghost: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.pass(firstMessageWait)
			b.next(b.sub.handover.queryID, campaign(both))
			b.audited(campaign(both))
			b.look(campaign(c.seen))
			b.next(b.sub.activeID, campaign(c.update))
			b.startLook()
			switch again := b.sub.audit.RunningQuery(); {
			case (again != "") != (c.want.Total() > 0):
				t.Errorf("queried again: %v", again != "")
			case again != "":
				b.next(again, campaign(c.seen))
			}
			if d := b.sub.status.Drift; d != c.want {
				t.Errorf("drift %+v, want %+v", d, c.want)
			}
			rec, other := b.st.Campaigns.Get(1), b.st.Campaigns.Get(2)
			if repaired := rec.FreeResources.Or(-1) != 4 || other == nil; repaired != (c.want.Total() > 0) {
				t.Errorf("repaired: %v", repaired)
			}
		})
	}
}

func TestUpdateDuringALookIsNotSuspected(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"freeResources":4}`))
	b.startLook()
	b.next(b.sub.activeID, campaign(`{"campaignId":1,"freeResources":3}`))
	b.next(b.sub.audit.RunningQuery(), campaign(`{"campaignId":1,"freeResources":4}`)) // the answer is from before the update
	if n := len(b.sub.audit.Chunks[0].Suspects); n != 0 {
		t.Errorf("%d suspects", n)
	}
	if got := b.st.Campaigns.Get(1).FreeResources.Or(-1); got != 3 {
		t.Errorf("%d free, want 3", got)
	}
}

func TestCountersThatFallTogetherAreANewStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fall []string
		want int
	}{
		"all": {[]string{`{"campaignId":1,"startedCalls":0}`, `{"campaignId":2,"startedCalls":1}`}, 1},
		"one": {[]string{`{"campaignId":1,"startedCalls":0}`, `{"campaignId":2,"startedCalls":21}`}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, restarts := newBench(t), 0
			b.sub.callbacks.onPlatformRestart = func(string) { restarts++ }
			b.pass(firstMessageWait)
			b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10},{"campaignId":2,"startedCalls":20}`))
			for _, update := range c.fall {
				b.pass(time.Second)
				b.next(b.sub.activeID, campaign(update))
			}
			if restarts != c.want {
				t.Errorf("%d restarts, want %d", restarts, c.want)
			}
		})
	}
}

func TestDriftIsWatchedClosely(t *testing.T) {
	t.Parallel()
	const truth = `{"campaignId":1,"freeResources":3}`
	b := newBench(t)
	b.pass(firstMessageWait)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"freeResources":4}`))
	b.audited(campaign(`{"campaignId":1,"freeResources":4}`))
	b.look(campaign(truth))
	b.look(campaign(truth))
	if b.sub.status.Drift.Total() != 1 {
		t.Fatal("no drift")
	}
	looks := func(d time.Duration) int {
		n, end := 0, b.now.Add(d)
		for {
			if _, due, _ := nextLook(b.sub); due.After(end) {
				b.pass(end.Sub(b.now))
				return n
			}
			b.look(campaign(truth))
			n++
		}
	}
	if n := looks(hotFor); n < 39 || n > 41 {
		t.Errorf("%d audits in the ten minutes after drift, want one every 15 s", n)
	}
	if n := looks(hotFor); n < 10 || n > 14 {
		t.Errorf("%d audits in the ten minutes after that, want one every interval", n)
	}
}

func TestWithoutAuditFiguresAreUnverified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"freeResources":4}`))
	asked := b.now
	const all = time.Minute + auditSlack
	for b.now.Sub(asked) < all {
		b.next(b.sub.activeID, campaign(`{"campaignId":1,"freeResources":4}`)) // updates do not count as a verification
		if _, due, ok := nextLook(b.sub); ok && !due.After(b.now) {
			b.startLook() // the check is not answered
		}
		b.want(model.SubLive)
		b.pass(time.Second)
	}
	b.pass(time.Second)
	b.want(model.SubUnverified)
	if why := b.sub.status.Reason; !strings.Contains(why, "does not answer") {
		t.Errorf("the reason is %q", why)
	}
	for b.sub.audit.RunningQuery() != "" {
		b.pass(time.Second)
	}
	b.look(campaign(`{"campaignId":1,"freeResources":4}`))
	b.want(model.SubLive)
}

// newTableBench returns a bench for a subscription that requests everything.
func newTableBench[K comparable, T any, R model.Record[K, T]](t *testing.T, op string, live func(*model.Store) *model.MutableTable[K, T, R], keys ...string) (*bench, *records.Table[K, T, R]) {
	t.Helper()
	return newRequestBench(t, new(graphql.Restriction).UsersRequest(0), op, live, keys...)
}

// newRequestBench returns a bench for a subscription with a request.
func newRequestBench[K comparable, T any, R model.Record[K, T]](t *testing.T, r graphql.Request, op string, live func(*model.Store) *model.MutableTable[K, T, R], keys ...string) (*bench, *records.Table[K, T, R]) {
	t.Helper()
	doc, err := graphql.LoadDocument(op)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, st: model.NewStore(), wire: &wire{sent: map[string]string{}}, now: time.Unix(1_800_000_000, 0)}
	data, err := records.NewTable(doc.Root, doc.Fields, live(b.st), keys...)
	if err != nil {
		t.Fatal(err)
	}
	b.sub = newSubscription(doc, data, &merge.Env{}, dialect.New(dialect.PinnedValues{}), quiet())
	b.sub.setWanted(r, true, b.now)
	b.sub.handleLinkUp(b.wire, b.now)
	b.sub.step(b.now)
	b.pass(firstMessageWait)
	return b, data
}

func users(records string) string { return `{"data":{"users":[` + records + `]}}` }

// there returns the displayed users.
func (b *bench) there() string {
	var names []string
	for _, u := range b.st.Users.Rows() {
		names = append(names, u.Key())
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestDeletedUserDoesNotComeBackFromAnOlderAnswer(t *testing.T) {
	t.Parallel()
	const both = `{"username":"ada"},{"username":"bob"}`
	b, data := newTableBench(t, opUsers, func(s *model.Store) *model.MutableTable[string, model.User, *model.User] { return &s.Users }, "username")
	data.IsDeletion = func(u *model.User) bool { return u.Mutation == model.Deleted }
	b.next(b.sub.handover.queryID, users(both))
	b.audited(users(both))
	b.startLook()
	b.next(b.sub.activeID, users(`{"username":"bob","mutation":"DELETED"}`))
	b.next(b.sub.audit.RunningQuery(), users(both)) // from a lagging replica
	if got, n := b.there(), len(b.sub.audit.Chunks[0].Suspects); got != "ada" || n != 0 {
		t.Fatalf("%q there, %d suspects after an outdated answer to a check", got, n)
	}
	b.pass(2 * time.Second)
	b.sub.losses.recordLoss(b.now)
	b.pass(0)
	b.next(b.sub.handover.queryID, users(both))
	if got := b.there(); got != "ada" {
		t.Fatalf("%q there after an outdated full state", got)
	}
	b.look(users(both)) // the early check
	b.look(users(both)) // 7 s later
	if n := len(b.sub.audit.Chunks[0].Suspects); n != 0 {
		t.Fatalf("%d suspects", n)
	}
	b.next(b.sub.activeID, users(`{"username":"bob","mutation":"CREATED"}`))
	if got := b.there(); got != "ada bob" {
		t.Fatalf("%q there after a new login", got)
	}
	b.pass(time.Second)
	b.next(b.sub.handover.queryID, users(both)) // bob's record may be incomplete
	b.next(b.sub.activeID, users(`{"username":"bob","mutation":"DELETED"}`))
	b.pass(records.MaxReplicaLag)
	b.look(users(both)) // the early check
	b.look(users(both)) // beyond the lag bound: the logins were not received
	b.look(users(both))
	if got := b.there(); got != "ada bob" {
		t.Errorf("%q there although two checks saw both", got)
	}
}

func TestDurationsAreNoDrift(t *testing.T) {
	t.Parallel()
	b, _ := newTableBench(t, opUserStats, func(s *model.Store) *model.MutableTable[model.UserStatKey, model.UserStat, *model.UserStat] {
		return &s.UserStats
	}, "username", "channel")
	began := b.now.Add(-100 * time.Second)
	answer := func() string {
		seconds := b.now.Sub(began).Seconds() + 0.4 // network delay
		return fmt.Sprintf(`{"data":{"userStats":[{"username":"ada","channel":"CALL","timeInState":%.1f}]}}`, seconds)
	}
	look := func() {
		b.startLook()
		b.next(b.sub.audit.RunningQuery(), answer())
	}
	b.sub.env.Times = timeunit.New(map[timeunit.Field]timeunit.Unit{timeunit.FieldState: timeunit.Seconds}, timeunit.Zone{})
	b.next(b.sub.handover.queryID, answer())
	if !b.sub.env.HasElapsedTimes() {
		t.Fatal("a duration was not recognized")
	}
	look() // the early check
	look()
	look()
	if n := len(b.sub.audit.Chunks[0].Suspects); n != 0 {
		t.Fatalf("%d suspects among running durations", n)
	}
	began = b.now.Add(-5 * time.Second) // a lost change of state
	look()
	look()
	if d := b.sub.status.Drift; d.Value != 1 {
		t.Errorf("drift %+v, want one value", d)
	}
}
