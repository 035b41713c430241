package feeds

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
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
	suspects map[suspect]*suspicion
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
	size := max(chunkRecords, s.data.records()/mostChunks)
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
func (s *sub) taken(filter string) value {
	for _, a := range s.apart {
		if a.filter == filter {
			return a.value
		}
	}
	v, _ := parseFilter(filter)
	copy(s.apart[1:], s.apart[:])
	s.apart[0].filter, s.apart[0].value = filter, v
	return v
}

// namesOf returns the names of the records in a filter, sorted.
func namesOf(root value) []string {
	var names []string
	root.eachKeyed(func(_ string, v value, i int) {
		for _, e := range v.members[i].members {
			names = append(names, unquote(e.scalar))
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// eachKeyed calls f for every object in a filter that names records, with the
// channel that it is for, "" for a filter without channels.
func (v value) eachKeyed(f func(channel string, v value, i int)) {
	if i := v.rootKey(); i >= 0 {
		f("", v, i)
		return
	}
	for n, m := range v.members {
		if i := m.keyed(); i >= 0 {
			f(v.names[n], m, i)
		}
	}
}

// unquote returns what a literal stands for.
func unquote(literal string) string {
	if n := len(literal); n >= 2 && literal[0] == '"' && strings.IndexByte(literal, '\\') < 0 {
		return literal[1 : n-1]
	}
	var text string
	if json.Unmarshal([]byte(literal), &text) != nil { // a number
		return literal
	}
	return text
}

// terms are what a filter asks for besides names. Figures for other terms are
// other figures.
func terms(root value) string {
	var all []string
	note := func(v value, but int) {
		for n, m := range v.members {
			if n != but {
				var b strings.Builder
				m.literal(&b)
				all = append(all, v.names[n]+":"+b.String())
			}
		}
	}
	named := false
	root.eachKeyed(func(_ string, v value, i int) { named = true; note(v, i) })
	if !named {
		note(root, -1)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// inFilter tells of a name whether a filter asks for it.
func (s *sub) inFilter(filter string) func(string) bool {
	names := namesOf(s.taken(filter))
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
	asked, _ := parseFilter(filter)
	on := asked.channels()
	return func(key any) bool {
		return len(on) == 0 || on[nameOf(key)]&channelBit(keyOf(key).channel) != 0
	}
}

// part restricts what there is a subscription for to some names.
func (s *sub) part(names []string) request {
	root := s.taken(s.have.filter)
	if names == nil || !root.object {
		return s.have
	}
	return root.request(names)
}

// request asks for some of a filter's names.
func (v value) request(names []string) request {
	keep := func(v value, i int) (value, int) {
		var some []value
		for _, e := range v.members[i].members {
			if _, ok := slices.BinarySearch(names, unquote(e.scalar)); ok {
				some = append(some, e)
			}
		}
		return v.with(i, some), len(some)
	}
	out := request{ready: true}
	if i := v.rootKey(); i >= 0 {
		v, out.keys = keep(v, i)
	} else {
		part := value{object: true}
		for n, m := range v.members {
			i := m.keyed()
			if i < 0 {
				continue
			}
			m, some := keep(m, i)
			if some > 0 {
				part.names, part.members = append(part.names, v.names[n]), append(part.members, m)
				out.keys += some
			}
		}
		v = part
	}
	var b strings.Builder
	v.literal(&b)
	out.filter = b.String()
	return out
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
