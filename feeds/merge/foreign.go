package merge

import "unsafe"

// aliasSeparator separates the field name and the type in an alias.
const aliasSeparator = "__"

// Alias returns the alias of a field in the fragment of a type that document 2 does not show: two
// fields of different types must not share a response key. [Plan.Read] treats the alias like the
// field.
func Alias(field, typ string) string { return field + aliasSeparator + typ }

// recordBareType records the type of an object that contained nothing else, and its field.
func (e *Env) recordBareType(field, typename string) {
	if typename == "" || len(e.BareTypes) >= maxBareTypes {
		return
	}
	if e.BareTypes == nil {
		e.BareTypes = make(map[string]string)
	}
	e.BareTypes[typename] = field
}

// maxBareTypes limits the recorded types; a server has only a few.
const maxBareTypes = 64

// readSoleMember reads the value from an object that a server sends instead of a single value. The
// object must have one member besides __typename. found is false if that member is null.
func (d *decoder) readSoleMember(name string, read func() error) (found bool, err error) {
	members := 0
	err = d.readMembers(name, func(key []byte) error {
		if string(key) == "__typename" {
			return d.skipValue()
		}
		if members++; members > 1 || d.atComposite() {
			return d.shapeError(name, "a single value")
		}
		if d.consumeNull() {
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

// atComposite reports whether the next value is an object or a list.
func (d *decoder) atComposite() bool {
	return d.pos < len(d.data) && (d.data[d.pos] == '{' || d.data[d.pos] == '[')
}

// readSoleElement reads the value from a list that is sent instead of a single value and
// has exactly one element.
func (d *decoder) readSoleElement(name string, read func() error) error {
	n := 0
	err := d.readElements(func() error {
		if n++; n > 1 || d.atComposite() || d.consumeNull() {
			return d.shapeError(name, "a single value")
		}
		return read()
	})
	if err == nil && n == 0 {
		err = d.shapeError(name, "a single value")
	}
	return err
}

// readWrapped reads a field whose single value is wrapped in an object or a list.
func (d *decoder) readWrapped(f *fieldPlan, base unsafe.Pointer) error {
	read := func() error { return d.readValue(f, base) }
	if d.data[d.pos] == '[' {
		return d.readSoleElement(f.name, read)
	}
	found, err := d.readSoleMember(f.name, read)
	d.wrappedNull = !found
	return err
}
