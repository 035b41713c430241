package table

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Model is a table. Make one with [New]; the zero Model is not usable. Model handles input and
// configuration. It is built in layers: the sheet, which draws, the grid of columns, the window on
// the rows, and the ordering of the rows. Each layer knows only the layers below it.
type Model struct {
	// KeyMap holds the keys of [Model.Update].
	KeyMap KeyMap

	sheet
	originX, originY int

	joinedLines string // all lines joined, "" until it is needed
}

// Option configures a [Model].
type Option func(*Model)

// WithColumns sets the columns.
func WithColumns(cols ...Column) Option { return func(m *Model) { m.columns = cols } }

// WithGlyphs sets the glyphs.
func WithGlyphs(g Glyphs) Option { return func(m *Model) { m.glyphs = g } }

// WithKeyMap sets the keys.
func WithKeyMap(k KeyMap) Option { return func(m *Model) { m.KeyMap = k } }

// WithScrollbar adds a scroll bar at the right edge.
func WithScrollbar() Option { return func(m *Model) { m.scrollbar = true } }

// WithFixedColumns makes the widths of columns independent of their contents, so that no
// column moves when a text appears.
func WithFixedColumns() Option { return func(m *Model) { m.fixedColumns = true } }

// WithoutSelection makes a table for viewing only, in which keys and the wheel scroll.
func WithoutSelection() Option { return func(m *Model) { m.selectable = false } }

// WithQuietSelection shows the selection only while the table has the keyboard, for a
// page with several tables.
func WithQuietSelection() Option { return func(m *Model) { m.quietSelection = true } }

// WithFlash sets how long a changed cell flashes; 0 disables flashing. The default is
// [DefaultFlash].
func WithFlash(d time.Duration) Option { return func(m *Model) { m.flashDuration = d } }

// DefaultFlash is how long a changed cell flashes.
const DefaultFlash = 700 * time.Millisecond

// New returns a focused, empty table of size 0x0.
func New(opts ...Option) *Model {
	m := &Model{KeyMap: DefaultKeyMap(), sheet: sheet{
		appearance:    appearance{glyphs: DefaultGlyphs(), method: ansi.WcWidth},
		window:        window{ordering: ordering{source: emptySource{}, sortCol: unsorted, strayPos: noStray}, selectable: true},
		focused:       true,
		flashDuration: DefaultFlash,
		drawnLines:    drawnLines{first: map[string]*line{}, second: map[string]*line{}},
	}}
	for _, opt := range opts {
		opt(m)
	}
	m.resetWidths()
	return m
}

// SetSize sets the size in terminal cells, including the header.
func (m *Model) SetSize(width, height int) {
	width, height = min(max(width, 0), maxTableSize), min(max(height, 0), maxTableSize)
	if width == m.width && height == m.height {
		return
	}
	m.width, m.height = width, height
	if width > 0 && width != m.measuredWidth { // a table that was hidden for a moment keeps its widths
		m.measuredWidth = width
		m.resetWidths()
		return
	}
	m.relayout()
}

// SetOrigin sets the screen position of the table's upper left cell, which
// [Model.Update] needs for mouse messages.
func (m *Model) SetOrigin(x, y int) { m.originX, m.originY = x, y }

// SetColumns replaces the columns. The source must use the new indices at once. The sort stays on
// the column with the same ID, or is cleared if there is no such column.
func (m *Model) SetColumns(cols ...Column) {
	id, _ := m.Sort()
	sorted := m.sortCol != unsorted
	m.columns = cols
	switch col := m.sortableColumn(id); {
	case !sorted:
	case col == unsorted:
		m.sortBy(unsorted, false)
	default:
		m.sortCol = col
	}
	m.resetWidths()
}

// SetStyles replaces the styles, for instance after a change of theme.
func (m *Model) SetStyles(s Styles) {
	m.styles = s
	m.Invalidate()
}

// SetBlank draws a text in place of every figure: every cell that is right-aligned or in a column
// with [Column.Momentary]. An empty text draws the figures again.
func (m *Model) SetBlank(text string) {
	if m.blank != text {
		m.blank = text
		m.Invalidate()
	}
}

// SetEmptyText sets the text that a table without rows shows, to explain why there are none.
func (m *Model) SetEmptyText(s string) {
	if s != m.emptyText {
		m.emptyText = s
		m.dirty = true
	}
}

// SetWidthMethod sets how text is measured. It must be the method of the renderer, or columns shift
// on lines with emoji or South Asian scripts. Bubble Tea starts with [ansi.WcWidth], which is also
// the default here. It changes to [ansi.GraphemeWidth] when a tea.ModeReportMsg reports that the
// terminal supports [ansi.ModeUnicodeCore].
func (m *Model) SetWidthMethod(method ansi.Method) {
	if method != m.method {
		m.method = method
		m.Invalidate()
	}
}

// SetTwoLines gives rows a second line for the columns that do not fit on the first.
func (m *Model) SetTwoLines(enabled bool) {
	if enabled != m.twoLines {
		m.twoLines = enabled
		m.relayout()
	}
}

// Focus gives the keyboard to the table.
func (m *Model) Focus() { m.setFocus(true) }

// Blur takes the keyboard away from the table. The selection stays.
func (m *Model) Blur() { m.setFocus(false) }

// Focused reports whether the table has the keyboard.
func (m *Model) Focused() bool { return m.focused }

func (m *Model) setFocus(enabled bool) {
	if enabled != m.focused {
		m.focused = enabled
		m.Invalidate()
	}
}

// Invalidate makes the table draw every row again. It is needed only if cells look different
// although no version has changed.
func (m *Model) Invalidate() {
	m.edition++
	m.dirty, m.layoutKeys = true, layoutKeyPair{}
}

// Width returns the width in cells.
func (m *Model) Width() int { return m.width }

// Height returns the height in lines, including the header.
func (m *Model) Height() int { return m.height }

// VisibleColumns returns the IDs of the visible columns, from left to right.
func (m *Model) VisibleColumns() []string {
	return m.visibleIDs()
}

// Tick sets the time and reports whether the view must be redrawn, for example because a flash has
// ended. Call Tick before [Model.SetSource], so that new changes flash from now on.
func (m *Model) Tick(now time.Time) bool {
	m.now = now
	if m.flashEnd != 0 && now.UnixNano() >= m.flashEnd {
		m.dirty = true
	}
	return m.dirty || m.moved
}

// Flashing reports whether the last view contains flashing cells. They flash until a call of Tick
// after their end.
func (m *Model) Flashing() bool { return m.flashEnd != 0 }
