package feeds

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestFiguresAreNoYoungerAfterACut checks since when the data is stale on a
// connection that delivers updates but never a full state.
func TestFiguresAreNoYoungerAfterACut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	if !b.sub.status.FreshUntil.IsZero() {
		t.Error("live data is not fresh")
	}
	b.pass(time.Minute)
	cut := b.now
	b.sub.handleLinkDown("connection reset", b.now)
	b.pass(time.Minute)
	b.sub.handleLinkUp(b.wire, b.now)
	b.sub.step(b.now)
	b.pass(firstMessageWait)
	b.sub.handleFailure(b.wire.last("query"), nil, b.now)
	b.want(model.SubStale)
	b.pass(time.Second)
	b.next(b.wire.last("subscription"), campaign(`{"campaignId":1,"startedCalls":12}`))
	b.sub.handleLinkDown("connection reset", b.now)
	if got := b.sub.status.FreshUntil; !got.Equal(cut) {
		t.Errorf("fresh until %v, want %v", got, cut)
	}
	b.sub.handleLinkUp(b.wire, b.now)
	b.sub.step(b.now)
	b.live()
	if !b.sub.status.FreshUntil.IsZero() {
		t.Error("data that is live again is not fresh")
	}
}

// TestAnswerThatWasLongUnderWayIsNotTakenForNew answers a poll after more than
// a minute.
func TestAnswerThatWasLongUnderWayIsNotTakenForNew(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sub.delivery.pollInterval, b.sub.retry.failures = 5*time.Second, 4 // a server this slow has failed before
	b.pass(firstMessageWait)
	full := campaign(`{"campaignId":1,"startedCalls":10}`)
	b.next(b.wire.last("query"), full)
	b.want(model.SubPolling)
	b.pass(10 * time.Second)
	b.pass(time.Second)
	q := b.wire.last("query")
	b.pass(70 * time.Second)
	b.next(q, full)
	b.want(model.SubUnverified)
	b.pass(time.Second)
	b.next(b.wire.last("query"), full)
	b.want(model.SubPolling)
}
