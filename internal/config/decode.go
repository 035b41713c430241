package config

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
)

// The decoder of the TOML library stops at the first value of a wrong type. The decoder in this
// file works on the parsed tree and reports all such values.

// decodeTable sets the fields of a struct from a TOML table. path is the path of the table. Each
// unknown key is a problem.
func (r *report) decodeTable(path string, table map[string]any, target reflect.Value) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		field, ok := fieldFor(target, key)
		if !ok {
			r.unknownKey(path, key, target.Type())
			continue
		}
		r.decodeValue(joinKey(path, key), table[key], field)
	}
}

// fieldFor returns the field of a struct whose toml tag is key. If there is none, ok is false.
func fieldFor(table reflect.Value, key string) (reflect.Value, bool) {
	for _, field := range reflect.VisibleFields(table.Type()) {
		// A field without a tag is not a setting and must not match an empty key in the file.
		if tag, ok := field.Tag.Lookup("toml"); ok && tag == key {
			return table.FieldByIndex(field.Index), true
		}
	}
	return reflect.Value{}, false
}

// decodeValue sets a field from a parsed value. It adds a problem if the value does not fit the
// type of the field.
func (r *report) decodeValue(path string, value any, target reflect.Value) {
	if target.Kind() == reflect.Pointer { // a pointer stays nil unless its key is in the file
		target.Set(reflect.New(target.Type().Elem()))
		target = target.Elem()
	}
	switch target := target.Addr().Interface().(type) {
	case *string:
		*target, _ = r.stringValue(path, value)
	case *secret.Text:
		if s, ok := r.stringValue(path, value); ok && s != "" {
			*target = secret.New(s)
		}
	case *bool:
		decodeScalar(r, path, value, target, "true or false", "write true or false, without quotes")
	case *int:
		*target, _ = r.intValue(path, value)
	case *float64:
		if n, ok := value.(int64); ok {
			value = float64(n)
		}
		decodeScalar(r, path, value, target, "a number", "write it without quotes, for example 0.8")
	case *time.Duration:
		r.decodeDuration(path, value, target)
	case *Size:
		r.decodeSize(path, value, target)
	case *[]string:
		*target = decodeList(r, path, value, r.stringValue, `["SRV01", "SRV02"]`)
	case *[]int:
		*target = decodeList(r, path, value, r.intValue, `[12, 13]`)
	case *Limit:
		r.decodeLimit(path, value, target)
	case *map[string]string:
		*target = decodeMap(r, path, value, r.decodeText)
	case *Table:
		name := indexPattern.ReplaceAllString(path, "")
		decodeScalar(r, path, value, (*map[string]any)(target), "a table", "write ["+name+"] on a line of its own and its keys below")
	case *Blocks:
		r.decodeBlocks(path, value, target)
	case *map[string]time.Duration:
		*target = decodeMap(r, path, value, r.decodeDuration)
	default:
		if v := reflect.ValueOf(target).Elem(); v.Kind() == reflect.Slice {
			r.decodeTables(path, value, v)
		} else {
			r.decodeSection(path, value, v)
		}
	}
}

func (r *report) decodeBlocks(path string, value any, target *Blocks) {
	blocks, ok := tableList(value)
	if !ok {
		name := indexPattern.ReplaceAllString(path, "")
		r.wrongType(path, "an array of tables", value, "write [["+name+"]] on a line of its own and its keys below")
		return
	}
	*target = blocks
}

func (r *report) decodeSection(path string, value any, target reflect.Value) {
	if target.Kind() != reflect.Struct {
		panic("config: no decoder for " + target.Type().String()) // cannot happen: a test decodes every field
	}
	table, ok := value.(map[string]any)
	if !ok {
		r.wrongType(path, "a table", value, "write ["+path+"] on a line of its own and its keys below")
		return
	}
	r.decodeTable(path, table, target)
}

func decodeScalar[T any](r *report, path string, value any, target *T, expected, remedy string) {
	v, ok := value.(T)
	if !ok {
		r.wrongType(path, expected, value, remedy)
		return
	}
	*target = v
}

func (r *report) stringValue(path string, value any) (string, bool) {
	s, ok := value.(string)
	if !ok {
		r.wrongType(path, "a text", value, "write it in quotes")
	}
	return s, ok
}

func (r *report) intValue(path string, value any) (int, bool) {
	n, ok := value.(int64)
	if !ok {
		r.wrongType(path, "a whole number", value, "write it without quotes, for example 12")
		return 0, false
	}
	// The value must fit into GraphQL's Int, which has 32 bits.
	if int64(int32(n)) != n { //nolint:gosec // the conversion is the test
		r.add(path, "is out of range", "allowed: numbers of 32 bits")
		return 0, false
	}
	return int(n), true
}

func (r *report) decodeDuration(path string, value any, target *time.Duration) {
	const remedy = `write it in quotes with its unit, for example "100ms" or "2s"`
	s, ok := value.(string)
	if !ok {
		r.wrongType(path, "a duration", value, remedy)
		return
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		r.add(path, quoteValue(s)+" is not a duration", remedy)
		return
	}
	*target = d
}

// decodeList decodes a list. An element of a wrong type becomes a zero element, so that the indexes
// of the other elements still match the file.
func decodeList[T any](r *report, path string, value any, decode func(string, any) (T, bool), example string) []T {
	list, ok := value.([]any)
	if !ok {
		r.wrongType(path, "a list", value, "write it in brackets, for example "+example)
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		out[i], _ = decode(elementKey(path, i), v)
	}
	return out
}

// decodeMap decodes a table with arbitrary keys. It skips values of a wrong type.
func decodeMap[T any](r *report, path string, value any, decode func(string, any, *T)) map[string]T {
	table, ok := value.(map[string]any)
	if !ok {
		r.wrongType(path, "a table", value, "write ["+path+"] on a line of its own and its keys below")
		return nil
	}
	out := make(map[string]T, len(table))
	for _, key := range slices.Sorted(maps.Keys(table)) {
		problemCount := len(r.problems)
		var v T
		if decode(joinKey(path, key), table[key], &v); len(r.problems) == problemCount {
			out[key] = v
		}
	}
	return out
}

func (r *report) decodeText(path string, value any, target *string) {
	*target, _ = r.stringValue(path, value)
}

// indexPattern matches the indexes in a path, such as those in page[0].row[1].
var indexPattern = regexp.MustCompile(`\[\d+\]`)

// exampleElements returns an example element of each array of tables, for messages.
func exampleElements() map[string]string {
	return map[string]string{
		"rtd.names":     `{ kind = "service", code = "SRV01", name = "Sales IT" }`,
		"service_level": `{ services = ["SRV01"], target = "90%" }`,
		"kpi":           `{ name = "missed", expr = "receivedCalls - answeredCalls" }`,
		"threshold":     `{ kpi = "longestWait", warning = "30s" }`,
		"alert":         `{ name = "long queue", when = "queuedCalls > 10" }`,
		"page":          `{ name = "Wall", builtin = "Wall" }`,
		"page.row":      `{ pane = [{ kind = "tiles" }] }`,
		"page.row.pane": `{ kind = "services", filter = "sales" }`,
		"platform":      `{ name = "Milan", rtd = { url = "https://milan.example.com/rtd" } }`,
		"serve.user":    `{ name = "anna", keys = ["ssh-ed25519 AAAA…"] }`,
		"builtin":       fmt.Sprintf("{ rule = %q, off = true }", alert.RuleLongestWait),
	}
}

// decodeTables decodes an array of tables or an array of inline tables, which means the same. An
// element that is not a table becomes a zero element, as in decodeList.
func (r *report) decodeTables(path string, value any, target reflect.Value) {
	tables, ok := value.([]map[string]any)
	if !ok {
		list, ok := value.([]any)
		if !ok {
			r.wrongType(path, "an array of tables", value, "write [["+path+"]] on a line of its own and its keys below")
			return
		}
		for i, v := range list {
			table, ok := v.(map[string]any)
			if !ok {
				r.wrongType(elementKey(path, i), "a table", v, "write "+exampleElements()[indexPattern.ReplaceAllString(path, "")])
			}
			tables = append(tables, table)
		}
	}
	target.Set(reflect.MakeSlice(target.Type(), len(tables), len(tables)))
	for i, table := range tables {
		r.decodeTable(elementKey(path, i), table, target.Index(i))
	}
}

func (r *report) wrongType(path, expected string, value any, remedy string) {
	r.add(path, "must be "+expected+", but is "+typeName(value), remedy)
}

// typeName returns the name of the TOML type of a value.
func typeName(value any) string {
	switch value.(type) {
	case string:
		return "a text"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case bool:
		return "true or false"
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "an array of tables"
	default:
		return "a list"
	}
}

// maxUnknownKeys limits the number of reported unknown keys, because suggestions for them take time.
const maxUnknownKeys = 100

// unknownKey adds a problem for an unknown key of a table. The problem suggests a similar valid key or, if
// there is none, lists the valid ones.
func (r *report) unknownKey(path, key string, table reflect.Type) {
	full := joinKey(path, key)
	if r.unknownKeys++; r.unknownKeys > maxUnknownKeys {
		if r.unknownKeys == maxUnknownKeys+1 {
			r.add(full, "unknown key", "there are more; correct the first ones")
		}
		return
	}
	allowed := keysOf(table)
	if i := slices.IndexFunc(allowed, func(k string) bool { return len(key) > 2 && strings.HasPrefix(k, key) }); i >= 0 {
		r.add(full, "unknown key", fmt.Sprintf("did you mean %s?", joinKey(path, allowed[i])))
		return
	}
	keys := Keys()
	isInTable := func(k string) bool {
		return strings.HasSuffix(k, "."+key) || strings.HasPrefix(k, path+".") && strings.HasSuffix(k, "_"+key)
	}
	if i := cmp.Or(slices.IndexFunc(keys, isInTable)+1, slices.Index(keys, key)+1); i > 0 {
		r.add(full, "unknown key", fmt.Sprintf("did you mean %s?", keys[i-1]))
		return
	}
	if s := alert.NearestWord(key, allowed); s != "" {
		r.add(full, "unknown key", fmt.Sprintf("did you mean %s?", joinKey(path, s)))
		return
	}
	where := "at the top"
	if path != "" {
		where = "in [" + path + "]"
	}
	r.add(full, "unknown key", "allowed "+where+": "+strings.Join(allowed, ", "))
}

// keysOf returns the valid keys of a table that is decoded into a struct of type table.
func keysOf(table reflect.Type) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(table) {
		if key := field.Tag.Get("toml"); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// Keys returns the full names of all valid keys and tables of a file. A table precedes its keys. An
// array of tables is named like its tables.
func Keys() []string { return keysUnder("", reflect.TypeFor[Config]()) }

func keysUnder(path string, table reflect.Type) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(table) {
		key := field.Tag.Get("toml")
		if key == "" {
			continue
		}
		key = joinKey(path, key)
		keys = append(keys, key)
		inner := field.Type
		if inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[secret.Text]() {
			keys = append(keys, keysUnder(key, inner)...)
		}
	}
	return keys
}
