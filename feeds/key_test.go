package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// keyless brings the bench to one subscription per campaign, 1 at 10 calls and
// 2 at 20, and returns the subscriptions.
func (b *bench) keyless() (first, second string) {
	b.t.Helper()
	b.pass(firstMessageWait)
	full := campaign(`{"campaignId":1,"startedCalls":10},{"campaignId":2,"startedCalls":20}`)
	b.next(b.wire.last("query"), full)
	for n := range dialect.EnoughEvidence {
		if strings.Contains(b.wire.sent[b.wire.last("subscription")], "campaigns:[2]") {
			b.t.Fatalf("after %d updates without a key there is a subscription for each", n)
		}
		b.next("1", campaign(`{"campaignId":null,"startedCalls":11}`))
		for range 20 {
			b.pass(100 * time.Millisecond)
		}
		if n < dialect.EnoughEvidence-1 {
			b.next(b.wire.last("query"), full)
		}
	}
	for id, text := range b.wire.sent {
		switch {
		case strings.HasPrefix(text, "subscription") && strings.Contains(text, "campaigns:[1]"):
			first = id
		case strings.HasPrefix(text, "subscription") && strings.Contains(text, "campaigns:[2]"):
			second = id
		}
	}
	if first == "" || second == "" {
		b.t.Fatalf("no subscription for each: %q", b.wire.sent)
	}
	b.next(first, campaign(`{"campaignId":1,"startedCalls":10}`)) // some servers send the whole record first
	b.next(b.wire.last("query"), full)
	b.pass(2 * time.Second)
	b.next(b.wire.last("query"), full) // this query finds the updates that the old subscription dropped meanwhile
	b.want(model.SubLive)
	return first, second
}

// TestUpdatesWithoutKeySettle: a server sends its key fields as null.
func TestUpdatesWithoutKeySettle(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, second := b.keyless()
	sent := b.wire.n
	for n := range int64(30) {
		b.next(first, campaign(fmt.Sprintf(`{"campaignId":null,"startedCalls":%d}`, 100+n)))
		b.next(second, campaign(fmt.Sprintf(`{"startedCalls":%d,"campaignId":null}`, 200+n)))
		b.next(second, campaign(`{}`))
		b.pass(time.Second)
	}
	if b.started(1) != 129 || b.started(2) != 229 {
		t.Errorf("started %d and %d, want 129 and 229", b.started(1), b.started(2))
	}
	if b.wire.n != sent || b.sub.status.BadMessages != dialect.EnoughEvidence {
		t.Errorf("%d requests more, %d bad messages", b.wire.n-sent, b.sub.status.BadMessages)
	}
	b.want(model.SubLive)
}

// TestRecordThatAnAuditFindsIsSubscribed: a campaign appears without an update.
func TestRecordThatAnAuditFindsIsSubscribed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.keyless()
	three := campaign(`{"campaignId":1,"startedCalls":10},{"campaignId":2,"startedCalls":20},{"campaignId":3}`)
	for range 3 { // the early check ignores the difference; later checks make it a suspect
		b.pass(time.Minute)
		b.sub.startCheck(0, 0, b.now)
		b.next(b.sub.audit.RunningQuery(), three)
	}
	for range 5 {
		b.pass(time.Second)
	}
	if got := b.wire.sent[b.wire.last("subscription")]; !strings.Contains(got, "campaigns:[3]") {
		t.Errorf("last operation: %s", got)
	}
}
