package panes

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// PanePage is a page of panes, arranged in rows.
type PanePage struct {
	title        words.Text
	keys         *frame.PaneKeys
	rowSpecs     []RowSpec
	slotRows     [][]*Slot // the panes of each row
	Slots        []*Slot   // all slots of the page, from the top left to the bottom right
	focusedIndex int       // index in Slots of the pane that has the keyboard focus
}

// NewPage returns the page described by a spec.
func NewPage(sc *Scene, partKeys *frame.PaneKeys, spec PageSpec) *PanePage {
	m := &PanePage{title: spec.titleText(), keys: partKeys, rowSpecs: spec.Rows, slotRows: make([][]*Slot, len(spec.Rows))}
	for i, row := range spec.Rows {
		for _, paneSpec := range row.Panes {
			if sc.Wall != nil && paneSpec.role.interactiveOnly || sc.Wall == nil && paneSpec.role.wallOnly {
				continue
			}
			if p := newPane(sc, paneSpec); p != nil {
				c := &Slot{Pane: p, Spec: paneSpec, Shown: true}
				m.slotRows[i] = append(m.slotRows[i], c)
				m.Slots = append(m.Slots, c)
			}
		}
	}
	m.focusSlot(m.nextFocusable(-1, 1))
	return m
}

// Breadcrumb returns the name of the page.
func (m *PanePage) Breadcrumb(sc *Scene) string { return sc.translate(m.title) }

// HasHeading reports whether the first line of the page is a heading. Such a page needs no title above it.
func (m *PanePage) HasHeading(sc *Scene) bool {
	if len(m.Slots) == 1 {
		switch m.Slots[0].Pane.(type) {
		case *overviewPane, SingleTable: // they draw a frame themselves
			return sc.HasFrames && sc.Wall == nil
		}
		return false
	}
	return len(m.Slots) > 0 && len(m.slotRows[0]) > 0 && m.slotRows[0][0].title(sc) != ""
}

// Status returns the number of panes that do not fit on the screen or, for a page with a single
// pane, the status of that pane. It is empty on a screen that is read from a distance.
func (m *PanePage) Status(sc *Scene) style.HeadingStatus {
	hidden := 0
	for _, c := range m.Slots {
		if !c.Shown {
			hidden++
		}
	}
	switch {
	case sc.LargeFigures: // status texts are too small to read from a distance
		return style.HeadingStatus{}
	case hidden > 0:
		return style.HeadingStatus{Text: sc.translate(words.PaneMorePanes(hidden))}
	case len(m.Slots) == 1:
		return m.Slots[0].status(sc)
	}
	return style.HeadingStatus{}
}

// Subscriptions returns the subscriptions that deliver the figures of the page.
func (m *PanePage) Subscriptions() []model.Op {
	var out []model.Op
	for _, c := range m.Slots {
		for _, s := range c.subscriptions() {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// Refresh updates all panes from the current snapshot.
func (m *PanePage) Refresh(sc *Scene) {
	for _, c := range m.Slots {
		c.Pane.Refresh(c.scene(sc))
	}
}

// Restyle implements [Page]. It drops cached lines that were drawn with another theme.
func (m *PanePage) Restyle(sc *Scene) {
	for _, c := range m.Slots {
		c.restyle(sc)
	}
}

// IsFlashing reports whether the page currently highlights a changed value.
func (m *PanePage) IsFlashing() bool {
	return slices.ContainsFunc(m.Slots, func(c *Slot) bool { return c.Shown && c.isFlashing() })
}

// ScrollInterval returns the shortest interval at which a visible pane scrolls its content by
// itself. It returns 0 if no visible pane scrolls.
func (m *PanePage) ScrollInterval() time.Duration {
	var shortest time.Duration
	for _, c := range m.Slots {
		if t, ok := c.Pane.(SelfScroller); ok && c.Shown {
			if d := t.ScrollInterval(); d > 0 && (shortest == 0 || d < shortest) {
				shortest = d
			}
		}
	}
	return shortest
}

// FocusableCount returns how many parts of the visible panes can have the keyboard focus.
func (m *PanePage) FocusableCount() int {
	n := 0
	for _, c := range m.Slots {
		if c.Shown && c.canFocus() {
			n++
			if p, ok := c.Pane.(multiPartPane); ok {
				n += p.extraParts()
			}
		}
	}
	return n
}

// FocusedSlot returns the visible pane that has the keyboard focus, or nil if there is none.
func (m *PanePage) FocusedSlot() *Slot {
	if m.focusedIndex < 0 || m.focusedIndex >= len(m.Slots) || !m.Slots[m.focusedIndex].Shown {
		return nil
	}
	return m.Slots[m.focusedIndex]
}

// Focused returns the table that has the keyboard focus, or nil if there is none.
func (m *PanePage) Focused() *RecordTable {
	if c := m.FocusedSlot(); c != nil {
		return c.focused()
	}
	return nil
}

// RecordUnderCursor implements [Page]. It returns the record under the cursor of the pane that has the
// keyboard focus. ok is false if there is no such record.
func (m *PanePage) RecordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
	c := m.FocusedSlot()
	if c == nil {
		return 0, "", "", false
	}
	if p, isPointer := c.Pane.(recordPointer); isPointer {
		return p.recordUnderCursor()
	}
	return c.focused().recordUnderCursor()
}

// ChartSubject implements [Page]. It returns the subject that the pane with the keyboard focus
// chooses. known is false if the pane does not choose a subject.
func (m *PanePage) ChartSubject(sc *Scene) (k alert.Key, ok, known bool) {
	if c := m.FocusedSlot(); c != nil {
		if p, isChooser := c.Pane.(chartChooser); isChooser {
			k, ok = p.chartSubject(sc)
			return k, ok, true
		}
	}
	return alert.Key{}, false, false
}

// Situation returns the situation under the cursor of the pane that has the keyboard focus, or nil
// if there is none.
func (m *PanePage) Situation(sc *Scene) *situation.Situation {
	if c := m.FocusedSlot(); c != nil {
		if p, ok := c.Pane.(situationPointer); ok {
			return p.situation(c.scene(sc))
		}
	}
	return nil
}

// FocusSituations gives the keyboard focus to the first visible pane that shows situations, and
// selects its most urgent situation. It does nothing if there is no such pane.
func (m *PanePage) FocusSituations(sc *Scene) {
	for i, c := range m.Slots {
		if p, ok := c.Pane.(situationFocuser); ok && c.Shown {
			m.focusSlot(i)
			p.focusSituations(c.scene(sc))
			return
		}
	}
}

// nextFocusable returns the index of the next visible pane that can have the keyboard focus,
// starting after index in the direction of delta, which is 1 or -1. It returns -1 if there is none.
func (m *PanePage) nextFocusable(index, delta int) int {
	n := len(m.Slots)
	for range n {
		index = (index + delta + n) % n
		if c := m.Slots[index]; c.Shown && c.canFocus() {
			return index
		}
	}
	return -1
}

func (m *PanePage) focusSlot(index int) {
	m.focusedIndex = index
	for i, c := range m.Slots {
		if p, ok := c.Pane.(focuser); ok {
			p.focus(i == index)
		}
	}
}

// CopyStateFrom implements [Page]. It copies the filters, groupings, sort orders, selections and focused
// pane of from, the page that m replaces.
func (m *PanePage) CopyStateFrom(sc *Scene, from Page) {
	previous, ok := from.(*PanePage)
	if !ok {
		return
	}
	m.Refresh(sc)
	oldTables, tables := previous.allTables(), m.allTables()
	for i := range min(len(oldTables), len(tables)) {
		tables[i].copyStateFrom(sc, oldTables[i])
	}
	m.focusCorresponding(previous)
	for _, b := range m.Slots {
		index := slices.IndexFunc(previous.Slots, func(a *Slot) bool { return reflect.DeepEqual(a.Spec, b.Spec) })
		if p, ok := b.Pane.(stateCopier); ok && index >= 0 {
			p.copyStateFrom(previous.Slots[index].Pane)
		}
	}
}

// Filters returns the viewer's filters of the tables on the page, by [RecordTable.LayoutName].
func (m *PanePage) Filters() map[string]string {
	out := make(map[string]string)
	for _, t := range m.allTables() {
		if t.Filter != "" {
			out[t.LayoutName()] = t.Filter
		}
	}
	return out
}

// SetFilters restores filters returned by [PanePage.Filters].
func (m *PanePage) SetFilters(filters map[string]string) {
	for _, t := range m.allTables() {
		if filter := filters[t.LayoutName()]; filter != "" {
			t.SetFilter(filter)
		}
	}
}

// focusCorresponding gives the keyboard focus to the pane that corresponds to the focused pane of
// the previous page: if that was the nth pane of its kind, counted from the top left, the nth pane
// of the same kind.
func (m *PanePage) focusCorresponding(previous *PanePage) {
	if previous.focusedIndex < 0 {
		return
	}
	kind, nth := previous.Slots[previous.focusedIndex].Spec.Kind, 0
	for _, c := range previous.Slots[:previous.focusedIndex] {
		if c.Spec.Kind == kind {
			nth++
		}
	}
	for i, c := range m.Slots {
		if c.Spec.Kind != kind {
			continue
		}
		if nth == 0 {
			m.focusSlot(i)
			return
		}
		nth--
	}
}

// Press passes a key to the pane that has the keyboard focus, before the page handles the key. The
// bool result is false if the pane does not handle it.
func (m *PanePage) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if c := m.FocusedSlot(); c != nil {
		if p, ok := c.Pane.(KeyHandler); ok {
			return p.Press(c.scene(sc), msg)
		}
	}
	return nil, false
}

// Update handles a key or a mouse message.
func (m *PanePage) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if delta := m.keys.DirectionOf(msg); delta != 0 {
			m.focusNextPart(sc, delta)
			return nil
		}
		if c := m.FocusedSlot(); c != nil {
			return c.Update(sc, msg)
		}
	case tea.MouseClickMsg:
		i := m.slotAt(msg.X, msg.Y)
		if i < 0 || msg.Button != tea.MouseLeft {
			return nil
		}
		if m.Slots[i].canFocus() {
			m.focusSlot(i)
		}
		return m.Slots[i].Update(sc, msg)
	case tea.MouseWheelMsg:
		if i := m.slotAt(msg.X, msg.Y); i >= 0 {
			return m.Slots[i].Update(sc, msg)
		}
	}
	return nil
}

// focusNextPart gives the keyboard focus to the next part of the focused pane, or after the last
// part to the next pane. If delta is -1, it goes backwards.
func (m *PanePage) focusNextPart(sc *Scene, delta int) {
	if c := m.FocusedSlot(); c != nil && c.moveFocus(sc, delta) {
		return
	}
	m.focusSlot(m.nextFocusable(m.focusedIndex, delta))
	if c := m.FocusedSlot(); c != nil {
		c.focusFirst(sc, delta)
	}
}

// slotAt returns the index of the pane at a screen position, or -1 if there is none.
func (m *PanePage) slotAt(x, y int) int {
	return slices.IndexFunc(m.Slots, func(c *Slot) bool { return c.Shown && c.Area.Contains(x, y) })
}

// Arrange assigns an area to every pane of a page with w cells and h lines. The top left corner of
// the page is at the screen position x, y.
func (m *PanePage) Arrange(sc *Scene, x, y, w, h int) {
	rows := make([]frame.Row, len(m.slotRows))
	sideCells, lines := sc.frameMargins()
	for i, slots := range m.slotRows {
		rows[i].Weight = m.rowSpecs[i].Weight
		for _, c := range slots {
			if len(m.Slots) > 1 && c.title(sc) != "" {
				rows[i].HeadLines = lines
			}
			rows[i].Blocks = append(rows[i].Blocks, frame.PaneLayout{Weight: c.Spec.Weight, DropPriority: max(c.Spec.Priority, 1)})
		}
	}
	placed := frame.SplitPanes(rows, w, h, func(row, index, w int) frame.SizeHint {
		c := m.slotRows[row][index]
		if rows[row].HeadLines == 0 {
			return c.Pane.SizeHint(c.scene(sc), w)
		}
		room := c.Pane.SizeHint(c.scene(sc), w-sideCells)
		room.MinWidth += sideCells
		return room
	})
	for i, slots := range m.slotRows {
		for j, c := range slots {
			a := placed[i][j]
			c.Shown, c.hasHeading = a.W > 0 && a.H > 0, rows[i].HeadLines > 0 && c.title(sc) != ""
			c.Area = frame.Area{X: a.X + x, Y: a.Y + y, W: a.W, H: a.H}
			if c.hasHeading {
				c.framedArea = frame.Area{X: c.Area.X, Y: c.Area.Y - lines, W: a.W, H: a.H + lines}
				c.Area = sc.InnerArea(c.framedArea.X, c.framedArea.Y, a.W, c.framedArea.H)
			}
			if !c.Shown {
				c.hide()
			}
		}
	}
	if m.FocusedSlot() == nil {
		m.focusSlot(m.nextFocusable(-1, 1))
	}
}

// View draws the page in h lines of exactly w cells.
func (m *PanePage) View(sc *Scene, x, y, w, h int) []string {
	m.Arrange(sc, x, y, w, h)
	out := make([]string, h)
	used := make([]int, h) // number of cells drawn so far, for each line
	putText := func(line, index int, text string, width int) {
		if line < 0 || line >= h {
			return
		}
		out[line] += style.Blanks(index-used[line]) + text
		used[line] = index + width
	}
	several := m.FocusableCount() > 1
	for i, c := range m.Slots {
		if !c.Shown {
			continue
		}
		a, paneScene := c.Area, c.scene(sc)
		if sc.HasFrames && (c.hasHeading || sc.Wall != nil) {
			inner := *paneScene
			inner.HasFrames = false // the pane is already inside a frame, or fills a wall
			paneScene = &inner
		}
		lines := c.Pane.View(paneScene, a.X, a.Y, a.W, a.H)
		if c.hasHeading {
			a = c.framedArea
			position := c.statusWithDoubt(sc)
			if hidden := m.Status(sc).Text; i == 0 && hidden != "" {
				position.Prepend(hidden, " "+sc.Look.Glyphs.Dot+" ")
			}
			if sc.LargeFigures { // status texts are too small to read from a distance
				position = style.HeadingStatus{}
			}
			lines = sc.DrawPart(a.W, a.H, c.title(sc), position, several && i == m.focusedIndex, lines, c.hints(sc)...)
		}
		for n, l := range lines {
			putText(a.Y-y+n, a.X-x, l, a.W)
		}
	}
	for i := range out {
		out[i] += style.Blanks(w - used[i])
	}
	return out
}

// OnlyTable implements [SingleTable]. It returns the table that fills the page. It returns nil if the
// page shows more than a single table.
func (m *PanePage) OnlyTable() *RecordTable {
	if len(m.Slots) != 1 {
		return nil
	}
	if p, ok := m.Slots[0].Pane.(SingleTable); ok {
		return p.OnlyTable()
	}
	return nil
}

func (m *PanePage) allTables() []*RecordTable {
	var out []*RecordTable
	for _, c := range m.Slots {
		out = append(out, tablesOf(c.Pane)...)
	}
	return out
}
