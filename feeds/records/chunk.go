package records

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/queries"
)

const (
	// minChunkRecords is the approximate number of records per query; minSlowChunkRecords
	// applies if the full state took longer than slowFullState, so that all chunks
	// fit into the interval.
	minChunkRecords     = 250
	minSlowChunkRecords = 1000
	slowFullState       = 2 * time.Second
	// maxChunks limits the queries of one pass: they run one after the other,
	// and each may take a platform a second or two.
	maxChunks = 20
)

// Chunk is a part of the names of a filter.
type Chunk struct {
	Names    []string // sorted; nil: all records
	Suspects map[Suspect]*Suspicion

	verifiedAt   time.Time
	dueAt        time.Time     // time of the next first check
	checkedAt    time.Time     // time of the last first check
	checkDelay   time.Duration // delay of that check
	lastDuration time.Duration // time from due to verified in the last pass
	passCount    int           // number of first checks with an answer
	position     float64       // in [0,1): position of its checks within the interval
	recheckAt    time.Time     // when the suspects are checked again
}

// NextCheckAt returns when the chunk is checked next.
func (c *Chunk) NextCheckAt() time.Time {
	if len(c.Suspects) > 0 {
		return c.recheckAt
	}
	return c.dueAt
}

// suspectNames returns the sorted names of the suspects.
func (c *Chunk) suspectNames() []string {
	names := make([]string, 0, len(c.Suspects))
	for _, sn := range c.Suspects {
		names = append(names, sn.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// chunkSize returns the approximate number of records per query; took is how
// long the full state took.
func chunkSize(records int, took time.Duration) int {
	size := max(minChunkRecords, records/maxChunks)
	if took > slowFullState {
		return max(size, minSlowChunkRecords)
	}
	return size
}

// cutNames splits names, which stand for a number of records, into parts of about
// maxRecords records.
func cutNames(names []string, records, maxRecords int) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	n := max(1, (records+maxRecords-1)/maxRecords)
	return slices.Collect(slices.Chunk(names, (len(names)+n-1)/n))
}

// chunkCovers reports whether a chunk covers a name. The chunks partition all names,
// including those in no filter.
func (v *Verifier) chunkCovers(i int, name string) bool {
	if i > 0 && name <= lastName(v.Chunks[i-1].Names) {
		return false
	}
	return i == len(v.Chunks)-1 || name <= lastName(v.Chunks[i].Names)
}

func lastName(names []string) string { return names[len(names)-1] }

// AddName adds a name to the chunk that covers it.
func (v *Verifier) AddName(name string) {
	for i := range v.Chunks {
		c := &v.Chunks[i]
		if c.Names == nil || !v.chunkCovers(i, name) {
			continue
		}
		if at, found := slices.BinarySearch(c.Names, name); !found {
			c.Names = slices.Insert(slices.Clone(c.Names), at, name) // the chunks share an array
		}
		return
	}
}

// DropSuspects drops the suspects of users who have left.
func (v *Verifier) DropSuspects(departed map[string]bool) {
	for i := range v.Chunks {
		c := &v.Chunks[i]
		if len(c.Suspects) == 0 {
			continue
		}
		for at, sn := range c.Suspects {
			if departed[sn.Name] {
				delete(c.Suspects, at)
			}
		}
		if len(c.Suspects) == 0 {
			c.verifiedAt = c.checkedAt // only the dropped suspects were still unconfirmed
		}
	}
}

// CoveredRequest is the request that a subscription covers.
type CoveredRequest struct {
	Request        queries.Request
	Value          queries.Value // parsed filter
	CoversUnwanted bool          // some covered records are no longer wanted
}

// requestFor restricts the request to some names; nil: all.
func (c *CoveredRequest) requestFor(names []string) queries.Request {
	if names == nil || !c.Value.IsObject() {
		return c.Request
	}
	return c.Value.RequestFor(names)
}

// dropExplained drops suspects whose value an update has changed or confirmed, because the update
// was only late. It reports whether it dropped the last one, so that no query is necessary.
func (c *Chunk) dropExplained() bool {
	if len(c.Suspects) == 0 {
		return false
	}
	maps.DeleteFunc(c.Suspects, func(_ Suspect, sn *Suspicion) bool { return sn.Changed })
	return len(c.Suspects) == 0
}
