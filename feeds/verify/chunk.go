package verify

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

const (
	// chunkRecords is about how many records one query asks for, chunkSlow the same
	// where the full state took slowFull: there must be time for all of them.
	chunkRecords = 250
	chunkSlow    = 1000
	slowFull     = 2 * time.Second
	// mostChunks bounds how many queries one pass takes: they are asked one after
	// the other, and a platform may take a second or two for each.
	mostChunks = 20
)

// Chunk is a part of the names of a filter.
type Chunk struct {
	Names    []string // sorted; nil: everything
	Suspects map[picture.Suspect]*picture.Suspicion

	verified time.Time
	due      time.Time     // of the next first look
	began    time.Time     // the last first look
	late     time.Duration // how long after it was due
	took     time.Duration // from when it was due until it was verified, the last time
	passes   int
	place    float64   // in [0,1): when in the interval its looks are
	again    time.Time // when the suspects are looked at again
}

// Next is when a chunk is looked at next.
func (c *Chunk) Next() time.Time {
	if len(c.Suspects) > 0 {
		return c.again
	}
	return c.due
}

// suspected are the names of the suspects, sorted.
func (c *Chunk) suspected() []string {
	names := make([]string, 0, len(c.Suspects))
	for _, sn := range c.Suspects {
		names = append(names, sn.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// chunkSize is about how many records one query asks for, of so many, where the
// full state took so long.
func chunkSize(records int, took time.Duration) int {
	size := max(chunkRecords, records/mostChunks)
	if took > slowFull {
		return max(size, chunkSlow)
	}
	return size
}

// cutNames cuts the names of so many records into parts of about most records.
func cutNames(names []string, records, most int) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	n := max(1, (records+most-1)/most)
	return slices.Collect(slices.Chunk(names, (len(names)+n-1)/n))
}

// covers reports whether a chunk is about the record with a name. The chunks
// share out all names, those that no filter has included.
func (v *Verifier) covers(i int, name string) bool {
	if i > 0 && name <= last(v.Chunks[i-1].Names) {
		return false
	}
	return i == len(v.Chunks)-1 || name <= last(v.Chunks[i].Names)
}

func last(names []string) string { return names[len(names)-1] }

// Admit shares a name out to the chunk that covers it.
func (v *Verifier) Admit(name string) {
	for i := range v.Chunks {
		c := &v.Chunks[i]
		if c.Names == nil || !v.covers(i, name) {
			continue
		}
		if at, there := slices.BinarySearch(c.Names, name); !there {
			c.Names = slices.Insert(slices.Clone(c.Names), at, name) // the chunks share one list
		}
		return
	}
}

// Dismiss suspects nobody of those who have left.
func (v *Verifier) Dismiss(left map[string]bool) {
	for i := range v.Chunks {
		c := &v.Chunks[i]
		if len(c.Suspects) == 0 {
			continue
		}
		for at, sn := range c.Suspects {
			if left[sn.Name] {
				delete(c.Suspects, at)
			}
		}
		if len(c.Suspects) == 0 {
			c.verified = c.began // but for them it was
		}
	}
}

// Covered is what a subscription is for.
type Covered struct {
	Request queries.Request
	Value   queries.Value // its filter, taken apart
	Left    bool          // who was covered is not wanted any more
}

// part restricts it to some names; nil: all.
func (c *Covered) part(names []string) queries.Request {
	if names == nil || !c.Value.IsObject() {
		return c.Request
	}
	return c.Value.Request(names)
}

// explained drops the suspects that an update has told or changed since they were
// seen: it was on its way then, and there is nothing to ask the platform. It reports
// whether that were all there were.
func (c *Chunk) explained() bool {
	if len(c.Suspects) == 0 {
		return false
	}
	maps.DeleteFunc(c.Suspects, func(_ picture.Suspect, sn *picture.Suspicion) bool { return sn.Changed })
	return len(c.Suspects) == 0
}
