package cli

import (
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Files are looked at when they have been left alone for a moment: editors write
// in several steps. Where the system cannot tell of changes they are looked at
// all the time.
const (
	settleAfter = 200 * time.Millisecond
	pollEvery   = 5 * time.Second
)

// fingerprint tells the contents of files apart.
type fingerprint [sha256.Size]byte

// printOf returns the fingerprint of a file, or of the *.toml in a directory.
func printOf(path string) fingerprint {
	files := []string{path}
	if in, err := os.ReadDir(path); err == nil {
		files = nil
		for _, f := range in {
			if strings.HasSuffix(f.Name(), ".toml") {
				files = append(files, filepath.Join(path, f.Name()))
			}
		}
	}
	h := sha256.New()
	for _, f := range files {
		text, err := os.ReadFile(f) //nolint:gosec // the user names them
		if err == nil {             // what cannot be read is as if it were not there
			h.Write([]byte(f + "\x00"))
			h.Write(text)
		}
	}
	return fingerprint(h.Sum(nil))
}

// watcher tells when what is in files or directories has changed. It watches the
// directories around them: editors put another file in a file's place. It has
// one goroutine until it is closed.
type watcher struct {
	changed chan struct{}
	stop    chan struct{}
	done    chan struct{}
}

func watchFiles(log *slog.Logger, paths ...string) *watcher {
	w := &watcher{changed: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		log.Warn("the system does not tell of changed files; they are looked at from time to time", "error", err)
	}
	go w.run(log, notify, paths, watchAround(notify, paths), printsOf(paths))
	return w
}

func (w *watcher) run(log *slog.Logger, notify *fsnotify.Watcher, paths []string, sure bool, before []fingerprint) {
	defer close(w.done)
	var events chan fsnotify.Event
	var errs chan error
	if notify != nil {
		defer notify.Close() //nolint:errcheck // nothing is left to be done about it
		events, errs = notify.Events, notify.Errors
	}
	settled := time.NewTimer(0)
	for {
		if !sure {
			settled.Reset(pollEvery)
		}
		select {
		case <-w.stop:
			return
		case <-events:
			settled.Reset(settleAfter)
			sure = true
			continue
		case err := <-errs: // some were lost
			log.Warn("the system lost changes of files", "error", err)
			settled.Reset(settleAfter)
			continue
		case <-settled.C:
		}
		sure = watchAround(notify, paths)
		if now := printsOf(paths); !slices.Equal(now, before) {
			before = now
			select {
			case w.changed <- struct{}{}:
			default: // it is about to be looked at
			}
		}
	}
}

// watchAround watches the directories around paths, and paths that are
// directories; it reports whether nothing can be missed.
func watchAround(notify *fsnotify.Watcher, paths []string) bool {
	sure := notify != nil
	for _, p := range paths {
		if sure {
			sure = notify.Add(filepath.Dir(p)) == nil
		}
		if info, err := os.Stat(p); sure && err == nil && info.IsDir() {
			sure = notify.Add(p) == nil
		}
	}
	return sure
}

func printsOf(paths []string) []fingerprint {
	out := make([]fingerprint, len(paths))
	for i, p := range paths {
		out[i] = printOf(p)
	}
	return out
}

func (w *watcher) close() {
	close(w.stop)
	<-w.done
}
