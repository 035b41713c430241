package model_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// said returns the content of a record with its version, for comparison.
type said struct {
	Name     string
	Services string
	Version  uint64
}

func saidBy(r *model.User) said {
	return said{r.Name.String(), fmt.Sprint(r.Services), r.Version}
}

// content returns the content of a table. It fails if rows and index disagree.
func content(t rapid.TB, rows []*model.User, get func(string) *model.User) map[string]said {
	t.Helper()
	all := make(map[string]said)
	for _, r := range rows {
		if get(r.Key()) != r {
			t.Fatalf("the row %q is not the one found by its key", r.Key())
		}
		all[r.Key()] = saidBy(r)
	}
	if len(all) != len(rows) {
		t.Fatalf("%d rows with %d keys", len(rows), len(all))
	}
	return all
}

// storeMachine compares a store with a plain map, and every snapshot with its content when
// it was published.
type storeMachine struct {
	store     *model.Store
	want      map[string]said
	versions  uint64
	dirty     bool
	snapshots []*model.Snapshot
	published []map[string]said
}

func drawUser(t *rapid.T, name string) *model.User {
	r := &model.User{
		Username: model.TextOf(name),
		Name:     model.TextOf(rapid.SampledFrom([]string{"A", "B"}).Draw(t, "name")),
	}
	for range rapid.IntRange(0, 2).Draw(t, "services") {
		r.Services = append(r.Services, "s")
	}
	return r
}

func drawKey(t *rapid.T) string {
	return rapid.SampledFrom([]string{"anna", "bob", "carl", "dora", "emil"}).Draw(t, "key")
}

// note records that a user was written; the version must be new.
func (m *storeMachine) note(t *rapid.T, r *model.User) {
	if r.Version <= m.versions {
		t.Fatalf("version %d after %d", r.Version, m.versions)
	}
	m.versions = r.Version
	m.want[r.Key()] = saidBy(r)
	m.dirty = true
}

func (m *storeMachine) put(t *rapid.T) {
	r := drawUser(t, drawKey(t))
	m.store.Users.Put(r)
	m.note(t, r)
}

func (m *storeMachine) remove(t *rapid.T) {
	k := drawKey(t)
	_, had := m.want[k]
	if got := m.store.Users.Delete(k); got != had {
		t.Fatalf("Delete(%q) = %v, want %v", k, got, had)
	}
	delete(m.want, k)
	m.dirty = m.dirty || had
}

func (m *storeMachine) replace(t *rapid.T) {
	keys := rapid.SliceOfNDistinct(rapid.Custom(drawKey), 0, 5, rapid.ID[string]).Draw(t, "keys")
	rows := make([]*model.User, len(keys))
	var added, changed int
	gone := maps.Clone(m.want)
	for i, k := range keys {
		rows[i] = drawUser(t, k)
		delete(gone, k)
		old, had := m.want[k]
		now := saidBy(rows[i])
		now.Version = old.Version
		switch {
		case !had:
			added++
		case now != old:
			changed++
		}
	}
	was := maps.Clone(m.want)
	a, c, r := m.store.Users.Replace(rows)
	if a != added || c != changed || r != len(gone) {
		t.Fatalf("Replace: %d added, %d changed, %d removed, want %d, %d, %d", a, c, r, added, changed, len(gone))
	}
	for k := range gone {
		delete(m.want, k)
	}
	for _, r := range rows {
		old, had := was[r.Key()]
		if now := saidBy(r); had && now == old {
			continue // an equal record is kept with its version
		}
		m.note(t, r)
	}
	m.dirty = m.dirty || added+changed+len(gone) > 0
}

func (m *storeMachine) publish(t *rapid.T) {
	s := m.store.Publish(noon, model.Health{})
	if n := len(m.snapshots); n > 0 {
		last := m.snapshots[n-1]
		if s.Seq != last.Seq+1 {
			t.Fatalf("snapshot %d after %d", s.Seq, last.Seq)
		}
		if (s.Users == last.Users) == m.dirty {
			t.Fatalf("the same table again: %v, although dirty: %v", s.Users == last.Users, m.dirty)
		}
	}
	m.snapshots = append(m.snapshots, s)
	m.published = append(m.published, maps.Clone(m.want))
	m.dirty = false
}

func (m *storeMachine) check(t *rapid.T) {
	live := &m.store.Users
	if diff := cmp.Diff(m.want, content(t, live.Rows(), live.Get)); diff != "" {
		t.Fatalf("live (-want +got):\n%s", diff)
	}
	if live.Len() != len(m.want) || m.store.IsDirty() != m.dirty {
		t.Fatalf("Len %d, Dirty %v, want %d, %v", live.Len(), m.store.IsDirty(), len(m.want), m.dirty)
	}
	for i, s := range m.snapshots {
		got := content(t, slices.Collect(s.Users.All()), s.Users.Get)
		if diff := cmp.Diff(m.published[i], got); diff != "" {
			t.Fatalf("snapshot %d changed after it was published (-want +got):\n%s", i, diff)
		}
		if s.Users.Len() != len(got) {
			t.Fatalf("Len %d, want %d", s.Users.Len(), len(got))
		}
	}
}

func TestStoreAgreesWithAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &storeMachine{store: model.NewStore(), want: make(map[string]said)}
		t.Repeat(map[string]func(*rapid.T){
			"":        m.check,
			"put":     m.put,
			"delete":  m.remove,
			"replace": m.replace,
			"publish": m.publish,
		})
	})
}

func TestReplaceKeepsEqualRecords(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	user := func(name string, services ...string) *model.User {
		return &model.User{Username: model.TextOf(name), Services: services}
	}
	anna, bob := user("anna", "a"), user("bob")
	s.Users.Put(anna)
	s.Users.Put(bob)
	s.Publish(noon, model.Health{})

	if a, c, r := s.Users.Replace([]*model.User{user("anna", "a"), user("bob")}); a+c+r != 0 || s.IsDirty() {
		t.Errorf("Replace with the same: %d added, %d changed, %d removed, dirty %v", a, c, r, s.IsDirty())
	}
	if s.Users.Get("anna") != anna || s.Users.Get("bob") != bob {
		t.Error("equal records were replaced")
	}
	// Known to be empty differs from unknown.
	if _, c, _ := s.Users.Replace([]*model.User{user("anna", "a"), {Username: model.TextOf("bob"), Services: []string{}}}); c != 1 {
		t.Errorf("%d changed, want 1", c)
	}
	if s.Users.Get("anna") != anna || s.Users.Get("bob").Version <= bob.Version {
		t.Error("want the old anna and a newer bob")
	}
}

// TestVersionsComeFromOneCounter checks that versions increase across all tables of a store, so that a
// row's cache cannot confuse two records.
func TestVersionsComeFromOneCounter(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	var last uint64
	grown := func(version uint64) {
		t.Helper()
		if version <= last {
			t.Errorf("version %d after %d", version, last)
		}
		last = version
	}
	for range 2 {
		put(&s.Services, &model.Service{}, func(r *model.Service) { grown(r.Version) })
		put(&s.Groups, &model.Group{}, func(r *model.Group) { grown(r.Version) })
		put(&s.Users, &model.User{}, func(r *model.User) { grown(r.Version) })
		put(&s.UserStats, &model.UserStat{}, func(r *model.UserStat) { grown(r.Version) })
		put(&s.Profiles, &model.ProfileStat{}, func(r *model.ProfileStat) { grown(r.Version) })
		put(&s.Campaigns, &model.Campaign{}, func(r *model.Campaign) { grown(r.Version) })
		put(&s.Attendants, &model.Attendant{}, func(r *model.Attendant) { grown(r.Version) })
		put(&s.Operators, &model.Operator{}, func(r *model.Operator) { grown(r.Version) })
		put(&s.OperatorProfiles, &model.ProfileStat{}, func(r *model.ProfileStat) { grown(r.Version) })
		if !s.IsDirty() {
			t.Error("not dirty after writes")
		}
	}
	snap := s.Publish(noon, model.Health{})
	if s.IsDirty() {
		t.Error("dirty after Publish")
	}
	if snap.Services.Len()+snap.Groups.Len()+snap.Users.Len()+snap.UserStats.Len()+snap.Profiles.Len()+
		snap.Campaigns.Len()+snap.Attendants.Len()+snap.Operators.Len()+snap.OperatorProfiles.Len() != 9 {
		t.Error("a table is missing in the snapshot")
	}
}

// put writes a record and passes it to written.
func put[K comparable, T any, R model.Record[K, T]](l *model.MutableTable[K, T, R], r *T, written func(*T)) {
	l.Put(r)
	written(r)
}

func TestEveryTableMakesTheStoreDirty(t *testing.T) {
	t.Parallel()
	for i, write := range []func(*model.Store){
		func(s *model.Store) { s.Services.Put(&model.Service{}) },
		func(s *model.Store) { s.Groups.Put(&model.Group{}) },
		func(s *model.Store) { s.Users.Put(&model.User{}) },
		func(s *model.Store) { s.UserStats.Put(&model.UserStat{}) },
		func(s *model.Store) { s.Profiles.Put(&model.ProfileStat{}) },
		func(s *model.Store) { s.Campaigns.Put(&model.Campaign{}) },
		func(s *model.Store) { s.Attendants.Put(&model.Attendant{}) },
		func(s *model.Store) { s.Operators.Put(&model.Operator{}) },
		func(s *model.Store) { s.OperatorProfiles.Put(&model.ProfileStat{}) },
	} {
		s := model.NewStore()
		if s.IsDirty() {
			t.Error("a new store is dirty")
		}
		if write(s); !s.IsDirty() {
			t.Errorf("table %d does not make the store dirty", i)
		}
	}
}

// TestSnapshotKeepsItsHealth checks that later changes of the feed's health do not affect a snapshot.
func TestSnapshotKeepsItsHealth(t *testing.T) {
	t.Parallel()
	h := model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: "users", State: model.SubLive}, {Name: "groups", State: model.SubWaiting}},
	}
	snap := model.NewStore().Publish(noon, h)
	h.Subscriptions[0].State = model.SubStale
	if !snap.Health.Live() || snap.Health.Subscription("users").State != model.SubLive {
		t.Errorf("the published health changed to %v", snap.Health.Subscriptions)
	}
	if h.Live() {
		t.Error("live with a stale subscription")
	}
	if s := snap.Health.Subscription("services"); s != nil {
		t.Errorf("found %v", s)
	}
}

func TestNilTableIsEmpty(t *testing.T) {
	t.Parallel()
	var table *model.Table[string, model.User]
	if table.Len() != 0 || table.Get("anna") != nil || table.Rows() != nil || len(slices.Collect(table.All())) != 0 {
		t.Error("a nil table is not empty")
	}
}
