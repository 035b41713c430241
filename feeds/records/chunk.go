package records

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/graphql"
)

const (
	// minChunkRecords is the approximate minimum number of records per query of the audit. If the
	// full state took longer than slowFullState, minSlowChunkRecords applies instead, because fewer
	// queries then fit into the interval.
	minChunkRecords     = 250
	minSlowChunkRecords = 1000
	slowFullState       = 2 * time.Second
	// maxChunks is the approximate maximum number of queries in one pass of the audit. The queries
	// run one after another, and the platform may need a second or two for each.
	maxChunks = 20
)

// Chunk is a part of the records of a subscription that the audit checks with one query. The first
// check compares all values. Values that differ (suspects) are checked again.
type Chunk struct {
	Names    []string // sorted names of the records; nil: all records
	Suspects map[SuspectKey]*SuspectValue

	verifiedAt   time.Time
	earlyCheckAt time.Time     // time of the early check; zero: it is complete or not planned
	dueAt        time.Time     // time of the next first check
	checkedAt    time.Time     // time of the last first check
	checkDelay   time.Duration // how late the last first check was
	lastDuration time.Duration // how long the chunk took in the last pass, from dueAt until it was verified
	passCount    int           // number of first checks that were answered
	position     float64       // in [0,1): the point of the interval at which the chunk is checked
	recheckAt    time.Time     // when the suspects are checked next
}

// NextCheckAt returns when the suspects are checked next. If there are none, it returns when the
// early check or the next first check is due.
func (c *Chunk) NextCheckAt() time.Time {
	switch {
	case len(c.Suspects) > 0:
		return c.recheckAt
	case c.awaitsEarlyCheck():
		return c.earlyCheckAt
	}
	return c.dueAt
}

// awaitsEarlyCheck reports whether the early check of the chunk is not complete yet. See
// [CompareScope.SinceFullState].
func (c *Chunk) awaitsEarlyCheck() bool { return !c.earlyCheckAt.IsZero() }

// suspectNames returns the sorted names of the records with suspects.
func (c *Chunk) suspectNames() []string {
	names := make([]string, 0, len(c.Suspects))
	for _, sn := range c.Suspects {
		names = append(names, sn.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// chunkSize returns the approximate number of records per query. records is the number of all
// records. took is how long the full state took.
func chunkSize(records int, took time.Duration) int {
	size := max(minChunkRecords, records/maxChunks)
	if took > slowFullState {
		return max(size, minSlowChunkRecords)
	}
	return size
}

// cutNames splits names into parts with about maxRecords records each. records is the number of
// records to which the names belong. If names is empty, cutNames returns one nil part.
func cutNames(names []string, records, maxRecords int) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	n := max(1, (records+maxRecords-1)/maxRecords)
	return slices.Collect(slices.Chunk(names, (len(names)+n-1)/n))
}

// chunkCovers reports whether chunk i covers the record with the given name. Exactly one chunk
// covers each name, even a name that is in no filter.
func (v *Verifier) chunkCovers(i int, name string) bool {
	if i > 0 && name <= lastName(v.Chunks[i-1].Names) {
		return false
	}
	return i == len(v.Chunks)-1 || name <= lastName(v.Chunks[i].Names)
}

func lastName(names []string) string { return names[len(names)-1] }

// AddName adds the name of a record to the chunk that covers it. It does nothing if that chunk
// covers all records.
func (v *Verifier) AddName(name string) {
	for i := range v.Chunks {
		c := &v.Chunks[i]
		if c.Names == nil || !v.chunkCovers(i, name) {
			continue
		}
		if at, found := slices.BinarySearch(c.Names, name); !found {
			c.Names = slices.Insert(slices.Clone(c.Names), at, name) // clone the list: the chunks share an array
		}
		return
	}
}

// DropSuspects drops the suspects of the users in departed.
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
		if len(c.Suspects) == 0 && !c.awaitsEarlyCheck() {
			c.verifiedAt = c.checkedAt // the other records of the chunk have been verified
		}
	}
}

// CoveredRequest is the request of a subscription whose records the audit checks.
type CoveredRequest struct {
	Request        graphql.Request
	Value          graphql.Value // parsed filter
	CoversUnwanted bool          // some of the records are no longer wanted
}

// requestFor returns the request restricted to the records in names. If names is nil or the request
// has no filter, it returns the whole request.
func (c *CoveredRequest) requestFor(names []string) graphql.Request {
	if names == nil || !c.Value.IsObject() {
		return c.Request
	}
	return c.Value.RequestFor(names)
}

// dropExplainedSuspects drops the suspects whose value an update has changed or repeated, because the
// difference may only have been a lag between our records and the platform's answer. It returns
// true if it dropped the last suspects, so no query is necessary.
func (c *Chunk) dropExplainedSuspects() bool {
	if len(c.Suspects) == 0 {
		return false
	}
	maps.DeleteFunc(c.Suspects, func(_ SuspectKey, sn *SuspectValue) bool { return sn.Changed })
	return len(c.Suspects) == 0
}
