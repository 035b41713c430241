package history

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/internal/private"
)

// cache keeps answers by the text of their questions, in memory and in one file
// per server and key. Several programs may append to a file; a line that two
// wrote, that is cut off, or that is of another version of this program is left
// out.
type cache struct {
	path string // "": memory only
	max  int64
	now  func() time.Time
	log  *slog.Logger

	mu      sync.Mutex // guards what follows
	loaded  bool
	entries map[string]*cached
	held    int64 // bytes of the entries, about
	size    int64 // of the file when it was read
}

// cached is one answer, and a line of the file.
type cached struct {
	Key   string          `json:"k"`
	At    int64           `json:"t"`           // milliseconds since 1970
	Until int64           `json:"u,omitempty"` // likewise; 0: for good
	Value json.RawMessage `json:"v"`

	secret bool
}

const (
	cacheSuffix = ".cache.jsonl"
	maxLine     = maxAnswer + 1<<10
)

func newCache(dir string, size int64, server string, now func() time.Time, log *slog.Logger) *cache {
	c := &cache{max: size, now: now, log: log, entries: make(map[string]*cached)}
	if dir != "" {
		c.path = filepath.Join(dir, hash(server)+cacheSuffix)
	}
	return c
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// get returns the answer to a question, if it is known and not too old.
func (c *cache) get(question string) (json.RawMessage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	e := c.entries[hash(question)]
	if e == nil || !e.fresh(c.now()) {
		return nil, false
	}
	return e.Value, true
}

// fresh reports whether the answer may still be given. One from the future is of
// a clock that went back.
func (e *cached) fresh(now time.Time) bool {
	at := now.UnixMilli()
	return (e.Until == 0 || at < e.Until) && e.At <= at+int64(time.Minute/time.Millisecond)
}

// put keeps an answer for a while, or for good when that is 0. A secret one is
// kept in memory.
func (c *cache) put(question string, value json.RawMessage, lasts time.Duration, secret bool) {
	now := c.now()
	e := &cached{Key: hash(question), At: now.UnixMilli(), Value: bytes.Clone(value), secret: secret}
	if lasts > 0 {
		e.Until = now.Add(lasts).UnixMilli()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	c.hold(e)
	if c.held > c.max {
		c.trim()
	}
	if c.path == "" || secret {
		return
	}
	if err := c.append(e); err != nil {
		c.log.Warn("an answer could not be kept", "err", err)
	}
}

// append writes an answer to the file, and makes the file smaller when it has
// grown too large. The caller holds mu.
func (c *cache) append(e *cached) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	line = append(line, '\n')
	if _, err := private.Folder(filepath.Dir(c.path)); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	f, err := private.Append(c.path)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	info, err := f.Stat() // other programs write to it too
	full := err == nil && info.Size()+int64(len(line)) > c.max
	if err == nil && !full {
		_, err = f.Write(line)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if full {
		return c.rewrite()
	}
	return nil
}

// load reads the file. The caller holds mu.
func (c *cache) load() {
	if c.loaded || c.path == "" {
		return
	}
	c.loaded = true
	f, err := private.OpenFile(c.path, os.O_RDONLY)
	if err != nil {
		return // there is none yet, or append will say what is wrong
	}
	defer f.Close() //nolint:errcheck // only read from
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	now, dead := c.now(), 0
	for lines.Scan() {
		c.size += int64(len(lines.Bytes())) + 1
		e := new(cached)
		if json.Unmarshal(lines.Bytes(), e) != nil || e.Key == "" || e.Value == nil || !e.fresh(now) {
			dead++
			continue
		}
		c.hold(e)
	}
	if dead > len(c.entries) && dead > 100 || c.size > c.max {
		if err := c.rewrite(); err != nil {
			c.log.Warn("the cache could not be made smaller", "err", err)
		}
	}
}

// hold keeps an answer in memory. The caller holds mu.
func (c *cache) hold(e *cached) {
	if old := c.entries[e.Key]; old != nil {
		c.held -= old.bytes()
	}
	c.entries[e.Key] = e
	c.held += e.bytes()
}

// bytes returns about how much room an answer takes.
func (e *cached) bytes() int64 { return int64(len(e.Value)) + 128 }

// trim forgets what is too old, and the oldest of the rest down to half of the
// bound. It returns what is left. The caller holds mu.
func (c *cache) trim() []*cached {
	now := c.now()
	all := slices.SortedFunc(maps.Values(c.entries), func(a, b *cached) int { return cmp.Compare(b.At, a.At) })
	c.entries, c.held = make(map[string]*cached), 0
	left := all[:0]
	for _, e := range all {
		if e.fresh(now) && c.held+e.bytes() <= c.max/2 {
			c.hold(e)
			left = append(left, e)
		}
	}
	return left
}

// rewrite replaces the file by one that holds what is left of a trim. The
// caller holds mu.
func (c *cache) rewrite() error {
	var text bytes.Buffer
	for _, e := range c.trim() {
		if line, err := json.Marshal(e); err == nil && !e.secret {
			text.Write(append(line, '\n'))
		}
	}
	if err := private.Replace(c.path, text.Bytes()); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// CacheFile is what is kept of one server's answers.
type CacheFile struct {
	Path    string
	Size    int64 // bytes
	Answers int
	Newest  time.Time // when the newest was given
}

// Cached returns what is kept in a directory.
func Cached(dir string) ([]CacheFile, error) {
	paths, err := cachePaths(dir)
	if err != nil {
		return nil, err
	}
	list := make([]CacheFile, 0, len(paths))
	for _, path := range paths {
		c := &cache{path: path, max: 1 << 62, now: time.Now, log: slog.New(slog.DiscardHandler), entries: make(map[string]*cached)}
		c.load()
		file := CacheFile{Path: path, Size: c.size, Answers: len(c.entries)}
		for _, e := range c.entries {
			if at := time.UnixMilli(e.At); at.After(file.Newest) {
				file.Newest = at
			}
		}
		list = append(list, file)
	}
	return list, nil
}

// ClearCache removes what is kept in a directory, and returns how many files
// that were.
func ClearCache(dir string) (int, error) {
	paths, err := cachePaths(dir)
	if err != nil {
		return 0, err
	}
	for i, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return i, fmt.Errorf("clear the cache: %w", err)
		}
	}
	return len(paths), nil
}

func cachePaths(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the cache: %w", err)
	}
	var paths []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), cacheSuffix) {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	return paths, nil
}
