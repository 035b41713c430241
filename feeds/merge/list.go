package merge

import (
	"slices"
	"unsafe"
)

// ListSigns is what a keyed list of an update shows beside its elements.
type ListSigns uint8

// The signs of a keyed list. Document 2 does not say whether an update holds a
// list whole or only its elements that changed.
const (
	ListShorter  ListSigns = 1 << iota // it lacks elements that the record has: gone, or unchanged
	ListEmptied                        // it is empty, and the record's is not
	ListRepeated                       // it has all, and repeats beside what has changed what has not: it is whole
)

// list merges lists of E, whose elements are told apart by a string field.
type list[E any] struct {
	name  string // the field that holds the list
	obj   *object
	key   uint64  // the field that tells the elements apart
	off   uintptr // where it lies in E
	probe E       // the element that is being read
	work  []E     // a list that is being made of nothing
}

// merge merges a list, or a single element in its place, into the slice at p.
// Elements that the message does not name stay, unless lists are known to be
// whole; else only a full state, which is read onto an empty record, shortens a
// list. A list that stays as it is keeps its memory.
func (l *list[E]) merge(d *decoder, p unsafe.Pointer) error {
	dst := (*[]E)(p)
	m := listMerge[E]{list: l, d: d, old: *dst, now: *dst}
	var err error
	whole := false
	switch d.ws() {
	case '[':
		whole = d.env.WholeLists
		err = d.elements(m.element)
	case '{':
		err = m.element()
	default:
		err = d.shape(l.name, "a list")
	}
	if err == nil {
		d.env.Lists |= m.signs()
		*dst = m.result(whole)
	}
	if m.made && len(m.old) == 0 {
		clear(m.now)
		l.work = m.now[:0]
	}
	return err
}

// listMerge is one list that is being merged.
type listMerge[E any] struct {
	*list[E]
	d     *decoder
	old   []E
	now   []E  // what it is so far: old, until something is otherwise
	made  bool // now is not old
	n     int  // elements read
	named int  // of the old ones
	same  int  // of these, unchanged
	at    places
	seen  []bool // which of the old ones, where lists are whole
}

// element merges one element.
func (m *listMerge[E]) element() error {
	l, d := m.list, m.d
	if d.null() {
		return nil
	}
	if len(m.now) == maxKeyed {
		return errKeyed
	}
	start, i, ahead := d.pos, m.n, true
	m.n++
	if i >= len(m.now) || !d.sameKey(l.obj, l.key, l.keyOf(&m.now[i])) { // lists mostly keep their order
		var err error
		if i, ahead, err = m.find(i); err != nil {
			return err
		}
	}
	key := l.keyOf(&l.probe)
	var zero E
	if l.probe = zero; i < len(m.now) {
		l.probe = m.now[i]
	}
	base := unsafe.Pointer(&l.probe)
	var err error
	if ahead {
		if i == len(m.now) {
			*(*string)(unsafe.Add(base, l.off)) = key
		}
		err = d.resume(l.obj, base, start+1, l.key)
	} else {
		d.pos = start
		err = d.object(l.name, l.obj, base)
	}
	if err == nil {
		m.put(i)
	}
	return err
}

// find reads the key of the n-th element of the message into the probe. It
// returns which element of the list has it, or the length of the list. ahead
// tells that nothing else came before the key.
func (m *listMerge[E]) find(n int) (i int, ahead bool, err error) {
	l, base := m.list, unsafe.Pointer(&m.probe)
	if n < len(m.now) {
		l.obj.copyFields(l.key, base, unsafe.Pointer(&m.now[n]))
	}
	found, ahead, err := m.d.keys(l.obj, l.key, base)
	switch {
	case err != nil:
		return 0, false, err
	case found != l.key:
		return 0, false, ErrNoKey
	}
	return l.index(m.now, &m.at), ahead, nil
}

// put puts the probe in the place of an element, or behind the last.
func (m *listMerge[E]) put(i int) {
	same := false
	if i < len(m.old) {
		m.named++
		if same = m.obj.equal(unsafe.Pointer(&m.old[i]), unsafe.Pointer(&m.probe)); same {
			m.same++
		}
		if m.d.env.WholeLists {
			if m.seen == nil {
				m.seen = make([]bool, len(m.old))
			}
			m.seen[i] = true
		}
	}
	if !m.made {
		if same {
			return
		}
		if m.made = true; len(m.old) > 0 {
			m.now = slices.Clip(slices.Clone(m.old))
		} else {
			m.now = m.work[:0] // nobody knows how many come
		}
	}
	if i == len(m.now) {
		m.now = append(m.now, m.probe)
	} else {
		m.now[i] = m.probe
	}
}

// signs returns what the list has shown.
func (m *listMerge[E]) signs() (signs ListSigns) {
	if m.named < len(m.old) {
		signs |= ListShorter
		if m.n == 0 {
			signs |= ListEmptied
		}
	}
	// What is repeated in a list that lacks others may only be older here.
	if m.named == len(m.old) && m.same > 0 && m.n > m.same {
		signs |= ListRepeated
	}
	return signs
}

// result returns the merged list, which is of the size that it needs.
func (m *listMerge[E]) result(whole bool) []E {
	switch {
	case whole && m.named < len(m.old):
		kept := make([]E, 0, len(m.now))
		for i := range m.now {
			if i >= len(m.old) || i < len(m.seen) && m.seen[i] {
				kept = append(kept, m.now[i])
			}
		}
		return kept
	case len(m.now) > len(m.old) || m.old == nil:
		return append(make([]E, 0, len(m.now)), m.now...)
	}
	return m.now
}

// few is how many elements are searched one by one: lists mostly have no more.
const few = 64

// places is where the elements of a long list are, by their keys.
type places struct {
	byKey map[string]int
	known int // how many elements are in byKey
}

// index returns where the element with the key of the probe is, or the length
// of the list.
func (l *list[E]) index(elements []E, at *places) int {
	key := l.keyOf(&l.probe)
	if len(elements) <= few {
		for i := range elements {
			if l.keyOf(&elements[i]) == key {
				return i
			}
		}
		return len(elements)
	}
	if at.byKey == nil {
		at.byKey = make(map[string]int, 2*len(elements))
	}
	for ; at.known < len(elements); at.known++ {
		k := l.keyOf(&elements[at.known])
		if _, twice := at.byKey[k]; !twice {
			at.byKey[k] = at.known
		}
	}
	if i, there := at.byKey[key]; there {
		return i
	}
	return len(elements)
}

func (l *list[E]) keyOf(e *E) string {
	return *(*string)(unsafe.Add(unsafe.Pointer(e), l.off))
}
