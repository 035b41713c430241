package table

import (
	"slices"
	"sync"

	"wallboard/internal/lib/powersave"
)

// RowCache shares drawn rows between tables, so that hundreds of boards with the same rows draw
// each row once. A RowCache is safe for concurrent use.
type RowCache struct {
	mu   sync.Mutex
	rows powersave.RecentCache[rowCacheKey, *cachedRow]

	layouts      []knownLayout
	lastLayoutID int

	drawnCount, reusedCount int
}

// RowID identifies the contents of a row. Rows with equal IDs look the same in tables with the same
// columns and styles. The values of all fields must be comparable with ==.
type RowID struct {
	Record, Options, Alarm, Scope any
	Version                       uint64
}

// SharedSource is implemented by a [Source] whose drawn rows tables can share through a [RowCache].
type SharedSource interface {
	// SharedRowID returns the ID of row i. ok is false if the row must not be shared.
	SharedRowID(i int) (id RowID, ok bool)
}

// layout describes the columns, styles and sizes with which rows are drawn.
type layout struct {
	appearance             appearance
	columns                []layoutColumn
	lineWidth, gutterWidth int
	selectable             bool
	sortCol                int // noSortColumn unless titles precede the values
}

// layoutColumn holds the properties of a column that affect the drawing of its cells.
type layoutColumn struct {
	placed             placedColumn
	id, title          string
	weight             int
	align              AlignMode
	noFlash, momentary bool
}

func (l *layout) equals(other *layout) bool {
	return l.lineWidth == other.lineWidth && l.gutterWidth == other.gutterWidth && l.selectable == other.selectable &&
		l.sortCol == other.sortCol && l.appearance == other.appearance && slices.Equal(l.columns, other.columns)
}

// knownLayout is a layout and its number in a [RowCache].
type knownLayout struct {
	layout layout
	id     int
}

// maxLayouts is the maximum number of layouts that a [RowCache] knows.
const maxLayouts = 200

// layoutIDs holds the numbers of the layouts of the first and the second lines of rows. 0 means
// that the number has not been looked up yet.
type layoutIDs [2]int

// rowCacheKey identifies a cached row by its layout and its contents.
type rowCacheKey struct {
	layoutID int
	id       RowID
}

// cachedRow holds the cell contents of a row and its drawings. Drawings may be added; the rest is
// immutable.
type cachedRow struct {
	cells        []byte
	ends         []int
	wantedWidths []int // width that each cell would need; -1: the column cannot grow
	drawings     []rowDrawing
}

// rowDrawing is a row drawn with a certain selection, scroll bar and set of flashing cells.
type rowDrawing struct {
	overlayStyle  string // style over the whole row
	selected      bool   // the row is selected
	bar           string // part of the scroll bar at the end of line
	flashingCells uint64 // bit set of the cells that flash
	line          []byte // the drawn line
	text          string // line as a string
}

// maxRowCacheBytes is the maximum size of a row cache in bytes. rowOverhead is the size in bytes
// that a row takes in the cache in addition to its cell contents.
const (
	maxRowCacheBytes = 4 << 20
	rowOverhead      = 300
)

// maxFlashColumns is the number of columns that the bit set rowDrawing.flashingCells can hold.
const maxFlashColumns = 64

// SetRowCache makes the table share drawn rows with the other tables that use cache. If cache is
// nil, the table does not share rows.
func (m *Model) SetRowCache(cache *RowCache) { m.rowCache, m.layoutIDs = cache, layoutIDs{} }

// CountRows returns how many rows were drawn, and how many were found in the cache. Rows may count
// as both, for example if a cached row is redrawn because it is selected.
func (s *RowCache) CountRows() (drawn, reused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawnCount, s.reusedCount
}

// DropUnused drops the rows that have not been used for some seconds.
func (s *RowCache) DropUnused() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows.Tidy()
}

// find returns a cached row and its drawings. It returns nil if the row is not in the cache.
func (s *RowCache) find(key rowCacheKey) (*cachedRow, []rowDrawing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.rows.Get(key)
	if !ok {
		return nil, nil
	}
	s.reusedCount++
	return x, x.drawings
}

// put adds the drawing d of a row to the cache. It also adds the row, unless the row is already in
// the cache.
func (s *RowCache) put(key rowCacheKey, row *cachedRow, d rowDrawing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawnCount++
	s.rows.MaxSize = maxRowCacheBytes
	size := len(d.line) + len(d.text)
	x, ok := s.rows.Get(key)
	if !ok {
		x = row
		size += len(x.cells) + 8*(len(x.ends)+len(x.wantedWidths)) + rowOverhead
		s.rows.Put(key, x, size)
	} else {
		s.rows.Grow(size)
	}
	x.drawings = append(x.drawings, d)
}

// layoutOf returns the layout of lines with the given columns.
func (s *renderer) layoutOf(placed []placedColumn) *layout {
	l := layout{
		appearance: s.appearance, columns: make([]layoutColumn, len(placed)),
		lineWidth: s.lineWidth(), gutterWidth: s.gutterWidth(), selectable: s.selectable, sortCol: noSortColumn,
	}
	l.appearance.emptyText = ""
	for i, p := range placed {
		c := &s.columns[p.col]
		l.columns[i] = layoutColumn{placed: p, id: c.ID, title: c.Title, weight: c.Weight, align: c.Align, noFlash: c.NoFlash, momentary: c.Momentary}
	}
	if len(placed) > 0 && placed[0].labelWidth > 0 {
		l.sortCol = s.sortCol
	}
	return &l
}

// layoutID returns the number of a layout. Equal layouts have the same number, unless the cache has
// forgotten the layout since, because there were more than maxLayouts.
func (s *RowCache) layoutID(l *layout) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.layouts {
		if s.layouts[i].layout.equals(l) {
			return s.layouts[i].id
		}
	}
	if len(s.layouts) == maxLayouts {
		s.layouts = nil
	}
	s.lastLayoutID++
	s.layouts = append(s.layouts, knownLayout{layout: *l, id: s.lastLayoutID})
	return s.lastLayoutID
}

// cacheKey returns the cache key of a line of row i. ok is false if the row is not shared.
func (s *renderer) cacheKey(i int, second bool) (key rowCacheKey, ok bool) {
	sharer, isSharer := s.source.(SharedSource)
	columns := s.lineColumns(second)
	if s.rowCache == nil || !isSharer || len(columns) > maxFlashColumns {
		return key, false
	}
	if key.id, ok = sharer.SharedRowID(i); !ok {
		return key, false
	}
	known := &s.layoutIDs[0]
	if second {
		known = &s.layoutIDs[1]
	}
	if *known == 0 {
		*known = s.rowCache.layoutID(s.layoutOf(columns))
	}
	key.layoutID = *known
	return key, true
}

// takeFromCache makes l show a drawing from the row cache. It returns false if the cache has no
// suitable drawing.
func (s *renderer) takeFromCache(l *line, key rowCacheKey, bar string, now int64) bool {
	x, drawings := s.rowCache.find(key)
	if x == nil {
		return false
	}
	flashing, changed := s.flashingCells(l, x, now)
	overlay := s.overlayStyle(l, false)
	for i := range drawings {
		d := &drawings[i]
		if d.overlayStyle != overlay || d.selected != l.selected || d.bar != bar || d.flashingCells != flashing {
			continue
		}
		for n, c := range s.lineColumns(l.isSecondLine) {
			s.recordWidth(c, x.wantedWidths[n], s.method)
		}
		s.setFlashes(l, flashing, changed, now)
		l.drawn, l.text, l.bar = d.line, d.text, bar
		l.cells, l.ends, l.shared = x.cells, x.ends, true
		return true
	}
	return false
}

// flashingCells returns the cells that flash when x becomes the content of line l, and those whose
// flash begins now. Both results are bit sets.
func (s *renderer) flashingCells(l *line, x *cachedRow, now int64) (flashing, changed uint64) {
	if !s.wasVisible(l) || s.flashDuration <= 0 {
		return 0, 0
	}
	previous, current := 0, 0
	for n, c := range s.lineColumns(l.isSecondLine) {
		old, text := l.cells[previous:l.ends[n]], x.cells[current:x.ends[n]]
		previous, current = l.ends[n], x.ends[n]
		switch {
		case !s.secondPass && !s.columns[c.col].NoFlash && !slices.Equal(old, text):
			changed |= 1 << n
			flashing |= 1 << n
		case len(l.flashUntil) > 0 && l.flashUntil[n] > now:
			flashing |= 1 << n
		}
	}
	return flashing, changed
}

// setFlashes stores when the flashing cells of a line stop flashing. The cells in changed start a
// new flash. Both bit sets come from [renderer.flashingCells].
func (s *renderer) setFlashes(l *line, flashing, changed uint64, now int64) {
	l.flashEnd = 0
	if flashing == 0 {
		l.flashUntil = nil
		return
	}
	if n := len(s.lineColumns(l.isSecondLine)); len(l.flashUntil) != n {
		l.flashUntil = make([]int64, n)
	}
	for n := range l.flashUntil {
		l.updateFlash(n, changed&(1<<n) != 0, now, int64(s.flashDuration))
	}
}

func (s *renderer) addToCache(l *line, key rowCacheKey) {
	var flashing uint64
	for n, until := range l.flashUntil {
		if until != 0 {
			flashing |= 1 << n
		}
	}
	l.text, l.shared = string(l.drawn), true
	row := &cachedRow{cells: l.cells, ends: l.ends, wantedWidths: slices.Clone(s.painter.wantedWidths)}
	s.rowCache.put(key, row, rowDrawing{overlayStyle: s.overlayStyle(l, false), selected: l.selected, bar: l.bar, flashingCells: flashing, line: l.drawn, text: l.text})
}
