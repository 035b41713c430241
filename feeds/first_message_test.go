package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// fanEvery is the interval at which feeds/dialect sends the pieces of a
// subscription.
const fanEvery = 50 * time.Millisecond

// wholeCampaign returns a campaign with all fields except some.
func wholeCampaign(b *bench, id int, but ...string) string {
	fields := []string{fmt.Sprintf(`"campaignId":%d`, id)}
	for _, f := range b.sub.doc.Fields {
		if f.Name != "campaignId" && !strings.Contains(strings.Join(but, " "), f.Name) {
			fields = append(fields, fmt.Sprintf(`%q:%d`, f.Name, 10*id))
		}
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// A first message replaces the answer to a query if it is recognizably the full
// state; doubtful cases are queried.
func TestFirstMessageThatIsTheFullState(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		records func(b *bench) []string
		large   bool
		is      bool
	}{
		"everything": {func(b *bench) []string { return []string{wholeCampaign(b, 1), wholeCampaign(b, 2)} }, true, true},
		"all lack the same": {func(b *bench) []string {
			return []string{wholeCampaign(b, 1, "okContacts"), wholeCampaign(b, 2, "okContacts")}
		}, true, true},
		"small":       {func(b *bench) []string { return []string{wholeCampaign(b, 1), wholeCampaign(b, 2)} }, false, false},
		"one missing": {func(b *bench) []string { return []string{wholeCampaign(b, 1)} }, true, false},
		"one twice":   {func(b *bench) []string { return []string{wholeCampaign(b, 1), wholeCampaign(b, 1)} }, true, false},
		"one lacks a field": {func(b *bench) []string {
			return []string{wholeCampaign(b, 1), wholeCampaign(b, 2, "okContacts")}
		}, true, false},
		"keys only": {func(*bench) []string { return []string{`{"campaignId":1}`, `{"campaignId":2}`} }, true, false},
		"no keys":   {func(*bench) []string { return []string{`{"startedCalls":1}`, `{"startedCalls":2}`} }, true, false},
		"nothing":   {func(*bench) []string { return nil }, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			message := campaign(strings.Join(c.records(b), ","))
			if c.large {
				message += strings.Repeat(" ", minFirstMessageBytes)
			}
			b.next(b.wire.last("subscription"), message)
			asked, state := b.wire.last("query") != "", b.sub.status.State
			if asked == c.is || (state == model.SubLive) != c.is {
				t.Errorf("queried %v, %s", asked, state)
			}
			if c.is && b.st.Campaigns.Get(2).StartedCalls != model.IntOf(20) {
				t.Errorf("campaign 2 is %+v", b.st.Campaigns.Get(2))
			}
		})
	}
}

// The board waits longer for the first message of a large subscription as long as the previous first message
// was a full state.
func TestFirstMessageIsWaitedFor(t *testing.T) {
	t.Parallel()
	ids := make([]int64, minFirstMessageRecords)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	b := newBench(t)
	b.sub.handover.firstMessage.facts.lastWasFullState = true
	connect := func() (query string) {
		b.sub.handleLinkDown("", b.now)
		b.sub.setWanted(graphql.CampaignsRequest(ids), true, b.now)
		b.sub.handleLinkUp(b.wire, b.now)
		b.sub.step(b.now)
		before := b.wire.last("query")
		b.pass(firstMessageWait + time.Second)
		if after := b.wire.last("query"); after != before {
			return after
		}
		return ""
	}
	if connect() != "" {
		t.Error("the query did not wait")
	}
	b.pass(firstMessageTimeout)
	if b.wire.last("query") == "" {
		t.Error("the query is never sent")
	}
	if connect() == "" {
		t.Error("waited again for a message that does not come")
	}
}

// The first messages of all pieces together are the full state, with later
// updates on top. If one of them is incomplete, the full state is queried.
func TestFirstMessagesOfPieces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second string // first message of the second piece; "": none
		is     bool
	}{
		"all whole":   {`"whole"`, true},
		"one in part": {`{"campaignId":2,"startedCalls":20}`, false},
		"one without": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.sub.handleLinkDown("", b.now)
			b.sub.dialect.HalveMaxKeys(opCampaigns, 2)
			b.sub.handleLinkUp(b.wire, b.now)
			b.pass(0)
			first := b.wire.last("subscription")
			b.pass(fanEvery)
			second := b.wire.last("subscription")
			b.next(first, campaign(wholeCampaign(b, 1)+strings.Repeat(" ", minFirstMessageBytes)))
			b.next(first, campaign(`{"campaignId":1,"startedCalls":11}`))
			b.pass(maxFirstMessageWait)
			if b.wire.last("query") != "" || b.sub.status.State == model.SubLive {
				t.Fatalf("%s before the second piece has sent; query %q", b.sub.status.State, b.wire.last("query"))
			}
			switch c.second {
			case "":
				b.pass(firstMessageTimeout)
			case `"whole"`:
				b.next(second, campaign(wholeCampaign(b, 2)))
			default:
				b.next(second, campaign(c.second))
			}
			if asked, state := b.wire.last("query") != "", b.sub.status.State; asked == c.is || (state == model.SubLive) != c.is {
				t.Fatalf("queried %v, %s", asked, state)
			}
			if !c.is { // the query is not answered: only the first messages have arrived
				b.sub.handleFailure(b.sub.requests.OpenPieces(b.sub.handover.queryID)[0], nil, b.now)
				b.want(model.SubUnverified)
			}
			if b.started(1) != 11 || c.second != "" && b.started(2) != 20 {
				t.Errorf("campaigns 1 and 2 at %d and %d", b.started(1), b.started(2))
			}
		})
	}
}

// A subscription to very many records is split, unless the server refuses more
// than one subscription.
func TestLargeSubscriptionsAreCut(t *testing.T) {
	t.Parallel()
	ids := make([]int64, 4001)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	b := newBench(t)
	b.sub.handleLinkDown("", b.now)
	b.sub.setWanted(graphql.CampaignsRequest(ids), true, b.now)
	b.sub.handleLinkUp(b.wire, b.now)
	before := b.wire.n
	b.pass(0)
	b.pass(fanEvery)
	second := b.wire.last("subscription")
	if how, _ := b.sub.requests.SentRequest(second); b.wire.n != before+2 || b.sub.requests.OperationID(second) == second || how.Keys != 1 {
		t.Fatalf("%d operations, %+v", b.wire.n-before, how)
	}
	if !b.sub.requests.RefusesPieces(second, b.sub.handover.pendingID) || !b.sub.restartOperation(second, 0, b.now) {
		t.Fatal("the refusal of the second piece is ignored")
	}
	whole := b.wire.last("subscription")
	if how, _ := b.sub.requests.SentRequest(whole); b.wire.n != before+3 || b.sub.handover.pendingID != whole || how.Keys != len(ids) {
		t.Errorf("%d operations, %d keys in the last", b.wire.n-before, how.Keys)
	}
	if b.sub.requests.RefusesPieces(whole, b.sub.handover.pendingID) {
		t.Error("an unsplit subscription is split differently")
	}
}

// Updates of some pieces that arrive before the first messages of other pieces are applied on top of the full
// state that the first messages form, also next to an active subscription. First messages that arrive during
// the query for the full state are applied on top of the answer.
func TestUpdatesBetweenFirstMessages(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T) (b *bench, first, second string) {
		t.Helper()
		b = newBench(t)
		b.pass(firstMessageWait)
		b.next(b.wire.last("query"), campaign(wholeCampaign(b, 1)+","+wholeCampaign(b, 2)))
		b.want(model.SubLive)
		b.sub.dialect.HalveMaxKeys(opCampaigns, 2)
		b.sub.needsResubscribe = true
		b.pass(time.Second)
		first = b.wire.last("subscription")
		b.pass(fanEvery)
		return b, first, b.wire.last("subscription")
	}
	t.Run("all tell in time", func(t *testing.T) {
		t.Parallel()
		b, first, second := begin(t)
		b.next(first, campaign(wholeCampaign(b, 1)+strings.Repeat(" ", minFirstMessageBytes)))
		b.next(first, campaign(`{"campaignId":1,"startedCalls":11}`))
		b.next(second, campaign(wholeCampaign(b, 2)))
		if b.sub.handover.pendingID != "" || b.started(1) != 11 || b.started(2) != 20 {
			t.Errorf("pending %q, campaigns 1 and 2 at %d and %d", b.sub.handover.pendingID, b.started(1), b.started(2))
		}
	})
	t.Run("late", func(t *testing.T) {
		t.Parallel()
		b, _, _ := begin(t)
		b.sub.handleLinkDown("", b.now)
		b.sub.handleLinkUp(b.wire, b.now)
		b.pass(0)
		first := b.wire.last("subscription")
		b.pass(fanEvery)
		b.pass(maxFirstMessageWait)
		b.next(first, campaign(strings.Replace(wholeCampaign(b, 1), `"startedCalls":10`, `"startedCalls":12`, 1)))
		for _, id := range b.sub.requests.OpenPieces(b.sub.handover.queryID) {
			b.next(id, campaign(`{"campaignId":1,"startedCalls":10}`))
		}
		if b.sub.handover.pendingID != "" || b.started(1) != 12 {
			t.Errorf("pending %q, campaign 1 at %d", b.sub.handover.pendingID, b.started(1))
		}
	})
}
