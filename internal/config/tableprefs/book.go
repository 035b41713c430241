package tableprefs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wallboard/internal/lib/securefile"
)

// lockTimeout is how long to wait for another board's lock.
const lockTimeout = 3 * time.Second

// Store holds the table layouts of a viewer. A nil Store has none and stores none. It is not
// safe for concurrent use.
type Store struct {
	path     string // "": layouts are not saved
	tables   map[string]*Layout
	messages []string // messages about the file
}

// PathFor returns the path of the layouts file for a configuration file: in a private
// folder next to it.
func PathFor(configuration string) string {
	base := filepath.Base(configuration)
	return filepath.Join(filepath.Dir(configuration), "tables", strings.TrimSuffix(base, filepath.Ext(base))+".json")
}

// Open reads the layouts file at path; with "" layouts are not saved. A file that cannot be read is not changed,
// and [Store.Message] reports it.
func Open(path string) *Store {
	b := &Store{path: path, tables: map[string]*Layout{}}
	if path == "" {
		return b
	}
	tables, err := read(path)
	if err != nil {
		b.messages = append(b.messages, "Your tables are not read: "+err.Error())
	}
	maps.Copy(b.tables, tables)
	return b
}

func read(path string) (map[string]*Layout, error) {
	text, err := securefile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there are no layouts yet
	}
	if err != nil {
		return nil, err
	}
	tables, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return tables, nil
}

// Layout returns the layout of a table; nil means the default. A changed layout is a new
// pointer.
func (b *Store) Layout(table string) *Layout {
	if b == nil {
		return nil
	}
	return b.tables[table]
}

// Set sets the layout of a table; nil means the default. It does not save it.
func (b *Store) Set(table string, l *Layout) {
	if l == nil {
		delete(b.tables, table)
		return
	}
	b.tables[table] = l
}

// Save returns a function that saves the current layout of a table. The function may run in
// any goroutine and blocks on the disk. It preserves tables that other boards have saved.
func (b *Store) Save(table string) func() error {
	path, l := b.path, b.tables[table]
	if l != nil {
		layoutCopy := *l
		layoutCopy.Columns = slices.Clone(l.Columns)
		l = &layoutCopy
	}
	return func() error {
		if path == "" {
			return nil
		}
		return write(path, table, l)
	}
}

func write(path, table string, l *Layout) error {
	if _, err := securefile.Folder(filepath.Dir(path)); err != nil {
		return err
	}
	unlock, err := securefile.HoldLock(path+".lock", lockTimeout) // the file itself is replaced with every change
	if err != nil {
		return err
	}
	defer unlock()
	tables, err := read(path)
	if err != nil {
		return fmt.Errorf("the file is not changed: %w", err)
	}
	if tables == nil {
		tables = map[string]*Layout{}
	}
	if delete(tables, table); l != nil {
		tables[table] = l
	}
	if len(tables) > maxTables {
		return fmt.Errorf("%d tables is the maximum in %s", maxTables, path)
	}
	text, err := json.MarshalIndent(file{tables}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the tables: %w", err)
	}
	return securefile.Replace(path, append(text, '\n'))
}

// NoteMissing records columns of a table that no longer exist.
func (b *Store) NoteMissing(table string, ids []string) {
	if b == nil || len(ids) == 0 {
		return
	}
	message := "Columns of your table of " + shorten(table) + " that are gone: " + strings.Join(ids, ", ")
	if !slices.Contains(b.messages, message) {
		b.messages = append(b.messages, message)
	}
}

// Message returns the messages for the viewer, once; "" if there are none.
func (b *Store) Message() string {
	if b == nil || len(b.messages) == 0 {
		return ""
	}
	message := strings.Join(b.messages, ". ")
	b.messages = nil
	return message
}
