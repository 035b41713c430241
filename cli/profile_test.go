package cli

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/feeds"
	"wallboard/simulator"
	"wallboard/simulator/rtd"
	"wallboard/simulator/world"
)

func TestProfileFile(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	f := &profileFile{filepath.Join(t.TempDir(), "servers", "host_443.json"), func() time.Time { return now }}
	if _, ok := f.Load(); ok {
		t.Fatal("there is a profile before any was kept")
	}
	want := feeds.Profile{
		Server: "1.0.2", LearntAt: now, Subprotocol: "graphql-ws", Filters: feeds.FiltersVariables,
		Roots: map[string]string{"users": "onUsers"}, Lacks: map[string][]string{"users": {"site"}},
		Keyless: []string{"users"}, MaxKeys: map[string]int{"userStats": 100},
	}
	if err := f.Save(want); err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Load(); !ok || cmp.Diff(want, got) != "" {
		t.Errorf("kept %v: %s", ok, cmp.Diff(want, got))
	}
	info, err := os.Stat(f.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	now = now.Add(profileLife + time.Second)
	if _, ok := f.Load(); ok {
		t.Error("a profile of more than 30 days ago is still believed")
	}
	now = want.LearntAt
	for name, text := range map[string]string{"broken": `{"format":1`, "another format": `{"format":2,"learntAt":"2026-03-04T10:00:00Z"}`} {
		if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := f.Load(); ok {
			t.Errorf("%s: believed", name)
		}
	}
}

// TestWhatWasLearntIsKept lets a second board profit from what the first found
// out: it is refused nothing.
func TestWhatWasLearntIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		so := simulator.Options{
			Switches: rtd.Switches{MissingFields: missing(), RenamedRoots: true, Filters: rtd.FiltersVariables, MaxFilterKeys: 9},
			Speed:    10,
			World:    world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
		}
		store := &kept{}
		refused := func() int {
			r := newRig(t, so, func(o *feeds.Options) { o.Profiles = store })
			defer r.stop()
			pass(20 * time.Second)
			r.settleOn(so.Switches)
			return r.srv.RTD().Refused()
		}
		if n := refused(); n == 0 {
			t.Fatal("the first board was refused nothing: the test shows nothing")
		}
		if n := refused(); n != 0 {
			t.Errorf("the second board was refused %d requests", n)
		}
		store.p.Server = "0.9.0" // the server was updated since
		if n := refused(); n == 0 {
			t.Error("what was learnt of another version is still believed")
		}
	})
}
