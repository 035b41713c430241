package resource

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"wallboard/model"
)

// FieldChange describes how one field differs between two versions of a resource.
type FieldChange struct {
	Field string // path such as "lists[12].enabled", the same in every Diff of the resource
	Label string // the path for users: "list 12: enabled"
	Old   string // clean text for users; "" means "not given"
	New   string
	// Hidden means that the values differ only where they are not shown.
	Hidden bool
}

// Equal reports whether two versions of a resource have the same content.
func Equal[T any](a, b T) bool { return len(Diff(a, b)) == 0 }

// Diff returns the differences between two versions of a resource, in the order of the fields in
// document 1; unknown fields come last. Different notations of a value (5, 5.0 and "5"; null and
// absent; time zones) are not differences, and neither is the order of list elements that have IDs.
// Strings are compared as received, even if they are shortened or replaced for display.
func Diff[T any](before, after T) []FieldChange {
	var d differ
	d.compareObjects(fieldPath{}, rawCopy(&before), rawCopy(&after))
	return d.changes
}

// rawCopy returns a copy of the resource whose strings are as received, not cleaned.
func rawCopy[T any](r *T) reflect.Value {
	v := reflect.New(reflect.TypeFor[T]()).Elem()
	readObject(writeObject(reflect.ValueOf(r).Elem()), v, verbatim)
	return v
}

type differ struct{ changes []FieldChange }

// fieldPath identifies a field in a resource: by its path for programs and by a label for users.
type fieldPath struct{ path, label string }

func (p fieldPath) member(name string) fieldPath {
	if p.path == "" {
		return fieldPath{name, splitName(name)}
	}
	return fieldPath{p.path + "." + name, p.label + ": " + splitName(name)}
}

func (p fieldPath) element(key string) fieldPath {
	return fieldPath{p.path + "[" + key + "]", strings.TrimSuffix(p.label, "s") + " " + key}
}

func (d *differ) addChange(path fieldPath, was, is string) {
	d.changes = append(d.changes, FieldChange{Field: path.path, Label: path.label, Old: was, New: is, Hidden: was == is})
}

func (d *differ) compareObjects(parent fieldPath, was, is reflect.Value) {
	before, _ := splitObject(rawJSONOf(was))
	after, _ := splitObject(rawJSONOf(is))
	wasRaw, isRaw := valuesByName(before), valuesByName(after)
	for _, fd := range fieldsOf(was.Type()) {
		old, now := was.Field(fd.index), is.Field(fd.index)
		path := parent.member(fd.name)
		switch {
		case isReadableAs(wasRaw[fd.name], old.Type()) && isReadableAs(isRaw[fd.name], now.Type()):
			d.compareValues(path, fd, old, now)
		case !sameJSON(wasRaw[fd.name], isRaw[fd.name]):
			d.addChange(path, formatRaw(wasRaw[fd.name]), formatRaw(isRaw[fd.name]))
		}
		delete(wasRaw, fd.name)
		delete(isRaw, fd.name)
	}
	for _, m := range slices.Concat(before, after) {
		if !sameJSON(wasRaw[m.name], isRaw[m.name]) {
			name := model.CleanText(m.name, model.MaxName)
			d.addChange(parent.member(name), formatRaw(wasRaw[m.name]), formatRaw(isRaw[m.name]))
		}
		delete(wasRaw, m.name)
		delete(isRaw, m.name)
	}
}

// isReadableAs reports whether raw can be read completely into a value of type t. A nil raw, which
// means an absent value, is readable.
func isReadableAs(raw json.RawMessage, t reflect.Type) bool {
	return raw == nil || readValue(raw, reflect.New(t).Elem(), verbatim)
}

func (d *differ) compareValues(path fieldPath, fd resourceField, was, is reflect.Value) {
	switch t := was.Type(); {
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		d.compareObjects(path, elemOrEmpty(was), elemOrEmpty(is))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		d.compareLists(path, was, is)
	case isEmpty(was) && isEmpty(is) || reflect.DeepEqual(was.Interface(), is.Interface()):
	case fd.secret:
		d.addChange(path, redacted, redacted)
	default:
		d.addChange(path, formatValue(was, fd.form), formatValue(is, fd.form))
	}
}

func elemOrEmpty(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return reflect.New(v.Type().Elem()).Elem()
	}
	return v.Elem()
}

// isEmpty reports whether v means "not given": v is the zero value of its type, an empty list or an
// empty map.
func isEmpty(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// compareLists compares the elements with the same key in two versions of a list. An element whose
// key is in only one version counts as removed or added.
func (d *differ) compareLists(path fieldPath, was, is reflect.Value) {
	before, after := elementKeys(was, is)
	for i, key := range before {
		if j := slices.Index(after, key); j >= 0 {
			d.compareObjects(path.element(key), was.Index(i), is.Index(j))
		} else {
			d.addChange(path.element(key), summarize(was.Index(i)), "")
		}
	}
	for j, key := range after {
		if !slices.Contains(before, key) {
			d.addChange(path.element(key), "", summarize(is.Index(j)))
		}
	}
}

// elementKeys returns the keys of the elements of two lists. The keys are the IDs of the elements
// if each element has an ID that is unique in its list. Otherwise the keys are the positions of the
// elements, from 1.
func elementKeys(was, is reflect.Value) (before, after []string) {
	before, ok := elementIDs(was)
	if after, also := elementIDs(is); ok && also {
		return before, after
	}
	return ordinalKeys(was), ordinalKeys(is)
}

// elementIDs returns the IDs of the elements. The bool result is false if an element has no ID or
// if two elements have the same ID.
func elementIDs(list reflect.Value) ([]string, bool) {
	fields := fieldsOf(list.Type().Elem())
	k := slices.IndexFunc(fields, func(fd resourceField) bool { return fd.key })
	if k < 0 {
		return nil, false
	}
	all := make([]string, 0, list.Len())
	for i := range list.Len() {
		id := formatValue(list.Index(i).Field(fields[k].index), fields[k].form)
		if id == "" || slices.Contains(all, id) {
			return nil, false
		}
		all = append(all, id)
	}
	return all, true
}

func ordinalKeys(list reflect.Value) []string {
	all := make([]string, list.Len())
	for i := range all {
		all[i] = strconv.Itoa(i + 1)
	}
	return all
}

// sameJSON reports whether two JSON values are equal. An absent value, null and "" count as equal.
func sameJSON(a, b json.RawMessage) bool {
	return reflect.DeepEqual(decodeJSON(a), decodeJSON(b))
}

func decodeJSON(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || v == "" {
		return nil
	}
	return v
}
