package merge

import "unsafe"

// aliasSeparator separates the name of the field from the type in an alias, see [Alias].
const aliasSeparator = "__"

// Alias returns the alias of a field in the fragment for typ, a type that document 2 does not show.
// Without aliases, fields of two types could have the same response key. [Plan.Read] accepts the
// alias for the name of the field.
func Alias(field, typ string) string { return field + aliasSeparator + typ }

// recordBareType records that the object in a field contained only its __typename.
func (e *Env) recordBareType(field, typename string) {
	if typename == "" || len(e.BareTypes) >= maxBareTypes {
		return
	}
	if e.BareTypes == nil {
		e.BareTypes = make(map[string]string)
	}
	e.BareTypes[typename] = field
}

// maxBareTypes limits how many types are recorded. A server has only a few.
const maxBareTypes = 64

// readSoleMember reads an object that the server sends instead of a single value. It calls read to
// read the only member besides __typename. It is an error if there is no such member or more than
// one. found is false if the member is null.
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

// readSoleElement reads a list that the server sends instead of a single value. It calls read to
// read the only element. A list of any other length is an error.
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

// readWrappedField reads a field whose single value is wrapped in an object or a list.
func (d *decoder) readWrappedField(f *fieldPlan, base unsafe.Pointer) error {
	read := func() error { return d.readValue(f, base) }
	if d.data[d.pos] == '[' {
		return d.readSoleElement(f.name, read)
	}
	found, err := d.readSoleMember(f.name, read)
	d.wrappedNull = !found
	return err
}
