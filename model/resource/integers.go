package resource

import (
	"iter"
	"reflect"
)

// Integer is an integer field of a resource, or of an object at any depth inside the resource.
type Integer struct {
	Field string // path such as "lists[2].priority"; positions count from 1
	Label string // the path for users: "list 2: priority"
	Value int
}

// Integers returns all integers of a resource in the order of document 1, which declares them as
// int32. The values may be outside that range.
func Integers[T any](r T) iter.Seq[Integer] {
	return func(yield func(Integer) bool) {
		yieldIntegers(fieldPath{}, reflect.ValueOf(&r).Elem(), yield)
	}
}

// yieldIntegers passes the integers in v to yield. It stops and returns false as soon as yield
// returns false.
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
