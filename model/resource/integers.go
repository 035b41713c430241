package resource

import (
	"iter"
	"reflect"
)

// Integer is an integer at any depth of a resource.
type Integer struct {
	Field string // path such as "lists[2].priority"; positions count from 1
	Label string // the path for users: "list 2: priority"
	Value int
}

// Integers returns the integers of a resource in the order of document 1, where they are
// int32.
func Integers[T any](r T) iter.Seq[Integer] {
	return func(yield func(Integer) bool) {
		yieldIntegers(fieldPath{}, reflect.ValueOf(&r).Elem(), yield)
	}
}

// yieldIntegers yields the integers in v. It returns false as soon as yield does.
func yieldIntegers(path fieldPath, v reflect.Value, yield func(Integer) bool) bool {
	switch v.Kind() {
	case reflect.Int:
		return yield(Integer{path.path, path.label, int(v.Int())})
	case reflect.Pointer:
		return v.IsNil() || yieldIntegers(path, v.Elem(), yield)
	case reflect.Slice:
		for i, place := range ordinalKeys(v) {
			if !yieldIntegers(path.element(place), v.Index(i), yield) {
				return false
			}
		}
	case reflect.Struct:
		for _, fd := range fieldsOf(v.Type()) {
			if !yieldIntegers(path.member(fd.name), v.Field(fd.index), yield) {
				return false
			}
		}
	default:
	}
	return true
}
