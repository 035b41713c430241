package config

import (
	"reflect"
	"slices"

	"wallboard/secret"
)

// Changed returns the full name of every key whose value is another one in b
// than in a; an array of tables is one key. Secrets are compared by what they
// are, wherever they came from.
func Changed(a, b *Config) []string {
	return changedUnder("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

func changedUnder(path string, a, b reflect.Value) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(a.Type()) {
		tag := field.Tag.Get("toml")
		if tag == "" {
			continue
		}
		key := join(path, tag)
		x, y := a.FieldByIndex(field.Index), b.FieldByIndex(field.Index)
		switch {
		case field.Type == reflect.TypeFor[secret.Text]():
			if !x.Interface().(secret.Text).Equal(y.Interface().(secret.Text)) { //nolint:forcetypeassert // it is the type
				keys = append(keys, key)
			}
		case field.Type.Kind() == reflect.Struct && len(keysOf(field.Type)) > 0:
			keys = append(keys, changedUnder(key, x, y)...)
		case !same(x, y):
			keys = append(keys, key)
		}
	}
	if path == "rtd" || path == "rest" || path == "history" {
		keys = append(keys, changedRoots(path, a, b)...)
	}
	return keys
}

// changedRoots tells of a file of certificates that has others in it than before.
func changedRoots(path string, a, b reflect.Value) []string {
	x, y := a.FieldByName("Trust").Interface().(Trust), b.FieldByName("Trust").Interface().(Trust) //nolint:forcetypeassert // they are
	if x.CAFile != y.CAFile || x.roots == nil && y.roots == nil || x.roots != nil && x.roots.Equal(y.roots) {
		return nil
	}
	return []string{join(path, "ca_file")}
}

// same compares two values; an empty list is none.
func same(x, y reflect.Value) bool {
	if slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map}, x.Kind()) && x.Len() == 0 && y.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(x.Interface(), y.Interface())
}
