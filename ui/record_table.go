package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// recordTable is a table of records: the rows, the widget that draws them, and what
// is said when there are none.
type recordTable struct {
	noun  string     // what the rows are, in the plural
	subs  []model.Op // the subscriptions they come from
	rows  render.Rows
	table *table.Model

	service, group string        // keep only the agents who serve them
	keep           *render.Keep  // narrows the rows; nil: all
	channel        model.Channel // of a pane that has one of its own
	live           bool          // goes on while the picture is frozen
	alerts         bool          // the rows are alerts
	fixed          string        // the filter beneath the viewer's own
	filter         string
	marked         string // the row that was selected when the filter was begun
	x, y           int    // place on the screen
	red            redRows
	wall           *rotation // scrolls the table; nil: the viewer does

	// total returns how many records the snapshot has, on all channels.
	total func(*model.Snapshot) int
	// absent says why there may be none for good, "" if there is no such
	// reason.
	absent func(*scene) string
	// target returns what a row's key opens; nil: rows cannot be opened.
	target func(key string) (floor.Kind, string, bool)
	// jump opens a row in another way than by its target; nil: it does not.
	jump func(key string) tea.Cmd
}

// newRecordTable returns a table that is sorted by a column.
func newRecordTable(sc *scene, p recordTable, sort string, desc bool, more ...table.Option) *recordTable {
	keys := table.DefaultKeyMap()
	// The board has keys of its own for these, and directions to remember.
	for _, b := range []*key.Binding{
		&keys.ScrollLeft, &keys.ScrollRight, &keys.SortPrev, &keys.SortNext, &keys.SortReverse, &keys.Activate,
	} {
		b.Unbind()
	}
	opts := []table.Option{
		table.WithKeyMap(keys), table.WithGlyphs(sc.look.TableGlyphs()), table.WithScrollbar(),
		table.WithColumns(p.rows.Columns()...),
	}
	if !sc.Flash {
		opts = append(opts, table.WithFlash(0))
	}
	if p.wall = sc.wall; p.wall != nil {
		opts = append(opts, table.WithoutSelection())
	}
	p.table = table.New(append(opts, more...)...)
	p.restyle(sc)
	p.sortBy(sort, desc)
	return &p
}

func (p *recordTable) restyle(sc *scene) { p.table.SetStyles(sc.look.TableStyles()) }

func (p *recordTable) refresh(sc *scene) {
	if p.live {
		p.refreshFrom(sc, sc.floor.Newest, sc.liveView())
		return
	}
	p.refreshFrom(sc, sc.floor.Shown, p.look(sc))
}

// look is what the rows are drawn with.
func (p *recordTable) look(sc *scene) render.View {
	v := sc.view(p.service, p.group)
	v.Keep = p.keep
	return v
}

// refreshFrom takes over a snapshot, which is nil before the first.
func (p *recordTable) refreshFrom(sc *scene, s *model.Snapshot, v render.View) {
	p.rows.Update(s, &v)
	p.table.SetWidthMethod(sc.look.Widths)
	p.table.Tick(sc.floor.Ours)
	p.table.SetSource(p.rows)
	p.table.SetEmptyText(p.why(sc))
}

// sortBy sorts by a column; "" is the order of the rows themselves.
func (p *recordTable) sortBy(id string, desc bool) {
	p.rows.SetDescending(desc)
	p.table.SortBy(id, desc)
}

// sortNext sorts by the next visible column, in that column's own direction.
func (p *recordTable) sortNext() {
	visible := p.table.VisibleColumns()
	now, _ := p.table.Sort()
	at := -1
	for i, id := range visible {
		if id == now {
			at = i
		}
	}
	for i := range visible {
		id := visible[(at+1+i)%len(visible)]
		for _, c := range p.rows.Columns() {
			if c.ID == id && !c.NoSort {
				p.sortBy(id, c.Desc)
				return
			}
		}
	}
}

func (p *recordTable) sortReverse() {
	if id, desc := p.table.Sort(); id != "" {
		p.sortBy(id, !desc)
	}
}

// sortClicked sorts by a clicked header, or reverses the order by it.
func (p *recordTable) sortClicked(id string) {
	if now, desc := p.table.Sort(); now == id {
		p.sortBy(id, !desc)
		return
	}
	for _, c := range p.rows.Columns() {
		if c.ID == id && !c.NoSort {
			p.sortBy(id, c.Desc)
		}
	}
}

func (p *recordTable) setFilter(filter string) {
	p.filter = filter
	p.table.SetFilter(p.wanted())
}

// wanted is what the filter looks for, "" for everything.
func (p *recordTable) wanted() string {
	return strings.TrimSpace(p.fixed + " " + strings.TrimSpace(p.filter))
}

// mark remembers the selected row, returnToMark selects it again: a filter
// that is given up leaves no trace.
func (p *recordTable) mark() { p.marked, _ = p.table.Selected() }

func (p *recordTable) returnToMark() {
	if p.marked != "" {
		p.table.Select(p.marked)
	}
}

// open returns the command that opens the selected row.
func (p *recordTable) open() tea.Cmd {
	id, ok := p.table.Selected()
	if !ok {
		return nil
	}
	return p.openRow(id)
}

func (p *recordTable) openRow(id string) tea.Cmd {
	if p.jump != nil {
		return p.jump(id)
	}
	if p.target == nil {
		return nil
	}
	k, target, ok := p.target(id)
	if !ok {
		return nil
	}
	return open(k, target, p.channel)
}

// click obeys a click at a place on the screen and reports whether it was meant
// for this pane. A click on the row that is selected opens it, as does one on
// any row of a table that has no selection.
func (p *recordTable) click(x, y int) (tea.Cmd, bool) {
	switch hit := p.table.HitTest(x-p.x, y-p.y); hit.Area {
	case table.OnHeader:
		p.sortClicked(hit.Column)
	case table.OnRow:
		if id, ok := p.table.Selected(); ok && id == hit.Key || !p.table.Select(hit.Key) {
			return p.openRow(hit.Key), true
		}
	case table.OnNothing: // a click beside the rows still chooses the table
	case table.Outside:
		return nil, false
	}
	return nil, true
}

// why says why the pane is empty.
func (p *recordTable) why(sc *scene) string {
	switch {
	case sc.floor.Shown == nil:
		return "Waiting for the first data from the platform."
	case p.absent != nil && p.absent(sc) != "":
		return p.absent(sc)
	}
	_, matching, all := p.table.Position()
	if all > 0 && matching == 0 {
		return "Nothing matches \"" + p.wanted() + "\" among " + sc.look.Count(all) + " " + p.noun + p.clears()
	}
	if why := p.notYet(sc); why != "" {
		return why
	}
	if p.service != "" || p.group != "" || p.keep != nil {
		return "No " + p.noun + " here on " + render.ChannelName(sc.floor.Channel) + "."
	}
	if p.total(sc.floor.Shown) > 0 {
		return "No " + p.noun + " on " + render.ChannelName(sc.floor.Channel) + sc.hint("; c shows the next channel") + "."
	}
	return "The platform has sent no " + p.noun + "."
}

// clears says how the filter is cleared, where the viewer has one.
func (p *recordTable) clears() string {
	if p.wall != nil || strings.TrimSpace(p.filter) == "" {
		return "."
	}
	return "; esc clears the filter."
}

// notYet says what the pane's data wait for, "" if they have come.
func (p *recordTable) notYet(sc *scene) string {
	if p.total(sc.floor.Shown) > 0 {
		return ""
	}
	for _, name := range p.subs {
		s := sc.floor.Health().Subscription(name)
		if s == nil || s.State.Current() || s.State == model.SubUnverified {
			continue
		}
		why := "Waiting for the " + floor.BroughtBy(s)
		if s.State == model.SubRefused {
			why = "The server refuses the " + floor.BroughtBy(s)
		} else if t := floor.Trouble(s.State); t != "" {
			why += ", " + t
		}
		if s.Reason != "" {
			return why + ": " + s.Reason
		}
		return why + "."
	}
	return ""
}

// hide takes the pane off the screen, so that no click finds it.
func (p *recordTable) hide() { p.table.SetSize(0, 0) }

// view draws the table, faded if its figures are old.
func (p *recordTable) view(sc *scene, x, y, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	blank := ""
	if len(p.subs) > 0 && sc.floor.Blanked(p.subs...) {
		blank = string(sc.look.Format.Unknown(nil))
	}
	p.table.SetBlank(blank)
	lines := p.place(x, y, w, h).Lines()
	if len(p.subs) > 0 {
		sc.floor.FadeOld(sc.look, lines, p.subs...)
	}
	return lines
}

// place puts the table on the screen.
func (p *recordTable) place(x, y, w, h int) *table.Model {
	p.x, p.y = x, y
	p.table.SetOrigin(x, y)
	p.table.SetSize(w, h)
	if p.wall != nil {
		p.wall.scroll(p.table)
	}
	return p.table
}

// focus gives the table the keyboard, or takes it away.
func (p *recordTable) focus(on bool) {
	if on {
		p.table.Focus()
	} else {
		p.table.Blur()
	}
}

// pointed returns what the selected row is about.
func (p *recordTable) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	if p == nil || p.target == nil {
		return 0, "", "", false
	}
	row, ok := p.table.Selected()
	if !ok {
		return 0, "", "", false
	}
	of, key, ok = p.target(row)
	return of, key, p.channel, ok
}

// carry takes over the viewer's place in the table that this one follows, if both
// are of the same records.
func (p *recordTable) carry(from *recordTable) {
	if from.noun != p.noun {
		return
	}
	if id, desc := from.table.Sort(); id != "" {
		p.sortBy(id, desc)
	}
	p.setFilter(from.filter)
	p.marked = from.marked
	if at, ok := from.table.Selected(); ok {
		p.table.Select(at)
	}
}

// stale reports whether the rows are old.
func (p *recordTable) stale(sc *scene) bool {
	return len(p.subs) > 0 && sc.floor.DoubtAbout(p.subs...).Stale
}
