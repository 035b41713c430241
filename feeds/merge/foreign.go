package merge

import "unsafe"

// aliasMark stands between the name of a field and the type that it is asked of.
const aliasMark = "__"

// Alias is the name under which a field is asked of a type that document 2 does
// not show: the same field of two types may not come under one name where its
// type differs. [Plan.Read] takes it for the field.
func Alias(field, of string) string { return field + aliasMark + of }

// bare notes an object that said nothing but its type.
func (e *Env) bare(field, typename string) {
	if typename == "" || len(e.Bare) >= maxBare {
		return
	}
	if e.Bare == nil {
		e.Bare = make(map[string]string)
	}
	e.Bare[typename] = field
}

// maxBare bounds how many types are noted: a server has a few.
const maxBare = 64

// wrapped reads an object in the place of a single value: its only member but
// __typename. It reports whether there was a value: null is none.
func (d *decoder) wrapped(name string, read func() error) (found bool, err error) {
	members := 0
	err = d.members(name, func(key []byte) error {
		if string(key) == "__typename" {
			return d.skip()
		}
		if members++; members > 1 || d.nested() {
			return d.shape(name, "a single value")
		}
		if d.null() {
			return nil
		}
		found = true
		return read()
	})
	if err == nil && members == 0 {
		err = d.shape(name, "a single value")
	}
	return found, err
}

// nested reports whether an object or a list comes.
func (d *decoder) nested() bool {
	return d.pos < len(d.data) && (d.data[d.pos] == '{' || d.data[d.pos] == '[')
}

// sole reads a list in the place of a single value: its only element. Of several
// nobody knows which one is meant.
func (d *decoder) sole(name string, read func() error) error {
	n := 0
	err := d.elements(func() error {
		if n++; n > 1 || d.nested() || d.null() {
			return d.shape(name, "a single value")
		}
		return read()
	})
	if err == nil && n == 0 {
		err = d.shape(name, "a single value")
	}
	return err
}

// around reads a field whose single value has something around it.
func (d *decoder) around(f *field, base unsafe.Pointer) error {
	read := func() error { return d.value(f, base) }
	if d.data[d.pos] == '[' {
		return d.sole(f.name, read)
	}
	found, err := d.wrapped(f.name, read)
	d.hollow = !found
	return err
}
