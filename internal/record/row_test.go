package record

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRows encodes lists of integers against others: changed, moved, reversed, emptied
// and unrelated.
func TestRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 9))
	var old []int64
	for i := range 3000 {
		now := slices.Clone(old)
		for range rng.IntN(6) {
			at := rng.IntN(len(now) + 1)
			switch rng.IntN(5) {
			case 0:
				now = slices.Insert(now, at, rng.Int64N(40), rng.Int64N(40))
			case 1:
				now = slices.Delete(now, at, min(at+rng.IntN(60), len(now)))
			case 2:
				now = append(now[at:], now[:at]...)
			case 3:
				slices.Reverse(now[at:])
			case 4:
				for range rng.IntN(90) {
					now = append(now, int64(rng.Uint64()))
				}
			}
		}
		if i%50 == 0 {
			now = [][]int64{nil, {}, {5}}[rng.IntN(3)]
		}
		var e encoder
		e.writeIntList(old, now)
		for _, wanted := range []bool{true, false} {
			d, got := decoder{data: e.buf}, slices.Clone(old)
			if wanted {
				d.readIntList(&got)
			} else {
				d.readIntList(nil)
			}
			if d.err != nil || len(d.data) > 0 {
				t.Fatalf("%v against %v: %v, %d bytes left", now, old, d.err, len(d.data))
			}
			if wanted && (!slices.Equal(got, now) || (got == nil) != (now == nil)) {
				t.Fatalf("%v against %v: read as %v", now, old, got)
			}
		}
		old = now
	}
}

// TestRowOfOneMore inserts and removes an element in the middle of a long list: only
// that is written.
func TestRowOfOneMore(t *testing.T) {
	t.Parallel()
	long := make([]int64, 2000)
	for i := range long {
		long[i] = int64(i) * 3
	}
	for name, now := range map[string][]int64{
		"one more": slices.Insert(slices.Clone(long), 1000, 3001), "one less": slices.Delete(slices.Clone(long), 1000, 1001),
		"another": append(append(slices.Clone(long[:1000]), 7), long[1001:]...),
	} {
		var e encoder
		e.writeIntList(long, now)
		if len(e.buf) > 10 {
			t.Errorf("%s: %d bytes", name, len(e.buf))
		}
	}
}

// TestRowOfNonsense decodes invalid data: it ends with an error.
func TestRowOfNonsense(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{
		"more than there was": {4, 3}, "longer than all": {255, 255, 255, 255, 127, 0}, "more new ones than there are": {4, 0, 0, 3, 2},
		"passed over more than there were": {4, 0, 9, 1, 2}, "more new ones than are announced": {2, 0, 0, 2, 2, 2}, "no end": {4, 1, 0},
	} {
		d, got := decoder{data: b}, []int64{1, 2}
		if d.readIntList(&got); d.err == nil || !slices.Equal(got, []int64{1, 2}) {
			t.Errorf("%s: %v, %v", name, got, d.err)
		}
	}
}
