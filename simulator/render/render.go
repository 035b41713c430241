// Package render writes what queries and subscriptions tell as JSON. graphql-go
// writes the same, for any resolver, field by field; a [Plan] is made once for a
// selection and a Go type, and then only reads fields.
//
// A plan serves the views of the simulator: structs whose fields are those of
// the schema, nil where they are null, and [Union]. What it does not serve, a
// directive for example, [Compile] refuses, and graphql-go does it.
package render

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"github.com/graph-gophers/graphql-go/errors"
)

// Union is a view whose type is one of several.
type Union interface {
	// Member returns the name of the type that it is of and the view, a
	// pointer, of that type.
	Member() (string, any)
}

// Appender is a scalar that writes itself.
type Appender interface {
	// AppendJSON appends what the scalar marshals to.
	AppendJSON(b []byte) []byte
}

// Plan writes values of one Go type as the field that a selection asks for.
type Plan struct {
	alias string
	root  node
}

// Append appends the data of the answer that holds v, and returns what is wrong
// with it.
func (p *Plan) Append(b []byte, v reflect.Value) ([]byte, []*errors.QueryError) {
	w := writer{b: append(append(append(b, `{"`...), p.alias...), `":`...)}
	w.path = append(w.path, step{name: p.alias})
	p.root.write(&w, v)
	return append(w.b, '}'), w.errs
}

// writer is what is written so far, and where.
type writer struct {
	b    []byte
	path []step
	errs []*errors.QueryError
}

// step is one step of a path: to the field of a name or to an element.
type step struct {
	name  string
	index int
}

// fail writes null for a value that is not of its type.
func (w *writer) fail(err *errors.QueryError) bool {
	for _, s := range w.path {
		if s.name != "" {
			err.Path = append(err.Path, s.name)
		} else {
			err.Path = append(err.Path, s.index)
		}
	}
	w.errs = append(w.errs, err)
	return w.null(len(w.b))
}

// null writes null in the place of what was written from start on.
func (w *writer) null(start int) bool {
	w.b = append(w.b[:start], "null"...)
	return false
}

// node writes the values of one type.
type node interface {
	// write returns false when it wrote null.
	write(w *writer, v reflect.Value) bool
}

// optional writes what a pointer leads to.
type optional struct{ to node }

func (o optional) write(w *writer, v reflect.Value) bool {
	if v.IsNil() {
		return w.null(len(w.b))
	}
	return o.to.write(w, v.Elem())
}

type list struct {
	of      node
	nonNull bool // an element that is null makes the list null
}

func (l list) write(w *writer, v reflect.Value) bool {
	start, whole := len(w.b), true
	w.b = append(w.b, '[')
	w.path = append(w.path, step{})
	for i := range v.Len() {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.path[len(w.path)-1].index = i
		whole = l.of.write(w, v.Index(i)) && whole
	}
	w.path = w.path[:len(w.path)-1]
	if l.nonNull && !whole {
		return w.null(start)
	}
	w.b = append(w.b, ']')
	return true
}

// object writes the selected fields of a struct.
type object []field

type field struct {
	alias   string
	label   string // the alias as a JSON member opens with it, and what is before it
	index   []int  // of the struct's field
	to      node
	nonNull bool // null makes the object null
}

func (o object) write(w *writer, v reflect.Value) bool {
	start, whole := len(w.b), true
	w.b = append(w.b, '{')
	for i := range o {
		f := &o[i]
		w.b = append(w.b, f.label...)
		w.path = append(w.path, step{name: f.alias})
		if !f.to.write(w, f.of(v)) && f.nonNull {
			whole = false
		}
		w.path = w.path[:len(w.path)-1]
	}
	if !whole {
		return w.null(start)
	}
	w.b = append(w.b, '}')
	return true
}

// of is the field's value in a struct.
func (f *field) of(v reflect.Value) reflect.Value {
	for _, i := range f.index {
		v = v.Field(i)
	}
	return v
}

// typename writes the name of a type, whatever the value.
type typename string

func (t typename) write(w *writer, _ reflect.Value) bool {
	w.b = strconv.AppendQuote(w.b, string(t))
	return true
}

// union writes the fields that are selected of the type that a [Union] is of.
type union map[string]node

func (u union) write(w *writer, v reflect.Value) bool {
	name, view := v.Addr().Interface().(Union).Member() //nolint:forcetypeassert // Compile looked
	return u[name].write(w, reflect.ValueOf(view).Elem())
}

// enum writes one of the values of an enumeration.
type enum struct {
	name   string
	values []string
}

func (e enum) write(w *writer, v reflect.Value) bool {
	name := v.String()
	if !slices.Contains(e.values, name) {
		//nolint:revive // the words of graphql-go
		return w.fail(errors.Errorf("Invalid value %s.\nExpected type %s, found %s.", name, e.name, name))
	}
	w.b = append(append(append(w.b, '"'), name...), '"')
	return true
}

// The scalars.
type (
	integer  struct{}
	text     struct{}
	appender struct{} // of type Appender
	scalar   struct{} // of any other type
)

func (integer) write(w *writer, v reflect.Value) bool {
	w.b = strconv.AppendInt(w.b, v.Int(), 10)
	return true
}

func (text) write(w *writer, v reflect.Value) bool {
	s := v.String()
	if !plain(s) {
		return scalar{}.write(w, v)
	}
	w.b = append(append(append(w.b, '"'), s...), '"')
	return true
}

// plain reports whether a text is in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c >= 0x7f, c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

func (appender) write(w *writer, v reflect.Value) bool {
	w.b = v.Interface().(Appender).AppendJSON(w.b) //nolint:forcetypeassert // Compile looked
	return true
}

func (scalar) write(w *writer, v reflect.Value) bool {
	data, err := json.Marshal(v.Interface())
	if err != nil { // graphql-go panics, too, and makes an error of it
		return w.fail(errors.Errorf("could not marshal %v: %s", v.Interface(), err))
	}
	w.b = append(w.b, data...)
	return true
}
