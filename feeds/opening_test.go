package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// wholeCampaign is a campaign with every field but some.
func wholeCampaign(b *bench, id int, but ...string) string {
	fields := []string{fmt.Sprintf(`"campaignId":%d`, id)}
	for _, f := range b.sub.doc.fields {
		if f.Name != "campaignId" && !strings.Contains(strings.Join(but, " "), f.Name) {
			fields = append(fields, fmt.Sprintf(`%q:%d`, f.Name, 10*id))
		}
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// A first message takes the place of the answer to a query when it is the full
// state, as far as can be told from it; what only may be is asked for.
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
				message += strings.Repeat(" ", openingLarge)
			}
			b.next(b.wire.last("subscription"), message)
			asked, state := b.wire.last("query") != "", b.sub.status.State
			if asked == c.is || (state == model.SubLive) != c.is {
				t.Errorf("asked %v, %s", asked, state)
			}
			if c.is && b.st.Campaigns.Get(2).StartedCalls != model.IntOf(20) {
				t.Errorf("campaign 2 is %+v", b.st.Campaigns.Get(2))
			}
		})
	}
}

// The first message of a large subscription is waited for where others were the
// full state, until one was not.
func TestFirstMessageIsWaitedFor(t *testing.T) {
	t.Parallel()
	ids := make([]int64, openingMany)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	b := newBench(t)
	b.sub.opening.platform.full = true
	connect := func() (query string) {
		b.sub.linkDown("", b.now)
		b.sub.ask(campaignsRequest(ids), true, b.now)
		b.sub.linkUp(b.wire, b.now)
		b.sub.step(b.now)
		before := b.wire.last("query")
		b.pass(queryAfter + time.Second)
		if after := b.wire.last("query"); after != before {
			return after
		}
		return ""
	}
	if connect() != "" {
		t.Error("the query did not wait")
	}
	b.pass(openingWithin)
	if b.wire.last("query") == "" {
		t.Error("waited for ever")
	}
	if connect() == "" {
		t.Error("waited once more for what does not come")
	}
}
