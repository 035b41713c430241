package layouts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Layout is how one table is.
type Layout struct {
	// Columns are those that are shown, from left to right.
	Columns []Column `json:"columns"`
	// Sort is the ID of the column that the rows are sorted by; "" is the order that
	// the rows have by themselves.
	Sort string `json:"sort,omitempty"`
	// Descending sorts from high to low.
	Descending bool `json:"descending,omitempty"`
}

// Column is one column of a table.
type Column struct {
	ID string `json:"id"`
	// Width is in cells of the terminal; 0 is what the column takes by itself.
	Width int `json:"width,omitempty"`
}

// The bounds of a file: what is beyond them was not written by a board.
const (
	maxFile    = 256 << 10 // bytes
	maxTables  = 100
	maxColumns = 200 // of a table
	maxText    = 200 // bytes of a column's ID
	maxName    = 8 << 10
	// MaxWidth is the most cells that a column can be given.
	MaxWidth = 200
)

// file is what the file holds.
type file struct {
	Tables map[string]*Layout `json:"tables"`
}

// decode reads a file, and says what is wrong with it.
func decode(text []byte) (map[string]*Layout, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var f file
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("it is not as the board writes it: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after its end")
	}
	if len(f.Tables) > maxTables {
		return nil, fmt.Errorf("it has %d tables, more than %d", len(f.Tables), maxTables)
	}
	for name, l := range f.Tables {
		if l == nil {
			delete(f.Tables, name)
			continue
		}
		if err := l.check(name); err != nil {
			return nil, err
		}
	}
	return f.Tables, nil
}

// check says what is wrong with a table.
func (l *Layout) check(name string) error {
	wrong := func(what string) error { return fmt.Errorf("table %s: %s", strconv.Quote(short(name)), what) }
	switch {
	case len(name) > maxName || !plain(name):
		return wrong("this is no name of a table")
	case len(l.Columns) == 0:
		return wrong("it has no columns")
	case len(l.Columns) > maxColumns:
		return wrong(fmt.Sprintf("it has %d columns, more than %d", len(l.Columns), maxColumns))
	case len(l.Sort) > maxText || !plain(l.Sort):
		return wrong("the column it is sorted by has no proper name")
	}
	seen := make(map[string]bool, len(l.Columns))
	for _, c := range l.Columns {
		switch {
		case c.ID == "" || len(c.ID) > maxText || !plain(c.ID):
			return wrong("a column has no proper name")
		case seen[c.ID]:
			return wrong("column " + strconv.Quote(c.ID) + " is there twice")
		case c.Width < 0 || c.Width > MaxWidth:
			return wrong(fmt.Sprintf("column %q is %d cells wide; 0 to %d can be", c.ID, c.Width, MaxWidth))
		}
		seen[c.ID] = true
	}
	return nil
}

// plain reports whether a text can be shown as it is.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// short is the beginning of a name, for a message.
func short(name string) string {
	const most = 60
	if r := []rune(name); len(r) > most {
		return string(r[:most])
	}
	return name
}
