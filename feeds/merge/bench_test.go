package merge_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/merge"
	"wallboard/model"
)

// floor is a store with 500 agents and messages that update some of them.
type floor struct {
	store    *model.Store
	plan     *merge.Plan[model.UserStat]
	env      merge.Env
	messages [][]byte
	staged   []*model.UserStat
}

const floorAgents = 500

// newFloor returns a floor whose messages have the given number of items; dense
// ones have a value in every field, the others in five beside the key fields.
func newFloor(tb testing.TB, items int, dense bool) *floor {
	tb.Helper()
	f := &floor{
		store: model.NewStore(),
		plan:  planOf[model.UserStat](tb, "userStats", "username", "channel"),
		env:   merge.Env{Now: now},
	}
	selection := selectionOf(tb, "userStats")
	rnd := rand.New(rand.NewPCG(1, 2))
	all := make([]string, floorAgents)
	for i := range all {
		all[i] = statItem(rnd, selection, i, true)
	}
	f.read(tb, []byte(`{"data":{"userStats":[`+strings.Join(all, ",")+`]}}`))
	for range 100 {
		list := make([]string, items)
		for i := range list {
			list[i] = statItem(rnd, selection, rnd.IntN(floorAgents), dense)
		}
		f.messages = append(f.messages, []byte(`{"data":{"userStats":[`+strings.Join(list, ",")+`]}}`))
	}
	return f
}

// statItem writes one item as a server does: unchanged fields are null.
func statItem(rnd *rand.Rand, selection []merge.Selection, agent int, dense bool) string {
	parts := make([]string, len(selection))
	for i, s := range selection {
		v := "null"
		switch s.Name {
		case "username":
			v = fmt.Sprintf(`"agent%03d"`, agent)
		case "channel":
			v = `"CALL"`
		case "loggedProfileId":
			v = fmt.Sprint(1000 + agent)
		case "status":
			v = []string{`"READY"`, `"BUSY"`, `"WNR"`}[rnd.IntN(3)]
		case "timeInState":
			v = fmt.Sprint(now.UnixMilli() - rnd.Int64N(1e7))
		case "numberCallFromService", "numberCallFromServiceAnswered", "timeInStateReady":
			v = fmt.Sprint(rnd.IntN(10_000))
		default:
			if dense {
				v = denseValue(rnd, s)
			}
		}
		parts[i] = `"` + s.Name + `":` + v
	}
	return `{` + strings.Join(parts, ",") + `}`
}

func denseValue(rnd *rand.Rand, s merge.Selection) string {
	switch {
	case len(s.Fields) > 0:
		return fmt.Sprintf(`[{"activityCode":"break","totalTime":%d},{"activityCode":"coaching","totalTime":%d}]`,
			rnd.IntN(10_000), rnd.IntN(10_000))
	case strings.HasPrefix(s.Name, "number"), strings.HasPrefix(s.Name, "timeIn"), s.Name == "userSite":
		return fmt.Sprint(rnd.IntN(10_000))
	}
	return fmt.Sprintf(`"%s-%02d"`, s.Name, rnd.IntN(20))
}

// read merges a message with a plan and stores the records if all of it was
// valid. Like the other two ways that are measured, it does not call tb.Helper,
// which unwinds the stack.
func (f *floor) read(tb testing.TB, payload []byte) {
	f.staged = f.staged[:0]
	_, err := f.plan.Read(payload, "userStats", &f.env, f.each)
	if err != nil {
		tb.Fatal(err)
	}
	for _, r := range f.staged {
		f.store.UserStats.Put(r)
	}
}

func (f *floor) each(it *merge.Item[model.UserStat]) error {
	r := new(model.UserStat)
	if old := f.store.UserStats.Get(it.Key.Key()); old != nil {
		*r = *old
	}
	f.staged = append(f.staged, r)
	return it.Merge(r)
}

// readJSON does the same with encoding/json and a patch of pointers.
func (f *floor) readJSON(tb testing.TB, payload []byte) {
	var msg struct {
		Data struct {
			UserStats []statPatch `json:"userStats"`
		} `json:"data"`
	}
	if err := json.Unmarshal(payload, &msg); err != nil {
		tb.Fatal(err)
	}
	for i := range msg.Data.UserStats {
		p := &msg.Data.UserStats[i]
		r := new(model.UserStat)
		key := model.UserStatKey{Username: *p.Username, Channel: model.Channel(*p.Channel)}
		if old := f.store.UserStats.Get(key); old != nil {
			*r = *old
		}
		p.merge(r)
		f.store.UserStats.Put(r)
	}
}

// skip scans a message without using it.
func (f *floor) skip(tb testing.TB, payload []byte) {
	if res, err := f.plan.Read(payload, "another root", &f.env, nil); err != nil || res.HasData {
		tb.Fatal(res, err)
	}
}

// BenchmarkMerge decodes and merges one message: sparse is a typical update,
// dense has a value in every field.
func BenchmarkMerge(b *testing.B) {
	for _, items := range []int{1, 50} {
		for _, shape := range []string{"sparse", "dense"} {
			for _, way := range []struct {
				name string
				read func(*floor, testing.TB, []byte)
			}{
				{"plan", (*floor).read},
				{"encoding-json", (*floor).readJSON},
				{"skip-only", (*floor).skip},
			} {
				b.Run(fmt.Sprintf("items=%d/%s/%s", items, shape, way.name), func(b *testing.B) {
					f := newFloor(b, items, shape == "dense")
					b.SetBytes(int64(len(f.messages[0])))
					perItem(b, items, func(i int) { way.read(f, b, f.messages[i%len(f.messages)]) })
				})
			}
		}
	}
}

// perItem runs a benchmark and reports the cost per item.
func perItem(b *testing.B, items int, message func(i int)) {
	b.Helper()
	var before, after runtime.MemStats
	n := 0
	runtime.ReadMemStats(&before)
	start := time.Now()
	for b.Loop() {
		message(n)
		n++
	}
	total := float64(n * items)
	took := time.Since(start).Seconds()
	runtime.ReadMemStats(&after)
	b.ReportMetric(total/took, "items/s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/total, "allocs/item")
}

// Merging an item costs little more than the copy of its record.
func TestMergeAllocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	const limit = 1.5
	for _, items := range []int{1, 50} {
		f := newFloor(t, items, false)
		for _, m := range f.messages {
			f.read(t, m)
		}
		i := 0
		perMessage := testing.AllocsPerRun(200, func() {
			f.read(t, f.messages[i%len(f.messages)])
			i++
		})
		if per := perMessage / float64(items); per > limit {
			t.Errorf("%.2f allocations per item in messages of %d, want at most %g", per, items, limit)
		}
	}
}
