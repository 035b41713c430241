package merge_test

import (
	"slices"
	"testing"

	"wallboard/feeds/merge"
	"wallboard/model"
)

func TestDifferencesTakenOverLeaveNone(t *testing.T) {
	t.Parallel()
	plan := planOf[model.Service](t, "serviceStats", "code", "channel")
	d := plan.NewDiffer([]string{"receivedCalls"})
	read := func(fields string) *model.Service {
		rec := new(model.Service)
		_, err := plan.Read([]byte(`{"data":{"serviceStats":[{"code":"A","channel":"CALL"`+fields+`}]}}`), "serviceStats",
			&merge.Env{}, func(it *merge.Item[model.Service]) error { return it.Merge(rec) })
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	for name, tt := range map[string]struct {
		ours, theirs string
		want         []string // path: ours -> theirs
	}{
		"same": {`,"channelStats":{"queuedCalls":1}`, `,"channelStats":{"queuedCalls":1}`, nil},
		"value": {
			`,"channelStats":{"queuedCalls":2}`, `,"channelStats":{"queuedCalls":1}`,
			[]string{"channelStats.queuedCalls: 2 -> 1"},
		},
		"fallen": {
			`,"channelStats":{"receivedCalls":2}`, `,"channelStats":{"receivedCalls":1}`,
			[]string{"channelStats.receivedCalls: 2 -> 1 fallen"},
		},
		"cleared": {
			`,"channelStats":{"queuedCalls":2}`, ``, []string{"channelStats.queuedCalls: 2 -> null cleared"},
		},
		"elements": {
			`,"customStats":[{"key":"a","value":{"value":1}},{"key":"b","value":{"value":2}},{"key":"c","value":{"value":3}}]`,
			`,"customStats":[{"key":"c","value":{"value":3}},{"key":"b","value":{"value":5}},{"key":"d","value":{"value":4}}]`,
			[]string{
				`customStats[a]: {"key":"a","value":{"aggregatedValue":null,"value":1}} -> null cleared`,
				`customStats[b]: {"key":"b","value":{"aggregatedValue":null,"value":2}} -> {"key":"b","value":{"aggregatedValue":null,"value":5}}`,
				`customStats[d]: null -> {"key":"d","value":{"aggregatedValue":null,"value":4}}`,
			},
		},
		"order": {
			`,"customStats":[{"key":"a"},{"key":"b"}]`, `,"customStats":[{"key":"b"},{"key":"a"}]`, nil,
		},
		"emptied": {
			`,"customStats":[{"key":"a"}]`, `,"customStats":[]`,
			[]string{`customStats[a]: {"key":"a","value":{"aggregatedValue":null,"value":null}} -> null cleared`},
		},
		"unknown": {`,"customStats":[]`, ``, []string{"customStats[]: [] -> null cleared"}},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := read(tt.ours), read(tt.theirs)
			before := *ours
			fixed := *ours
			var got []string
			for diff := range d.Diff(ours, theirs) {
				line := diff.Path + ": " + diff.Ours + " -> " + diff.Theirs
				if diff.CounterFell {
					line += " fallen"
				}
				if diff.MissingInTheirs() {
					line += " cleared"
				}
				got = append(got, line)
				d.CopyDifference(&fixed, theirs, diff)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("differences %q\nwant %q", got, tt.want)
			}
			if !d.Equal(&fixed, theirs) {
				t.Errorf("the repaired record differs from theirs: %+v", fixed)
			}
			if d.Equal(&before, theirs) != (tt.want == nil) || !d.Equal(&before, ours) {
				t.Error("our record was changed")
			}
		})
	}
}
