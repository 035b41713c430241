package merge

import "unsafe"

// aliasMark separates the field name and the type in an alias.
const aliasMark = "__"

// Alias returns the alias of a field in the fragment of a type that document 2 does not show: two
// fields of different types must not share a response key. [Plan.Read] treats the alias like the
// field.
func Alias(field, typ string) string { return field + aliasMark + typ }

// noteBare records the type of an object that contained nothing else, and its field.
func (e *Env) noteBare(field, typename string) {
	if typename == "" || len(e.BareTypes) >= maxBare {
		return
	}
	if e.BareTypes == nil {
		e.BareTypes = make(map[string]string)
	}
	e.BareTypes[typename] = field
}

// maxBare limits the recorded types; a server has only a few.
const maxBare = 64

// soleMember reads the value from an object that a server sends instead of a single value. The
// object must have one member besides __typename. found is false if that member is null.
func (d *decoder) soleMember(name string, read func() error) (found bool, err error) {
	members := 0
	err = d.members(name, func(key []byte) error {
		if string(key) == "__typename" {
			return d.skip()
		}
		if members++; members > 1 || d.nested() {
			return d.shapeError(name, "a single value")
		}
		if d.null() {
			return nil
		}
		found = true
		return read()
	})
	if err == nil && members == 0 {
		err = d.shapeError(name, "a single value")
	}
	return found, err
}

// nested reports whether the next value is an object or a list.
func (d *decoder) nested() bool {
	return d.pos < len(d.data) && (d.data[d.pos] == '{' || d.data[d.pos] == '[')
}

// soleElement reads the value from a list that is sent instead of a single value and
// has exactly one element.
func (d *decoder) soleElement(name string, read func() error) error {
	n := 0
	err := d.elements(func() error {
		if n++; n > 1 || d.nested() || d.null() {
			return d.shapeError(name, "a single value")
		}
		return read()
	})
	if err == nil && n == 0 {
		err = d.shapeError(name, "a single value")
	}
	return err
}

// wrappedValue reads a field whose single value is wrapped in an object or a list.
func (d *decoder) wrappedValue(f *field, base unsafe.Pointer) error {
	read := func() error { return d.value(f, base) }
	if d.data[d.pos] == '[' {
		return d.soleElement(f.name, read)
	}
	found, err := d.soleMember(f.name, read)
	d.wrappedNull = !found
	return err
}
