package merge

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"
)

// object merges the object at the present position into the struct at base. A
// field that comes twice is an error: which of the two holds is anybody's
// guess, and with a key field it would put one record in the place of another.
func (d *decoder) object(name string, o *object, base unsafe.Pointer) error {
	if d.ws() != '{' {
		return d.shape(name, "an object")
	}
	if err := d.enter('{'); err != nil {
		return err
	}
	defer d.leave()
	start := d.pos
	if d.ws() == '}' {
		d.pos++
		return nil
	}
	var seen uint64
	for next := 0; ; {
		for next < len(o.fields) && seen>>uint(next)&1 == 0 && d.nullMember(&o.fields[next]) {
			seen |= 1 << uint(next)
			next++
		}
		i, err := d.key(o, next)
		if err != nil {
			return err
		}
		if i >= 0 {
			bit := uint64(1) << uint(i)
			if seen&bit != 0 {
				return d.twice(&o.fields[i])
			}
			seen |= bit
			next = i + 1
		}
		d.ws()
		switch {
		case i < 0:
			err = d.skip()
		case d.null():
		case i == o.typename:
			var forgot bool
			if forgot, err = d.typename(o, base); forgot && bits.OnesCount64(seen) > 1 {
				d.pos, seen, next = start, 0, 0 // what was merged so far is forgotten, too
				continue
			}
		default:
			err = d.value(&o.fields[i], base)
		}
		if err != nil {
			return err
		}
		if done, err := d.more('}'); done || err != nil {
			return err
		}
	}
}

// nullMember consumes `"name":null,` if it comes next. Most of what a server
// sends is that.
func (d *decoder) nullMember(f *field) bool {
	end := d.pos + len(f.null)
	if end > len(d.data) || string(d.data[d.pos:end]) != f.null {
		return false
	}
	d.pos = end
	return true
}

func (d *decoder) twice(f *field) error {
	return fmt.Errorf("field %q twice in one object before offset %d", f.name, d.pos)
}

// key consumes a key and its colon and returns the index of the field, or -1
// for one that was not asked for. next is the field that is predicted.
func (d *decoder) key(o *object, next int) (int, error) {
	d.ws()
	if next < len(o.fields) {
		q := o.fields[next].quoted
		if end := d.pos + len(q); end < len(d.data) && string(d.data[d.pos:end]) == q {
			d.pos = end
			if d.data[end] == ':' {
				d.pos++
				return next, nil
			}
			return next, d.expect(':')
		}
	}
	raw, plain, err := d.str()
	if err != nil {
		return 0, err
	}
	if err := d.expect(':'); err != nil {
		return 0, err
	}
	if i, ok := o.byName[string(raw)]; ok {
		return i, nil
	}
	if !plain {
		s, err := unquote(raw)
		if err != nil {
			return 0, err
		}
		if i, ok := o.byName[s]; ok {
			return i, nil
		}
	}
	return -1, nil
}

// typename reads __typename. When a union's member changed, what is known of
// the old member says nothing about the new one and is forgotten.
func (d *decoder) typename(o *object, base unsafe.Pointer) (forgot bool, err error) {
	f := &o.fields[o.typename]
	p := (*string)(unsafe.Add(base, f.off))
	s, err := d.textValue(f.name, *p)
	if err != nil {
		return false, err
	}
	if *p != "" && *p != s {
		reflect.NewAt(o.typ, base).Elem().SetZero()
		forgot = true
	}
	*p = s
	return forgot, nil
}

// ints reads a list of whole numbers into a fresh slice.
func (d *decoder) ints(name string, dst *[]int64) error {
	if d.ws() != '[' {
		return d.shape(name, "a list")
	}
	fresh := make([]int64, 0, len(*dst))
	err := d.elements(func() error {
		if d.null() {
			return nil
		}
		n, err := d.intValue(name)
		fresh = append(fresh, n)
		return err
	})
	if err == nil {
		*dst = fresh
	}
	return err
}

// strings reads a list of strings into a fresh slice.
func (d *decoder) strings(name string, dst *[]string) error {
	if d.ws() != '[' {
		return d.shape(name, "a list")
	}
	fresh := make([]string, 0, len(*dst))
	err := d.elements(func() error {
		if d.null() {
			return nil
		}
		s, err := d.textValue(name, "")
		fresh = append(fresh, s)
		return err
	})
	if err == nil {
		*dst = fresh
	}
	return err
}

// list merges lists of E, whose elements are told apart by a string field.
type list[E any] struct {
	name  string // the field that holds the list
	obj   *object
	keys  [1]int
	probe E // holds the key of an element while that is looked up
}

// merge merges a list, or a single element in its place, into the slice at p.
// Elements that the message does not name stay: only a full state, which is
// read onto an empty record, shortens a list.
func (l *list[E]) merge(d *decoder, p unsafe.Pointer) error {
	dst := (*[]E)(p)
	fresh, named := slices.Clone(*dst), 0
	if fresh == nil {
		fresh = make([]E, 0, 4)
	}
	element := func() error {
		if d.null() {
			return nil
		}
		if len(fresh) == maxKeyed {
			return errKeyed
		}
		start := d.pos
		switch missing, err := d.keys(l.obj, l.keys[:], unsafe.Pointer(&l.probe)); {
		case err != nil:
			return err
		case missing > 0:
			return ErrNoKey
		}
		d.pos = start
		key, i := l.keyOf(&l.probe), 0
		for i < len(fresh) && l.keyOf(&fresh[i]) != key {
			i++
		}
		if i == len(fresh) {
			var zero E
			fresh = append(fresh, zero)
		} else if i < len(*dst) {
			named++
		}
		return d.object(l.name, l.obj, unsafe.Pointer(&fresh[i]))
	}
	var err error
	switch d.ws() {
	case '[':
		err = d.elements(element)
	case '{':
		err = element()
	default:
		err = d.shape(l.name, "a list")
	}
	if err == nil {
		d.env.Shorter = d.env.Shorter || named < len(*dst)
		*dst = fresh
	}
	return err
}

func (l *list[E]) keyOf(e *E) string {
	return *(*string)(unsafe.Add(unsafe.Pointer(e), l.obj.fields[l.keys[0]].off))
}

// keys reads only the key fields of the object at the present position into the
// struct at base, and stops as soon as it has them all; the position is then
// somewhere inside the object. It returns how many of them the object lacks.
func (d *decoder) keys(o *object, keys []int, base unsafe.Pointer) (missing int, err error) {
	missing = len(keys)
	if d.ws() != '{' {
		return missing, d.shape(o.name, "an object")
	}
	d.pos++
	if d.ws() == '}' {
		return missing, nil
	}
	var found uint64
	for next := 0; ; {
		i, err := d.key(o, next)
		if err != nil {
			return missing, err
		}
		d.ws()
		k := slices.Index(keys, i)
		switch {
		case k < 0:
			err = d.skip()
		case d.null():
		case found&(1<<uint(k)) != 0:
			err = d.twice(&o.fields[i])
		default:
			err = d.value(&o.fields[i], base)
			found |= 1 << uint(k)
			missing--
		}
		if err != nil || missing == 0 {
			return missing, err
		}
		if i >= 0 {
			next = i + 1
		}
		if done, err := d.more('}'); done || err != nil {
			return missing, err
		}
	}
}
