package merge

import "unsafe"

// ListSigns is what a keyed list of an update shows beside its elements.
type ListSigns uint8

// The signs of a keyed list. Document 2 does not say whether an update holds a
// list whole or only its elements that changed.
const (
	ListShorter  ListSigns = 1 << iota // it lacks elements that the record has: gone, or unchanged
	ListEmptied                        // it is empty, and the record's is not
	ListRepeated                       // beside what has changed it repeats what has not: it is whole
)

// list merges lists of E, whose elements are told apart by a string field.
type list[E any] struct {
	name  string // the field that holds the list
	obj   *object
	key   uint64  // the field that tells the elements apart
	off   uintptr // where it lies in E
	probe E       // holds the key of an element while that is looked up
	work  []E     // the list that is being merged
}

// merge merges a list, or a single element in its place, into the slice at p.
// Elements that the message does not name stay, unless lists are known to be
// whole; else only a full state, which is read onto an empty record, shortens a
// list.
func (l *list[E]) merge(d *decoder, p unsafe.Pointer) error {
	dst := (*[]E)(p)
	m := listMerge[E]{list: l, d: d, old: *dst, fresh: append(l.work[:0], *dst...)}
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
	clear(m.fresh)
	l.work = m.fresh
	return err
}

// listMerge is one list that is being merged.
type listMerge[E any] struct {
	*list[E]
	d          *decoder
	old, fresh []E
	n          int // elements read
	named      int // of the old ones
	same       int // of these, unchanged
	at         places
	seen       []bool // which of the old ones, where lists are whole
}

// element merges one element.
func (m *listMerge[E]) element() error {
	l, d := m.list, m.d
	if d.null() {
		return nil
	}
	if len(m.fresh) == maxKeyed {
		return errKeyed
	}
	if m.n < len(m.fresh) { // lists mostly keep their order
		l.obj.copyFields(l.key, unsafe.Pointer(&l.probe), unsafe.Pointer(&m.fresh[m.n]))
	}
	m.n++
	start := d.pos
	found, ahead, err := d.keys(l.obj, l.key, unsafe.Pointer(&l.probe))
	switch {
	case err != nil:
		return err
	case found != l.key:
		return ErrNoKey
	}
	i := l.index(m.fresh, &m.at)
	if i == len(m.fresh) {
		var zero E
		m.fresh = append(m.fresh, zero)
	}
	base := unsafe.Pointer(&m.fresh[i])
	if ahead {
		l.obj.copyFields(l.key, base, unsafe.Pointer(&l.probe))
		err = d.resume(l.obj, base, start+1, l.key)
	} else {
		d.pos = start
		err = d.object(l.name, l.obj, base)
	}
	if err == nil && i < len(m.old) {
		m.name(i)
	}
	return err
}

// name notes that the message has one of the old elements.
func (m *listMerge[E]) name(i int) {
	m.named++
	if m.obj.equal(unsafe.Pointer(&m.old[i]), unsafe.Pointer(&m.fresh[i])) {
		m.same++
	}
	if m.d.env.WholeLists {
		if m.seen == nil {
			m.seen = make([]bool, len(m.old))
		}
		m.seen[i] = true
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
	if m.same > 0 && m.n > m.same {
		signs |= ListRepeated
	}
	return signs
}

// result returns the merged list.
func (m *listMerge[E]) result(whole bool) []E {
	if !whole || m.named == len(m.old) {
		return append(make([]E, 0, len(m.fresh)), m.fresh...)
	}
	kept := make([]E, 0, len(m.fresh))
	for i := range m.fresh {
		if i >= len(m.old) || i < len(m.seen) && m.seen[i] {
			kept = append(kept, m.fresh[i])
		}
	}
	return kept
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
