package testkit

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

const (
	megabyte = 1 << 20
	// maxGrowth is the factor by which the allocated bytes may grow when the size of the input
	// doubles. It is more than 2, because buffers grow in steps.
	maxGrowth = 2.6
	// baseAllocation is the number of bytes that f may allocate regardless of the length of
	// its input.
	baseAllocation = 1 << 20
)

// CheckMemory calls f with strings of 1, 2 and 4 MB of each pattern. It fails the test if f
// allocates more than bytesPerByte bytes for each byte of a string, or if the allocations grow
// faster than the string. It logs the worst pattern, and the growth of the heap while f runs
// with its longest string. CheckMemory counts the allocations of the whole process, so no
// other test must run in parallel.
func CheckMemory(t *testing.T, patterns []Pattern, bytesPerByte int, f func(string)) {
	t.Helper()
	var worst Pattern
	all := make([]uint64, 3) // bytes allocated for the three texts of the worst pattern
	for _, p := range patterns {
		got := make([]uint64, len(all))
		for i := range got {
			size := megabyte << i
			text := p.Text(size)
			got[i] = allocatedBytes(func() { f(text) })
			if bound := uint64(bytesPerByte)*uint64(size) + baseAllocation; got[i] > bound { //nolint:gosec // small numbers
				t.Errorf("%.60q again and again: %d MB of text allocate %d MB, more than %d", p.Before+p.Repeated, size>>20, got[i]>>20, bound>>20)
				return // the other patterns would take as long
			}
			if i > 0 && float64(got[i]) > maxGrowth*float64(got[i-1])+baseAllocation {
				t.Errorf("%.60q again and again: %d MB of text allocate %d MB, half of it %d MB", p.Before+p.Repeated, size>>20, got[i]>>20, got[i-1]>>20)
			}
		}
		if got[2] >= all[2] {
			worst, all = p, got
		}
	}
	text := worst.Text(megabyte << 2)
	t.Logf("1, 2 and 4 MB allocate %.1f, %.1f and %.1f MB at worst, for %.60q; the heap grows by %.1f MB for 4 MB",
		megabytes(all[0]), megabytes(all[1]), megabytes(all[2]), worst.Before+worst.Repeated, megabytes(HeapGrowth(func() { f(text) })))
}

func megabytes(n uint64) float64 { return float64(n) / megabyte }

// allocatedBytes returns the number of bytes that f allocates, including those that are freed.
func allocatedBytes(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// HeapGrowth returns the largest growth of the heap, in bytes, while f runs.
func HeapGrowth(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // [ReduceGC] may have made collections rare
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	base := heap()
	maximum := base
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			maximum = max(maximum, heap())
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(done)
	<-ended
	return maximum - base
}
