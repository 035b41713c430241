package model_test

import (
	"fmt"
	"slices"
	"testing"

	"wallboard/model"
)

// agents returns a store with n published agents, and their keys.
func agents(n int) (*model.Store, []model.UserStatKey) {
	s := model.NewStore()
	keys := make([]model.UserStatKey, n)
	for i := range keys {
		r := &model.UserStat{Username: model.TextOf(fmt.Sprintf("agent%05d", i))}
		r.Channel = model.Call
		r.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "break", TotalTime: model.IntOf(1)}, {ActivityCode: "coaching"}}
		r.TimeInActivityCodeStateBusy = slices.Clone(r.TimeInActivityCode)
		r.TimeInActivityCodeStateNotReady = slices.Clone(r.TimeInActivityCode)
		s.UserStats.Put(r)
		keys[i] = r.Key()
	}
	s.Publish(noon, model.Health{})
	return s, keys
}

// change updates a record as a feed does.
func change(s *model.Store, k model.UserStatKey, v int64) {
	r := *s.UserStats.Get(k)
	r.NumberCallIn = model.IntOf(v)
	s.UserStats.Put(&r)
}

// BenchmarkPublish copies a tenth of the records, puts them and publishes. For comparison,
// another benchmark copies every record with its lists.
func BenchmarkPublish(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		s, keys := agents(n)
		b.Run(fmt.Sprintf("users=%d/changed=10%%/share", n), func(b *testing.B) {
			b.ReportAllocs()
			for round := int64(0); b.Loop(); round++ {
				for i := range n / 10 {
					change(s, keys[(i*10+int(round))%n], round)
				}
				s.Publish(noon, model.Health{})
			}
		})
		b.Run(fmt.Sprintf("users=%d/changed=10%%/deep-copy", n), func(b *testing.B) {
			b.ReportAllocs()
			live := make([]*model.UserStat, 0, n)
			for _, r := range s.UserStats.Rows() {
				live = append(live, deepCopy(r))
			}
			var published []*model.UserStat
			for round := int64(0); b.Loop(); round++ {
				for i := range n / 10 {
					live[(i*10+int(round))%n].NumberCallIn = model.IntOf(round)
				}
				published = make([]*model.UserStat, 0, n)
				for _, r := range live {
					published = append(published, deepCopy(r))
				}
			}
			_ = published
		})
	}
}

func deepCopy(r *model.UserStat) *model.UserStat {
	c := *r
	c.TimeInActivityCode = slices.Clone(r.TimeInActivityCode)
	c.TimeInActivityCodeStateBusy = slices.Clone(r.TimeInActivityCodeStateBusy)
	c.TimeInActivityCodeStateNotReady = slices.Clone(r.TimeInActivityCodeStateNotReady)
	return &c
}

// TestPublishAllocations checks that a snapshot copies only the changed records and the pointers to all
// records. The index is shared until a record is added or removed.
func TestPublishAllocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	const changed = 100
	s, keys := agents(1000)
	round := int64(0)
	got := testing.AllocsPerRun(50, func() {
		for _, k := range keys[:changed] {
			change(s, k, round)
		}
		s.Publish(noon, model.Health{})
		round++
	})
	if limit := float64(changed + 5); got > limit {
		t.Errorf("%v allocations for %d changed records, want at most %v", got, changed, limit)
	}
	if got := testing.AllocsPerRun(50, func() { s.Publish(noon, model.Health{}) }); got > 1 {
		t.Errorf("%v allocations for a snapshot without changes, want one", got)
	}
}
