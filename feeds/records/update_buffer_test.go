package records

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestBacklog compares the updates read from any position with those added,
// compressed or not.
func TestBacklog(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "updates")
		long := rapid.IntRange(1, 1000).Draw(t, "length")
		var b UpdateBuffer
		var want []string
		for i := range n {
			update := fmt.Sprintf(`{"data":{"userStats":[{"id":%d,"name":"%0*d"}]}}`, i, long, i)
			if !b.Add([]byte(update), 1<<30) {
				t.Fatalf("no room for update %d", i)
			}
			want = append(want, update)
		}
		if b.Len() != n {
			t.Fatalf("%d updates, want %d", b.Len(), n)
		}
		first := rapid.IntRange(0, n).Draw(t, "first")
		var got []string
		for p := range b.UpdatesFrom(first) {
			got = append(got, string(p))
		}
		if d := cmp.Diff(want[first:], got, cmp.Transformer("empty", func(l []string) []string { return append([]string{}, l...) })); d != "" {
			t.Fatal(d)
		}
		for p := range b.UpdatesFrom(first) { // the loop may be left at any time
			if string(p) != want[first] {
				t.Fatalf("first update: %s", p)
			}
			break
		}
	})
}

// TestBacklogIsBounded: if an update does not fit, all are dropped.
func TestBacklogIsBounded(t *testing.T) {
	t.Parallel()
	var b UpdateBuffer
	update := []byte(`{"data":{"users":[{"id":1}]}}`)
	for i := range 10 {
		if !b.Add(update, 10*len(update)) {
			t.Fatalf("no room for update %d", i)
		}
	}
	if b.Add(update, 10*len(update)) {
		t.Error("there was room for the eleventh")
	}
	if left := slices.Collect(b.UpdatesFrom(0)); len(left) != 0 || b.Len() != 0 {
		t.Errorf("%d updates are left", len(left))
	}
}

// BenchmarkBacklog stores 10,000 similar updates and reads them again. packed
// is the compression ratio.
func BenchmarkBacklog(b *testing.B) {
	updates := make([][]byte, 10_000)
	total := 0
	for i := range updates {
		updates[i] = fmt.Appendf(nil, `{"data":{"userStats":[{"username":"agent%d","channel":"CALL","state":"TALKING","timeInState":%d,"answered":%d,"average":%d.5}]}}`, i*7919%10_000, i*31, i%50, i%300)
		total += len(updates[i])
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	var kept UpdateBuffer
	for b.Loop() {
		kept = UpdateBuffer{}
		for _, u := range updates {
			kept.Add(u, 1<<30)
		}
		for u := range kept.UpdatesFrom(0) {
			_ = u
		}
	}
	size := len(kept.uncompressed)
	for _, p := range kept.packed {
		size += len(p.data)
	}
	b.ReportMetric(float64(size)/float64(total), "packed")
}
