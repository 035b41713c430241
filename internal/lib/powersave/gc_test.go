package powersave

import (
	"runtime/debug"
	"testing"
	"time"
)

// TestGarbage checks the minimum garbage for a small heap and half of the heap for a large
// one.
func TestGarbage(t *testing.T) {
	t.Parallel()
	for kept, want := range map[uint64]int{0: 200, 10 << 20: 200, 112 << 20: 100, 150 << 20: 74, 224 << 20: 50, 1 << 30: 50} {
		if got := serverGCPercent(kept); got != want {
			t.Errorf("%d %% of %d MiB, want %d", got, kept>>20, want)
		}
	}
}

// TestBoardGarbage checks that a large floor is collected less often than a small one, and that the
// smallest floors may always have some garbage.
func TestBoardGarbage(t *testing.T) {
	t.Parallel()
	if small, large := boardGCPercent(60<<20, 1), boardGCPercent(220<<20, 1); small != BoardGCPercent || large <= small {
		t.Errorf("%d %% of a small heap, %d %% of a large one", small, large)
	}
	if smallest, empty := boardGCPercent(5<<20, 1), boardGCPercent(0, 1); smallest != 80 || empty != maxGCPercent {
		t.Errorf("%d %% of 5 MiB, %d %% of nothing", smallest, empty)
	}
	if many := boardGCPercent(220<<20, 40); many != BoardGCPercent {
		t.Errorf("%d %% of forty small platforms", many)
	}
}

// TestChangeGCPercent checks that the percentage of a small heap is set after the start of the program, and
// again after the delayed change at its end. The test is not parallel, because GOGC is global.
func TestChangeGCPercent(t *testing.T) { //nolint:paralleltest // see above
	defer debug.SetGCPercent(debug.SetGCPercent(earlyGCPercent))
	if got := changeGCPercent(5<<20, 80); got != earlyGCPercent {
		t.Errorf("%d %% during the start", got)
	}
	for range 2 {
		debug.SetGCPercent(BoardGCPercent)
		if got := changeGCPercent(0, maxGCPercent); got != BoardGCPercent {
			t.Errorf("%d %% before the first collection", got)
		}
		if got := changeGCPercent(5<<20, 80); got != 80 || changeGCPercent(5<<20, 85) != 80 {
			t.Errorf("%d %% of a small heap", got)
		}
	}
}

// TestMemoryLimit checks that the limit follows a growing floor at once and a smaller one later, and
// stays during a reconnect.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, c := range []struct{ limit, live, want uint64 }{
		{0, 0, 96 * mib},
		{96 * mib, 60 * mib, 96 * mib},
		{96 * mib, 78 * mib, 96 * mib}, // a reconnect keeps old and new records for a while
		{96 * mib, 85 * mib, 170 * mib},
		{480 * mib, 280 * mib, 480 * mib},
		{480 * mib, 300 * mib, 600 * mib},
		{480 * mib, 110 * mib, 220 * mib},
		{480 * mib, 10 * mib, 96 * mib},
	} {
		if got := boardMemoryLimit(c.limit, c.live); got != c.want {
			t.Errorf("%d MiB live of %d: limit %d MiB, want %d", c.live/mib, c.limit/mib, got/mib, c.want/mib)
		}
	}
}

// TestGarbageIsDue checks that a collection starts before it would fall into the frames of
// the next second.
func TestGarbageIsDue(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, c := range []struct {
		before, used uint64
		want         bool
	}{
		{80 * mib, 90 * mib, false},
		{120 * mib, 140 * mib, false}, // 160 MiB in a second; a collection would begin at 170 MiB
		{140 * mib, 160 * mib, true},
		{165 * mib, 171 * mib, true},
		{250 * mib, 110 * mib, false}, // a collection has just ended
	} {
		if got := isCollectionDue(100*mib, c.before, c.used, 100); got != c.want {
			t.Errorf("%d MiB after %d: %t", c.used/mib, c.before/mib, got)
		}
	}
	at := time.Date(2026, 11, 25, 9, 0, 0, int(700*time.Millisecond), time.UTC)
	if got := untilHalfSecond(at); got != 800*time.Millisecond {
		t.Errorf("the next gap comes after %v", got)
	}
}

// TestQuietBoard checks that a board is quiet if it uses less than five percent of a core.
func TestQuietBoard(t *testing.T) {
	t.Parallel()
	for used, want := range map[float64]bool{0: true, 0.03: true, 0.26: false, 2: false} {
		if isBoardIdle(used) != want {
			t.Errorf("%v s: quiet is %t", used, !want)
		}
	}
}
