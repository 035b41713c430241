package resource

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"
)

// document is the JSON value that a resource was read from. Resources embed it to preserve members
// that document 1 does not describe.
type document struct {
	raw json.RawMessage
}

func (d *document) setRaw(raw json.RawMessage) { d.raw = raw }
func (d *document) rawJSON() json.RawMessage   { return d.raw }

// rawKeeper is implemented by resources that embed a document.
type rawKeeper interface {
	setRaw(raw json.RawMessage)
	rawJSON() json.RawMessage
}

// rawJSONOf returns the JSON that the struct v was read from. It returns nil if v was not read or
// does not embed a document.
func rawJSONOf(v reflect.Value) json.RawMessage {
	if k, ok := v.Addr().Interface().(rawKeeper); ok {
		return k.rawJSON()
	}
	return nil
}

// objectMember is one member of a JSON object, as offsets in the text of the object. The name and
// the colon are at [nameStart, valueStart), the value is at [valueStart, valueEnd).
type objectMember struct {
	name                            string
	value                           json.RawMessage
	nameStart, valueStart, valueEnd int
}

// splitObject splits a JSON object into its members, in order. The bool result is false if raw is
// not a valid object.
func splitObject(raw []byte) ([]objectMember, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	var all []objectMember
	for d.More() {
		before := int(d.InputOffset())
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		var m objectMember
		if err := d.Decode(&m.value); err != nil {
			return nil, false
		}
		m.name, _ = name.(string)
		m.nameStart = before + bytes.IndexByte(raw[before:], '"')
		m.valueEnd = int(d.InputOffset())
		m.valueStart = m.valueEnd - len(m.value)
		all = append(all, m)
	}
	_, err := d.Token()
	return all, err == nil
}

// valuesByName returns the values of an object's members by name. If several members have the same
// name, the last one counts, as in most JSON parsers.
func valuesByName(all []objectMember) map[string]json.RawMessage {
	values := make(map[string]json.RawMessage, len(all))
	for _, m := range all {
		values[m.name] = m.value
	}
	return values
}

// resourceField describes a documented field of a resource.
type resourceField struct {
	index  int      // index in the struct
	name   string   // name in JSON
	form   textForm // how its text is cleaned
	key    bool     // identifies the elements of a list
	secret bool     // is never shown
}

// fieldsOf returns the fields of a struct in declaration order. The tag clean:"body" marks
// text of several lines, is:"key" the field that identifies list elements, and is:"secret" a
// value that is never shown.
func fieldsOf(t reflect.Type) []resourceField {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]resourceField) //nolint:forcetypeassert // nothing else is stored
	}
	fields := readFields(t)
	fieldsByType.Store(t, fields)
	return fields
}

// fieldsByType caches the results of fieldsOf, because a response may have a hundred thousand
// elements of one type.
var fieldsByType sync.Map

func readFields(t reflect.Type) []resourceField {
	var fields []resourceField
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := f.Tag.Lookup("json")
		if !ok {
			continue
		}
		use := singleLine
		if f.Tag.Get("clean") == "body" {
			use = multiLine
		}
		fields = append(fields, resourceField{
			index: i, name: name, form: use,
			key: f.Tag.Get("is") == "key", secret: f.Tag.Get("is") == "secret",
		})
	}
	return fields
}
