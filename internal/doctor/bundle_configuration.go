package doctor

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/textformat"
)

// visibleTextKeys returns the keys whose string values are shown, because each of them is one
// of a few words.
func visibleTextKeys() []string {
	return []string{
		"rtd.auth", "rtd.subprotocol", "rtd.dialect.filters", "rtd.dialect.zone", "rest.auth", "rest.edition", "rest.version", "rtd.names.kind",
		"log.level", "record.names", "kiosk.names", "kiosk.front", "builtin.rule", "builtin.scope", "builtin.severity",
		"threshold.scope", "threshold.direction", "alert.scope", "alert.severity", "kpi.scope", "kpi.format", "serve.user.role", "serve.user.names",
	}
}

var indexPattern = regexp.MustCompile(`\[[0-9]+\]`)

// BundleConfiguration returns the settings that differ from their defaults, one per line. It shows
// booleans, numbers, durations and the strings of visibleTextKeys. It shows only the scheme of
// an address and only the number of values of a list. For other strings it shows only that
// they are set.
func BundleConfiguration(c *config.Config) string {
	standard := config.Default()
	w := &masker{}
	w.addTable("", reflect.ValueOf(c).Elem(), reflect.ValueOf(&standard).Elem())
	return strings.Join(w.lines, "\n") + "\n"
}

type masker struct{ lines []string }

// addTable adds the settings of a table. standard holds the defaults.
func (m *masker) addTable(path string, v, standard reflect.Value) {
	for _, f := range reflect.VisibleFields(v.Type()) {
		tag := f.Tag.Get("toml")
		if tag == "" {
			continue
		}
		key := tag
		if path != "" {
			key = path + "." + tag
		}
		m.addValue(key, v.FieldByIndex(f.Index), standard.FieldByIndex(f.Index))
	}
}

func (m *masker) addValue(key string, v, standard reflect.Value) {
	kind := v.Kind()
	isEmpty := (kind == reflect.Slice || kind == reflect.Map) && v.Len() == 0 && standard.Len() == 0
	if isEmpty || reflect.DeepEqual(v.Interface(), standard.Interface()) {
		return
	}
	switch x := v.Interface().(type) {
	case secret.Text:
		m.add(key, "(set)")
		return
	case time.Duration:
		m.add(key, textformat.ConfigDuration(x))
		return
	}
	m.addPlainValue(key, v, standard)
}

// addPlainValue is like addValue, but for a value that is neither a secret nor a duration.
func (m *masker) addPlainValue(key string, v, standard reflect.Value) {
	kind := v.Kind()
	switch {
	case kind == reflect.Struct && hasKeys(v.Type()):
		m.addTable(key, v, standard)
	case kind == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && hasKeys(v.Type().Elem()):
		for i := range v.Len() {
			m.lines = append(m.lines, fmt.Sprintf("[%s, number %d]", key, i+1))
			m.addTable(fmt.Sprintf("%s[%d]", key, i), v.Index(i), reflect.Zero(v.Type().Elem()))
		}
	case kind == reflect.Slice || kind == reflect.Map:
		m.add(key, fmt.Sprintf("(%d values)", v.Len()))
	case kind == reflect.Bool || kind == reflect.Float64 || kind == reflect.Int || kind == reflect.Int64:
		m.add(key, fmt.Sprint(v.Interface()))
	case kind == reflect.String:
		m.add(key, visibleText(key, v.String()))
	default:
		m.add(key, "(set)")
	}
}

func (m *masker) add(key, value string) { m.lines = append(m.lines, key+" = "+value) }

// visibleText returns the visible form of text, the value of key.
func visibleText(key, text string) string {
	if slices.Contains(visibleTextKeys(), indexPattern.ReplaceAllString(key, "")) {
		return text
	}
	if u, err := url.Parse(text); err == nil && slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
		return "(set, " + u.Scheme + ")"
	}
	return "(set)"
}

// ConfigurationTexts returns the strings of a configuration that [BundleConfiguration] does not
// show, and the hosts and unusual paths of its addresses.
func ConfigurationTexts(c *config.Config) []string {
	standard := config.Default()
	var texts []string
	appendStrings(&texts, "", reflect.ValueOf(c).Elem(), reflect.ValueOf(&standard).Elem())
	for _, text := range slices.Clone(texts) {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			texts = append(texts, u.Host, u.Hostname())
			if path := strings.Trim(u.Path, "/"); !slices.Contains(usualPaths(), path) {
				texts = append(texts, path)
			}
		}
	}
	return texts
}

// usualPaths returns the paths of addresses that are not hidden, because the platform's documents use them.
func usualPaths() []string { return []string{"rtd", "platform", "datamodel"} }

// appendStrings appends the strings in v that differ from standard. standard may be invalid.
func appendStrings(texts *[]string, key string, v, standard reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the others have no texts
	case reflect.String:
		isStandard := standard.IsValid() && standard.Kind() == reflect.String && standard.String() == v.String()
		if !isStandard && visibleText(key, v.String()) != v.String() {
			*texts = append(*texts, v.String())
		}
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(v.Type()) {
			tag := f.Tag.Get("toml")
			if tag == "" {
				continue
			}
			of := reflect.Value{}
			if standard.IsValid() && standard.Type() == v.Type() {
				of = standard.FieldByIndex(f.Index)
			}
			appendStrings(texts, strings.TrimPrefix(key+"."+tag, "."), v.FieldByIndex(f.Index), of)
		}
	case reflect.Slice:
		for i := range v.Len() {
			appendStrings(texts, key, v.Index(i), reflect.Value{})
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			appendStrings(texts, key, it.Value(), reflect.Value{})
		}
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			appendStrings(texts, key, v.Elem(), reflect.Value{})
		}
	}
}

func hasKeys(t reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.Tag.Get("toml") != "" })
}

// BundleConfigurationErrors returns the line and the key of each error in a configuration. It leaves
// out the values quoted by the errors, and unknown keys.
func BundleConfigurationErrors(problems config.Errors) string {
	var b strings.Builder
	known := config.Keys()
	for _, p := range problems {
		key := indexPattern.ReplaceAllString(p.Key, "")
		if !slices.Contains(known, key) { // an unknown key may contain anything
			key = "(a key that is not known)"
		}
		fmt.Fprintf(&b, "line %d: %s has an error\n", p.Line, key)
	}
	return b.String()
}
