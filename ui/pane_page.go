package ui

import (
	"reflect"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
)

// panePage is a page of rows of panes.
type panePage struct {
	name  string
	keys  *KeyMap
	rows  []RowSpec
	slots [][]*slot
	all   []*slot // the same, from the top left to the bottom right
	at    int     // the place in all of the one that has the keyboard
}

func newPanePage(sc *scene, keys *KeyMap, spec PageSpec) *panePage {
	m := &panePage{name: spec.Name, keys: keys, rows: spec.Rows, slots: make([][]*slot, len(spec.Rows))}
	for i, row := range spec.Rows {
		for _, one := range row.Panes {
			if p := newPane(sc, one); p != nil {
				c := &slot{pane: p, spec: one, shown: true}
				m.slots[i] = append(m.slots[i], c)
				m.all = append(m.all, c)
			}
		}
	}
	m.focusOn(m.next(-1, 1))
	return m
}

func (m *panePage) crumb(*scene) string { return m.name }

// status says what there is no room for, and of a page of one pane how it is.
func (m *panePage) status(sc *scene) standing {
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
		return m.all[0].status(sc)
	}
	return standing{}
}

func (m *panePage) subs() []model.Op {
	var out []model.Op
	for _, c := range m.all {
		for _, s := range c.subs() {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func (m *panePage) refresh(sc *scene) {
	for _, c := range m.all {
		c.pane.Refresh(c.on(sc))
	}
}

func (m *panePage) restyle(sc *scene) {
	for _, c := range m.all {
		c.restyle(sc)
	}
}

func (m *panePage) flashing() bool {
	return slices.ContainsFunc(m.all, func(c *slot) bool { return c.shown && c.flashing() })
}

// moving returns how long what moves by itself stands still, 0 for no such
// thing.
func (m *panePage) moving() time.Duration {
	var least time.Duration
	for _, c := range m.all {
		if t, ok := c.pane.(mover); ok && c.shown {
			if d := t.moving(); d > 0 && (least == 0 || d < least) {
				least = d
			}
		}
	}
	return least
}

// tables returns how many panes on the screen can have the keyboard.
func (m *panePage) tables() int {
	n := 0
	for _, c := range m.all {
		if c.shown && c.listens() {
			n++
		}
	}
	return n
}

// holder returns the pane that has the keyboard, nil if none on the screen can.
func (m *panePage) holder() *slot {
	if m.at < 0 || m.at >= len(m.all) || !m.all[m.at].shown {
		return nil
	}
	return m.all[m.at]
}

func (m *panePage) focused() *recordTable {
	if c := m.holder(); c != nil {
		return c.focused()
	}
	return nil
}

// pointed returns what the viewer points at in the pane that has the keyboard.
func (m *panePage) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	c := m.holder()
	if c == nil {
		return 0, "", "", false
	}
	if p, is := c.pane.(pointer); is {
		return p.pointed()
	}
	return c.focused().pointed()
}

// charted returns what a chart should be about; known is false when the selected
// row says so best.
func (m *panePage) charted(sc *scene) (k alert.Key, ok, known bool) {
	if c := m.holder(); c != nil {
		if p, is := c.pane.(charter); is {
			k, ok = p.charted(sc)
			return k, ok, true
		}
	}
	return alert.Key{}, false, false
}

// next returns the place of the next pane that can have the keyboard, -1 if
// there is none.
func (m *panePage) next(at, by int) int {
	n := len(m.all)
	for range n {
		at = (at + by + n) % n
		if c := m.all[at]; c.shown && c.listens() {
			return at
		}
	}
	return -1
}

func (m *panePage) focusOn(at int) {
	m.at = at
	for i, c := range m.all {
		if p, ok := c.pane.(listener); ok {
			p.focus(i == at)
		}
	}
}

// carry takes over where the viewer was on the page that this one follows.
func (m *panePage) carry(sc *scene, from page) {
	before, ok := from.(*panePage)
	if !ok {
		return
	}
	m.refresh(sc)
	was, now := before.panes(), m.panes()
	for i := range min(len(was), len(now)) {
		now[i].carry(was[i])
	}
	m.focusLike(before)
	for _, b := range m.all {
		at := slices.IndexFunc(before.all, func(a *slot) bool { return reflect.DeepEqual(a.spec, b.spec) })
		if p, ok := b.pane.(heir); ok && at >= 0 {
			p.inherit(before.all[at].pane)
		}
	}
}

// focusLike gives the keyboard to the pane that shows what the focused one of a
// page before showed: the same of its kind, counted from the top left.
func (m *panePage) focusLike(before *panePage) {
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
func (m *panePage) press(sc *scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if c := m.holder(); c != nil {
		if p, ok := c.pane.(presser); ok {
			return p.press(c.on(sc), msg)
		}
	}
	return nil, false
}

func (m *panePage) update(sc *scene, msg tea.Msg) tea.Cmd {
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
		if c := m.holder(); c != nil {
			return c.update(sc, msg)
		}
	case tea.MouseClickMsg:
		i := m.under(msg.X, msg.Y)
		if i < 0 || msg.Button != tea.MouseLeft {
			return nil
		}
		if m.all[i].listens() {
			m.focusOn(i)
		}
		return m.all[i].update(sc, msg)
	case tea.MouseWheelMsg:
		if i := m.under(msg.X, msg.Y); i >= 0 {
			return m.all[i].update(sc, msg)
		}
	}
	return nil
}

// under returns the place of the pane at a place on the screen, -1 for none.
func (m *panePage) under(x, y int) int {
	return slices.IndexFunc(m.all, func(c *slot) bool { return c.shown && c.area.has(x, y) })
}

// arrange gives every pane its area on a page of w cells and h lines at x and y.
func (m *panePage) arrange(sc *scene, x, y, w, h int) {
	rows := make([]strip, len(m.slots))
	for i, slots := range m.slots {
		rows[i].weight = m.rows[i].Weight
		for _, c := range slots {
			if len(m.all) > 1 && c.called(sc) != "" {
				rows[i].head = 1
			}
			rows[i].blocks = append(rows[i].blocks, block{weight: c.spec.Weight, priority: max(c.spec.Priority, 1)})
		}
	}
	areas := layout(rows, w, h, func(row, at, w int) room {
		c := m.slots[row][at]
		return c.pane.Want(c.on(sc), w)
	})
	for i, slots := range m.slots {
		for j, c := range slots {
			a := areas[i][j]
			c.shown, c.head = a.w > 0 && a.h > 0, rows[i].head > 0
			c.area = area{a.x + x, a.y + y, a.w, a.h}
			if !c.shown {
				c.hide()
			}
		}
	}
	if m.holder() == nil {
		m.focusOn(m.next(-1, 1))
	}
}

func (m *panePage) view(sc *scene, x, y, w, h int) []string {
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
		for n, l := range c.pane.View(c.on(sc), a.x, a.y, a.w, a.h) {
			put(a.y-y+n, a.x-x, l, a.w)
		}
	}
	for i := range out {
		out[i] += look.Blanks(w - used[i])
	}
	return out
}

// only returns the table that is all there is to the page, nil if there is more.
func (m *panePage) only() *recordTable {
	if len(m.all) != 1 {
		return nil
	}
	if p, ok := m.all[0].pane.(filler); ok {
		return p.only()
	}
	return nil
}

// panes returns the tables, for the viewer's places in them.
func (m *panePage) panes() []*recordTable {
	var out []*recordTable
	for _, c := range m.all {
		out = append(out, tablesOf(c.pane)...)
	}
	return out
}
