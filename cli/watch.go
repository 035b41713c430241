package cli

import (
	"crypto/sha256"
	"errors"
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
		text, err := readRegular(f)
		if err == nil { // what cannot be read is as if it were not there
			h.Write([]byte(f + "\x00"))
			h.Write(text)
		}
	}
	return fingerprint(h.Sum(nil))
}

// readRegular returns what is in a file. It does not wait for the other end of a pipe.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec,wrapcheck // the user names it
}

// watcher tells when what is in files or directories has changed. It watches the
// directories around them: editors put another file in a file's place. It has
// one goroutine until it is closed.
type watcher struct {
	changed chan struct{}
	others  chan []string // watched instead, from then on
	stop    chan struct{}
	done    chan struct{}

	notify *fsnotify.Watcher // nil: the system does not tell
	paths  []string
	ways   []string // the names under which the system tells of a change of them
}

func watchFiles(log *slog.Logger, paths ...string) *watcher {
	w := &watcher{changed: make(chan struct{}, 1), others: make(chan []string), stop: make(chan struct{}), done: make(chan struct{}), paths: paths}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		log.Warn("the system does not tell of changed files; they are looked at from time to time", "error", err)
	} else {
		w.notify = notify
	}
	w.around()
	go w.run(log, printsOf(paths))
	return w
}

func (w *watcher) run(log *slog.Logger, before []fingerprint) {
	defer close(w.done)
	var events chan fsnotify.Event
	var errs chan error
	if w.notify != nil {
		defer w.notify.Close() //nolint:errcheck // nothing is left to be done about it
		events, errs = w.notify.Events, w.notify.Errors
	}
	settled := time.NewTimer(0)
	for {
		select {
		case <-w.stop:
			return
		case e := <-events:
			if w.concerns(e.Name) {
				settled.Reset(settleAfter)
			}
			continue
		case err := <-errs: // some were lost
			log.Warn("the system lost changes of files", "error", err)
			settled.Reset(settleAfter)
			continue
		case paths := <-w.others:
			if !slices.Equal(paths, w.paths) {
				w.paths, before = paths, printsOf(paths)
				settled.Reset(0)
			}
			continue
		case <-settled.C:
		}
		if !w.around() {
			settled.Reset(pollEvery)
		}
		if now := printsOf(w.paths); !slices.Equal(now, before) {
			before = now
			select {
			case w.changed <- struct{}{}:
			default: // it is about to be looked at
			}
		}
	}
}

// around watches the directories around the paths and the links that lead to them, and
// paths that are directories; it reports whether nothing can be missed.
func (w *watcher) around() (sure bool) {
	w.ways = nil
	sure = w.notify != nil
	for _, p := range w.paths {
		ways := waysTo(p)
		w.ways = append(w.ways, ways...)
		for _, way := range ways {
			sure = sure && w.notify.Add(filepath.Dir(way)) == nil
		}
		if info, err := os.Stat(p); sure && err == nil && info.IsDir() {
			sure = w.notify.Add(p) == nil
		}
	}
	return sure
}

// waysTo are a path and the links that lead from it to the file, each as it is named: a
// file may be kept in another folder, and a volume of Kubernetes has another folder put in
// the place of the one before by a link (config.toml is ..data/config.toml).
func waysTo(path string) []string {
	const most = 40 // as many links as systems follow
	ways := []string{filepath.Clean(path)}
	for at := 0; at < len(ways) && len(ways) < most; at++ {
		way := ways[at]
		for _, link := range []string{way, filepath.Dir(way)} {
			to, err := os.Readlink(link)
			if err != nil {
				continue // it is none
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(link), to)
			}
			if link != way {
				ways, to = append(ways, link), filepath.Join(to, filepath.Base(way))
			}
			ways = append(ways, to)
		}
	}
	return ways
}

// concerns reports whether a change of what has a name may be one of what is watched: other
// files are in the same directories, and may be written all the time. Letters may be large
// or small where the system takes them for the same.
func (w *watcher) concerns(name string) bool {
	name = filepath.Clean(name)
	in := filepath.Dir(name)
	return slices.ContainsFunc(w.ways, func(way string) bool {
		return strings.EqualFold(name, way) || strings.EqualFold(name, filepath.Dir(way)) || // which is gone, or another one now
			strings.EqualFold(in, way) && strings.HasSuffix(name, ".toml")
	})
}

func printsOf(paths []string) []fingerprint {
	out := make([]fingerprint, len(paths))
	for i, p := range paths {
		out[i] = printOf(p)
	}
	return out
}

// watch has other paths watched from now on. What they hold now is no change.
func (w *watcher) watch(paths ...string) {
	select {
	case w.others <- paths:
	case <-w.done:
	}
}

func (w *watcher) close() {
	close(w.stop)
	<-w.done
}
