package webservice

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"github.com/graph-gophers/graphql-go/errors"
)

// Union is the Go form of a value of a union or interface type.
type Union interface {
	// Member returns the name of the value's concrete type, and a pointer to the Go form of
	// that type.
	Member() (string, any)
}

// Appender is a scalar value that encodes itself.
type Appender interface {
	// AppendJSON appends the JSON encoding of the scalar to b.
	AppendJSON(b []byte) []byte
}

// Plan encodes the results of one operation's root field. It is compiled for one Go type; all
// values passed to Append must have that type.
type Plan struct {
	alias string
	root  node
}

// Append appends the data of an answer to b. It returns the extended b and the errors of
// fields. v is the result of the root field.
func (p *Plan) Append(b []byte, v reflect.Value) ([]byte, []*errors.QueryError) {
	w := writer{b: append(append(append(b, `{"`...), p.alias...), `":`...)}
	w.path = append(w.path, pathStep{name: p.alias})
	p.root.write(&w, v)
	return append(w.b, '}'), w.errs
}

// writer collects the output and the errors. path is the path of the current field.
type writer struct {
	b    []byte
	path []pathStep
	errs []*errors.QueryError
}

// pathStep is a step of a field's path: a field name or, if name is empty, a list index.
type pathStep struct {
	name  string
	index int
}

// writeError records an error for the current path and writes null. It returns false, the
// result of a node that has written null.
func (w *writer) writeError(err *errors.QueryError) bool {
	for _, s := range w.path {
		if s.name != "" {
			err.Path = append(err.Path, s.name)
		} else {
			err.Path = append(err.Path, s.index)
		}
	}
	w.errs = append(w.errs, err)
	return w.writeNull(len(w.b))
}

// writeNull replaces the output from the index start on with null. It returns false, the
// result of a node that has written null.
func (w *writer) writeNull(start int) bool {
	w.b = append(w.b[:start], "null"...)
	return false
}

// node encodes values of a schema type.
type node interface {
	// write appends the encoded value to the output. It returns false if it has written null.
	write(w *writer, v reflect.Value) bool
}

// optionalNode encodes the target of a pointer, or null.
type optionalNode struct{ elem node }

func (o optionalNode) write(w *writer, v reflect.Value) bool {
	if v.IsNil() {
		return w.writeNull(len(w.b))
	}
	return o.elem.write(w, v.Elem())
}

type listNode struct {
	elem        node
	elemNonNull bool // a null element makes the list null
}

func (l listNode) write(w *writer, v reflect.Value) bool {
	start, complete := len(w.b), true
	w.b = append(w.b, '[')
	w.path = append(w.path, pathStep{})
	for i := range v.Len() {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.path[len(w.path)-1].index = i
		complete = l.elem.write(w, v.Index(i)) && complete
	}
	w.path = w.path[:len(w.path)-1]
	if l.elemNonNull && !complete {
		return w.writeNull(start)
	}
	w.b = append(w.b, ']')
	return true
}

// objectNode encodes the selected fields of a struct.
type objectNode []field

type field struct {
	alias   string
	prefix  string // the encoded member name with its separator, such as ,"code":
	index   []int  // index of the struct field
	node    node
	nonNull bool // a null value makes the object null
}

func (o objectNode) write(w *writer, v reflect.Value) bool {
	start, complete := len(w.b), true
	w.b = append(w.b, '{')
	for i := range o {
		f := &o[i]
		w.b = append(w.b, f.prefix...)
		w.path = append(w.path, pathStep{name: f.alias})
		if !f.node.write(w, f.valueIn(v)) && f.nonNull {
			complete = false
		}
		w.path = w.path[:len(w.path)-1]
	}
	if !complete {
		return w.writeNull(start)
	}
	w.b = append(w.b, '}')
	return true
}

// valueIn returns the value that the field has in the struct v.
func (f *field) valueIn(v reflect.Value) reflect.Value {
	for _, i := range f.index {
		v = v.Field(i)
	}
	return v
}

// typenameNode encodes the name of an object type as the value of __typename.
type typenameNode string

func (t typenameNode) write(w *writer, _ reflect.Value) bool {
	w.b = strconv.AppendQuote(w.b, string(t))
	return true
}

// unionNode encodes a [Union] with the node of its concrete type. The keys of the map are the
// names of the types.
type unionNode map[string]node

func (u unionNode) write(w *writer, v reflect.Value) bool {
	name, view := v.Addr().Interface().(Union).Member() //nolint:forcetypeassert // Compile checked the type
	return u[name].write(w, reflect.ValueOf(view).Elem())
}

// enumValueNode encodes a value of an enumeration.
type enumValueNode struct {
	name   string
	values []string
}

func (e enumValueNode) write(w *writer, v reflect.Value) bool {
	name := v.String()
	if !slices.Contains(e.values, name) {
		//nolint:revive // same message as graphql-go
		return w.writeError(errors.Errorf("Invalid value %s.\nExpected type %s, found %s.", name, e.name, name))
	}
	w.b = append(append(append(w.b, '"'), name...), '"')
	return true
}

// Nodes that encode scalars.
type (
	integerNode  struct{}
	textNode     struct{}
	appenderNode struct{} // implements Appender
	scalarNode   struct{} // any other type
)

func (integerNode) write(w *writer, v reflect.Value) bool {
	w.b = strconv.AppendInt(w.b, v.Int(), 10)
	return true
}

func (textNode) write(w *writer, v reflect.Value) bool {
	s := v.String()
	if !isPlainASCII(s) {
		return scalarNode{}.write(w, v)
	}
	w.b = append(append(append(w.b, '"'), s...), '"')
	return true
}

// isPlainASCII reports whether s is printable ASCII without characters that encoding/json
// escapes. Such a string can be written between quotes as it is.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c >= 0x7f, c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

func (appenderNode) write(w *writer, v reflect.Value) bool {
	w.b = v.Interface().(Appender).AppendJSON(w.b) //nolint:forcetypeassert // Compile checked the type
	return true
}

func (scalarNode) write(w *writer, v reflect.Value) bool {
	data, err := json.Marshal(v.Interface())
	if err != nil { // graphql-go turns a panic into an error as well
		return w.writeError(errors.Errorf("could not marshal %v: %s", v.Interface(), err))
	}
	w.b = append(w.b, data...)
	return true
}
