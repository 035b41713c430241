package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/internal/lib/testkit"

	"github.com/google/go-cmp/cmp"
)

func TestProfileFile(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	f := &profileFile{filepath.Join(testkit.PrivateDir(t), "servers", "host_443.json"), func() time.Time { return now }}
	if _, ok := f.Load(); ok {
		t.Fatal("there is a profile before any was kept")
	}
	want := dialect.Profile{
		Server: "1.0.2", LearntAt: now, Subprotocol: "graphql-ws", Filters: dialect.FiltersVariables,
		Roots: map[string]string{"users": "onUsers"}, MissingFields: map[string][]string{"users": {"site"}},
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
	now = now.Add(profileMaxAge + time.Second)
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
