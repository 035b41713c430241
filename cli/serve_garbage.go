package cli

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"wallboard/ui/paint"
)

const (
	// someGarbage is how much there may be on a server, whatever it keeps: where that is
	// little, looking for garbage half as large would be a sixth of the work.
	someGarbage = 112 << 20
	// leastPercent is how much there may be of what is kept, on a server and a board.
	leastPercent = 50
	mostPercent  = 200
)

// percentFor is how much garbage there may be, as a part of so many bytes that are kept.
func percentFor(kept uint64) int {
	return int(min(max(someGarbage*100/max(kept, 1), leastPercent), mostPercent))
}

// collectAsNeeded has garbage be collected as seldom as there is room for it, until the
// context ends, unless somebody has said otherwise. Once a second, half of it away from
// the frames of those who look, it is collected where it would have to be before the next
// time: in the midst of them it would hold up the last ones.
func collectAsNeeded(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const steadily = 10 // percent that it may be beside what is right
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	next := time.NewTimer(untilGap(time.Now()))
	defer next.Stop()
	for present, before := leastPercent, uint64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		metrics.Read(heap)
		kept, used := heap[0].Value.Uint64(), heap[1].Value.Uint64()
		if right := percentFor(kept); max(right-present, present-right) > steadily {
			present = right
			debug.SetGCPercent(present)
		}
		if isDue(kept, before, used, present) {
			runtime.GC()
			metrics.Read(heap)
			used = heap[1].Value.Uint64()
		}
		before = used
		next.Reset(untilGap(time.Now()))
	}
}

// untilGap is how long it is until the middle of a second.
func untilGap(now time.Time) time.Duration {
	const gap = time.Second / 2
	return paint.UntilDue(now, time.Second, gap)
}

// isDue reports whether garbage would be collected within a second or so, where so much is
// used now and before it was that much: the collector begins when seven tenths of the
// garbage that there may be are there.
func isDue(kept, before, used uint64, percent int) bool {
	grown := max(used, before) - before
	return used+grown > kept+kept/100*uint64(percent)/10*7 //nolint:gosec // it is above zero
}
