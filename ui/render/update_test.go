package render

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

func keys(r Rows) []string {
	out := make([]string, r.Len())
	for i := range out {
		out[i] = r.Key(i)
	}
	slices.Sort(out)
	return out
}

func TestAgentsScope(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		scope Scope
		want  []string
	}{
		{"calls", Scope{Channel: model.Call}, []string{"bianchi", "boss", "quiet", "rossi", "silent", "z1"}},
		{"chat", Scope{Channel: model.Chat}, []string{"rossi"}},
		{"video, known by the state alone", Scope{Channel: model.Video}, []string{"rossi"}},
		{"a channel that nobody has", Scope{Channel: "FAX"}, []string{}},
		{"service", Scope{Channel: model.Call, Service: "4711"}, []string{"rossi", "silent"}},
		{"service that is served now", Scope{Channel: model.Call, Service: "empty"}, []string{"rossi"}},
		{"group", Scope{Channel: model.Call, Group: "G2"}, []string{"rossi"}},
		{"both", Scope{Channel: model.Call, Service: "4711", Group: "G3"}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := NewAgents()
			v := view("")
			v.Scope = tt.scope
			r.Update(snapshot(t), v)
			if d := cmp.Diff(tt.want, keys(r)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestAgentsOfAServiceComeAndGo changes records and users at random, and compares updated rows with newly
// created ones.
func TestAgentsOfAServiceComeAndGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		store := floor()
		names := []string{"rossi", "bianchi", "silent", "z1"}
		services := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"4711", "4712", "empty"}), 0, 2, rapid.ID)
		v := view("")
		v.Scope = Scope{Channel: model.Call, Restriction: &Restriction{Services: []string{"4711"}, Site: rapid.Int64Range(0, 2).Draw(t, "site")}}
		follows := NewAgents()
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "who")
			key := model.UserStatKey{Username: name, Channel: model.Call}
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				if u := store.Users.Get(name); u != nil {
					changed := *u
					changed.Services = services.Draw(t, "services")
					store.Users.Put(&changed)
				}
			case 1:
				if r := store.UserStats.Get(key); r != nil {
					changed := *r
					changed.CurrentService = text(rapid.SampledFrom([]string{"", "4711", "empty"}).Draw(t, "serves"))
					changed.UserSite = model.IntOf(rapid.Int64Range(1, 2).Draw(t, "moves to"))
					store.UserStats.Put(&changed)
				}
			case 2:
				store.UserStats.Delete(key)
			default:
				r := &model.UserStat{Username: text(name)}
				r.Channel = model.Call
				store.UserStats.Put(r)
			}
			if rapid.Bool().Draw(t, "published") {
				s := store.Publish(now, model.Health{})
				follows.Update(s, v)
				fresh := NewAgents()
				fresh.Update(s, v)
				if d := cmp.Diff(keys(fresh), keys(follows)); d != "" {
					t.Fatal(d)
				}
			}
		}
	})
}

func TestOperatorsAreNoAgents(t *testing.T) {
	t.Parallel()
	store := floor()
	operator := func(username string) *model.Operator {
		return &model.Operator{Username: text(username), Channel: model.Call}
	}
	for _, u := range []string{"op1", "op2"} {
		store.Users.Put(&model.User{
			Username: text(u), Services: []string{"4711"}, Skillsets: []string{"G1"},
			Statuses: model.ChannelStatuses{Call: model.Busy, Chat: model.Ready},
		})
	}
	store.Operators.Put(operator("rossi")) // an operator who also has figures of an agent
	r, v := NewAgents(), view(model.Call)
	want := func(scope Scope, keysWanted ...string) {
		t.Helper()
		v.Scope = scope
		r.Update(store.Publish(now, model.Health{}), v)
		if d := cmp.Diff(keysWanted, keys(r)); d != "" {
			t.Errorf("%+v: %s", scope, d)
		}
	}
	want(Scope{Channel: model.Call}, "bianchi", "boss", "op2", "quiet", "rossi", "silent", "z1")
	store.Operators.Put(operator("op2"))
	want(Scope{Channel: model.Call}, "bianchi", "boss", "quiet", "rossi", "silent", "z1")
	want(Scope{Channel: model.Call, Service: "4711"}, "rossi", "silent")
	want(Scope{Channel: model.Call, Group: "G1"}, "rossi")
	want(Scope{Channel: model.Chat}, "rossi")
	store.Operators.Delete(operator("op2").Key())
	want(Scope{Channel: model.Chat}, "op2", "rossi")
}

func TestScopeAndSnapshotChange(t *testing.T) {
	t.Parallel()
	store := floor()
	v := view(model.Call)
	r := NewServices()
	r.Update(nil, v)
	if r.Len() != 0 {
		t.Fatalf("%d rows of no snapshot", r.Len())
	}
	r.Update(store.Publish(now, model.Health{}), v)
	if d := cmp.Diff([]string{"4711", "empty", "東京サポートセンター窓口その一"}, keys(r)); d != "" {
		t.Error(d)
	}
	chat := *v
	chat.Channel = model.Chat
	r.Update(store.Publish(now, model.Health{}), &chat)
	if d := cmp.Diff([]string{"4711"}, keys(r)); d != "" {
		t.Error(d)
	}
	store.Services.Delete(model.ServiceKey{Code: "4711", Channel: model.Chat})
	r.Update(store.Publish(now, model.Health{}), &chat)
	if r.Len() != 0 {
		t.Errorf("%q left of a deleted service", keys(r))
	}
}

// TestRowsStayWithTheirRecords deletes and changes records at random, which moves other records, and
// compares the updated rows with newly created ones.
func TestRowsStayWithTheirRecords(t *testing.T) {
	t.Parallel()
	store := crowd(50)
	v := view(model.Call)
	r := NewAgents()
	for i := range 40 {
		snap := store.Publish(now, model.Health{})
		r.Update(snap, v)
		fresh := NewAgents()
		fresh.Update(snap, v)
		if d := cmp.Diff(keys(fresh), keys(r)); d != "" {
			t.Fatalf("step %d: %s", i, d)
		}
		for row := range r.Len() {
			if got, want := r.Record(row).Username.String(), r.Key(row); got != want {
				t.Fatalf("step %d: row %q holds %q", i, want, got)
			}
		}
		k := store.UserStats.Rows()[(i*37)%store.UserStats.Len()].Key()
		store.UserStats.Delete(k)
		if i%2 == 0 {
			store.Users.Delete(k.Username)
		}
		change(store, 3)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	store := floor()
	v := view(model.Call)
	r := NewAgents()
	r.Update(store.Publish(now, model.Health{}), v)
	version := func(key string) uint64 { return r.Version(at(t, r, key)) }
	rossiBefore, quietBefore := version("rossi"), version("quiet")

	r.Update(store.Publish(now, model.Health{}), v)
	if version("rossi") != rossiBefore {
		t.Error("the version changes without a change of the row")
	}
	later := view(model.Call)
	later.Options = v.Options
	later.Now = now.Add(time.Second)
	r.Update(store.Publish(now, model.Health{}), later)
	if version("rossi") == rossiBefore {
		t.Error("a second later, the row with a growing time has the same version")
	}
	if version("quiet") != quietBefore {
		t.Error("a second later, the row without a time has another version")
	}
	store.UserStats.Put(rossi())
	before := version("rossi")
	r.Update(store.Publish(now, model.Health{}), later)
	if version("rossi") == before {
		t.Error("a new record has the old version")
	}
	before = version("quiet")
	other := *later
	other.Options = options()
	r.Update(store.Publish(now, model.Health{}), &other)
	if version("quiet") == before {
		t.Error("other options have the old version")
	}
}

func TestUpdateOfTheSameSnapshotCostsNothing(t *testing.T) {
	snap := snapshot(t)
	v := view(model.Call)
	for name, r := range map[string]Rows{
		"services": NewServices(), "agents": NewAgents(), "campaigns": NewCampaigns(),
	} {
		r.Update(snap, v)
		if got := testing.AllocsPerRun(10, func() { r.Update(snap, v) }); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

func TestOptionsReplaceNames(t *testing.T) {
	t.Parallel()
	snap := snapshot(t)
	r := NewServices()
	r.Update(snap, view(model.Call))
	v := view(model.Call)
	v.Options.Names = model.Names{}
	r.Update(snap, v)
	if got := shown(t, r, "4711", "name"); got != "4711" {
		t.Errorf("got %q from options that have no name", got)
	}
	if !r.Matches(at(t, r, "4711"), "4711") || r.Matches(at(t, r, "4711"), "billing") {
		t.Error("the filter looks for the old name")
	}
}
