package rtd

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"wallboard/internal/simulator/world"
)

// campaigns returns a table of campaigns, which have few fields, and a subscription
// to those with contacts to do.
func campaigns(ctx context.Context, limit int) (*table[world.CampaignStat, campaignView], <-chan *[]*campaignView, *sync.WaitGroup) {
	t := newTable(&Options{}, nil, (*world.CampaignStat).Key, newCampaignView, []*world.CampaignStat{
		{CampaignID: 1, ToDoContacts: 5}, {CampaignID: 2, ToDoContacts: 5}, {CampaignID: 3},
	})
	sel := selection[world.CampaignStat]{match: func(r *world.CampaignStat) bool { return r.ToDoContacts > 0 }}
	wg := new(sync.WaitGroup)
	return t, t.subscribe(ctx, sel, FirstFull, limit, 0, wg.Go), wg
}

func step(old, cur world.CampaignStat) world.Change[world.CampaignStat] {
	return world.Change[world.CampaignStat]{Old: &old, New: &cur}
}

func TestSlowConsumerLosesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		table, out, wg := campaigns(ctx, 0)
		if first := *<-out; len(first) != 2 || first[0].StartedCalls == nil {
			t.Fatalf("the first message has %d records", len(first))
		}
		synctest.Wait()
		a, b := world.CampaignStat{CampaignID: 1, ToDoContacts: 5}, world.CampaignStat{CampaignID: 2, ToDoContacts: 5}
		for i := range int64(10) { // these updates are not read yet; the consumer holds the first message
			next := a
			next.ToDoContacts, next.TriedContacts = 100-i, i/9
			table.apply([]world.Change[world.CampaignStat]{step(a, next)})
			synctest.Wait()
			a = next
		}
		gone := b
		gone.ToDoContacts = 0
		table.apply([]world.Change[world.CampaignStat]{step(b, gone)})
		one := (*<-out)[0]
		if *one.ToDoContacts != 100 || one.TriedContacts != nil {
			t.Errorf("first update %+v", one)
		}
		rest := *<-out
		if len(rest) != 1 || *rest[0].ToDoContacts != 91 || *rest[0].TriedContacts != 1 || rest[0].StartedCalls != nil {
			t.Errorf("the rest has %d records", len(rest))
		}
		cancel()
		wg.Wait()
		if len(table.subs) != 0 {
			t.Error("the subscription was not removed")
		}
	})
}

func TestRecordsUnderAFilter(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	table, out, wg := campaigns(ctx, 1)
	<-out
	idle := world.CampaignStat{CampaignID: 3}
	loaded := world.CampaignStat{CampaignID: 3, ToDoContacts: 7}
	fresh := &world.CampaignStat{CampaignID: 4, ToDoContacts: 9}
	same := world.CampaignStat{CampaignID: 2, ToDoContacts: 5}
	table.apply([]world.Change[world.CampaignStat]{step(idle, loaded), step(same, same), {New: fresh}})
	var got []int64
	for range 2 { // one record per message; a record that starts to match is complete
		list := *<-out
		if len(list) != 1 || list[0].StartedCalls == nil {
			t.Errorf("%d records: %+v", len(list), list[0])
		}
		got = append(got, int64(*list[0].CampaignID))
	}
	if !slices.Equal(got, []int64{3, 4}) {
		t.Errorf("got campaigns %v", got)
	}
	cancel()
	wg.Wait()
}

func TestDialectCopiesUnknownStrings(t *testing.T) {
	t.Parallel()
	const in = `{"a":[],"b":{},"1":"5","c":"x\"5,null","d":null,"e":[null,-1,2.5,1e3],"f":{"g":null},"h":true,"i":"\u0001x"}`
	for want, d := range map[string]dialect{
		in: {numbers: NumbersInt},
		`{"a":[],"b":{},"1":"5","c":"x\"5,null","e":[null,"-1","2.5","1e3"],"f":{},"h":true,"i":"\u0001x"}`: {
			numbers: NumbersString, nullKeys: NullKeysAbsent,
		},
		`{"a":[],"b":{},"1":"5","c":"x\"5,null","d":null,"e":[null,-1.0,2.5,1e3],"f":{"g":null},"h":true,"i":"\u0001x"}`: {numbers: NumbersFloat},
	} {
		if got := string(d.rewrite([]byte(in), true)); got != want {
			t.Errorf("%+v\ngot  %s\nwant %s", d, got, want)
		}
	}
	d := dialect{numbers: NumbersInt, nullKeys: NullKeysAbsent}
	if got := string(d.rewrite([]byte(`{"x":null,"y":null,"z":1}`), true)); got != `{"z":1}` {
		t.Errorf("got %s", got)
	}
}
