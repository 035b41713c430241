package table

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Model is a table: what moves it and what it is given. Make one with [New]; the
// zero Model is not usable. Below it, each knowing only those under it, are the
// sheet that draws, and what it draws: the grid of columns, the window on the
// rows, and the order of these.
type Model struct {
	// KeyMap is the keys [Model.Update] obeys.
	KeyMap KeyMap

	sheet
	originX, originY int

	view string // the lines together, "" if that is not made yet
}

// Option configures a [Model].
type Option func(*Model)

// WithColumns sets the columns.
func WithColumns(cols ...Column) Option { return func(m *Model) { m.columns = cols } }

// WithStyles sets the styles.
func WithStyles(s Styles) Option { return func(m *Model) { m.styles = s } }

// WithGlyphs sets the glyphs.
func WithGlyphs(g Glyphs) Option { return func(m *Model) { m.glyphs = g } }

// WithKeyMap sets the keys.
func WithKeyMap(k KeyMap) Option { return func(m *Model) { m.KeyMap = k } }

// WithScrollbar adds a scroll bar at the right edge.
func WithScrollbar() Option { return func(m *Model) { m.scrollbar = true } }

// WithoutHeader leaves the titles out.
func WithoutHeader() Option { return func(m *Model) { m.header = false } }

// WithoutSelection makes a table for watching only: keys and wheel scroll.
func WithoutSelection() Option { return func(m *Model) { m.cursorOn = false } }

// WithQuietSelection makes a table that shows what is selected only while it has the
// keyboard: one of several on a page.
func WithQuietSelection() Option { return func(m *Model) { m.quiet = true } }

// WithFlash sets how long a changed cell is marked; 0 turns marking off.
// Without it, it is [DefaultFlash].
func WithFlash(d time.Duration) Option { return func(m *Model) { m.flashFor = d } }

// DefaultFlash is how long a changed cell is marked.
const DefaultFlash = 700 * time.Millisecond

// New returns a focused, empty table of size 0x0.
func New(opts ...Option) *Model {
	m := &Model{KeyMap: DefaultKeyMap(), sheet: sheet{
		look:     look{glyphs: DefaultGlyphs(), method: ansi.WcWidth},
		window:   window{ordering: ordering{src: empty{}, sortCol: unsorted, stray: none}, cursorOn: true},
		header:   true,
		focused:  true,
		flashFor: DefaultFlash,
		cache:    drawnLines{first: map[string]*line{}, second: map[string]*line{}},
	}}
	for _, opt := range opts {
		opt(m)
	}
	m.unmeasured()
	return m
}

// SetSize sets the size in terminal cells, header included.
func (m *Model) SetSize(width, height int) {
	width, height = min(max(width, 0), maxSize), min(max(height, 0), maxSize)
	if width == m.width && height == m.height {
		return
	}
	m.width, m.height = width, height
	if width > 0 && width != m.measured { // one that is hidden for a moment is the same
		m.measured = width
		m.unmeasured()
		return
	}
	m.relayout()
}

// SetOrigin tells where on the screen the table's upper left cell is, so that
// [Model.Update] understands mouse messages.
func (m *Model) SetOrigin(x, y int) { m.originX, m.originY = x, y }

// SetColumns replaces the columns, which the source must know by their new
// indices at once. The sort stays on the column with the same ID and is given up
// if there is none.
func (m *Model) SetColumns(cols ...Column) {
	id, _ := m.Sort()
	sorted := m.sortCol != unsorted
	m.columns = cols
	switch col := m.byID(id); {
	case !sorted:
	case col == unsorted:
		m.sortBy(unsorted, false)
	default:
		m.sortCol = col
	}
	m.unmeasured()
}

// SetStyles replaces the styles, for instance after a change of theme.
func (m *Model) SetStyles(s Styles) {
	m.styles = s
	m.Invalidate()
}

// SetBlank draws a text in the place of every figure, which is what stands on
// the right of its cell or is [Column.Passing]; "" draws the figures again.
func (m *Model) SetBlank(text string) {
	if m.blank != text {
		m.blank = text
		m.Invalidate()
	}
}

// SetGlyphs replaces the glyphs.
func (m *Model) SetGlyphs(g Glyphs) {
	m.glyphs = g
	m.Invalidate()
}

// SetEmptyText sets what is shown when there are no rows: the reason.
func (m *Model) SetEmptyText(s string) {
	if s != m.emptyText {
		m.emptyText = s
		m.dirty = true
	}
}

// SetWidthMethod sets how wide text is taken to be. It must be what the
// renderer uses, or columns shift on lines with emoji or South Asian scripts:
// Bubble Tea starts with [ansi.WcWidth], the default here as well, and changes to
// [ansi.GraphemeWidth] when a tea.ModeReportMsg says that the terminal knows
// [ansi.ModeUnicodeCore].
func (m *Model) SetWidthMethod(method ansi.Method) {
	if method != m.method {
		m.method = method
		m.Invalidate()
	}
}

// SetFlash sets how long a changed cell is marked; 0 turns marking off.
func (m *Model) SetFlash(d time.Duration) {
	m.flashFor = d
	m.Invalidate()
}

// SetTall has rows take a second line for the columns that have no room on the first.
func (m *Model) SetTall(on bool) {
	if on != m.tall {
		m.tall = on
		m.relayout()
	}
}

// Focus gives the table the keyboard.
func (m *Model) Focus() { m.setFocus(true) }

// Blur takes the keyboard away; the selection stays.
func (m *Model) Blur() { m.setFocus(false) }

// Focused reports whether the table has the keyboard.
func (m *Model) Focused() bool { return m.focused }

func (m *Model) setFocus(on bool) {
	if on != m.focused {
		m.focused = on
		m.Invalidate()
	}
}

// Invalidate forgets every rendered row. It is needed only when cells look
// different although no version has changed.
func (m *Model) Invalidate() {
	m.edition++
	m.dirty, m.plans = true, plans{}
}

// Width returns the width in cells.
func (m *Model) Width() int { return m.width }

// Height returns the height in lines, header included.
func (m *Model) Height() int { return m.height }

// VisibleColumns returns the IDs of the columns that have room, from left to
// right.
func (m *Model) VisibleColumns() []string {
	return m.ids()
}

// Tick sets the time and reports whether the view has changed by it, which is
// when a flash has ended. Call it before [Model.SetSource], so that changes are
// marked from now on.
func (m *Model) Tick(now time.Time) bool {
	m.now = now
	if m.flashEnd != 0 && now.UnixNano() >= m.flashEnd {
		m.dirty = true
	}
	return m.dirty || m.moved
}

// Flashing reports whether the last view contains marked cells, so that a Tick
// is needed to end them.
func (m *Model) Flashing() bool { return m.flashEnd != 0 }
