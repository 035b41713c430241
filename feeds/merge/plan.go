package merge

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// kind defines how the value of a field is read and stored.
type kind uint8

const (
	kindInt kind = iota
	kindFloat
	kindText
	kindString // a string, or one of the string types of package model with fixed values
	kindInstant
	kindScalar
	kindInts
	kindStrings
	kindKeyedList
	kindObject
)

// fieldPlan describes a field of a record: its location and how to read it.
type fieldPlan struct {
	name         string
	offset       uintptr // offset in the struct, in bytes
	kind         kind
	timeField    timeunit.Field // time that the field holds if document 2 does not show its unit, otherwise None
	memberOffset int            // offset of the field's member in the nulls of its object
	valueOffset  int            // offset of the field's value in the nulls of its object
	object       *objectPlan    // for kindObject
	list         keyedList      // for kindKeyedList
}

// maxFields is the maximum number of fields of an object, because field sets are 64-bit sets.
const maxFields = 64

// objectPlan is the plan for a struct, with the fields in selection order.
type objectPlan struct {
	fields   []fieldPlan
	byName   map[string]int // index of each field by name
	nulls    []byte         // `"a":null,"b":null,`: the members of an object that has only null fields
	fieldAt  []uint8        // index of the field for each position in nulls
	goType   reflect.Type   // type of the struct
	name     string         // name of goType
	typename int            // index of the field __typename, or -1
}

// keyedList merges and compares lists whose elements have keys.
type keyedList interface {
	merge(d *decoder, p unsafe.Pointer) error
	// equal, diff and copyElement do for lists what Equal, Diff and CopyDifference of [Differ] do
	// for records.
	equal(a, b unsafe.Pointer) bool
	diff(ours, theirs unsafe.Pointer, yield func(Difference) bool) bool
	copyElement(to, from unsafe.Pointer, element string)
	// fillUnknown takes the element with the given key from the list at from. It copies those of its
	// fields to the list at to that are unknown there.
	fillUnknown(to, from unsafe.Pointer, element string)
}

// Plan describes how to merge messages into records of type T.
type Plan[T any] struct {
	root    *objectPlan
	keys    uint64 // bit set of the key fields
	scratch T      // key fields of the current record
	item    Item[T]
	decoder decoder
}

// NewPlan returns the plan for T. selection is the selection of a document's root field. keys names
// the key fields of a record. Reading is fastest if they come first in the selection. NewPlan returns an error
// if a key field is not usable, if T lacks a selected field, if a field of T is not selected or of an
// unsupported type, or if an object has more than maxFields fields. So no value gets lost unnoticed.
func NewPlan[T any](selection []Selection, keys ...string) (*Plan[T], error) {
	root, err := planObject(reflect.TypeFor[T](), selection)
	if err != nil {
		return nil, err
	}
	p := &Plan[T]{root: root}
	for _, k := range keys {
		i, err := root.keyField(k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", root.goType, err)
		}
		p.keys |= 1 << uint(i)
	}
	return p, nil
}

func planObject(t reflect.Type, selection []Selection) (*objectPlan, error) {
	o := &objectPlan{byName: make(map[string]int), goType: t, name: t.Name(), typename: -1}
	places := make(map[string]fieldLocation)
	collectFields(t, 0, places)
	var errs []error
	for _, s := range selection {
		pl, ok := places[s.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: selected field %q has no struct field", t, s.Name))
			continue
		}
		delete(places, s.Name)
		f := fieldPlan{name: s.Name, offset: pl.offset, timeField: pl.timeField}
		if err := planValue(&f, pl.goType, s.Fields); err != nil {
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
	o.buildPrediction()
	return o, errors.Join(errs...)
}

// buildPrediction sets nulls and fieldAt, which predict an object with only null fields. The
// decoder compares the input with this prediction.
func (o *objectPlan) buildPrediction() {
	var at uint8
	for i := range o.fields {
		f := &o.fields[i]
		f.memberOffset = len(o.nulls)
		o.nulls = append(o.nulls, `"`+f.name+`":`...)
		f.valueOffset = len(o.nulls)
		o.nulls = append(o.nulls, "null,"...)
		o.fieldAt = append(o.fieldAt, slices.Repeat([]uint8{at}, len(o.nulls)-f.memberOffset)...)
		at++
	}
	o.fieldAt = append(o.fieldAt, at)
}

// keyField returns the index of a key field. It returns an error if the field is not selected or
// its type is not allowed for keys.
func (o *objectPlan) keyField(name string) (int, error) {
	i, ok := o.byName[name]
	if !ok {
		return 0, fmt.Errorf("key %q is not selected", name)
	}
	switch o.fields[i].kind {
	case kindInt, kindText, kindString:
		return i, nil
	default:
		return 0, fmt.Errorf("key %q is neither an integer nor a string", name)
	}
}

// copyFields copies the key fields in the set fields from src to dst.
func (o *objectPlan) copyFields(fields uint64, dst, src unsafe.Pointer) {
	for ; fields != 0; fields &= fields - 1 {
		f := &o.fields[bits.TrailingZeros64(fields)]
		to, from := unsafe.Add(dst, f.offset), unsafe.Add(src, f.offset)
		switch f.kind { //nolint:exhaustive // keyField allows only these kinds
		case kindInt:
			*(*model.Int)(to) = *(*model.Int)(from)
		case kindText:
			*(*model.Text)(to) = *(*model.Text)(from)
		case kindString:
			*(*string)(to) = *(*string)(from)
		}
	}
}

type fieldLocation struct {
	offset    uintptr
	goType    reflect.Type
	timeField timeunit.Field
}

// collectFields adds the locations of the fields of t with a json tag to locations, including the
// fields of embedded structs. base is the offset of t.
func collectFields(t reflect.Type, base uintptr, locations map[string]fieldLocation) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			collectFields(f.Type, base+f.Offset, locations)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			unit, _ := timeunit.FieldNamed(f.Tag.Get("time"))
			locations[name] = fieldLocation{base + f.Offset, f.Type, unit}
		}
	}
}

func planValue(f *fieldPlan, t reflect.Type, selection []Selection) error {
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
		return planStringOrStruct(f, t, selection)
	}
	return nil
}

func planStringOrStruct(f *fieldPlan, t reflect.Type, selection []Selection) error {
	switch t.Kind() {
	case reflect.String:
		f.kind = kindString
		return nil
	case reflect.Struct:
		f.kind = kindObject
		obj, err := planObject(t, selection)
		f.object = obj
		return err
	default:
		return fmt.Errorf("cannot read a %s", t)
	}
}

func planList[E any](f *fieldPlan, selection []Selection, key string) error {
	f.kind = kindKeyedList
	obj, err := planObject(reflect.TypeFor[E](), selection)
	if err != nil {
		return err
	}
	i, err := obj.keyField(key)
	if err != nil {
		return err
	}
	f.list = &listPlan[E]{name: f.name, object: obj, keyBit: 1 << uint(i), keyOffset: obj.fields[i].offset}
	return nil
}
