package app

import (
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// A changed file is read only after it has stayed unchanged for settleDelay, because editors write
// in several steps. Without notifications from the system, files are checked every pollInterval.
const (
	settleDelay  = 200 * time.Millisecond
	pollInterval = 5 * time.Second
)

// maxWatchedSize is the maximum size of a watched file in bytes. The code that reads the files has
// the same limit or a lower one.
const maxWatchedSize = 1 << 20

// fingerprint is a hash of the contents of files.
type fingerprint [sha256.Size]byte

// fingerprintOf returns the fingerprint of a file, or of the *.toml files in a directory.
func fingerprintOf(path string) fingerprint {
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
		text, err := securefile.ReadRegular(f, maxWatchedSize)
		if err == nil { // a file that cannot be read counts as missing
			h.Write([]byte(f + "\x00"))
			h.Write(text)
		}
	}
	return fingerprint(h.Sum(nil))
}

// watcher reports changes of files and directories. It watches parent directories, because editors
// replace files instead of changing them. It runs one goroutine until close is called.
type watcher struct {
	changed  chan struct{}
	newPaths chan []string // receives new paths to watch
	stop     chan struct{}
	done     chan struct{}

	notify       *fsnotify.Watcher // nil: notifications are not available
	paths        []string
	watchedPaths []string // the paths whose notifications concern watched files
}

func watchFiles(log *slog.Logger, paths ...string) *watcher {
	w := &watcher{changed: make(chan struct{}, 1), newPaths: make(chan []string), stop: make(chan struct{}), done: make(chan struct{}), paths: paths}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		log.Warn("file change notifications are not available; files are polled", "error", err)
	} else {
		w.notify = notify
	}
	w.watchParents()
	go w.run(log, fingerprintsOf(paths))
	return w
}

func (w *watcher) run(log *slog.Logger, previous []fingerprint) {
	defer close(w.done)
	var events chan fsnotify.Event
	var errs chan error
	if w.notify != nil {
		defer w.notify.Close() //nolint:errcheck // nothing can be done about an error
		events, errs = w.notify.Events, w.notify.Errors
	}
	settled := time.NewTimer(0)
	for {
		select {
		case <-w.stop:
			return
		case e := <-events:
			if w.isWatched(e.Name) {
				settled.Reset(settleDelay)
			}
			continue
		case err := <-errs: // notifications were lost
			log.Warn("file change notifications were lost", "error", err)
			settled.Reset(settleDelay)
			continue
		case paths := <-w.newPaths:
			if !slices.Equal(paths, w.paths) {
				w.paths, previous = paths, fingerprintsOf(paths)
				settled.Reset(0)
			} else { // watch again, because a directory may have been replaced
				settled.Reset(settleDelay)
			}
			continue
		case <-settled.C:
		}
		if !w.watchParents() {
			settled.Reset(pollInterval)
		}
		if now := fingerprintsOf(w.paths); !slices.Equal(now, previous) {
			previous = now
			select {
			case w.changed <- struct{}{}:
			default: // a notification is pending
			}
		}
	}
}

// watchParents watches the parent directories of the files, and of the links that lead to them. It
// also watches paths that are directories. It reports whether all changes will be noticed.
func (w *watcher) watchParents() (complete bool) {
	w.watchedPaths = nil
	complete = w.notify != nil
	for _, p := range w.paths {
		chain := linkChain(p)
		w.watchedPaths = append(w.watchedPaths, chain...)
		for _, way := range chain {
			complete = complete && w.notify.Add(filepath.Dir(way)) == nil
		}
		if info, err := os.Stat(p); complete && err == nil && info.IsDir() {
			complete = w.notify.Add(p) == nil
		}
	}
	return complete
}

// linkChain returns path and the paths to which the links at path lead. For example, in a
// Kubernetes volume, config.toml is a link to ..data/config.toml, and an update replaces the link
// ..data.
func linkChain(path string) []string {
	const maxLinks = 40 // the limit of common systems
	chain := []string{filepath.Clean(path)}
	for i := 0; i < len(chain) && len(chain) < maxLinks; i++ {
		way := chain[i]
		for _, link := range []string{way, filepath.Dir(way)} {
			to, err := os.Readlink(link)
			if err != nil {
				continue // this path is not a link
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(link), to)
			}
			if link != way {
				chain, to = append(chain, link), filepath.Join(to, filepath.Base(way))
			}
			chain = append(chain, to)
		}
	}
	return chain
}

// isWatched reports whether a notification about name is about a watched path, its parent directory,
// or a .toml file in a watched directory. Other files in these directories may change all the time.
// The comparison ignores case and the encoding of accents, as some file systems do.
func (w *watcher) isWatched(name string) bool {
	name = filepath.Clean(name)
	in := filepath.Dir(name)
	return slices.ContainsFunc(w.watchedPaths, func(way string) bool {
		return textnorm.SameName(name, way) || textnorm.SameName(name, filepath.Dir(way)) || // the path or its directory was removed or replaced
			textnorm.SameName(in, way) && strings.HasSuffix(name, ".toml")
	})
}

func fingerprintsOf(paths []string) []fingerprint {
	out := make([]fingerprint, len(paths))
	for i, p := range paths {
		out[i] = fingerprintOf(p)
	}
	return out
}

// setPaths replaces the watched paths. The current contents of new paths do not count as a change.
func (w *watcher) setPaths(paths ...string) {
	select {
	case w.newPaths <- paths:
	case <-w.done:
	}
}

func (w *watcher) close() {
	close(w.stop)
	<-w.done
}
