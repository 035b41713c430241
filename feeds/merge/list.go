package merge

import (
	"slices"
	"unsafe"
)

// ListSigns is a set of signs of whether the keyed lists in an update are complete.
type ListSigns uint8

// The signs that an update gives about a keyed list. Document 2 does not say whether an update
// contains the complete list or only the changed elements.
const (
	ListShorter  ListSigns = 1 << iota // the update lacks elements of the record's list; they may have been deleted or just not sent
	ListEmptied                        // the list is empty in the update but not in the record
	ListRepeated                       // the update has all elements of the record's list, some unchanged and some changed or new: it is complete
)

// listPlan merges lists of E. A string field of E, the key, identifies an element.
type listPlan[E any] struct {
	name           string // field name of the list
	object         *objectPlan
	keyBit         uint64  // bit of the key field
	keyOffset      uintptr // offset of the key field in E
	currentElement E       // the element being read
	scratch        []E     // reused for new lists
}

// merge merges the list in the message into the slice at p. The message may hold a single element
// instead of a list. Elements that the message lacks remain, unless lists are known to be complete.
// In a full state only the elements of the message are left, because it is merged into an empty
// record. If nothing changes, the slice is reused.
func (l *listPlan[E]) merge(d *decoder, p unsafe.Pointer) error {
	dst := (*[]E)(p)
	m := listMerge[E]{listPlan: l, decoder: d, old: *dst, merged: *dst}
	var err error
	whole := false
	switch d.peek() {
	case '[':
		whole = d.env.CompleteLists
		err = d.readElements(m.mergeElement)
	case '{':
		err = m.mergeElement()
	default:
		err = d.shapeError(l.name, "a list")
	}
	if err == nil {
		d.env.ListSigns |= m.signs()
		*dst = m.result(whole)
	}
	if m.copied && len(m.old) == 0 {
		clear(m.merged)
		l.scratch = m.merged[:0]
	}
	return err
}

// listMerge is the state while one list is merged.
type listMerge[E any] struct {
	*listPlan[E]
	decoder   *decoder
	old       []E
	merged    []E  // the merged elements: the same slice as old until the first change
	copied    bool // merged is a copy of old
	readCount int  // number of elements read from the message
	matched   int  // number of elements of old that the message contains
	unchanged int  // number of matched elements that did not change
	index     keyIndex
	seenOld   []bool // by index in old: whether the message contains the element; used only if lists are complete
}

// mergeElement merges the next element of the message.
func (m *listMerge[E]) mergeElement() error {
	l, d := m.listPlan, m.decoder
	if d.consumeNull() {
		return nil
	}
	if len(m.merged) == maxKeyedList {
		return errKeyedListTooLong
	}
	start, i, ahead := d.pos, m.readCount, true
	m.readCount++
	if i >= len(m.merged) || !d.consumeSameKey(l.object, l.keyBit, l.keyOf(&m.merged[i])) { // try the next element of the record first: the order is usually the same
		var err error
		if i, ahead, err = m.findElement(i); err != nil {
			return err
		}
	}
	key := l.keyOf(&l.currentElement)
	var zero E
	if l.currentElement = zero; i < len(m.merged) {
		l.currentElement = m.merged[i]
	}
	base := unsafe.Pointer(&l.currentElement)
	var err error
	if ahead {
		if i == len(m.merged) {
			*(*string)(unsafe.Add(base, l.keyOffset)) = key
		}
		err = d.resumeObject(l.object, base, start+1, l.keyBit)
	} else {
		d.pos = start
		err = d.readObject(l.name, l.object, base)
	}
	if err == nil {
		m.storeElement(i)
	}
	return err
}

// findElement reads the key of the message's element number n into m.currentElement. i is the index of the
// element with that key in the merged list, or the length of the list if there is none. ahead is
// true if the key was the first field of the object, so reading can continue after it.
func (m *listMerge[E]) findElement(n int) (i int, ahead bool, err error) {
	l, base := m.listPlan, unsafe.Pointer(&m.currentElement)
	if n < len(m.merged) {
		l.object.copyFields(l.keyBit, base, unsafe.Pointer(&m.merged[n]))
	}
	found, ahead, err := m.decoder.readKeys(l.object, l.keyBit, base)
	switch {
	case err != nil:
		return 0, false, err
	case found != l.keyBit:
		return 0, false, ErrNoKey
	}
	return l.indexOfElement(m.merged, &m.index), ahead, nil
}

// storeElement stores m.currentElement as element i of the merged list. If i is the length of the list, it
// appends the element.
func (m *listMerge[E]) storeElement(i int) {
	same := false
	if i < len(m.old) {
		m.matched++
		if same = m.object.equal(unsafe.Pointer(&m.old[i]), unsafe.Pointer(&m.currentElement)); same {
			m.unchanged++
		}
		if m.decoder.env.CompleteLists {
			if m.seenOld == nil {
				m.seenOld = make([]bool, len(m.old))
			}
			m.seenOld[i] = true
		}
	}
	if !m.copied {
		if same {
			return
		}
		if m.copied = true; len(m.old) > 0 {
			m.merged = slices.Clip(slices.Clone(m.old))
		} else {
			m.merged = m.scratch[:0] // reuse the scratch memory: the final size is unknown
		}
	}
	if i == len(m.merged) {
		m.merged = append(m.merged, m.currentElement)
	} else {
		m.merged[i] = m.currentElement
	}
}

// signs returns the signs that the update gives about the completeness of the list.
func (m *listMerge[E]) signs() (signs ListSigns) {
	if m.matched < len(m.old) {
		signs |= ListShorter
		if m.readCount == 0 {
			signs |= ListEmptied
		}
	}
	// Require a change: the elements of an incomplete list may all be changes that the record
	// already contains.
	if m.matched == len(m.old) && m.unchanged > 0 && m.readCount > m.unchanged {
		signs |= ListRepeated
	}
	return signs
}

// result returns the merged list, without spare capacity. If isComplete is true, the message
// contains the complete list, and result removes the elements that are not in the message.
func (m *listMerge[E]) result(isComplete bool) []E {
	switch {
	case isComplete && m.matched < len(m.old):
		kept := make([]E, 0, len(m.merged))
		for i := range m.merged {
			if i >= len(m.old) || i < len(m.seenOld) && m.seenOld[i] {
				kept = append(kept, m.merged[i])
			}
		}
		return kept
	case len(m.merged) > len(m.old) || m.old == nil:
		return append(make([]E, 0, len(m.merged)), m.merged...)
	}
	return m.merged
}

// maxLinearSearch is the length up to which lists are searched linearly. Most lists are shorter.
const maxLinearSearch = 64

// keyIndex maps keys to the indices of elements, for a long list.
type keyIndex struct {
	byKey   map[string]int
	indexed int // number of elements indexed
}

// indexOfElement returns the index of the element with the key of l.currentElement, or the length of the list
// if there is none.
func (l *listPlan[E]) indexOfElement(elements []E, keys *keyIndex) int {
	key := l.keyOf(&l.currentElement)
	if len(elements) <= maxLinearSearch {
		for i := range elements {
			if l.keyOf(&elements[i]) == key {
				return i
			}
		}
		return len(elements)
	}
	if keys.byKey == nil {
		keys.byKey = make(map[string]int, 2*len(elements))
	}
	for ; keys.indexed < len(elements); keys.indexed++ {
		k := l.keyOf(&elements[keys.indexed])
		if _, isIndexed := keys.byKey[k]; !isIndexed {
			keys.byKey[k] = keys.indexed
		}
	}
	if i, there := keys.byKey[key]; there {
		return i
	}
	return len(elements)
}

func (l *listPlan[E]) keyOf(e *E) string {
	return *(*string)(unsafe.Add(unsafe.Pointer(e), l.keyOffset))
}
