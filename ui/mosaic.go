package ui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/look"
	"wallboard/ui/render"
)

// mosaic is a page of rows of panes.
type mosaic struct {
	name  string
	keys  *KeyMap
	rows  []RowSpec
	cells [][]*cell
	all   []*cell // the same, from the top left to the bottom right
	at    int     // the place in all of the one that has the keyboard
}

// cell is a pane in its place.
type cell struct {
	part
	spec  PaneSpec
	area  area // what it draws on; the line above it is not in it
	shown bool
	head  bool  // there is a line above it
	own   scene // the page's scene on the pane's own channel
}

func newMosaic(sc *scene, keys *KeyMap, spec PageSpec) *mosaic {
	m := &mosaic{name: spec.Name, keys: keys, rows: spec.Rows, cells: make([][]*cell, len(spec.Rows))}
	for i, row := range spec.Rows {
		for _, pane := range row.Panes {
			if p := newPart(sc, pane); p != nil {
				c := &cell{part: p, spec: pane, shown: true}
				m.cells[i] = append(m.cells[i], c)
				m.all = append(m.all, c)
			}
		}
	}
	m.focusOn(m.next(-1, 1))
	return m
}

// on returns the scene on the pane's own channel.
func (c *cell) on(sc *scene) *scene {
	if c.spec.Channel == "" || c.spec.Channel == sc.floor.Channel {
		return sc
	}
	c.own = *sc
	c.own.floor = sc.floor.On(c.spec.Channel)
	return &c.own
}

// called is what stands above the pane, "" for nothing.
func (c *cell) called(sc *scene) string {
	if c.spec.Title != "" {
		return c.spec.Title
	}
	return c.title(sc)
}

func (m *mosaic) crumb(*scene) string { return m.name }

// status says what there is no room for, and of a page of one pane how it is.
func (m *mosaic) status(sc *scene) standing {
	hidden := 0
	for _, c := range m.all {
		if !c.shown {
			hidden++
		}
	}
	switch {
	case hidden == 1:
		return standing{text: "1 pane needs a larger screen"}
	case hidden > 1:
		return standing{text: sc.look.Count(hidden) + " panes need a larger screen"}
	case len(m.all) == 1:
		return m.all[0].standing(sc)
	}
	return standing{}
}

// standing is the pane's status, its own channel, and how old its figures are.
func (c *cell) standing(sc *scene) standing {
	s := c.status(c.on(sc))
	dot := " " + sc.look.Glyphs.Dot + " "
	if c.spec.Channel != "" {
		s.before(render.ChannelName(c.spec.Channel), dot)
	}
	if d := sc.floor.DoubtAbout(c.subs()...); d.Stale && len(c.subs()) > 0 {
		s.before(sc.floor.StaleWord(sc.look, d), dot)
	}
	return s
}

func (m *mosaic) subs() []string {
	var out []string
	for _, c := range m.all {
		for _, s := range c.subs() {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func (m *mosaic) refresh(sc *scene) {
	for _, c := range m.all {
		c.refresh(c.on(sc))
	}
}

func (m *mosaic) restyle(sc *scene) {
	for _, c := range m.all {
		c.restyle(c.on(sc))
	}
}

func (m *mosaic) flashing() bool {
	return slices.ContainsFunc(m.all, func(c *cell) bool { return c.shown && c.flashing() })
}

// moving returns how long what moves by itself stands still, 0 for no such
// thing.
func (m *mosaic) moving() time.Duration {
	var least time.Duration
	for _, c := range m.all {
		if t, ok := c.part.(interface{ moving() time.Duration }); ok && c.shown {
			if d := t.moving(); d > 0 && (least == 0 || d < least) {
				least = d
			}
		}
	}
	return least
}

// tables returns how many panes on the screen can have the keyboard.
func (m *mosaic) tables() int {
	n := 0
	for _, c := range m.all {
		if c.shown && c.listens() {
			n++
		}
	}
	return n
}

// focusedCell returns the pane that has the keyboard, nil if none on the screen
// can.
func (m *mosaic) focusedCell() *cell {
	if m.at < 0 || m.at >= len(m.all) || !m.all[m.at].shown {
		return nil
	}
	return m.all[m.at]
}

func (m *mosaic) focused() *pane {
	if c := m.focusedCell(); c != nil {
		return c.focused()
	}
	return nil
}

// mapHeld returns the map that has the keyboard, nil if none has.
func (m *mosaic) mapHeld() *mapPart {
	if c := m.focusedCell(); c != nil {
		held, _ := c.part.(*mapPart)
		return held
	}
	return nil
}

// next returns the place of the next pane that can have the keyboard, -1 if
// there is none.
func (m *mosaic) next(at, by int) int {
	n := len(m.all)
	for range n {
		at = (at + by + n) % n
		if c := m.all[at]; c.shown && c.listens() {
			return at
		}
	}
	return -1
}

func (m *mosaic) focusOn(at int) {
	m.at = at
	for i, c := range m.all {
		if c.listens() {
			c.focus(i == at)
		}
	}
}

// focusLike gives the keyboard to the pane that shows what the focused one of a
// page before showed: the same of its kind, counted from the top left.
func (m *mosaic) focusLike(before *mosaic) {
	if before.at < 0 {
		return
	}
	kind, nth := before.all[before.at].spec.Kind, 0
	for _, c := range before.all[:before.at] {
		if c.spec.Kind == kind {
			nth++
		}
	}
	for i, c := range m.all {
		if c.spec.Kind != kind {
			continue
		}
		if nth == 0 {
			m.focusOn(i)
			return
		}
		nth--
	}
}

// press hands a key to the pane that has the keyboard, before the page's own
// keys are looked at.
func (m *mosaic) press(sc *scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if c := m.focusedCell(); c != nil {
		return c.press(c.on(sc), msg)
	}
	return nil, false
}

func (m *mosaic) update(sc *scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.tables() > 1 && key.Matches(msg, m.keys.NextTable) {
			by := 1
			if msg.String() == "shift+tab" {
				by = -1
			}
			m.focusOn(m.next(m.at, by))
			return nil
		}
		if c := m.focusedCell(); c != nil {
			return c.update(c.on(sc), msg)
		}
	case tea.MouseClickMsg:
		i := m.under(msg.X, msg.Y)
		if i < 0 || msg.Button != tea.MouseLeft {
			return nil
		}
		if m.all[i].listens() {
			m.focusOn(i)
		}
		return m.all[i].update(m.all[i].on(sc), msg)
	case tea.MouseWheelMsg:
		if i := m.under(msg.X, msg.Y); i >= 0 {
			return m.all[i].update(m.all[i].on(sc), msg)
		}
	}
	return nil
}

// under returns the place of the pane at a place on the screen, -1 for none.
func (m *mosaic) under(x, y int) int {
	return slices.IndexFunc(m.all, func(c *cell) bool { return c.shown && c.area.has(x, y) })
}

// arrange gives every pane its area on a page of w cells and h lines at x and y.
func (m *mosaic) arrange(sc *scene, x, y, w, h int) {
	rows := make([]strip, len(m.cells))
	for i, cells := range m.cells {
		rows[i].weight = m.rows[i].Weight
		for _, c := range cells {
			if len(m.all) > 1 && c.called(sc) != "" {
				rows[i].head = 1
			}
			rows[i].blocks = append(rows[i].blocks, block{weight: c.spec.Weight, priority: max(c.spec.Priority, 1)})
		}
	}
	areas := layout(rows, w, h, func(row, at, w int) room {
		c := m.cells[row][at]
		return c.want(c.on(sc), w)
	})
	for i, cells := range m.cells {
		for j, c := range cells {
			a := areas[i][j]
			c.shown, c.head = a.w > 0 && a.h > 0, rows[i].head > 0
			c.area = area{a.x + x, a.y + y, a.w, a.h}
			if !c.shown {
				c.hide()
			}
		}
	}
	if m.focusedCell() == nil {
		m.focusOn(m.next(-1, 1))
	}
}

func (m *mosaic) view(sc *scene, x, y, w, h int) []string {
	m.arrange(sc, x, y, w, h)
	out := make([]string, h)
	used := make([]int, h) // cells that are drawn of each line
	put := func(line, at int, text string, width int) {
		if line < 0 || line >= h {
			return
		}
		out[line] += look.Blanks(at-used[line]) + text
		used[line] = at + width
	}
	several := m.tables() > 1
	for i, c := range m.all {
		if !c.shown {
			continue
		}
		a := c.area
		if c.head {
			head := look.Blanks(a.w)
			if name := c.called(sc); name != "" {
				head = sc.headingAt(a.w, name, c.standing(sc), several && i == m.at)
			}
			put(a.y-y-1, a.x-x, head, a.w)
		}
		for n, l := range c.view(c.on(sc), a.x, a.y, a.w, a.h) {
			put(a.y-y+n, a.x-x, l, a.w)
		}
	}
	for i := range out {
		out[i] += look.Blanks(w - used[i])
	}
	return out
}

// only returns the table that is all there is to the page, nil if there is more.
func (m *mosaic) only() *pane {
	if len(m.all) != 1 {
		return nil
	}
	return m.all[0].focused()
}

// panes returns the tables, for the viewer's places in them.
func (m *mosaic) panes() []*pane {
	var out []*pane
	for _, c := range m.all {
		if p := c.focused(); p != nil {
			out = append(out, p)
		}
	}
	return out
}
