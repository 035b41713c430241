package layouts

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

	"wallboard/internal/flock"
	"wallboard/internal/private"
)

// waitForOthers is how long another board may hold the file.
const waitForOthers = 3 * time.Second

// Book is the tables that a viewer has laid out. The nil Book has none and takes none.
// It is of one goroutine.
type Book struct {
	path   string // "": it is forgotten with the board
	tables map[string]*Layout
	words  []string // what is to be said of the file
}

// PathBeside returns where the tables are kept of who uses a configuration: in a
// folder beside it that only they can read.
func PathBeside(configuration string) string {
	base := filepath.Base(configuration)
	return filepath.Join(filepath.Dir(configuration), "tables", strings.TrimSuffix(base, filepath.Ext(base))+".json")
}

// Open reads a book; "" is one that is kept nowhere. A file that cannot be read is
// left as it is, and [Book.Word] says so.
func Open(path string) *Book {
	b := &Book{path: path, tables: map[string]*Layout{}}
	if path == "" {
		return b
	}
	tables, err := read(path)
	if err != nil {
		b.words = append(b.words, "Your tables are not read: "+err.Error())
	}
	maps.Copy(b.tables, tables)
	return b
}

func read(path string) (map[string]*Layout, error) {
	text, err := private.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nothing was chosen yet
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	tables, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return tables, nil
}

// Of returns how a table is to be; nil is as it is by itself. Another layout is another
// pointer.
func (b *Book) Of(table string) *Layout {
	if b == nil {
		return nil
	}
	return b.tables[table]
}

// Set has a table be so from now on; nil is as it is by itself. It is not written yet.
func (b *Book) Set(table string, l *Layout) {
	if l == nil {
		delete(b.tables, table)
		return
	}
	b.tables[table] = l
}

// Keep returns what writes a table as it is now. What it returns may run anywhere, and
// takes as long as the disk does. What other boards have written of other tables stays.
func (b *Book) Keep(table string) func() error {
	path, l := b.path, b.tables[table]
	if l != nil {
		one := *l
		one.Columns = slices.Clone(l.Columns)
		l = &one
	}
	return func() error {
		if path == "" {
			return nil
		}
		return write(path, table, l)
	}
}

func write(path, table string, l *Layout) error {
	if _, err := private.Folder(filepath.Dir(path)); err != nil {
		return err //nolint:wrapcheck // it names the folder
	}
	unlock, err := flock.Hold(path+".lock", waitForOthers) // the file itself is another with every change
	if err != nil {
		return err
	}
	defer unlock()
	tables, err := read(path)
	if err != nil {
		return fmt.Errorf("the file is left as it is: %w", err)
	}
	if tables == nil {
		tables = map[string]*Layout{}
	}
	if delete(tables, table); l != nil {
		tables[table] = l
	}
	if len(tables) > maxTables {
		return fmt.Errorf("there are %d tables in %s already", maxTables, path)
	}
	text, err := json.MarshalIndent(file{tables}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the tables: %w", err)
	}
	return private.Replace(path, append(text, '\n')) //nolint:wrapcheck // it names the file
}

// Gone notes that columns of a table are not there any more.
func (b *Book) Gone(table string, ids []string) {
	if b == nil || len(ids) == 0 {
		return
	}
	word := "Columns of your table of " + short(table) + " that are gone: " + strings.Join(ids, ", ")
	if !slices.Contains(b.words, word) {
		b.words = append(b.words, word)
	}
}

// Word returns what is to be said to the viewer, once; "" is nothing.
func (b *Book) Word() string {
	if b == nil || len(b.words) == 0 {
		return ""
	}
	word := strings.Join(b.words, ". ")
	b.words = nil
	return word
}
