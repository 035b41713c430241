// Package powersave makes a long-running program use little CPU time and memory. It
// aligns periodic work to full seconds, adjusts garbage collection, limits a quiet program to
// one CPU, and releases pages of the program file that only the start of the program needed.
// A [RecentCache] caches only values that were used within the last seconds.
// The Adjust functions run until their context ends. A [Ticker] needs no goroutine of its own.
package powersave

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// baseGarbage is the amount of garbage, in bytes, that a server may always have. Without it,
	// garbage collection would take a sixth of the CPU time of a server with a small live heap.
	baseGarbage = 112 << 20
	// ServerGCPercent is the smallest value of GOGC on a server.
	ServerGCPercent = 50
	maxGCPercent    = 200

	// BoardGCPercent is the smallest value of GOGC on a board. A collection takes about 0.4 ms of
	// CPU time per MiB of live heap.
	BoardGCPercent = 30
	// baseBoardGarbage is the amount of garbage, in bytes, that a board may always have. Without it,
	// garbage collection would take a quarter of the CPU time of a board with 60 agents.
	baseBoardGarbage = 4 << 20
	// largeHeap is the size of the live heap, in bytes, above which a board uses
	// largeBoardGCPercent. About 10,000 agents need such a heap. With BoardGCPercent, garbage
	// collection would take a fifth of the CPU time of such a board.
	largeHeap           = 150 << 20
	largeBoardGCPercent = 60
	boardCheckInterval  = time.Second

	// minBoardMemory is the smallest memory limit of a board, in bytes. The live heap of 5,000
	// agents on two channels is 60 MiB, or 75 MiB while a reconnect keeps the old records
	// besides the new ones.
	minBoardMemory = 96 << 20
)

// minChange is the smallest change of GOGC that is made, because each one stops the program briefly.
const minChange = 10

// gcDelay is how long [AvoidEarlyCollections] avoids most garbage collections.
const gcDelay = time.Second

// earlyGCPercent is the value of GOGC while the program starts. It is greater than all others.
const earlyGCPercent = 400

// AvoidEarlyCollections sets GOGC to earlyGCPercent, and after gcDelay to percent. It does nothing if the
// environment sets GOGC. The returned function stop cancels the second change.
//
// While the program starts, there is almost no garbage, and a collection would only delay the
// first frame. Later, each update creates new records: with the default GOGC of 100, half of
// the memory of a large board would be garbage.
func AvoidEarlyCollections(percent int) (stop func() bool) {
	if os.Getenv("GOGC") != "" {
		return func() bool { return false }
	}
	debug.SetGCPercent(earlyGCPercent)
	return time.AfterFunc(gcDelay, func() { debug.SetGCPercent(percent) }).Stop
}

// changeGCPercent sets GOGC to wanted, unless the difference is small, and returns the value of GOGC. It
// reads the old value from the runtime, because [AvoidEarlyCollections] changes GOGC at its own time. live is
// the size of the live heap. changeGCPercent changes nothing before the change by AvoidEarlyCollections, nor
// before the first collection, while live is 0.
func changeGCPercent(live uint64, wanted int) int {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	current := int(percent[0].Value.Uint64()) //nolint:gosec // a small number
	if live == 0 || current == earlyGCPercent || max(wanted-current, current-wanted) <= minChange {
		return current
	}
	debug.SetGCPercent(wanted)
	return wanted
}

// AdjustBoardMemory adjusts GOGC and the memory limit to the live heap of a board until ctx ends,
// and lets the board run on one CPU while it is quiet. It returns memory to the system: free
// pages of the heap once after the start, and unused pages of the program file periodically. If
// the environment sets GOGC, AdjustBoardMemory changes neither GOGC nor the memory limit. GOMEMLIMIT in
// the environment fixes the memory limit, and GOMAXPROCS fixes the number of CPUs. platforms is
// the number of platforms on the board.
func AdjustBoardMemory(ctx context.Context, platforms int) {
	limit, limited, used := uint64(0), false, 0.0
	adjustGC := func(live uint64) {
		if os.Getenv("GOGC") != "" {
			return
		}
		changeGCPercent(live, boardGCPercent(live, platforms))
		if wanted := boardMemoryLimit(limit, live); wanted != limit && os.Getenv("GOMEMLIMIT") == "" {
			limit = wanted
			debug.SetMemoryLimit(int64(limit)) //nolint:gosec // far below the maximum
		}
	}
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/cpu/classes/user:cpu-seconds"}}
	tick := NewTicker(boardCheckInterval)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(samples)
		adjustGC(samples[0].Value.Uint64())
		if n%checksPerDecision != 0 {
			continue
		}
		before := used
		used = samples[1].Value.Float64()
		if quiet := n > 0 && isBoardIdle(used-before); quiet != limited && os.Getenv("GOMAXPROCS") == "" {
			limited = quiet
			limitCPUs(limited)
		}
		if n == checksPerDecision {
			debug.FreeOSMemory() // the start of the program needed more memory
		}
		if n%checksPerRelease == checksPerDecision {
			releaseProgramPages()
		}
	}
}

const (
	// checksPerDecision is the number of checks between two decisions about the number of CPUs.
	checksPerDecision = 5
	// checksPerRelease is the number of checks between two releases of unused pages of the program file.
	// It is a multiple of checksPerDecision. The first use of a released page costs about a microsecond, and
	// a board uses about 400 different ones in a minute.
	checksPerRelease = int(time.Minute / boardCheckInterval)
)

// isBoardIdle reports whether a board needs only one CPU. used is the CPU time, in seconds, that
// it used during the last checksPerDecision checks. The runtime updates the CPU time only at a garbage
// collection, so used is 0 for a board that has created little garbage.
func isBoardIdle(used float64) bool { return used < checksPerDecision*boardCheckInterval.Seconds()/20 }

// limitCPUs makes the program run on one CPU if limited is true, and otherwise on all CPUs.
// With several CPUs, the runtime wakes up a thread on another CPU for nearly every event,
// which takes a fifth of the CPU time of a quiet board.
func limitCPUs(limited bool) {
	if limited {
		runtime.GOMAXPROCS(1)
	} else {
		runtime.SetDefaultGOMAXPROCS()
	}
}

// boardMemoryLimit returns the memory limit of a board in bytes. limit is the current limit, or 0
// for none. live is the size of the live heap in bytes.
//
// The limit bounds the memory that GOGC does not count: free pages that are not yet returned to the
// system, which are a fifth of the memory after a reconnect. The limit minBoardMemory grows only
// when 17/20 of it are live, which a reconnect of 5,000 agents does not reach. A higher limit grows
// once the live heap exceeds three fifths of it, so that only GOGC decides when a larger board
// collects.
func boardMemoryLimit(limit, live uint64) uint64 {
	if limit == 0 || live > limit/5*3 && limit > minBoardMemory || live > limit/20*17 || live < limit/4 {
		return max(minBoardMemory, 2*live)
	}
	return limit
}

// heapPerPlatform is the amount, in bytes, by which each further platform of a board raises
// largeHeap. A small platform needs 4 MiB and creates little garbage.
const heapPerPlatform = 5 << 20

// boardGCPercent returns the value of GOGC for a board. live is the size of the live heap in bytes.
func boardGCPercent(live uint64, platforms int) int {
	if float64(live) > largeHeap+float64(platforms-1)*heapPerPlatform {
		return largeBoardGCPercent
	}
	return int(min(max(baseBoardGarbage*100/max(live, 1), BoardGCPercent), maxGCPercent))
}

// serverGCPercent returns the value of GOGC for a server. live is the size of the live heap in
// bytes.
func serverGCPercent(live uint64) int {
	return int(min(max(baseGarbage*100/max(live, 1), ServerGCPercent), maxGCPercent))
}

// AdjustServerGC adjusts GOGC to the live heap of a server until ctx ends. It does nothing if
// the environment sets GOGC.
//
// Once a second, half a second away from the viewers' frames, it checks whether a collection
// would start before the next check. If so, it starts the collection at once, to keep it from
// delaying frames.
func AdjustServerGC(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	next := time.NewTimer(untilHalfSecond(time.Now()))
	defer next.Stop()
	for previousUsed := uint64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		metrics.Read(heap)
		live, used := heap[0].Value.Uint64(), heap[1].Value.Uint64()
		percent := changeGCPercent(live, serverGCPercent(live))
		if isCollectionDue(live, previousUsed, used, percent) {
			runtime.GC()
			metrics.Read(heap)
			used = heap[1].Value.Uint64()
		}
		previousUsed = used
		next.Reset(untilHalfSecond(time.Now()))
	}
}

// untilHalfSecond returns the time from now until the middle of a second.
func untilHalfSecond(now time.Time) time.Duration {
	const gap = time.Second / 2
	return UntilDue(now, time.Second, gap)
}

// isCollectionDue reports whether the garbage collector would start within about a second,
// that is, whether the heap would contain seven tenths of the allowed garbage. used and
// previousUsed are the sizes of the heap in bytes, now and at the previous check. live is the
// size of the live heap in bytes, and percent is GOGC.
func isCollectionDue(live, previousUsed, used uint64, percent int) bool {
	grown := max(used, previousUsed) - previousUsed
	return used+grown > live+live/100*uint64(percent)/10*7 //nolint:gosec // not negative
}
