package merge

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"wallboard/model"
)

// kind says how a field's value is read.
type kind uint8

const (
	kindInt kind = iota
	kindFloat
	kindText
	kindString // string and the string enums of package model
	kindInstant
	kindScalar
	kindInts
	kindStrings
	kindKeyedList
	kindObject
)

// field is one field of a record: where it lies and how it is read.
type field struct {
	name   string
	quoted string // `"name"`, to compare with the input
	null   string // `"name":null,`, to skip it with one comparison
	off    uintptr
	kind   kind
	obj    *object // of kindObject
	list   keyedList
}

// maxFields is how many fields of one object can be told apart by the bits of
// a word.
const maxFields = 64

// object is the plan of one struct: its fields in the order of the selection.
type object struct {
	fields   []field
	byName   map[string]int
	typ      reflect.Type
	name     string // of typ
	typename int    // the index of __typename, or -1
}

// keyedList merges a list whose elements have a key of their own.
type keyedList interface {
	merge(d *decoder, p unsafe.Pointer) error
}

// Plan is how messages are merged onto records of type T.
type Plan[T any] struct {
	root    *object
	keys    []int // root fields that make the key
	scratch T     // holds the key fields while a record is looked up
	item    Item[T]
	d       decoder
}

// NewPlan builds the plan for T from the selection below a document's root
// field. keys names the fields that make a record's key; when they come first
// in the selection, finding the record costs next to nothing. A field that is
// selected but not in T, or the other way round, is an error: nothing that is
// asked for may be dropped in silence.
func NewPlan[T any](selection []Selection, keys ...string) (*Plan[T], error) {
	root, err := planObject(reflect.TypeFor[T](), selection)
	if err != nil {
		return nil, err
	}
	p := &Plan[T]{root: root}
	for _, k := range keys {
		i, ok := root.byName[k]
		if !ok {
			return nil, fmt.Errorf("%s: key %q is not selected", root.typ, k)
		}
		p.keys = append(p.keys, i)
	}
	return p, nil
}

func planObject(t reflect.Type, selection []Selection) (*object, error) {
	o := &object{byName: make(map[string]int), typ: t, name: t.Name(), typename: -1}
	places := make(map[string]place)
	collect(t, 0, places)
	var errs []error
	for _, s := range selection {
		pl, ok := places[s.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: selected field %q has no place", t, s.Name))
			continue
		}
		delete(places, s.Name)
		f := field{name: s.Name, off: pl.off}
		f.quoted = `"` + s.Name + `"`
		f.null = f.quoted + ":null,"
		if err := planValue(&f, pl.typ, s.Fields); err != nil {
			errs = append(errs, fmt.Errorf("%s.%s: %w", t, s.Name, err))
			continue
		}
		if s.Name == "__typename" {
			o.typename = len(o.fields)
		}
		o.byName[s.Name] = len(o.fields)
		o.fields = append(o.fields, f)
	}
	for _, name := range slices.Sorted(maps.Keys(places)) {
		errs = append(errs, fmt.Errorf("%s: field %q is not selected", t, name))
	}
	if len(o.fields) > maxFields {
		errs = append(errs, fmt.Errorf("%s: more than %d fields", t, maxFields))
	}
	return o, errors.Join(errs...)
}

type place struct {
	off uintptr
	typ reflect.Type
}

// collect finds the tagged fields of t, those of embedded structs included.
func collect(t reflect.Type, base uintptr, places map[string]place) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			collect(f.Type, base+f.Offset, places)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			places[name] = place{base + f.Offset, f.Type}
		}
	}
}

func planValue(f *field, t reflect.Type, selection []Selection) error {
	switch t {
	case reflect.TypeFor[model.Int]():
		f.kind = kindInt
	case reflect.TypeFor[model.Float]():
		f.kind = kindFloat
	case reflect.TypeFor[model.Text]():
		f.kind = kindText
	case reflect.TypeFor[model.Instant]():
		f.kind = kindInstant
	case reflect.TypeFor[model.Scalar]():
		f.kind = kindScalar
	case reflect.TypeFor[[]int64]():
		f.kind = kindInts
	case reflect.TypeFor[[]string]():
		f.kind = kindStrings
	case reflect.TypeFor[[]model.CustomStat]():
		return planList[model.CustomStat](f, selection, "key")
	case reflect.TypeFor[[]model.ProfilesInActivity]():
		return planList[model.ProfilesInActivity](f, selection, "activityCode")
	case reflect.TypeFor[[]model.ActivityTime]():
		return planList[model.ActivityTime](f, selection, "activityCode")
	default:
		return planOther(f, t, selection)
	}
	return nil
}

func planOther(f *field, t reflect.Type, selection []Selection) error {
	switch t.Kind() { //nolint:exhaustive // the records use no other kinds, and the default says so
	case reflect.String:
		f.kind = kindString
		return nil
	case reflect.Struct:
		f.kind = kindObject
		obj, err := planObject(t, selection)
		f.obj = obj
		return err
	default:
		return fmt.Errorf("no way to read a %s", t)
	}
}

func planList[E any](f *field, selection []Selection, key string) error {
	f.kind = kindKeyedList
	obj, err := planObject(reflect.TypeFor[E](), selection)
	if err != nil {
		return err
	}
	i, ok := obj.byName[key]
	if !ok {
		return fmt.Errorf("key %q is not selected", key)
	}
	f.list = &list[E]{name: f.name, obj: obj, keys: [1]int{i}}
	return nil
}
