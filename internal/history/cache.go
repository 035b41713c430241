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

	"wallboard/internal/lib/securefile"
)

// cache stores answers by the text of their query. It keeps them in memory and in a file for
// each server and key. Several programs may append to the file. The cache ignores invalid
// lines, such as incomplete lines and lines of another version of the program.
type cache struct {
	path     string // "": memory only
	maxBytes int64
	now      func() time.Time
	log      *slog.Logger

	mu        sync.Mutex // guards the fields below
	loaded    bool
	entries   map[string]*cachedAnswer
	heldBytes int64 // approximate size of the entries in bytes
	size      int64 // size of the file when it was read
}

// cachedAnswer is an answer in the cache. Its JSON form is a line of the file.
type cachedAnswer struct {
	Key   string          `json:"k"`
	At    int64           `json:"t"`           // milliseconds since 1970
	Until int64           `json:"u,omitempty"` // milliseconds since 1970; 0: never expires
	Value json.RawMessage `json:"v"`

	secret bool
}

const (
	cacheSuffix = ".cache.jsonl"
	maxLine     = maxAnswer + 1<<10
)

func newCache(dir string, size int64, server string, now func() time.Time, log *slog.Logger) *cache {
	c := &cache{maxBytes: size, now: now, log: log, entries: make(map[string]*cachedAnswer)}
	if dir != "" {
		c.path = filepath.Join(dir, shortHash(server)+cacheSuffix)
	}
	return c
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// get returns the cached answer to a query. It returns false if there is none or it has expired.
func (c *cache) get(question string) (json.RawMessage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	e := c.entries[shortHash(question)]
	if e == nil || !e.isFresh(c.now()) {
		return nil, false
	}
	return e.Value, true
}

// isFresh reports whether an answer has not expired. It returns false for an answer from the
// future, which was stored before the clock was set back.
func (e *cachedAnswer) isFresh(now time.Time) bool {
	at := now.UnixMilli()
	return (e.Until == 0 || at < e.Until) && e.At <= at+int64(time.Minute/time.Millisecond)
}

// put stores an answer for the given lifetime. A lifetime of 0 means that the answer never
// expires. If secret is true, put does not write the answer to the file.
func (c *cache) put(question string, value json.RawMessage, lifetime time.Duration, secret bool) {
	now := c.now()
	e := &cachedAnswer{Key: shortHash(question), At: now.UnixMilli(), Value: bytes.Clone(value), secret: secret}
	if lifetime > 0 {
		e.Until = now.Add(lifetime).UnixMilli()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	c.keepInMemory(e)
	if c.heldBytes > c.maxBytes {
		c.trim()
	}
	if c.path == "" || secret {
		return
	}
	if err := c.append(e); err != nil {
		c.log.Warn("cannot write to the cache", "err", err)
	}
}

// append writes an answer to the file. If the file is full, append rewrites the file instead. The
// caller must hold mu.
func (c *cache) append(e *cachedAnswer) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	line = append(line, '\n')
	if _, err := securefile.CreateFolder(filepath.Dir(c.path)); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	f, err := securefile.OpenAppend(c.path)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	info, err := f.Stat() // other programs also write to the file
	full := err == nil && info.Size()+int64(len(line)) > c.maxBytes
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

// load reads the file if it has not been read yet. The caller must hold mu.
func (c *cache) load() {
	if c.loaded || c.path == "" {
		return
	}
	c.loaded = true
	f, err := securefile.OpenFile(c.path, os.O_RDONLY)
	if err != nil {
		return // there is no file, or append will report the error
	}
	defer f.Close() //nolint:errcheck // read-only
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	now, dead := c.now(), 0
	for lines.Scan() {
		c.size += int64(len(lines.Bytes())) + 1
		e := new(cachedAnswer)
		if json.Unmarshal(lines.Bytes(), e) != nil || e.Key == "" || e.Value == nil || !e.isFresh(now) {
			dead++
			continue
		}
		c.keepInMemory(e)
	}
	if dead > len(c.entries) && dead > 100 || c.size > c.maxBytes {
		if err := c.rewrite(); err != nil {
			c.log.Warn("cannot shrink the cache", "err", err)
		}
	}
}

// keepInMemory stores an answer in memory in place of an older answer to the same query. The
// caller must hold mu.
func (c *cache) keepInMemory(e *cachedAnswer) {
	if old := c.entries[e.Key]; old != nil {
		c.heldBytes -= old.bytes()
	}
	c.entries[e.Key] = e
	c.heldBytes += e.bytes()
}

// bytes returns the approximate size of an answer in memory.
func (e *cachedAnswer) bytes() int64 { return int64(len(e.Value)) + 128 }

// trim drops expired answers, and then the oldest ones until at most half of the cache is in
// use. It returns the remaining answers. The caller must hold mu.
func (c *cache) trim() []*cachedAnswer {
	now := c.now()
	all := slices.SortedFunc(maps.Values(c.entries), func(a, b *cachedAnswer) int { return cmp.Compare(b.At, a.At) })
	c.entries, c.heldBytes = make(map[string]*cachedAnswer), 0
	left := all[:0]
	for _, e := range all {
		if e.isFresh(now) && c.heldBytes+e.bytes() <= c.maxBytes/2 {
			c.keepInMemory(e)
			left = append(left, e)
		}
	}
	return left
}

// rewrite trims the cache and replaces the file with one that contains the remaining answers.
// The caller must hold mu.
func (c *cache) rewrite() error {
	var text bytes.Buffer
	for _, e := range c.trim() {
		if line, err := json.Marshal(e); err == nil && !e.secret {
			text.Write(append(line, '\n'))
		}
	}
	if err := securefile.Replace(c.path, text.Bytes()); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// CacheFile describes the cache file of a server.
type CacheFile struct {
	Path    string
	Size    int64 // bytes
	Answers int
	Newest  time.Time // time of the newest answer
}

// ListCaches describes the cache files in a directory.
func ListCaches(dir string) ([]CacheFile, error) {
	paths, err := cachePaths(dir)
	if err != nil {
		return nil, err
	}
	list := make([]CacheFile, 0, len(paths))
	for _, path := range paths {
		c := &cache{path: path, maxBytes: 1 << 62, now: time.Now, log: slog.New(slog.DiscardHandler), entries: make(map[string]*cachedAnswer)}
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

// ClearCache removes the cache files in a directory and returns their number.
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
