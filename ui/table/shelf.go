package table

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"wallboard/internal/lib/recentcache"
)

// RowCache shares drawn rows between tables, so that hundreds of boards with the same rows
// draw each row once. It is safe for concurrent use.
type RowCache struct {
	mu   sync.Mutex
	rows recentcache.Cache[rowPlace, *shelfRow]

	drawn, taken int
}

// RowID identifies the contents of a row: rows with equal IDs look the same in tables
// with the same columns and styles. Its fields are comparable.
type RowID struct {
	Record, Options, Alarm, Scope any
	Version                       uint64
}

// Sharer is a [Source] whose rows may have been drawn by another table.
type Sharer interface {
	// Share returns the ID of row i; ok is false if the row is not shared.
	Share(i int) (id RowID, ok bool)
}

// plan identifies how rows are drawn, independent of their contents: columns, styles
// and sizes.
type plan [sha256.Size]byte

// plans holds the plans of the first and second lines of rows; zero: not computed yet.
type plans [2]plan

type rowPlace struct {
	plan plan
	id   RowID
}

// shelfRow is a drawn row. Only its field drawn changes.
type shelfRow struct {
	cells []byte
	ends  []int
	wants []int // wanted width of each cell; 0: irrelevant
	drawn []drawn
}

// drawn is a row in one of its possible looks.
type drawn struct {
	over     string // selected
	mark     bool   // it is selected
	bar      string
	flashing uint64 // bit set of the flashing cells
	line     []byte
	text     string
}

// maxShelfBytes is the number of bytes kept of recently drawn rows, rowOverhead the overhead
// of a row beside its texts.
const (
	maxShelfBytes = 4 << 20
	rowOverhead   = 300
)

// maxFlashColumns is the number of columns that drawn.flashing can hold.
const maxFlashColumns = 64

// WithRowCache shares rows with other tables.
func WithRowCache(on *RowCache) Option { return func(m *Model) { m.shelf = on } }

// SetRowCache is [WithRowCache] for an existing table; nil: rows are not shared.
func (m *Model) SetRowCache(on *RowCache) { m.shelf, m.plans = on, plans{} }

// Count returns how many rows were drawn, and how many were reused instead.
func (s *RowCache) Count() (drawn, taken int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawn, s.taken
}

// Tidy drops rows that have not been used for some seconds.
func (s *RowCache) Tidy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows.Tidy()
}

// find returns a drawn row and its looks, or nil.
func (s *RowCache) find(at rowPlace) (*shelfRow, []drawn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, is := s.rows.Get(at)
	if !is {
		return nil, nil
	}
	s.taken++
	return x, x.drawn // it only grows
}

// put stores a drawn row.
func (s *RowCache) put(at rowPlace, row *shelfRow, d drawn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn++
	s.rows.MaxSize = maxShelfBytes
	size := len(d.line) + len(d.text)
	x, is := s.rows.Get(at)
	if !is {
		x = row
		size += len(x.cells) + 8*(len(x.ends)+len(x.wants)) + rowOverhead
		s.rows.Put(at, x, size)
	} else {
		s.rows.Grow(size)
	}
	x.drawn = append(x.drawn, d)
}

// planFor returns the plan for a set of columns.
func (s *sheet) planFor(placed []placed) plan {
	columns := make([]Column, len(placed))
	for i, c := range placed {
		columns[i] = s.columns[c.col]
	}
	lk := s.look
	lk.emptyText = ""
	sorted := unsorted // only matters for titles in front of figures
	if len(placed) > 0 && placed[0].label > 0 {
		sorted = s.sortCol
	}
	return sha256.Sum256(fmt.Appendf(nil, "%#v %#v %v %d %d %t %d", lk, columns, placed, s.lineWidth(), s.gutter(), s.cursorOn, sorted))
}

// shelfPlace returns the key of a row on the shelf; ok is false if the row is not
// shared.
func (s *sheet) shelfPlace(i int, second bool) (at rowPlace, ok bool) {
	shared, is := s.src.(Sharer)
	columns := s.part(second)
	if s.shelf == nil || !is || len(columns) > maxFlashColumns {
		return at, false
	}
	if at.id, ok = shared.Share(i); !ok {
		return at, false
	}
	known := &s.plans[0]
	if second {
		known = &s.plans[1]
	}
	if (*known == plan{}) {
		*known = s.planFor(columns)
	}
	at.plan = *known
	return at, true
}

// fetch sets a line to the drawing of another table, if there is one.
func (s *sheet) fetch(l *line, at rowPlace, bar string, now int64) bool {
	x, looks := s.shelf.find(at)
	if x == nil {
		return false
	}
	lit, changed := s.flashingCells(l, x, now)
	over := s.overlay(l)
	for i := range looks {
		d := &looks[i]
		if d.over != over || d.mark != l.selected || d.bar != bar || d.flashing != lit {
			continue
		}
		for n, c := range s.part(l.second) {
			s.widen(c, x.wants[n], s.method)
		}
		s.setFlashes(l, lit, changed, now)
		l.drawn, l.text, l.bar = d.line, d.text, bar
		l.cells, l.ends, l.shared = x.cells, x.ends, true
		return true
	}
	return false
}

// flashingCells returns the cells that flash when a line changes to another row, and those of
// them that have changed now.
func (s *sheet) flashingCells(l *line, x *shelfRow, now int64) (lit, changed uint64) {
	if !s.seen(l) || s.flashFor <= 0 {
		return 0, 0
	}
	was, is := 0, 0
	for n, c := range s.part(l.second) {
		old, text := l.cells[was:l.ends[n]], x.cells[is:x.ends[n]]
		was, is = l.ends[n], x.ends[n]
		switch {
		case !s.again && !s.columns[c.col].NoFlash && !slices.Equal(old, text):
			changed |= 1 << n
			lit |= 1 << n
		case len(l.until) > 0 && l.until[n] > now:
			lit |= 1 << n
		}
	}
	return lit, changed
}

// setFlashes records until when cells flash.
func (s *sheet) setFlashes(l *line, lit, changed uint64, now int64) {
	l.flashEnd = 0
	if lit == 0 {
		l.until = nil
		return
	}
	if n := len(s.part(l.second)); len(l.until) != n {
		l.until = make([]int64, n)
	}
	for n := range l.until {
		l.flash(n, changed&(1<<n) != 0, now, int64(s.flashFor))
	}
}

// shelve puts a drawn line on the shelf.
func (s *sheet) shelve(l *line, at rowPlace) {
	var lit uint64
	for n, until := range l.until {
		if until != 0 {
			lit |= 1 << n
		}
	}
	l.text, l.shared = string(l.drawn), true
	row := &shelfRow{cells: l.cells, ends: l.ends, wants: slices.Clone(s.paint.wants)}
	s.shelf.put(at, row, drawn{over: s.overlay(l), mark: l.selected, bar: l.bar, flashing: lit, line: l.drawn, text: l.text})
}
