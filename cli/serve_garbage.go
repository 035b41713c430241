package cli

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// someGarbage is how much there may be on a server, whatever it keeps: where that is
	// little, looking for garbage half as large would be a sixth of the work.
	someGarbage = 96 << 20
	// leastPercent is how much there may be of what is kept, on a server and a board.
	leastPercent = 50
	mostPercent  = 200
)

// percentFor is how much garbage there may be, as a part of so many bytes that are kept.
func percentFor(kept uint64) int {
	return int(min(max(someGarbage*100/max(kept, 1), leastPercent), mostPercent))
}

// collectAsNeeded has garbage be collected as seldom as there is room for it, until the
// context ends, unless somebody has said otherwise.
func collectAsNeeded(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const (
		every    = time.Second // many may come at once
		steadily = 10          // percent that it may be beside what is right
	)
	kept := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for present := leastPercent; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(kept)
		if right := percentFor(kept[0].Value.Uint64()); max(right-present, present-right) > steadily {
			present = right
			debug.SetGCPercent(present)
		}
	}
}
