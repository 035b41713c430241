package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// chunk is a part of the keys of a filter.
type chunk struct {
	names    []string // sorted; nil: everything
	verified time.Time
	due      time.Time     // of the next first look
	began    time.Time     // the last first look
	late     time.Duration // how long after it was due
	took     time.Duration // from when it was due until it was verified, the last time
	passes   int
	place    float64 // in [0,1): when in the interval its looks are
	suspects map[picture.Suspect]*picture.Suspicion
	again    time.Time // when the suspects are looked at again
}

// next is when a chunk is looked at next.
func (c *chunk) next() time.Time {
	if len(c.suspects) > 0 {
		return c.again
	}
	return c.due
}

// chunkSize is about how many records one query asks for.
func (s *sub) chunkSize() int {
	size := max(chunkRecords, s.data.Records()/mostChunks)
	if s.took > slowFull {
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

// taken returns a filter taken apart, the zero value if that cannot be done. The
// last ones are kept: thousands of names that everything asks about.
func (s *sub) taken(filter string) queries.Value {
	for _, a := range s.apart {
		if a.filter == filter {
			return a.value
		}
	}
	v, _ := queries.Parse(filter)
	copy(s.apart[1:], s.apart[:])
	s.apart[0].filter, s.apart[0].value = filter, v
	return v
}

// inFilter tells of a name whether a filter asks for it.
func (s *sub) inFilter(filter string) func(string) bool {
	names := queries.Names(s.taken(filter))
	return func(name string) bool {
		if len(names) == 0 {
			return true
		}
		_, ok := slices.BinarySearch(names, name)
		return ok
	}
}

// inKeys tells of a record's key whether a filter asks for it.
func inKeys(filter string) func(key any) bool {
	asked, _ := queries.Parse(filter)
	on := asked.Channels()
	return func(key any) bool {
		return len(on) == 0 || on[picture.NameOf(key)]&queries.ChannelBit(keyOf(key).channel) != 0
	}
}

// part restricts what there is a subscription for to some names.
func (s *sub) part(names []string) queries.Request {
	root := s.taken(s.have.Filter)
	if names == nil || !root.Object {
		return s.have
	}
	return root.Request(names)
}

// covers reports whether a chunk is about the record with a name. The chunks
// share out all names, those that no filter has included.
func (a *audit) covers(i int, name string) bool {
	if i > 0 && name <= last(a.chunks[i-1].names) {
		return false
	}
	return i == len(a.chunks)-1 || name <= last(a.chunks[i].names)
}

func last(names []string) string { return names[len(names)-1] }
