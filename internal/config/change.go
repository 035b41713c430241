package config

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"

	"wallboard/internal/lib/secret"
)

// ChangedKeys returns the full names of the keys whose values differ between a and b. An array of
// tables counts as one key. Secrets are compared by value, whatever their source.
func ChangedKeys(a, b *Config) []string {
	keys := changedKeysUnder("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
	if key := "serve.trusted_ca_file"; !a.Serve.authorities.isSame(&b.Serve.authorities) && !slices.Contains(keys, key) {
		keys = append(keys, key)
	}
	return keys
}

func changedKeysUnder(path string, a, b reflect.Value) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(a.Type()) {
		tag := field.Tag.Get("toml")
		if tag == "" {
			continue
		}
		key := joinKey(path, tag)
		x, y := a.FieldByIndex(field.Index), b.FieldByIndex(field.Index)
		switch {
		case field.Type == reflect.TypeFor[secret.Text]():
			if !x.Interface().(secret.Text).Equal(y.Interface().(secret.Text)) { //nolint:forcetypeassert // checked above
				keys = append(keys, key)
			}
		case field.Type.Kind() == reflect.Struct && len(keysOf(field.Type)) > 0:
			keys = append(keys, changedKeysUnder(key, x, y)...)
		case !equalValues(x, y):
			keys = append(keys, key)
		}
	}
	if path == "rtd" || path == "rest" || path == "history" {
		keys = append(keys, changedCAFile(path, a, b)...)
	}
	return keys
}

// changedCAFile returns the key of ca_file if a and b name the same file but its certificates have
// changed in between. Otherwise it returns nil.
func changedCAFile(path string, a, b reflect.Value) []string {
	x, y := a.FieldByName("Trust").Interface().(Trust), b.FieldByName("Trust").Interface().(Trust) //nolint:forcetypeassert // the callers embed a Trust
	if x.CAFile != y.CAFile || x.roots == nil && y.roots == nil || x.roots != nil && x.roots.Equal(y.roots) {
		return nil
	}
	return []string{joinKey(path, "ca_file")}
}

// equalValues reports whether two values are equal. An empty list is equal to nil.
func equalValues(x, y reflect.Value) bool {
	if slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map}, x.Kind()) && x.Len() == 0 && y.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(x.Interface(), y.Interface())
}

// ServerChange is a changed key that determines which server receives the secrets of a service.
type ServerChange struct {
	Key      string // for example rtd.url
	From, To string // "": not set; an unset ws_url is derived from url
	Host     string // host that receives the secrets after the change
}

// ServerChanges returns the changes from a to b that could send secrets to a different server: another
// address of a service, or another way of verifying its certificate. ServerChanges ignores a service
// that b does not have.
//
// A new [history] usually has its own secret. Its address counts as a change only if that secret is also one
// of the secrets of a.
func ServerChanges(a, b *Config) []ServerChange {
	var out []ServerChange
	addRedirect := func(key, from, to, address string) {
		if from == to || address == "" {
			return
		}
		r := ServerChange{Key: key, From: from, To: to, Host: address}
		if u, err := url.Parse(address); err == nil {
			r.Host = u.Host
		}
		out = append(out, r)
	}
	compareTrust := func(section string, x, y *Trust, address string) {
		for _, key := range changedCAFile(section, reflect.ValueOf(struct{ Trust }{*x}), reflect.ValueOf(struct{ Trust }{*y})) {
			addRedirect(key, x.CAFile, y.CAFile+" as it is now", address)
		}
		addRedirect(joinKey(section, "ca_file"), x.CAFile, y.CAFile, address)
		addRedirect(joinKey(section, "insecure_skip_verify"), strconv.FormatBool(x.InsecureSkipVerify), strconv.FormatBool(y.InsecureSkipVerify), address)
	}
	addRedirect("rtd.url", a.RTD.URL, b.RTD.URL, b.RTD.URL)
	if a.RTD.WSOverride != b.RTD.WSOverride {
		addRedirect("rtd.ws_url", a.RTD.WSURL(), b.RTD.WSURL(), b.RTD.WSURL())
	}
	compareTrust("rtd", &a.RTD.Trust, &b.RTD.Trust, b.RTD.URL)
	addRedirect("rest.url", a.REST.URL, b.REST.URL, b.REST.URL)
	compareTrust("rest", &a.REST.Trust, &b.REST.Trust, b.REST.URL)
	if a.History.IsConfigured() || a.hasSecret(b.History.APIKey) {
		addRedirect("history.url", a.History.URL, b.History.URL, b.History.URL)
		compareTrust("history", &a.History.Trust, &b.History.Trust, b.History.URL)
	}
	return out
}

func (c *Config) hasSecret(s secret.Text) bool {
	return slices.ContainsFunc(c.Secrets(), func(own secret.Text) bool { return !own.IsZero() && own.Equal(s) })
}
