package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// watcherOf returns a watcher of a file.
func watcherOf(t *testing.T, path string) *watcher {
	t.Helper()
	w := watchFiles(slog.New(slog.DiscardHandler), path)
	t.Cleanup(w.close)
	<-time.After(2 * settleDelay) // otherwise the first check would already see the change
	return w
}

// told waits until the watcher reports a change.
func (w *watcher) told(t *testing.T, what string) {
	t.Helper()
	select {
	case <-w.changed:
	case <-time.After(3 * time.Second): // shorter than pollInterval
		t.Fatal("no change was reported:", what)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path+"~"); err != nil {
		t.Skip(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

// TestForeignFilesDelayNothing checks that a change is reported soon although another file in the folder
// changes all the time.
func TestForeignFilesDelayNothing(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path := filepath.Join(dir, "config.toml")
	write(t, path, "one")
	w := watcherOf(t, path)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		pace := time.NewTicker(settleDelay / 10)
		defer pace.Stop()
		for {
			select {
			case now := <-pace.C:
				_ = os.WriteFile(filepath.Join(dir, "foreign.toml"), []byte(now.String()), 0o600) // the folder may already be removed
			case <-stop:
				return
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	write(t, path, "two")
	w.told(t, "a changed file")
}

// TestLinksAreWatched changes files to which links point, as in a Kubernetes volume.
func TestLinksAreWatched(t *testing.T) {
	t.Parallel()
	dir, kept := testkit.PrivateDir(t), testkit.PrivateDir(t)
	write(t, filepath.Join(kept, "mine.toml"), "one")
	link(t, filepath.Join(kept, "mine.toml"), filepath.Join(dir, "config.toml"))
	w := watcherOf(t, filepath.Join(dir, "config.toml"))
	write(t, filepath.Join(kept, "mine.toml"), "two")
	w.told(t, "a changed file behind a link")

	volume := testkit.PrivateDir(t)
	for _, v := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(volume, v), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(volume, v, "config.toml"), v)
	}
	link(t, "one", filepath.Join(volume, "..data"))
	link(t, filepath.Join("..data", "config.toml"), filepath.Join(volume, "config.toml"))
	w = watcherOf(t, filepath.Join(volume, "config.toml"))
	link(t, "two", filepath.Join(volume, "..data"))
	w.told(t, "another folder behind a link")
	<-time.After(2 * settleDelay)
	write(t, filepath.Join(volume, "two", "config.toml"), "three")
	w.told(t, "a changed file in it")
}

// TestWhatConcernsAWatcher checks which notifications of the file system concern a watcher.
func TestWhatConcernsAWatcher(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path, themes := filepath.Join(dir, "config.toml"), filepath.Join(dir, "themes")
	w := &watcher{paths: []string{path, themes}}
	w.watchParents()
	for name, want := range map[string]bool{
		path: true, dir + "/./CONFIG.toml": true, themes: true, filepath.Join(themes, "night.toml"): true, dir: true,
		path + "~": false, filepath.Join(dir, "state.json"): false, filepath.Join(dir, "other.toml"): false,
		filepath.Join(themes, "night.toml.swp"): false, filepath.Join(themes, "deep", "night.toml"): false,
	} {
		if got := w.isWatched(name); got != want {
			t.Errorf("%s concerns it: %v, want %v", name, got, want)
		}
	}
}

// TestLargeFilesAreNotRead checks that a watched file above the limit counts as missing.
func TestLargeFilesAreNotRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "token")
	missing := fingerprintOf(path)
	write(t, path, "secret")
	if fingerprintOf(path) == missing {
		t.Error("a file counts as missing")
	}
	if err := os.Truncate(path, maxWatchedSize+1); err != nil {
		t.Fatal(err)
	}
	if fingerprintOf(path) != missing {
		t.Error("a large file is read")
	}
}
