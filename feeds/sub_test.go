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
	"wallboard/model"
)

// wire is a session that records what was sent.
type wire struct {
	n       int
	sent    map[string]string // id -> document
	stopped []string
}

func (w *wire) Subscribe(query string, _ map[string]any) (string, error) {
	w.n++
	id := fmt.Sprint(w.n)
	w.sent[id] = query
	return id, nil
}

func (w *wire) Unsubscribe(id string) { w.stopped = append(w.stopped, id) }

// last returns the id of the newest operation of a kind.
func (w *wire) last(kind string) string {
	for n := w.n; n > 0; n-- {
		if strings.HasPrefix(w.sent[fmt.Sprint(n)], kind) {
			return fmt.Sprint(n)
		}
	}
	return ""
}

// bench is a campaign subscription on a wire with its own clock.
type bench struct {
	t    *testing.T
	sub  *subscription
	wire *wire
	st   *model.Store
	now  time.Time
}

// quiet returns callbacks that do nothing.
func quiet() feedCallbacks {
	return feedCallbacks{
		warn: func(string, string, error) {}, clean: func(s string) string { return model.CleanText(s, model.MaxName) },
		versionBeforeLag: func() uint64 { return 0 }, logRepairedDifference: func(string, *records.Difference, int) {}, onPlatformRestart: func(string) {},
	}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	doc, err := graphql.LoadDocument(opCampaigns)
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	data, err := records.NewTable(doc.Root, doc.Fields, &st.Campaigns, "campaignId")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		t: t, st: st, wire: &wire{sent: map[string]string{}},
		sub: newSubscription(doc, data, &merge.Env{}, dialect.New(dialect.PinnedValues{}), quiet()), now: time.Unix(1_800_000_000, 0),
	}
	b.sub.setWanted(graphql.CampaignsRequest([]int64{2, 1}), true, b.now)
	b.sub.handleLinkUp(b.wire, b.now)
	b.sub.step(b.now)
	return b
}

func (b *bench) pass(d time.Duration) {
	b.now = b.now.Add(d)
	b.sub.step(b.now)
}

func campaign(fields string) string {
	return `{"data":{"pdCampaignStats":[` + fields + `]}}`
}

func (b *bench) next(id, payload string) {
	b.sub.env.Now, b.sub.env.ReceivedAt = b.now, b.now
	b.sub.handlePayload(id, []byte(payload), b.now)
	b.sub.step(b.now)
}

// started returns a campaign's startedCalls, -1 if unknown or deleted.
func (b *bench) started(id int64) int64 {
	if c := b.st.Campaigns.Get(id); c != nil {
		return c.StartedCalls.Or(-1)
	}
	return -1
}

func (b *bench) want(st model.SubState) {
	b.t.Helper()
	if b.sub.status.State != st {
		b.t.Fatalf("state %q (%s), want %q", b.sub.status.State, b.sub.status.Reason, st)
	}
}

// live brings the subscription to the live state with campaign 1 at 10 calls.
func (b *bench) live() {
	b.t.Helper()
	b.pass(firstMessageWait)
	b.next(b.wire.last("query"), campaign(`{"campaignId":1,"startedCalls":10}`))
	b.want(model.SubLive)
}

func TestSubscribesFirstThenQueries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if b.wire.n != 1 || !strings.HasPrefix(b.wire.sent["1"], "subscription PdCampaignStats { pdCampaignStats(filter: {campaigns:[1,2]})") {
		t.Fatalf("sent %q", b.wire.sent)
	}
	b.want(model.SubSyncing)
	b.pass(firstMessageWait - 1)
	if b.wire.n != 1 {
		t.Fatal("the query was sent before the subscription could begin")
	}
	b.pass(1)
	if b.wire.last("query") == "" {
		t.Fatal("no query")
	}
}

func TestQueriesAtOnceAfterTheFirstFrame(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.next("1", campaign(`{"campaignId":1,"startedCalls":1}`))
	if b.wire.last("query") == "" {
		t.Fatal("no query after the first frame")
	}
	if b.st.Campaigns.Len() != 0 {
		t.Fatal("an update was shown before the full state was there")
	}
}

func TestUpdatesAfterTheQueryWin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.next("1", campaign(`{"campaignId":1,"startedCalls":7}`)) // arrives before the query is sent, so the answer is newer
	q := b.wire.last("query")
	b.next("1", campaign(`{"campaignId":1,"startedCalls":12}`))
	b.next("1", campaign(`{"campaignId":2,"startedCalls":3}`))
	b.next(q, campaign(`{"campaignId":1,"startedCalls":10,"usedChannels":4}`))
	b.want(model.SubLive)
	if b.started(1) != 12 || b.started(2) != 3 {
		t.Fatalf("started %d and %d, want 12 and 3", b.started(1), b.started(2))
	}
	if b.st.Campaigns.Get(1).UsedChannels.Or(-1) != 4 {
		t.Fatal("the full state is lost")
	}
}

func TestFullStateRemovesWhatIsGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.losses.needsResync = true
	b.pass(minResyncInterval)
	b.next(b.wire.last("query"), campaign(`{"campaignId":2,"startedCalls":1}`))
	if b.started(1) != -1 || b.started(2) != 1 {
		t.Fatal("the full state did not replace everything")
	}
}

func TestChangedFilterSyncsBesideTheOld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	old := b.sub.activeID
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(0)
	if b.wire.last("subscription") != old {
		t.Fatal("the filter followed without waiting for more changes")
	}
	b.pass(filterDelay)
	fresh := b.wire.last("subscription")
	if fresh == old {
		t.Fatal("the filter did not follow")
	}
	b.next(old, campaign(`{"campaignId":1,"startedCalls":11}`))
	if b.started(1) != 11 {
		t.Fatal("the old subscription stopped delivering before the new one was in sync")
	}
	b.pass(firstMessageWait)
	q := b.wire.last("query")
	b.next(fresh, campaign(`{"campaignId":1,"startedCalls":12}`))
	b.next(old, campaign(`{"campaignId":1,"startedCalls":11},{"campaignId":9,"startedCalls":1}`)) // arrives later, but is older
	b.next(q, campaign(`{"campaignId":1,"startedCalls":12},{"campaignId":3,"startedCalls":1}`))
	b.pass(retiredLifetime)
	if b.sub.activeID != fresh || !slices.Contains(b.wire.stopped, old) {
		t.Fatalf("active %s, stopped %v", b.sub.activeID, b.wire.stopped)
	}
	if b.started(1) != 12 || b.started(3) != 1 || b.started(9) != -1 {
		t.Fatalf("started %d, %d and %d, want 12, 1 and none", b.started(1), b.started(3), b.started(9))
	}
}

func TestUnreadableUpdateIsHealed(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		`not JSON`, campaign(`{"campaignId":1,"startedCalls":{}}`),
		campaign(`{"startedCalls":99}`), campaign(`{"campaignId":1,"startedCalls":5},{"campaignId":2`),
	} {
		b := newBench(t)
		b.live()
		b.next(b.sub.activeID, bad)
		if b.started(1) != 10 {
			t.Errorf("%s: half a message was merged", bad)
		}
		if b.sub.status.BadMessages != 1 {
			t.Errorf("%s: %d bad messages counted", bad, b.sub.status.BadMessages)
		}
		b.pass(minResyncInterval)
		if b.sub.handover.queryID == "" {
			t.Errorf("%s: the full state is not queried", bad)
		}
		b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":13}`))
		if b.started(1) != 13 {
			t.Errorf("%s: not healed", bad)
		}
	}
}

func TestUnreadableUpdateDuringSyncIsHealed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	q := b.sub.handover.queryID
	b.next("1", campaign(`{"campaignId":1,"startedCalls":true}`))
	b.next("1", campaign(`{"campaignId":2,"startedCalls":8}`))
	b.next(q, campaign(`{"campaignId":1,"startedCalls":10}`))
	if b.started(1) != 10 || b.started(2) != 8 {
		t.Fatal("one bad update spoiled the others")
	}
	b.pass(minResyncInterval)
	if b.sub.handover.queryID == "" {
		t.Fatal("the content of the bad update is not queried")
	}
}

func TestRefusedSubscriptionSaysWhyAndTriesLater(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sub.handleFailure("1", []graphql.Error{{Message: "no \x1b[31mright"}}, b.now)
	b.want(model.SubRefused)
	if r := b.sub.status.Reason; strings.Contains(r, "\x1b") || !strings.Contains(r, "right") {
		t.Fatalf("reason %q", r)
	}
	for i, wait := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		sent := b.wire.n
		b.pass(wait*time.Second - 1)
		if b.wire.n != sent {
			t.Fatalf("try %d comes sooner than after %d s", i+1, wait)
		}
		b.pass(1)
		if b.wire.n != sent+1 {
			t.Fatalf("try %d does not come after %d s", i+1, wait)
		}
		b.sub.handleFailure(b.sub.handover.pendingID, []graphql.Error{{Message: "no right"}}, b.now)
	}
}

func TestUpdatesAloneAreUnverified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.next("1", campaign(`{"campaignId":1,"startedCalls":5}`))
	b.sub.handleFailure(b.sub.handover.queryID, []graphql.Error{{Message: "queries not allowed"}}, b.now)
	b.want(model.SubUnverified)
	if b.started(1) != 5 {
		t.Fatal("what the subscription sent first is lost")
	}
	b.next("1", campaign(`{"campaignId":1,"startedCalls":6}`))
	if b.started(1) != 6 {
		t.Fatal("updates are not applied")
	}
	b.pass(3 * time.Second)
	if b.sub.handover.queryID == "" {
		t.Fatal("the full state is never queried again")
	}
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":6}`))
	b.want(model.SubLive)
}

func TestQueryWithoutAnswerIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	q := b.sub.handover.queryID
	b.pass(records.AnswerTimeout(0) + time.Millisecond)
	b.want(model.SubUnverified)
	if b.wire.stopped[0] != q {
		t.Fatal("the query is left open")
	}
}

func TestEndedSubscriptionIsMadeAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.handleComplete(b.sub.activeID, b.now)
	b.want(model.SubBackoff)
	b.pass(2 * time.Second)
	if b.sub.handover.pendingID == "" {
		t.Fatal("not subscribed again")
	}
}

func TestLostLinkKeepsThePicture(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.handleLinkDown("cable", b.now)
	b.want(model.SubConnecting)
	if b.started(1) != 10 {
		t.Fatal("the records are gone")
	}
	second := &wire{sent: map[string]string{}}
	b.wire = second
	b.sub.handleLinkUp(second, b.now)
	b.pass(0)
	b.next("1", campaign(`{"campaignId":1,"startedCalls":1}`))
	if b.started(1) != 10 {
		t.Fatal("an update changed the records before the full state was there")
	}
	b.next(b.wire.last("query"), campaign(`{"campaignId":1,"startedCalls":20}`))
	if b.started(1) != 20 {
		t.Fatal("not in sync again")
	}
}

func TestDataWithErrorsIsData(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.next(b.sub.activeID, `{"errors":[{"message":"partial"}],"data":{"pdCampaignStats":[{"campaignId":1,"startedCalls":11}]}}`)
	if b.started(1) != 11 || b.sub.status.Errors != 1 {
		t.Fatalf("started %d, errors %d", b.started(1), b.sub.status.Errors)
	}
}

func TestKeptUpdatesAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	big := campaign(`{"campaignId":1,"startedCalls":1,"x":"` + strings.Repeat("x", 1<<20) + `"}`)
	for range maxBufferBytes>>20 + 1 {
		b.next("1", big)
	}
	if b.sub.handover.bufferedUpdates.Len() > maxBufferBytes>>20 || !b.sub.losses.needsResync {
		t.Fatalf("%d updates of 1 MiB kept, resync %v", b.sub.handover.bufferedUpdates.Len(), b.sub.losses.needsResync)
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	var r rate
	at := time.Unix(1_800_000_000, 0)
	for i := range 10 {
		r.add(at.Add(time.Duration(i)*time.Second), 20)
	}
	if got := r.perSecond(at.Add(9 * time.Second)); got != 20 {
		t.Errorf("rate %v, want 20", got)
	}
	if got := r.perSecond(at.Add(time.Hour)); got != 0 {
		t.Errorf("rate an hour later %v, want 0", got)
	}
}
