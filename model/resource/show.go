package resource

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"wallboard/model"
)

// redacted replaces a secret.
const redacted = "[redacted]"

// formatValue formats a value for users as a clean string. It returns "" for a value that is not
// given.
func formatValue(v reflect.Value, f textForm) string {
	switch t := v.Interface().(type) {
	case Time:
		return model.CleanText(t.String(), model.MaxName)
	case json.RawMessage:
		return formatRaw(t)
	case bool:
		if t {
			return "yes"
		}
		return "no"
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return formatValue(v.Elem(), f)
	case reflect.Struct:
		return summarize(v)
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = formatValue(v.Index(i), f)
		}
		return strings.Join(parts, ", ")
	case reflect.Map:
		parts := make([]string, 0, v.Len())
		for _, name := range v.MapKeys() {
			parts = append(parts, formatValue(name, f)+": "+formatValue(v.MapIndex(name), f))
		}
		slices.Sort(parts)
		return strings.Join(parts, ", ")
	default:
		return f.clean(fmt.Sprint(v.Interface()))
	}
}

// summarize formats the non-empty fields of a resource on one line, each with its name. It replaces
// secrets with "[redacted]".
func summarize(v reflect.Value) string {
	var parts []string
	for _, fd := range fieldsOf(v.Type()) {
		text := formatValue(v.Field(fd.index), singleLine)
		if fd.secret && text != "" {
			text = redacted
		}
		if text != "" {
			parts = append(parts, splitName(fd.name)+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// formatRaw formats a JSON value of unknown meaning for users, on one line. It returns "" for null
// and for nil.
func formatRaw(raw json.RawMessage) string {
	if text, ok := scalarText(raw); ok && !isNull(raw) {
		return model.CleanText(text, model.MaxName)
	} else if ok || raw == nil {
		return ""
	}
	return model.CleanText(string(raw), model.MaxName)
}

// splitName splits a member name into words: "noAnswerAttempts" becomes "no answer attempts".
func splitName(name string) string {
	return strings.NewReplacer("_", " ", "-", " ").Replace(model.SplitCamelCase(name))
}
