package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Layout is the layout of a table as the viewer has chosen it.
type Layout struct {
	// Columns lists the visible columns from left to right.
	Columns []ColumnLayout `json:"columns"`
	// Sort is the ID of the sort column; "" means the default order.
	Sort string `json:"sort,omitempty"`
	// Descending is true if the rows are sorted from high to low.
	Descending bool `json:"descending,omitempty"`
}

// ColumnLayout is one column of a table.
type ColumnLayout struct {
	ID string `json:"id"`
	// Width is the width of the column in cells; 0 means the default width.
	Width int `json:"width,omitempty"`
}

// Limits of a layouts file. A file that exceeds one of them is not read, because the viewer may
// have edited it and every board reads it.
const (
	maxLayoutFile = 256 << 10 // maximum size of the file in bytes
	maxTables     = 100
	maxColumns    = 200     // per table
	maxColumnID   = 200     // maximum length of a column's ID, in bytes
	maxTableName  = 8 << 10 // maximum length of a table's name, in bytes
	maxPinnedKey  = 1 << 10 // maximum length of the key of a pinned row, in bytes
	// MaxPinned is the maximum number of pinned rows of a table.
	MaxPinned = 20
	// MaxColumnWidth is the maximum width of a column in cells.
	MaxColumnWidth = 200
)

// layoutFile is the content of a layouts file in JSON.
type layoutFile struct {
	Tables map[string]*Layout  `json:"tables"`
	Pinned map[string][]string `json:"pinned,omitempty"` // keys of pinned rows, by table
	View   *SavedView          `json:"view,omitempty"`   // nil: no view has been saved
}

// SavedView holds the page, the theme, the language and the filters of a board. The viewer's next
// session begins with them.
type SavedView struct {
	// Page is the name of the page on the screen.
	Page string `json:"page,omitempty"`
	// Theme is the name of the selected theme; "" means the configured theme.
	Theme string `json:"theme,omitempty"`
	// ConfiguredTheme is the name of the theme that was configured when the viewer selected Theme.
	ConfiguredTheme string `json:"configured_theme,omitempty"`
	// Language is the tag of the selected language; "" means the configured language.
	Language string `json:"language,omitempty"`
	// Filters holds the filters of tables. The outer keys are names of pages, the inner keys names
	// of tables.
	Filters map[string]map[string]string `json:"filters,omitempty"`
}

// Equal reports whether all fields of v and o are equal.
func (v *SavedView) Equal(o *SavedView) bool {
	return v.Page == o.Page && v.Theme == o.Theme && v.ConfiguredTheme == o.ConfiguredTheme && v.Language == o.Language && maps.EqualFunc(v.Filters, o.Filters, maps.Equal)
}

// check returns an error if a field of the view is not valid.
func (v *SavedView) check() error {
	if v == nil {
		return nil
	}
	texts := []string{v.Page, v.Theme, v.ConfiguredTheme, v.Language}
	n := 0
	for page, tables := range v.Filters {
		n += len(tables)
		texts = append(texts, page)
		for name, filter := range tables {
			texts = append(texts, name, filter)
		}
	}
	if n > maxTables || slices.ContainsFunc(texts, func(text string) bool { return len(text) > maxTableName || !isPrintable(text) }) {
		return errors.New("the view of the last session is not valid")
	}
	return nil
}

// decodeLayouts parses the content of a layouts file. It returns an error if the content is not
// valid or exceeds a limit.
func decodeLayouts(text []byte) (layoutFile, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var f layoutFile
	if err := d.Decode(&f); err != nil {
		return layoutFile{}, fmt.Errorf("not a valid layouts file: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return layoutFile{}, errors.New("there is data after the end")
	}
	if n := max(len(f.Tables), len(f.Pinned)); n > maxTables {
		return layoutFile{}, fmt.Errorf("it has %d tables, more than %d", n, maxTables)
	}
	if err := f.View.check(); err != nil {
		return layoutFile{}, err
	}
	for name, keys := range f.Pinned {
		if err := checkPinned(name, keys); err != nil {
			return layoutFile{}, err
		}
	}
	for name, l := range f.Tables {
		if l == nil {
			delete(f.Tables, name)
			continue
		}
		if err := l.check(name); err != nil {
			return layoutFile{}, err
		}
	}
	return f, nil
}

// checkPinned returns an error if the pinned rows of a table are not valid.
func checkPinned(name string, keys []string) error {
	invalid := func(key string) bool { return key == "" || len(key) > maxPinnedKey || !isPrintable(key) }
	if len(name) > maxTableName || !isPrintable(name) || len(keys) > MaxPinned || slices.ContainsFunc(keys, invalid) {
		return fmt.Errorf("the pinned rows of table %s are not valid", strconv.Quote(shortName(name)))
	}
	return nil
}

// check returns an error if the layout of the table with the given name is not valid.
func (l *Layout) check(name string) error {
	table := strconv.Quote(shortName(name))
	switch {
	case len(name) > maxTableName || !isPrintable(name):
		return fmt.Errorf("table %s: this is not a valid table name", table)
	case len(l.Columns) == 0:
		return fmt.Errorf("table %s: it has no columns", table)
	case len(l.Columns) > maxColumns:
		return fmt.Errorf("table %s: it has %d columns, more than %d", table, len(l.Columns), maxColumns)
	case len(l.Sort) > maxColumnID || !isPrintable(l.Sort):
		return fmt.Errorf("table %s: the sort column has an invalid name", table)
	}
	seen := make(map[string]bool, len(l.Columns))
	for _, c := range l.Columns {
		switch {
		case c.ID == "" || len(c.ID) > maxColumnID || !isPrintable(c.ID):
			return fmt.Errorf("table %s: a column has an invalid name", table)
		case seen[c.ID]:
			return fmt.Errorf("table %s: column %q is listed twice", table, c.ID)
		case c.Width < 0 || c.Width > MaxColumnWidth:
			return fmt.Errorf("table %s: column %q is %d cells wide; allowed: 0 to %d", table, c.ID, c.Width, MaxColumnWidth)
		}
		seen[c.ID] = true
	}
	return nil
}

func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// shortName returns name, cut if it is too long for a message.
func shortName(name string) string {
	const maxLength = 60
	if r := []rune(name); len(r) > maxLength {
		return string(r[:maxLength])
	}
	return name
}
