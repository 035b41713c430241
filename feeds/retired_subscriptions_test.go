package feeds

import (
	"testing"

	"wallboard/feeds/graphql"
)

// TestOldSubscriptionTellsTheRest: a server batches updates for each subscription separately and begins each
// subscription with keys only. Only the replaced subscription sends, late, the changes from before the new
// one began.
func TestOldSubscriptionTellsTheRest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	old := b.sub.activeID
	b.next(old, campaign(`{"campaignId":1,"startedCalls":11}`))
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3}), true, b.now)
	b.pass(filterDelay)
	fresh := b.sub.handover.pendingID
	b.next(fresh, campaign(`{"campaignId":1},{"campaignId":3}`))
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":1,"startedCalls":12},{"campaignId":3,"startedCalls":1}`))
	if b.sub.activeID != fresh || b.started(3) != 1 {
		t.Fatalf("%s is active, campaign 3 at %d", b.sub.activeID, b.started(3))
	}
	b.next(old, campaign(`{"campaignId":1,"startedCalls":12},{"campaignId":9,"startedCalls":1}`))
	if b.started(1) != 12 || b.started(9) != -1 {
		t.Fatalf("%d calls after the old one sent the rest; campaign 9 at %d", b.started(1), b.started(9))
	}
	b.next(fresh, campaign(`{"campaignId":1,"startedCalls":13}`))
	b.next(old, campaign(`{"campaignId":1,"startedCalls":12}`)) // arrives later, but is older
	b.pass(retiredLifetime)
	if b.started(1) != 13 || b.sub.retired.contains(old) {
		t.Fatalf("%d calls in the end; the old one is open: %v", b.started(1), b.sub.retired.contains(old))
	}
}

// TestKeysAloneMakeNothingNewer sends an update that repeats known values.
func TestKeysAloneMakeNothingNewer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	before := b.st.Campaigns.Get(1)
	b.next(b.sub.activeID, campaign(`{"campaignId":1}`))
	b.next(b.sub.activeID, campaign(`{"campaignId":1,"startedCalls":10}`))
	if b.st.Campaigns.Get(1) != before {
		t.Error("an update that changes nothing makes the record newer")
	}
}
