package table

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Model is a table. [New] creates a Model; the zero Model is not usable. Model handles input and
// configuration. Below it are layers: the renderer, which draws; the grid of columns; the window,
// which is the visible part of the rows; and the ordering of the rows. Each layer knows only the
// layers below it.
type Model struct {
	// KeyMap holds the key bindings that [Model.Update] handles.
	KeyMap KeyMap

	renderer
	originX, originY int

	joinedLines string // all lines joined by line breaks; "" until needed
}

// Option sets an option of a [Model] in [New].
type Option func(*Model)

// WithColumns sets the columns of the table.
func WithColumns(cols ...Column) Option { return func(m *Model) { m.columns = cols } }

// WithGlyphs sets the characters that the table draws in addition to its contents.
func WithGlyphs(g Glyphs) Option { return func(m *Model) { m.glyphs = g } }

// WithKeyMap sets the key bindings of the table.
func WithKeyMap(k KeyMap) Option { return func(m *Model) { m.KeyMap = k } }

// WithScrollbar adds a scroll bar at the right edge.
func WithScrollbar() Option { return func(m *Model) { m.scrollbar = true } }

// WithFixedColumns makes the widths of columns independent of their contents, so that no column
// moves when a text changes.
func WithFixedColumns() Option { return func(m *Model) { m.fixedColumns = true } }

// WithoutSelection disables the selection of rows. Keys and the mouse wheel then scroll the table.
func WithoutSelection() Option { return func(m *Model) { m.selectable = false } }

// WithFocusedSelection makes the selection visible only while the table has the keyboard focus. It is
// for pages with several tables.
func WithFocusedSelection() Option { return func(m *Model) { m.hidesUnfocusedSelection = true } }

// WithFlash sets how long a changed cell flashes; 0 disables flashing. The default is
// [DefaultFlash].
func WithFlash(d time.Duration) Option { return func(m *Model) { m.flashDuration = d } }

// DefaultFlash is the default of [WithFlash].
const DefaultFlash = 700 * time.Millisecond

// New returns an empty table of size 0x0 that has the keyboard focus.
func New(opts ...Option) *Model {
	m := &Model{KeyMap: DefaultKeyMap(), renderer: renderer{
		appearance:    appearance{glyphs: DefaultGlyphs(), method: ansi.WcWidth},
		window:        window{ordering: ordering{source: emptySource{}, sortCol: noSortColumn, unmatchedPos: noUnmatchedRow}, selectable: true},
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

// SetSize sets the size of the table in terminal cells. The height includes the header.
func (m *Model) SetSize(width, height int) {
	width, height = min(max(width, 0), maxTableSize), min(max(height, 0), maxTableSize)
	if width == m.width && height == m.height {
		return
	}
	hidden := &m.drawnLines.hidden
	switch {
	case width == 0 && height == 0: // the layout and the drawn rows stay, because a page hides all its tables before it draws some of them
		*hidden = hiddenSize{m.width, m.height, m.visibleRows, m.now}
		m.width, m.height, m.visibleRows, m.dirty = 0, 0, 0, true
		return
	case hidden.matches(width, height, m.now): // changed values do not flash, as if the rows were new
		m.width, m.height, m.visibleRows, m.dirty = width, height, hidden.visibleRows, true
		if !m.placeColumns() { // the texts drawn before may need wider columns
			m.frame++
			m.clampView()
			return
		}
	}
	m.width, m.height = width, height
	if width > 0 && width != m.measuredWidth { // a table that was hidden for a moment keeps the widths of its columns
		m.measuredWidth = width
		m.resetWidths()
		return
	}
	m.relayout()
}

// SetOrigin sets the position of the table's upper left cell on the screen. [Model.Update] needs it
// for mouse messages.
func (m *Model) SetOrigin(x, y int) { m.originX, m.originY = x, y }

// SetColumns replaces the columns. From then on, the source must use the indices of the new
// columns. The table stays sorted by the column with the same ID. If there is no such column, the
// rows get the order of the source.
func (m *Model) SetColumns(cols ...Column) {
	id, _ := m.Sort()
	sorted := m.sortCol != noSortColumn
	m.columns = cols
	switch col := m.sortableColumn(id); {
	case !sorted:
	case col == noSortColumn:
		m.sortBy(noSortColumn, false)
	default:
		m.sortCol = col
	}
	m.resetWidths()
}

// SetStyles replaces the styles, for example after a change of the theme.
func (m *Model) SetStyles(s Styles) {
	m.styles = s
	m.Invalidate()
}

// SetBlank makes the table draw text instead of figures, that is, in every right-aligned cell that is not
// empty and in columns with [Column.Momentary]. If text is empty, the table draws the figures again.
func (m *Model) SetBlank(text string) {
	if m.blank != text {
		m.blank = text
		m.Invalidate()
	}
}

// SetEmptyText sets the text that the table shows if it has no rows.
func (m *Model) SetEmptyText(s string) {
	if s != m.emptyText {
		m.emptyText = s
		m.dirty = true
	}
}

// SetWidthMethod sets the method for measuring the width of text. It must be the method of Bubble
// Tea's renderer. Otherwise columns are shifted on lines with emoji or South Asian scripts. Bubble
// Tea starts with [ansi.WcWidth], which is also the default of the table. It changes to
// [ansi.GraphemeWidth] when a tea.ModeReportMsg reports that the terminal supports
// [ansi.ModeUnicodeCore].
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

// Focus gives the table the keyboard focus.
func (m *Model) Focus() { m.setFocus(true) }

// Blur takes the keyboard focus from the table. The selection stays the same.
func (m *Model) Blur() { m.setFocus(false) }

// Focused reports whether the table has the keyboard focus.
func (m *Model) Focused() bool { return m.focused }

func (m *Model) setFocus(enabled bool) {
	if enabled != m.focused {
		m.focused = enabled
		m.Invalidate()
	}
}

// Invalidate makes the table draw all rows again. It is needed only if cells look different
// although their versions have not changed.
func (m *Model) Invalidate() {
	m.redrawVersion++
	m.dirty, m.layoutIDs = true, layoutIDs{}
}

// Width returns the width in cells.
func (m *Model) Width() int { return m.width }

// Height returns the height in lines, including the header.
func (m *Model) Height() int { return m.height }

// VisibleColumns returns the IDs of the visible columns: those of the first line from left to
// right, followed by those of the second line.
func (m *Model) VisibleColumns() []string {
	return m.visibleIDs()
}

// SetTime sets the current time. It reports whether the table must be redrawn, for example because
// a flash has ended. Changed marks do not count. SetTime must be called before [Model.SetSource]
// and the drawing, which use the time.
func (m *Model) SetTime(now time.Time) bool {
	m.now = now
	if m.flashEnd != 0 && now.UnixNano() >= m.flashEnd {
		m.dirty = true
	}
	return m.dirty || m.moved
}

// Flashing reports whether a cell flashes or a row has a temporary sign in the last view. Both
// remain until [Model.SetTime] is called after their end.
func (m *Model) Flashing() bool { return m.flashEnd != 0 }
