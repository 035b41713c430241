package merge_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/feeds/merge"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// now is the server's time in all tests. It is not a multiple of a quarter of
// an hour after any instant in them; otherwise three changes of texts without a
// zone would determine a zone.
var now = time.Date(2026, 11, 21, 9, 37, 0, 0, time.UTC)

// subject is one subscription: a record type, its document and its key.
type subject struct {
	name string
	keys []string
	typ  reflect.Type
	open func(rapid.TB) picture
}

// picture holds the records of one subscription by key, like a feed.
type picture interface {
	// apply merges a payload like a feed: into copies, all or nothing.
	apply(payload string) (merge.Result, error)
	// state returns the normal form of every record.
	state() map[string]any
	// freeze returns a picture of the presently published records.
	freeze() picture
	// empty returns a picture without records that shares the plan.
	empty() picture
}

func subjects() []subject {
	return []subject{
		subjectOf[model.Service]("serviceStats", "code", "channel"),
		subjectOf[model.Group]("groupStats", "code", "channel"),
		subjectOf[model.User]("users", "username"),
		subjectOf[model.UserStat]("userStats", "username", "channel"),
		subjectOf[model.ProfileStat]("userProfileStats", "id", "channel"),
		subjectOf[model.ProfileStat]("operatorProfileStats", "id", "channel"),
		subjectOf[model.Campaign]("pdCampaignStats", "campaignId"),
		subjectOf[model.Attendant]("serviceAttendantStats", "code", "channel", "component"),
		subjectOf[model.Operator]("operatorStats", "username", "channel"),
	}
}

// eachSubject runs a test for every subscription.
func eachSubject(t *testing.T, test func(*testing.T, subject)) {
	t.Helper()
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

func subjectNamed(tb rapid.TB, name string) subject {
	tb.Helper()
	for _, s := range subjects() {
		if s.name == name {
			return s
		}
	}
	tb.Fatalf("no subscription %q", name)
	return subject{}
}

func subjectOf[T any](name string, keys ...string) subject {
	return subject{name, keys, reflect.TypeFor[T](), func(tb rapid.TB) picture {
		tb.Helper()
		return (&records[T]{root: name, keys: keys, plan: planOf[T](tb, name, keys...)}).empty()
	}}
}

// selectionOf returns what a document selects below its root field.
func selectionOf(tb rapid.TB, name string) []merge.Selection {
	tb.Helper()
	doc, err := os.ReadFile(filepath.Join("..", "graphql", name+".graphql"))
	if err != nil {
		tb.Fatal(err)
	}
	set, err := merge.ParseSelection(string(doc))
	if err != nil {
		tb.Fatal(err)
	}
	if len(set) != 1 || set[0].Name != name {
		tb.Fatalf("document %s selects %v, want the one root field", name, set)
	}
	return set[0].Fields
}

func planOf[T any](tb rapid.TB, name string, keys ...string) *merge.Plan[T] {
	tb.Helper()
	p, err := merge.NewPlan[T](selectionOf(tb, name), keys...)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

type records[T any] struct {
	root string
	keys []string
	plan *merge.Plan[T]
	env  *merge.Env
	rows map[string]*T
}

func (p *records[T]) apply(payload string) (merge.Result, error) {
	staged := maps.Clone(p.rows)
	res, err := p.plan.Read([]byte(payload), p.root, p.env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return merge.ErrNoKey
		}
		k := keyText(normal(reflect.ValueOf(it.Key).Elem()), p.keys)
		r := new(T)
		if old := staged[k]; old != nil {
			*r = *old
		}
		staged[k] = r
		return it.Merge(r)
	})
	if err == nil {
		p.rows = staged
	}
	return res, err
}

func (p *records[T]) state() map[string]any {
	s := make(map[string]any, len(p.rows))
	for k, r := range p.rows {
		s[k] = normal(reflect.ValueOf(r).Elem())
	}
	return s
}

func (p *records[T]) freeze() picture { return &records[T]{rows: p.rows} }

func (p *records[T]) empty() picture {
	return &records[T]{
		root: p.root, keys: p.keys, plan: p.plan,
		env: &merge.Env{Now: now, Times: milliseconds()}, rows: make(map[string]*T),
	}
}

// milliseconds returns the units of a platform with instants in milliseconds
// and texts without a zone in UTC.
func milliseconds() *timeunit.Learner {
	return timeunit.New(map[timeunit.Field]timeunit.Unit{timeunit.FieldState: timeunit.UnixMillis, timeunit.FieldHold: timeunit.UnixMillis, timeunit.FieldCodes: timeunit.Seconds}, timeunit.Zone{Known: true})
}

// keyText joins the key fields of a normal form.
func keyText(state object, keys []string) string {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%q ", fmt.Sprint(state[k]))
	}
	return b.String()
}

// object is the normal form of a struct: known fields only, by response key.
// Other values are int64, float64, string, instant, scalar, []int64, []string
// and []object.
type object map[string]any

type (
	instant int64  // milliseconds
	scalar  string // as JSON
)

// normal returns the normal form of a record, sharing no memory with it. An
// empty string enum is unknown.
func normal(v reflect.Value) object {
	o := make(object)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			maps.Copy(o, normal(v.Field(i)))
			continue
		}
		if name := f.Tag.Get("json"); name != "" && name != "-" {
			if n := normalValue(v.Field(i)); n != nil {
				o[name] = n
			}
		}
	}
	return o
}

func normalValue(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case model.Int:
		if n, ok := x.Get(); ok {
			return n
		}
	case model.Float:
		if f, ok := x.Get(); ok {
			return f
		}
	case model.Text:
		if s, ok := x.Get(); ok {
			return s
		}
	case model.Instant:
		if ms, ok := x.Milli(); ok {
			return instant(ms)
		}
	case model.Scalar:
		if b, err := x.MarshalJSON(); err == nil && x.Known() {
			return scalar(b)
		}
	case []int64:
		if x != nil {
			return append([]int64{}, x...)
		}
	case []string:
		if x != nil {
			return append([]string{}, x...)
		}
	default:
		return normalOther(v)
	}
	return nil
}

func normalOther(v reflect.Value) any {
	switch v.Kind() { //nolint:exhaustive // planStringOrStruct reads no other kinds
	case reflect.String:
		if v.String() != "" {
			return v.String()
		}
	case reflect.Struct:
		if o := normal(v); len(o) > 0 {
			return o
		}
	case reflect.Slice:
		if !v.IsNil() {
			list := make([]object, v.Len())
			for i := range list {
				list[i] = normal(v.Index(i))
			}
			return list
		}
	}
	return nil
}
