package feeds

import (
	"slices"
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
	"wallboard/model"
)

func TestSteadyChurnDoesNotStarveTheFilter(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.handover.lastDuration = 500 * time.Millisecond
	for i := range int64(30) {
		b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3 + i}), true, b.now)
		b.pass(400 * time.Millisecond)
	}
	if b.sub.handover.pendingID == "" {
		t.Fatal("users arrived every 0.4 s, and the filter never followed")
	}
}

// TestChurnDuringASyncWaitsItsTurn changes the filter while the previous change
// takes long; the next must not follow at once.
func TestChurnDuringASyncWaitsItsTurn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(filterDelay)
	b.pass(firstMessageWait)
	b.pass(3 * time.Second)
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3, 4}), true, b.now)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10}`))
	b.want(model.SubLive)
	if b.sub.handover.pendingID != "" {
		t.Fatal("the newest filter is followed already")
	}
	b.pass(10 * time.Second)
	if b.sub.handover.pendingID == "" {
		t.Fatal("the filter is never followed")
	}
}

// TestFirstFrameIsAwaitedAsLongAsTheLastOneTook delays the first frames of
// subscriptions.
func TestFirstFrameIsAwaitedAsLongAsTheLastOneTook(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	again := func(id int64) {
		b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, id}), true, b.now)
		b.pass(time.Minute)
		if b.sub.handover.pendingID == "" || b.sub.handover.queryID != "" {
			t.Fatalf("pending %q, query %q", b.sub.handover.pendingID, b.sub.handover.queryID)
		}
	}
	full := campaign(`{"campaignId":1,"startedCalls":10}`)
	again(3)
	b.pass(firstMessageWait)
	if b.sub.handover.queryID == "" {
		t.Fatal("the full state is not queried")
	}
	b.pass(150 * time.Millisecond)
	b.next(b.sub.handover.pendingID, full)
	b.next(b.sub.handover.queryID, full)
	again(4)
	b.pass(2*400*time.Millisecond - 1)
	if b.sub.handover.queryID != "" {
		t.Fatal("the last first frame came after 0.4 s, but this one is not awaited")
	}
	b.next(b.sub.handover.pendingID, full)
	if b.sub.handover.queryID == "" || b.sub.handover.bufferedUpdates.Len() != 0 {
		t.Fatalf("query %q after the first frame, %d updates kept", b.sub.handover.queryID, b.sub.handover.bufferedUpdates.Len())
	}
	b.next(b.sub.handover.queryID, full)
	again(5)
	b.pass(2 * (2*400*time.Millisecond - 1))
	if b.sub.handover.queryID == "" || b.sub.handover.lastStartDelay != 0 {
		t.Fatalf("query %q, starts %v: no frame arrived; the next one must be awaited again", b.sub.handover.queryID, b.sub.handover.lastStartDelay)
	}
}

func TestChurnDoesNotStarveHealing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.next(b.sub.activeID, `not JSON`)
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(400 * time.Millisecond) // the filter is not settled yet
	b.sub.losses.queriedAt = time.Time{}
	b.pass(0)
	if b.sub.handover.queryID == "" {
		t.Fatal("a lost update waits for the filter")
	}
}

func TestBadFrameDuringTheFirstSyncIsHealed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	b.sub.losses.recordLoss(b.now) // a frame could not be read
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10}`))
	b.pass(minResyncInterval)
	if b.sub.handover.queryID == "" {
		t.Fatal("the content of the frame is not queried")
	}
}

func TestLossIsShownUntilItIsHealed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.pass(time.Second)
	b.next(b.sub.activeID, `not JSON`) // the state is queried again at once, but the answer is also invalid
	b.want(model.SubLive)
	b.next(b.sub.handover.queryID, `not JSON`)
	b.want(model.SubUnverified)
	b.pass(time.Minute)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10}`))
	b.want(model.SubLive)
}

func TestDroppedUpdatesAreNotCalledLive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.losses.recordLoss(b.now)
	b.sub.losses.queriedAt = b.now.Add(time.Minute) // the full state cannot be queried yet
	b.pass(lossDisplayDelay)
	b.want(model.SubUnverified)
}

func TestFullStateWithErrorsRemovesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10},{"campaignId":2,"startedCalls":1}`))
	b.sub.losses.needsResync = true
	b.pass(minResyncInterval)
	b.next(b.sub.handover.queryID, `{"errors":[{"message":"campaign 2: timeout"}],"data":{"pdCampaignStats":[{"campaignId":1,"startedCalls":12},null]}}`)
	if b.started(1) != 12 || b.started(2) != 1 {
		t.Fatalf("started %d and %d, want 12 and 1", b.started(1), b.started(2))
	}
	b.want(model.SubUnverified)
	if b.sub.status.VerifiedAt.Equal(b.now) {
		t.Fatal("a partial answer counts as verified")
	}
}

func TestOldPictureIsStaleAndNotOnlyUnverified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.handleLinkDown("cable", b.now)
	b.now = b.now.Add(2 * time.Hour)
	b.wire = &wire{sent: map[string]string{}}
	b.sub.handleLinkUp(b.wire, b.now)
	b.pass(0)
	b.pass(firstMessageWait)
	b.pass(records.AnswerTimeout(0) + 1)
	b.want(model.SubStale)
}

func TestEndOfThePendingKeepsTheActive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	old := b.sub.activeID
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(filterDelay)
	b.sub.handleComplete(b.sub.handover.pendingID, b.now)
	if b.sub.activeID != old {
		t.Fatal("the active subscription was dropped")
	}
	b.want(model.SubLive)
}

func TestEndOfTheActiveLeavesNoOrphans(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(filterDelay)
	b.pass(firstMessageWait)
	pending, query := b.sub.handover.pendingID, b.sub.handover.queryID
	b.sub.handleComplete(b.sub.activeID, b.now)
	if !slices.Contains(b.wire.stopped, pending) || !slices.Contains(b.wire.stopped, query) {
		t.Fatalf("stopped %v, want %s and %s among them", b.wire.stopped, pending, query)
	}
}

func TestRefusedFilterIsForgottenWithTheWish(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(filterDelay)
	b.sub.handleFailure(b.sub.handover.pendingID, []graphql.Error{{Message: "too many"}}, b.now)
	b.want(model.SubRefused)
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2}), true, b.now)
	b.pass(time.Second)
	b.pass(time.Second)
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10}`))
	b.want(model.SubLive)
}

func TestNothingToAskForLeavesNoGhosts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.sub.handleComplete(b.sub.activeID, b.now) // the server ends the subscription, and then all users leave
	b.sub.setWanted(graphql.Request{}, true, b.now)
	b.pass(0)
	if b.st.Campaigns.Len() != 0 {
		t.Fatal("records without users")
	}
	b.want(model.SubWaiting)
}

func TestSlowServerGetsMoreTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	queries := 0
	for range 10 * 60 { // ten minutes in which every answer takes 40 s
		b.pass(time.Second)
		if b.sub.handover.queryID != "" && b.now.Sub(b.sub.handover.requestedAt) >= 40*time.Second {
			b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10}`))
			break
		}
		if b.sub.handover.queryID != "" && b.now.Equal(b.sub.handover.requestedAt) {
			queries++
		}
	}
	b.want(model.SubLive)
	if queries > 4 {
		t.Errorf("%d queries for one answer", queries)
	}
}

func TestBackoffIsNotResetByOneAnswer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 600 { // a server that answers and ends the subscription at once
		b.pass(time.Second)
		if b.sub.handover.queryID != "" {
			b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":10}`))
			b.sub.handleComplete(b.sub.activeID, b.now)
		}
	}
	if b.wire.n > 80 {
		t.Errorf("%d operations in ten minutes", b.wire.n)
	}
}

func TestUnauthorizedInThePlaceOfData(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pass(firstMessageWait)
	payload := []byte(`{"data":{"pdCampaignStats":null},"errors":[{"message":"log in","extensions":{"code":"UNAUTHORIZED"}}]}`)
	if errs := b.sub.handlePayload(b.sub.handover.queryID, payload, b.now); len(errs) != 1 {
		t.Errorf("the full state: %v", errs)
	}
	b.live()
	if errs := b.sub.handlePayload(b.sub.activeID, payload, b.now); len(errs) != 1 {
		t.Errorf("an update: %v", errs)
	}
}
