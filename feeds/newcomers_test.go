package feeds

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
	"wallboard/model"
)

// crowd is a server with many campaigns and the subscription to them.
type crowd struct {
	*bench
	started map[int64]int64 // state of the server; used channels are half of it
	wanted  []int64
	quiet   bool            // the server sends no first frame
	ended   map[string]bool // subscriptions ended by the server
	marks   records.VersionHistory
}

// newCrowd returns a live subscription to the campaigns with the numbers 1 to many. Campaign n has n started
// calls.
func newCrowd(t *testing.T, many int64) *crowd {
	t.Helper()
	c := &crowd{bench: newBench(t), started: make(map[int64]int64), ended: make(map[string]bool)}
	c.sub.callbacks.versionBeforeLag = func() uint64 { return c.marks.VersionBeforeLag(c.now) }
	for id := range many {
		c.started[id+1] = id + 1
	}
	c.ask(slices.Sorted(maps.Keys(c.started))...)
	c.settle()
	c.want(model.SubLive)
	c.is()
	return c
}

// ask requests campaigns.
func (c *crowd) ask(ids ...int64) {
	c.wanted = ids
	c.sub.setWanted(graphql.CampaignsRequest(ids), true, c.now)
}

// names returns the names in an operation.
func (c *crowd) names(id string) (ids []int64) {
	text := c.wire.sent[id]
	_, list, _ := strings.Cut(text, "campaigns:[")
	list, _, _ = strings.Cut(list, "]")
	for n := range strings.SplitSeq(list, ",") {
		id, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			c.t.Fatalf("%q requests no campaigns", text)
		}
		ids = append(ids, id)
	}
	return ids
}

// full returns the server's state of some campaigns.
func (c *crowd) full(ids []int64) string {
	var records []string
	for _, id := range ids {
		if n, there := c.started[id]; there {
			records = append(records, fmt.Sprintf(`{"campaignId":%d,"startedCalls":%d,"usedChannels":%d}`, id, n, n/2))
		}
	}
	return campaign(strings.Join(records, ","))
}

// begin sends the first frame of the pending subscription.
func (c *crowd) begin() {
	if id := c.sub.handover.pendingID; id != "" && !c.sub.handover.pendingStarted && !c.quiet {
		c.next(id, c.full(c.names(id)))
	}
}

// answer answers the running query.
func (c *crowd) answer() {
	if id := c.sub.handover.queryID; id != "" {
		c.next(id, c.full(c.names(id)))
	}
	if id := c.sub.audit.RunningQuery(); id != "" {
		c.next(id, c.full(c.names(id)))
	}
}

// settle completes everything that is running.
func (c *crowd) settle() {
	for range 150 {
		c.step(100 * time.Millisecond)
		c.begin()
		c.answer()
	}
}

// step lets time pass.
func (c *crowd) step(d time.Duration) {
	c.pass(d)
	c.marks.Add(c.st.Version(), c.now)
}

// audit runs the due check and passes the requested names to asked.
func (c *crowd) audit(asked func(id int64)) {
	i, due, ok := nextLook(c.sub)
	if ok && !due.After(c.now) {
		c.sub.startCheck(i, c.marks.VersionBeforeLag(c.now), c.now)
	}
	if id := c.sub.audit.RunningQuery(); id != "" {
		for _, id := range c.names(id) {
			asked(id)
		}
	}
	c.answer()
}

// update changes a campaign and sends the changed fields to every subscription
// that covers it.
func (c *crowd) update(id int64) {
	if _, there := c.started[id]; !there {
		return
	}
	c.started[id]++
	n := c.started[id]
	text := campaign(fmt.Sprintf(`{"campaignId":%d,"startedCalls":%d}`, id, n))
	if n%2 == 0 {
		text = c.full([]int64{id})
	}
	for _, s := range []string{c.sub.newcomers.id, c.sub.activeID, c.sub.handover.pendingID} {
		if s != "" && slices.Contains(c.names(s), id) {
			c.next(s, text)
		}
	}
}

// follows requests campaigns and, once everything is settled, checks that a change of campaign id arrives.
func (c *crowd) follows(id int64, wanted ...int64) {
	c.t.Helper()
	c.ask(wanted...)
	c.settle()
	c.update(id)
	c.is()
}

// end lets the server end a subscription.
func (c *crowd) end(id string, refuse bool) {
	c.ended[id] = true
	if refuse {
		c.sub.handleFailure(id, []graphql.Error{{Message: "one is enough"}}, c.now)
		return
	}
	c.sub.handleComplete(id, c.now)
}

// is fails unless the store equals the server's state of the requested
// campaigns.
func (c *crowd) is() {
	c.t.Helper()
	want := make(map[int64]int64)
	for _, id := range c.wanted {
		if n, there := c.started[id]; there {
			want[id] = n
		}
	}
	got := make(map[int64]int64)
	for _, r := range c.st.Campaigns.Rows() {
		id, n := r.CampaignID.Or(0), r.StartedCalls.Or(-1)
		if got[id] = n; r.UsedChannels.Or(-1) != n/2 {
			c.t.Fatalf("campaign %d uses %d channels after %d calls", id, r.UsedChannels.Or(-1), n)
		}
	}
	if !maps.Equal(got, want) {
		for id := range want {
			if got[id] != want[id] {
				c.t.Fatalf("%d records, want %d; campaign %d is %d, want %d", len(got), len(want), id, got[id], want[id])
			}
		}
		c.t.Fatalf("%d records, want %d", len(got), len(want))
	}
	if d := c.sub.status.Drift; d.Total() != 0 {
		c.t.Fatalf("drift %+v", d)
	}
	for id, text := range c.wire.sent {
		held := c.sub.isDelivering(id) || c.sub.retired.contains(id) || id == c.sub.handover.pendingID || c.ended[id] || slices.Contains(c.wire.stopped, id)
		if strings.HasPrefix(text, graphql.KindSubscription) && !held {
			c.t.Fatalf("subscription %s belongs to no operation", id)
		}
	}
}

func TestNewcomersDoNotCostAFullStateOfAll(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	base, sent := c.sub.activeID, c.wire.n
	c.started[5000] = 5
	c.ask(append(c.wanted, 5000)...)
	c.pass(filterDelay)
	if got := c.names(c.wire.last(graphql.KindSubscription)); !slices.Equal(got, []int64{5000}) {
		t.Fatalf("subscribed to %d campaigns", len(got))
	}
	c.begin()
	c.update(5000)
	c.update(7)
	if got := c.names(c.sub.handover.queryID); !slices.Equal(got, []int64{5000}) {
		t.Fatalf("queried %d campaigns", len(got))
	}
	c.update(5000)
	c.update(7)
	c.answer()
	c.is()
	c.want(model.SubLive)
	if c.sub.activeID != base || c.wire.n != sent+2 || c.sub.filter.activeRequest != c.sub.filter.wantedRequest {
		t.Fatalf("active %s, was %s; %d operations", c.sub.activeID, base, c.wire.n-sent)
	}
	c.update(5000)
	c.update(7)
	c.is()
	small := c.sub.newcomers.id
	c.started[6000] = 6
	c.ask(append(c.wanted, 6000)...)
	c.settle()
	c.is()
	if got := c.names(c.sub.newcomers.id); !slices.Equal(got, []int64{5000, 6000}) || !slices.Contains(c.wire.stopped, small) {
		t.Fatalf("the small one has %v; stopped %v", got, c.wire.stopped)
	}
	asked := make(map[int64]bool)
	for range 1000 {
		c.pass(100 * time.Millisecond)
		c.audit(func(id int64) { asked[id] = true })
	}
	if len(asked) != len(c.wanted) || c.sub.activeID != base {
		t.Fatalf("%d of %d are audited", len(asked), len(c.wanted))
	}
	c.is()
}

func TestWhoLeavesALargeFloorIsForgotten(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys+10)
	sent := c.wire.n
	all := c.wanted
	c.ask(all[1:]...)
	c.settle()
	c.is()
	c.update(1) // the subscription still covers campaign 1
	c.is()
	if c.wire.n != sent {
		t.Fatalf("%d operations because a campaign left", c.wire.n-sent)
	}
	c.follows(1, all...)
	if c.sub.newcomers.id == "" || len(c.sub.newcomers.leavers) != 0 {
		t.Fatalf("%+v", c.sub.newcomers)
	}
	c.follows(1, all[1:]...)
}

// TestWhoIsBackWhileOthersJoinIsThereWhole: a campaign leaves while another arrives, and returns after the
// subscription to the new one has ended.
func TestWhoIsBackWhileOthersJoinIsThereWhole(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys+10)
	all := c.wanted
	c.started[5000] = 5
	c.ask(append(slices.Clone(all[1:]), 5000)...)
	c.pass(filterDelay)
	c.end(c.sub.handover.pendingID, false)
	c.ask(append(slices.Clone(all), 5000)...)
	c.settle()
	c.is()
	c.update(1)
	c.is()
}

func TestServerThatBearsOneSubscriptionGetsOne(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(c *crowd, id string){
		"refuses the second at once": func(c *crowd, id string) { c.end(id, true) },
		"refuses it later": func(c *crowd, id string) {
			c.settle()
			c.end(id, true)
		},
		"ends it": func(c *crowd, id string) {
			c.settle()
			c.end(id, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, largeFilterKeys)
			for _, id := range []int64{5000, 6000} {
				c.started[id] = id
				c.ask(append(c.wanted, id)...)
				c.pass(filterDelay)
				if small := c.sub.handover.pendingID; len(c.names(small)) == 1 {
					end(c, small)
					c.want(model.SubLive)
				} else if id == 5000 {
					t.Fatal("no small subscription")
				}
				c.settle()
				c.is()
				c.update(id)
				c.update(1)
				c.is()
				c.want(model.SubLive)
			}
		})
	}
}

func TestManyWhoComeAreTakenInWhole(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	for n := range int64(maxNewcomers + 1) {
		c.started[5000+n] = n
	}
	c.ask(slices.Sorted(maps.Keys(c.started))...)
	c.settle()
	c.is()
	if got := len(c.names(c.sub.activeID)); got != len(c.wanted) || c.sub.newcomers.id != "" {
		t.Fatalf("the large subscription has %d names, want %d", got, len(c.wanted))
	}
}

// TestSmallAnswerThatFailsMakesAllBeAskedFor: the query for newcomers fails.
func TestSmallAnswerThatFailsMakesAllBeAskedFor(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	c.started[5000] = 5
	c.ask(append(c.wanted, 5000)...)
	c.quiet = true
	c.pass(filterDelay)
	c.pass(firstMessageWait)
	c.sub.handleFailure(c.sub.handover.queryID, []graphql.Error{{Message: "timeout"}}, c.now)
	c.want(model.SubUnverified)
	c.settle()
	c.is()
	c.want(model.SubLive)
}

// TestLateAnswerAboutSomebodyNewIsNoDrift: a lagging replica answers about a
// newcomer.
func TestLateAnswerAboutSomebodyNewIsNoDrift(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	c.sub.audit.Restart(records.AppliedState{Names: graphql.RecordNames(c.sub.filter.activeFilter()), AskedAt: c.now.Add(-time.Hour)}, c.now)
	c.started[5000] = 4
	c.ask(append(c.wanted, 5000)...)
	c.settle()
	c.started[5000] = 5 // without an update
	for range 3000 {
		c.pass(100 * time.Millisecond)
		c.audit(func(int64) {})
	}
	c.is()
	if c.sub.status.Late != 1 {
		t.Fatalf("late %d", c.sub.status.Late)
	}
}

// TestNewcomersHoldOnToNoFilter: many campaigns arrive and leave, one after the other; a stored name must not
// keep the text of its filter alive.
func TestNewcomersHoldOnToNoFilter(t *testing.T) { //nolint:paralleltest // it looks at the memory of the process
	c := newCrowd(t, 4*largeFilterKeys)
	before := heap()
	for n := range int64(100) {
		c.started[5000+n] = n
		c.ask(append(slices.Clone(c.wanted[1:]), 5000+n)...)
		c.wire.sent = make(map[string]string) // memory of the test itself
		c.step(filterDelay)
		c.begin()
		c.answer()
	}
	if c.sub.newcomers.id == "" || len(c.sub.newcomers.leavers) != 100 {
		t.Fatalf("%d left", len(c.sub.newcomers.leavers))
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Fatalf("%d bytes in use, with filters of %d", grown, len(c.sub.filter.wantedRequest.Filter))
	}
}

// heap returns the bytes in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestLostChannelMakesTheLargeOneAgain(t *testing.T) {
	t.Parallel()
	b, _ := newTableBench(t, opUserStats, func(s *model.Store) *model.MutableTable[model.UserStatKey, model.UserStat, *model.UserStat] {
		return &s.UserStats
	}, "username", "channel")
	users := make([]string, largeFilterKeys)
	for i := range users {
		users[i] = fmt.Sprintf("u%04d", i)
	}
	stats := func(asks string) string {
		records := []string{`{"username":"u0000","channel":"CALL"}`}
		for _, ch := range []string{"CALL", "CHAT"} {
			if _, list, _ := strings.Cut(asks, ch+":{"); strings.Contains(strings.SplitAfter(list, "}")[0], `"v"`) {
				records = append(records, `{"username":"v","channel":"`+ch+`"}`)
			}
		}
		return `{"data":{"userStats":[` + strings.Join(records, ",") + `]}}`
	}
	on := func(call, chat []string) {
		b.sub.setWanted(new(graphql.Restriction).UserStatsRequest(map[model.Channel][]string{model.Call: call, model.Chat: chat}), true, b.now)
		for range 150 {
			b.pass(100 * time.Millisecond)
			for _, id := range []string{b.sub.handover.pendingID, b.sub.handover.queryID} {
				if id != "" {
					b.next(id, stats(b.wire.sent[id]))
				}
			}
		}
	}
	on(users, users[:10])
	base := b.sub.activeID
	on(users, users[:11])
	if text := b.wire.sent[b.sub.newcomers.id]; b.sub.activeID != base || !strings.Contains(text, `{CALL:{users:["u0010"]} CHAT:{users:["u0010"]}}`) {
		t.Fatalf("one more channel: active %s, was %s; small one %q", b.sub.activeID, base, text)
	}
	on(append(slices.Clone(users), "v"), append(slices.Clone(users[:11]), "v"))
	on(append(slices.Clone(users), "v"), users[:11])
	if text := b.wire.sent[b.sub.newcomers.id]; b.sub.activeID != base || !strings.Contains(text, `{CALL:{users:["u0010","v"]} CHAT:{users:["u0010"]}}`) {
		t.Fatalf("one channel less for a newcomer: active %s, was %s; small one %q", b.sub.activeID, base, text)
	}
	if n := len(b.st.UserStats.Rows()); n != 2 {
		t.Fatalf("%d records, want those of u0000 and of v on one channel", n)
	}
	on(users, users[:9])
	if b.sub.activeID == base || b.sub.newcomers.id != "" {
		t.Fatal("one channel less: the large one is not renewed")
	}
}

// TestEndOfBothSmallOnesLeavesNobodyOut: the small subscription and its pending
// replacement end.
func TestEndOfBothSmallOnesLeavesNobodyOut(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	c.started[5000], c.started[6000] = 5, 6
	with := append(slices.Clone(c.wanted), 5000)
	c.ask(with...)
	c.settle()
	small := c.sub.newcomers.id
	c.ask(append(slices.Clone(with), 6000)...)
	c.pass(filterDelay)
	pending := c.sub.handover.pendingID
	c.end(small, false)
	c.end(pending, false)
	c.follows(5000, with...)
}

// TestEndOfASmallOneOutlivesAResync: the small subscription ends while the full state of the large one is
// being queried.
func TestEndOfASmallOneOutlivesAResync(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	c.started[5000] = 5
	c.ask(append(slices.Clone(c.wanted), 5000)...)
	c.settle()
	c.sub.losses.recordLoss(c.now)
	c.pass(minResyncInterval)
	if c.sub.handover.queryID == "" {
		t.Fatal("the full state is not queried")
	}
	c.end(c.sub.newcomers.id, false)
	c.answer()
	c.settle()
	c.update(5000)
	c.is()
}

// TestAnswerMakesNewcomersWhole: updates about a newcomer arrive before the
// answer; they contain only changes.
func TestAnswerMakesNewcomersWhole(t *testing.T) {
	t.Parallel()
	for name, early := range map[string]func(c *crowd) int64{
		"who comes": func(c *crowd) int64 {
			c.started[5000] = 4
			c.ask(append(slices.Clone(c.wanted), 5000)...)
			return 5000
		},
		"who is back": func(c *crowd) int64 {
			all := c.wanted
			c.started[2] = 4
			c.ask(slices.Delete(slices.Clone(all), 1, 2)...)
			c.settle()
			c.ask(all...)
			return 2
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, largeFilterKeys+10)
			c.quiet = true
			id := early(c)
			c.pass(filterDelay)
			c.update(id)
			c.settle()
			c.is()
		})
	}
}

// TestWhoGoesAgainIsForgotten: a campaign returns, its subscription ends, and it
// leaves again.
func TestWhoGoesAgainIsForgotten(t *testing.T) {
	t.Parallel()
	for _, refused := range []bool{false, true} {
		c := newCrowd(t, largeFilterKeys+10)
		all := c.wanted
		c.ask(all[1:]...)
		c.settle()
		c.sub.newcomers.refused = refused
		c.ask(all...)
		c.step(filterDelay)
		if c.sub.handover.pendingID == "" {
			t.Fatal("the returned campaign is not requested")
		}
		c.end(c.sub.handover.pendingID, false)
		c.follows(1, all[1:]...)
	}
}

// TestSuspectLeavesDuringTheSecondLook: a campaign under suspicion is no longer requested when the second
// check is answered. The answer must not make the other campaigns suspect.
func TestSuspectLeavesDuringTheSecondLook(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys+10)
	first := &c.sub.audit.Chunks[0]
	c.started[1] = 77 // without an update
	for n := 0; len(first.Suspects) == 0; n++ {
		if n > 200 {
			t.Fatal("no suspects")
		}
		c.pass(100 * time.Millisecond)
		c.audit(func(int64) {})
	}
	c.ask(c.wanted[1:]...)
	if c.now = c.now.Add(filterDelay); c.now.Before(first.NextCheckAt()) {
		c.now = first.NextCheckAt()
	}
	c.sub.startCheck(0, c.marks.VersionBeforeLag(c.now), c.now)
	c.pass(0)
	if c.sub.filter.activeRequest != c.sub.filter.wantedRequest || c.sub.audit.RunningQuery() == "" {
		t.Fatal("it has not left, or the check is over")
	}
	c.answer()
	if got := len(c.sub.audit.Chunks[0].Suspects); got != 0 {
		t.Fatalf("%d suspects after an answer about one that left", got)
	}
}

// TestNobodyIsAskedAboutWhoLeft: all campaigns of a chunk leave.
func TestNobodyIsAskedAboutWhoLeft(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, 2000)
	names := c.sub.audit.Chunks[0].Names
	c.ask(slices.DeleteFunc(slices.Clone(c.wanted), func(id int64) bool { return slices.Contains(names, fmt.Sprint(id)) })...)
	c.settle()
	c.is()
	most := 0
	for range 1200 {
		c.pass(100 * time.Millisecond)
		n := 0
		c.audit(func(int64) { n++ })
		most = max(most, n)
	}
	if most > 2*chunkRecords || c.now.Sub(c.sub.status.VerifiedAt) > time.Minute {
		t.Fatalf("%d queried at a time; verified %v ago", most, c.now.Sub(c.sub.status.VerifiedAt))
	}
}

func TestQuietSmallOneTellsNothingOfTheLarge(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	c.sub.handover.lastStartDelay, c.quiet = time.Second, true
	c.ask(append(slices.Clone(c.wanted), 5000)...)
	c.settle()
	if c.sub.handover.lastStartDelay != time.Second {
		t.Fatalf("the next large one may take %v", c.sub.handover.lastStartDelay)
	}
}

func TestOthersFollowWhoIsForgotten(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	told := 0
	all := c.sub.merger.(*records.Table[int64, model.Campaign, *model.Campaign]) //nolint:forcetypeassert // the test panics
	all.ChangesFilters, all.OnChange = func(_, _ *model.Campaign) bool { return true }, func() { told++ }
	c.ask(c.wanted[1:]...)
	c.settle()
	if told == 0 {
		t.Fatal("the query for them is still running")
	}
}

// TestSmallOneInPieces: a server accepts two names per filter.
func TestSmallOneInPieces(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeFilterKeys)
	c.sub.dialect.HalveMaxKeys(opCampaigns, 4)
	open := func(want int) {
		t.Helper()
		for range 100 {
			c.pass(100 * time.Millisecond)
			for _, id := range c.sub.requests.OpenPieces(c.sub.handover.queryID) {
				c.next(id, c.full(c.names(id)))
			}
		}
		n := 0
		for id, text := range c.wire.sent {
			if strings.HasPrefix(text, graphql.KindSubscription) && !slices.Contains(c.wire.stopped, id) {
				n++
			}
		}
		if n != want || c.st.Campaigns.Len() != len(c.wanted) {
			t.Fatalf("%d subscriptions and %d records, want %d and %d", n, c.st.Campaigns.Len(), want, len(c.wanted))
		}
	}
	for id := range int64(5) {
		c.started[5000+id] = id
		c.ask(append(slices.Clone(c.wanted), 5000+id)...)
	}
	open(1 + 3)
	c.started[6000] = 1
	c.ask(append(slices.Clone(c.wanted), 6000)...)
	open(1 + 3)
	small := c.sub.newcomers.id
	c.sub.handleComplete(c.sub.requests.OpenPieces(small)[0], c.now)
	if n := len(c.sub.requests.OpenPieces(small)); c.sub.newcomers.id != "" || n != 0 && c.sub.handover.pendingID == "" {
		t.Fatalf("%d pieces are left of the small one", n)
	}
}

// TestComingAndGoingAtRandom: campaigns arrive, leave, return and change,
// subscriptions end, queries fail and connections break; the records are
// checked whenever they are reported as live.
func TestComingAndGoingAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			c := newCrowd(t, largeFilterKeys+100)
			for range 6 {
				for range 60 {
					c.disturb(r)
					if s := c.sub; s.status.State == model.SubLive && s.filter.wantedRequest == s.filter.activeRequest && s.handover.pendingID+s.handover.queryID == "" && !s.losses.needsResync && !s.needsResubscribe {
						c.is()
					}
				}
				c.quiet = false
				for range 100 { // a subscription that the platform ended is renewed later
					if c.settle(); c.sub.status.State == model.SubLive && c.sub.filter.activeRequest == c.sub.filter.wantedRequest {
						break
					}
				}
				c.is()
				if late := c.sub.status.Late; late != 0 {
					t.Fatalf("%d were corrected only by an audit", late)
				}
			}
		})
	}
}

// disturb does one random thing.
func (c *crowd) disturb(r *rand.Rand) {
	switch r.IntN(15) {
	case 0, 1, 2:
		c.come(r)
	case 3, 4:
		c.leave(r)
	case 5:
		if id := []string{c.sub.activeID, c.sub.newcomers.id, c.sub.handover.pendingID}[r.IntN(3)]; id != "" && r.IntN(4) == 0 {
			c.end(id, r.IntN(2) == 0)
		}
	case 6:
		c.quiet = !c.quiet
	case 7, 8:
		c.step(time.Duration(r.IntN(3000)) * time.Millisecond)
	case 9:
		c.begin()
	case 10:
		c.answer()
	case 11:
		c.audit(func(int64) {})
	case 12:
		if r.IntN(6) == 0 {
			c.sub.losses.recordLoss(c.now)
		}
	case 13:
		if r.IntN(20) == 0 && c.sub.activeID != "" {
			c.sub.needsResubscribe = true
			c.sub.audit.CancelCheck()
		}
	case 14:
		c.fault(r)
	}
	for range 5 {
		c.update(c.wanted[r.IntN(len(c.wanted))])
		c.update(int64(1 + r.IntN(largeFilterKeys+300)))
	}
}

func (c *crowd) come(r *rand.Rand) {
	id := int64(largeFilterKeys + r.IntN(300))
	if _, there := c.started[id]; !there {
		c.started[id] = id
	}
	if !slices.Contains(c.wanted, id) {
		c.ask(slices.Sorted(slices.Values(append(slices.Clone(c.wanted), id)))...)
	}
}

func (c *crowd) leave(r *rand.Rand) {
	i := r.IntN(len(c.wanted))
	if few := len(c.wanted) - largeFilterKeys; few > 0 && r.IntN(2) == 0 { // prefer newcomers
		i = largeFilterKeys + r.IntN(few)
	}
	c.ask(slices.Delete(slices.Clone(c.wanted), i, i+1)...)
}

// fault lets the query fail or the connection break.
func (c *crowd) fault(r *rand.Rand) {
	if q := c.sub.handover.queryID; q != "" && r.IntN(6) == 0 {
		c.end(q, true)
	}
	if r.IntN(20) == 0 {
		for id := range c.wire.sent {
			c.ended[id] = true
		}
		c.sub.handleLinkUp(c.wire, c.now)
	}
}
