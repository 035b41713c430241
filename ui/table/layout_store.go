package table

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

// layoutLockTimeout is the maximum time to wait for the lock of the layouts file while another
// board holds it.
const layoutLockTimeout = 3 * time.Second

// LayoutStore holds the layouts and the pinned rows of a viewer's tables, and the viewer's last view. A
// nil LayoutStore is empty and must not be changed. A LayoutStore is not safe for concurrent use.
type LayoutStore struct {
	path     string // path of the layouts file; "": layouts are not saved
	tables   map[string]*Layout
	pinned   map[string][]string // keys of pinned rows, by table
	view     SavedView           // view that was last read or saved
	messages []LayoutMessage     // messages to the viewer about the file
}

// LayoutPath returns the path of the layouts file for the configuration file with the given path.
// The layouts file is in the private directory "tables" next to the configuration file.
func LayoutPath(configuration string) string {
	base := filepath.Base(configuration)
	return filepath.Join(filepath.Dir(configuration), "tables", strings.TrimSuffix(base, filepath.Ext(base))+".json")
}

// LayoutMessage is a message to the viewer about layouts. The caller puts it into words.
type LayoutMessage struct {
	Err     error    // error from reading the file; nil: none
	Table   string   // name of the table that Missing belongs to
	Missing []string // IDs of columns that no longer exist
	Text    string   // any other message, in the language of the viewer
}

// OpenLayouts reads the layouts file at path. If path is empty, layouts are not saved. If the file
// cannot be read, OpenLayouts does not change it, and [LayoutStore.TakeMessages] returns the error.
func OpenLayouts(path string) *LayoutStore {
	b := &LayoutStore{path: path, tables: map[string]*Layout{}, pinned: map[string][]string{}}
	if path == "" {
		return b
	}
	f, err := readLayouts(path)
	if err != nil {
		b.messages = append(b.messages, LayoutMessage{Err: err})
	}
	maps.Copy(b.tables, f.Tables)
	maps.Copy(b.pinned, f.Pinned)
	if f.View != nil {
		b.view = *f.View
	}
	return b
}

func readLayouts(path string) (layoutFile, error) {
	text, err := securefile.Read(path, maxLayoutFile)
	if errors.Is(err, fs.ErrNotExist) {
		return layoutFile{}, nil // there are no layouts yet
	}
	if err != nil {
		return layoutFile{}, err
	}
	f, err := decodeLayouts(text)
	if err != nil {
		return layoutFile{}, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Layout returns the layout of a table. A nil result means the default layout. Each change of the
// layout results in a new pointer.
func (b *LayoutStore) Layout(table string) *Layout {
	if b == nil {
		return nil
	}
	return b.tables[table]
}

// SetLayout sets the layout of a table without saving it. A nil l means the default layout.
func (b *LayoutStore) SetLayout(table string, l *Layout) {
	if l == nil {
		delete(b.tables, table)
		return
	}
	b.tables[table] = l
}

// SaveLayout returns a function that saves the current layout of a table. The function may run in
// any goroutine, and blocks while it accesses the disk. It preserves the layouts of other tables
// that other boards have saved. Without a path, the function does nothing.
func (b *LayoutStore) SaveLayout(table string) func() error {
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
		return changeLayouts(path, func(f *layoutFile) {
			if delete(f.Tables, table); l != nil {
				f.Tables[table] = l
			}
		})
	}
}

// Pinned returns the keys of the pinned rows of a table.
func (b *LayoutStore) Pinned(table string) []string {
	if b == nil {
		return nil
	}
	return b.pinned[table]
}

// TogglePinned pins a row of a table or, if it is pinned, unpins it. It does not save the change.
// pinned reports whether the row is now pinned. ok is false if too many rows are pinned, or if the
// key cannot be saved.
func (b *LayoutStore) TogglePinned(table, key string) (pinned, ok bool) {
	keys := slices.Clone(b.pinned[table])
	if i := slices.Index(keys, key); i >= 0 {
		b.pinned[table] = slices.Delete(keys, i, i+1)
		return false, true
	}
	if len(keys) == MaxPinned || checkPinned(table, []string{key}) != nil {
		return false, false
	}
	b.pinned[table] = append(keys, key)
	return true, true
}

// SavePinned returns a function that saves the keys of a table's pinned rows. The function works
// like that of [LayoutStore.SaveLayout].
func (b *LayoutStore) SavePinned(table string) func() error {
	path, keys := b.path, b.pinned[table]
	return func() error {
		if path == "" {
			return nil
		}
		return changeLayouts(path, func(f *layoutFile) {
			if delete(f.Pinned, table); len(keys) > 0 {
				f.Pinned[table] = keys
			}
		})
	}
}

// View returns the view that was last read or saved. ok is false if the store does not save views.
func (b *LayoutStore) View() (v SavedView, ok bool) {
	if b == nil || b.path == "" {
		return SavedView{}, false
	}
	return b.view, true
}

// SaveView sets the view to v and returns a function that saves v and works like that of
// [LayoutStore.SaveLayout]. The store must have a path. The caller must not change v afterwards.
func (b *LayoutStore) SaveView(v SavedView) func() error {
	path := b.path
	b.view = v
	return func() error { return changeLayouts(path, func(f *layoutFile) { f.View = &v }) }
}

// AddMessage adds a message that [LayoutStore.TakeMessages] returns.
func (b *LayoutStore) AddMessage(message string) {
	b.messages = append(b.messages, LayoutMessage{Text: message})
}

// changeLayouts locks and reads the layouts file, calls apply to change its content, and writes the
// file. It thus preserves the changes of other boards.
func changeLayouts(path string, apply func(f *layoutFile)) error {
	if _, err := securefile.CreateFolder(filepath.Dir(path)); err != nil {
		return err
	}
	unlock, err := securefile.HoldLock(path+".lock", layoutLockTimeout) // a separate lock file, because every change replaces the layouts file
	if err != nil {
		return err
	}
	defer unlock()
	f, err := readLayouts(path)
	if err != nil {
		return fmt.Errorf("the file is not changed: %w", err)
	}
	if f.Tables == nil {
		f.Tables = map[string]*Layout{}
	}
	if f.Pinned == nil {
		f.Pinned = map[string][]string{}
	}
	apply(&f)
	if max(len(f.Tables), len(f.Pinned)) > maxTables {
		return fmt.Errorf("%d tables is the maximum in %s", maxTables, path)
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the tables: %w", err)
	}
	return securefile.Replace(path, append(text, '\n'))
}

// ReportMissingColumns adds a message that columns of a table no longer exist.
// [LayoutStore.TakeMessages] returns the message.
func (b *LayoutStore) ReportMissingColumns(table string, ids []string) {
	table = shortName(table)
	isKnown := func(m LayoutMessage) bool { return m.Table == table && slices.Equal(m.Missing, ids) }
	if b == nil || len(ids) == 0 || slices.ContainsFunc(b.messages, isKnown) {
		return
	}
	b.messages = append(b.messages, LayoutMessage{Table: table, Missing: ids})
}

// TakeMessages removes all messages to the viewer and returns them.
func (b *LayoutStore) TakeMessages() []LayoutMessage {
	if b == nil {
		return nil
	}
	messages := b.messages
	b.messages = nil
	return messages
}
