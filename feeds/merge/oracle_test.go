package merge_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/feeds/merge"
	"wallboard/model"
)

// The oracle is the slow and obvious way to merge: encoding/json decodes into a
// tree, to which the rules of document 2 are applied directly.

var (
	errShape   = errors.New("oracle: wrong shape")
	errInvalid = errors.New("oracle: not acceptable")
)

// parsed is a JSON object with its duplicate keys.
type parsed struct {
	members map[string]any
	twice   map[string]bool
}

// maxDepth is the maximum nesting of a message.
const maxDepth = 32

// decode decodes a JSON text with encoding/json: objects as parsed, arrays as
// []any, numbers as json.Number.
func decode(payload string) (any, error) {
	if !json.Valid([]byte(payload)) {
		return nil, errInvalid
	}
	dec := json.NewDecoder(strings.NewReader(payload))
	dec.UseNumber()
	return decodeValue(dec, 0)
}

func decodeValue(dec *json.Decoder, depth int) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errInvalid, err)
	}
	open, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth++; depth > maxDepth {
		return nil, errInvalid
	}
	list := []any{}
	obj := parsed{make(map[string]any), make(map[string]bool)}
	for dec.More() {
		var name string
		if open == '{' {
			tok, err := dec.Token()
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errInvalid, err)
			}
			name = tok.(string)
		}
		v, err := decodeValue(dec, depth)
		if err != nil {
			return nil, err
		}
		_, again := obj.members[name]
		obj.twice[name] = obj.twice[name] || again
		obj.members[name] = v
		list = append(list, v)
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%w: %w", errInvalid, err)
	}
	if open == '{' {
		return obj, nil
	}
	return list, nil
}

// oracle holds the records of one subscription in normal form.
type oracle struct {
	subject
	records map[string]any
}

func newOracle(s subject) *oracle { return &oracle{s, make(map[string]any)} }

// apply merges a payload, all or nothing, and reports whether it contained
// data.
func (o *oracle) apply(payload string) (hasData bool, err error) {
	v, err := decode(payload)
	if err != nil {
		return false, err
	}
	envelope, ok := v.(parsed)
	if !ok {
		return false, errShape
	}
	if envelope.members["data"] == nil {
		return false, nil
	}
	data, ok := envelope.members["data"].(parsed)
	if !ok {
		return false, errShape
	}
	items, err := listOf(data.members[o.name])
	if err != nil {
		return false, err
	}
	staged := maps.Clone(o.records)
	for _, item := range items {
		update, ok := item.(parsed)
		if !ok {
			return false, errShape
		}
		key, err := o.keyOf(update)
		if err != nil {
			return false, err
		}
		old, _ := staged[key].(object)
		if staged[key], err = mergeObject(o.typ, old, update); err != nil {
			return false, err
		}
	}
	o.records = staged
	return data.members[o.name] != nil, nil
}

// listOf returns the non-null elements of a list; a single object is a list of
// one.
func listOf(v any) ([]any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case parsed:
		return []any{v}, nil
	case []any:
		return slices.DeleteFunc(slices.Clone(v), func(e any) bool { return e == nil }), nil
	}
	return nil, errShape
}

func (o *oracle) keyOf(update parsed) (string, error) {
	only := parsed{make(map[string]any), update.twice}
	for _, k := range o.keys {
		if v, err := unwrap(update.members[k]); v == nil {
			return "", cmp.Or(err, merge.ErrNoKey)
		}
		only.members[k] = update.members[k]
	}
	s, err := mergeObject(o.typ, nil, only)
	return keyText(s, o.keys), err
}

// mergeObject returns old with an update merged into it.
func mergeObject(t reflect.Type, old object, update parsed) (object, error) {
	fields := make(map[string]reflect.Type)
	tagged(t, func(name string, typ reflect.Type) { fields[name] = typ })
	fresh := make(object)
	was, _ := old["__typename"].(string)
	is, ok := update.members["__typename"].(string)
	is = model.CleanText(is, model.MaxName)
	if _, union := fields["__typename"]; !union || !ok || was == "" || was == is {
		maps.Copy(fresh, old)
	}
	var err error
	for name, v := range update.members {
		typ, known := fields[name]
		if !known {
			continue
		}
		if update.twice[name] {
			return nil, errInvalid
		}
		if name != "__typename" && singleValue(typ) {
			if v, err = unwrap(v); err != nil {
				return nil, err
			}
		}
		if v == nil {
			continue
		}
		n, err := mergeValue(typ, fresh[name], v)
		if err != nil {
			return nil, err
		}
		delete(fresh, name)
		if n != nil {
			fresh[name] = n
		}
	}
	return fresh, nil
}

// singleValue reports whether a field of a type holds a single value.
func singleValue(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[model.Int](), reflect.TypeFor[model.Float](), reflect.TypeFor[model.Text](),
		reflect.TypeFor[model.Instant](), reflect.TypeFor[model.Scalar]():
		return true
	}
	return t.Kind() == reflect.String
}

// unwrap extracts a single value from a foreign platform's wrapper.
func unwrap(v any) (any, error) {
	switch o := v.(type) {
	case parsed:
		names := slices.DeleteFunc(slices.Collect(maps.Keys(o.members)), func(n string) bool { return n == "__typename" })
		if len(names) != 1 || o.twice[names[0]] {
			return nil, errShape
		}
		v = o.members[names[0]]
	case []any:
		if len(o) != 1 || o[0] == nil {
			return nil, errShape
		}
		v = o[0]
	default:
		return v, nil
	}
	switch v.(type) {
	case parsed, []any:
		return nil, errShape
	}
	return v, nil
}

// tagged calls field for every field of a record with a response key.
func tagged(t reflect.Type, field func(name string, typ reflect.Type)) {
	for f := range t.Fields() {
		if f.Anonymous {
			tagged(f.Type, field)
		} else if name := f.Tag.Get("json"); name != "" && name != "-" {
			field(name, f.Type)
		}
	}
}

// listKeys holds the key fields of the keyed lists.
var listKeys = map[reflect.Type]string{
	reflect.TypeFor[model.CustomStat]():         "key",
	reflect.TypeFor[model.ProfilesInActivity](): "activityCode",
	reflect.TypeFor[model.ActivityTime]():       "activityCode",
}

func mergeValue(t reflect.Type, old, v any) (any, error) {
	switch t {
	case reflect.TypeFor[model.Int]():
		return wantInt(v)
	case reflect.TypeFor[model.Float]():
		return wantFloat(v)
	case reflect.TypeFor[model.Text]():
		return wantText(v)
	case reflect.TypeFor[model.Instant]():
		return wantInstant(v)
	case reflect.TypeFor[model.Scalar]():
		return wantScalar(v)
	case reflect.TypeFor[[]int64]():
		return wantList(v, wantInt)
	case reflect.TypeFor[[]string]():
		return wantList(v, wantText)
	}
	switch t.Kind() {
	case reflect.Slice:
		return mergeList(t.Elem(), old, v)
	case reflect.Struct:
		update, ok := v.(parsed)
		if !ok {
			return nil, errShape
		}
		o, _ := old.(object)
		n, err := mergeObject(t, o, update)
		if len(n) == 0 {
			return nil, err
		}
		return n, err
	default:
		s, err := wantText(v)
		if s == "" {
			return nil, err
		}
		return s, err
	}
}

func mergeList(t reflect.Type, old, v any) (any, error) {
	items, err := listOf(v)
	if err != nil {
		return nil, err
	}
	prev, _ := old.([]object)
	fresh := append([]object{}, prev...)
	key := listKeys[t]
	for _, item := range items {
		update, ok := item.(parsed)
		if !ok {
			return nil, errShape
		}
		name, err := unwrap(update.members[key])
		if name == nil {
			return nil, cmp.Or(err, merge.ErrNoKey)
		}
		k, err := wantText(name)
		if err != nil {
			return nil, err
		}
		// A normal form omits an empty key.
		i := slices.IndexFunc(fresh, func(e object) bool { have, _ := e[key].(string); return have == k })
		if i < 0 {
			i = len(fresh)
			fresh = append(fresh, nil)
		}
		if fresh[i], err = mergeObject(t, fresh[i], update); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

func wantList[E any](v any, want func(any) (E, error)) (any, error) {
	in, ok := v.([]any)
	if !ok {
		return nil, errShape
	}
	out := []E{}
	for _, e := range in {
		if _, wrapped := e.(parsed); wrapped {
			var err error
			var text E
			if _, ok := any(text).(string); !ok {
				return nil, errShape
			}
			if e, err = unwrap(e); err != nil {
				return nil, err
			}
		}
		if e == nil {
			continue
		}
		x, err := want(e)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func wantText(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", errShape
	}
	return model.CleanText(s, model.MaxName), nil
}

var (
	wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	anyNumber   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

func wantInt(v any) (int64, error) {
	text := fmt.Sprint(v)
	if n, ok := new(big.Int).SetString(text, 10); ok && wholeNumber.MatchString(text) && n.IsInt64() && n.Int64() != math.MinInt64 {
		return n.Int64(), nil
	}
	f, err := wantFloat(v)
	if err != nil || math.Abs(f) >= 1<<53 {
		return 0, errShape
	}
	return int64(math.Round(f)), nil
}

func wantFloat(v any) (float64, error) {
	text := fmt.Sprint(v) // v is a json.Number or a string
	if !anyNumber.MatchString(text) {
		return 0, errShape
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, errShape
	}
	return f, nil
}

// wantInstant converts a Date of a platform whose numbers are Unix milliseconds
// and whose texts without a zone are in UTC. nil means no instant.
func wantInstant(v any) (any, error) {
	f, err := wantFloat(v)
	s, text := v.(string)
	switch {
	case err == nil:
		return ofFloor(math.Round(f), f > 0), nil
	case !text:
		return nil, errShape
	}
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
		"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", time.RFC1123Z,
	} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil && len(strings.TrimSpace(s)) <= 64 {
			return ofFloor(float64(t.UnixMilli()), true), nil
		}
	}
	return nil, nil
}

// ofFloor returns the instant if it is plausible, else nil.
func ofFloor(ms float64, some bool) any {
	ahead := ms - float64(now.UnixMilli())
	if !some || ahead > 24*3600e3 || -ahead > 25*366*24*3600e3 {
		return nil
	}
	return instant(ms)
}

func wantScalar(v any) (scalar, error) {
	switch v := v.(type) {
	case string:
		s, err := wantText(v)
		if err != nil {
			return "", err
		}
		b, err := json.Marshal(s)
		return scalar(b), err
	case bool:
		return scalar(strconv.FormatBool(v)), nil
	case json.Number:
		f, err := wantFloat(v)
		if err != nil {
			return "", err
		}
		if len(v) > 32 {
			return scalar(bytes.TrimSpace(strconv.AppendFloat(nil, f, 'g', -1, 64))), nil
		}
		return scalar(v), nil
	}
	return "", errShape
}
