package panes

import (
	"strings"

	"wallboard/model"
	"wallboard/ui/compared"
	"wallboard/ui/floor"
	"wallboard/ui/grouped"
	"wallboard/ui/render"
	"wallboard/ui/table"
	"wallboard/ui/task"
)

// RecordTable is a table of records: the rows, the widget that draws them, and what
// is said when there are none.
type RecordTable struct {
	Noun string     // what the rows are, in the plural
	subs []model.Op // the subscriptions they come from
	Rows render.Rows
	versus
	Table *table.Model

	service, group string         // keep only the agents who serve them
	keep           *render.Keep   // narrows the rows; nil: all
	channel        model.Channel  // of a pane that has one of its own
	live           bool           // goes on while the picture is frozen
	Alerts         bool           // the rows are alerts
	judged         bool           // there are alerts about the rows
	latest         *render.Alerts // those of the last refresh
	sifted
	bunched
	x, y  int // place on the screen
	red   redRows
	asked *task.Asked // what the board is to do
	wall  Wall        // scrolls the table; nil: the viewer does
	laid  laid        // its columns

	// total returns how many records the snapshot has, on all channels.
	total func(*model.Snapshot) int
	// absent says why there may be none for good, "" if there is no such
	// reason.
	absent func(*Scene) string
	// target returns what a row's key opens; nil: rows cannot be opened.
	Target func(key string) (floor.Kind, string, bool)
	// jump opens a row in another way than by its target; nil: it does not.
	Jump func(key string)
}

// sifted is which of its rows a table shows.
type sifted struct {
	fixed   string // the filter beneath the viewer's own
	Filter  string
	alerted bool   // only the rows with an alert are shown
	marked  string // the row that was selected when the filter was begun
}

// versus is what a table needs to hold its rows against those of another instant.
type versus struct {
	again func() render.Rows // makes the same rows anew; nil: they cannot be
	than  *compared.Rows     // that are shown; nil: they are not held against anything
}

// newRecordTable returns a table that is sorted by a column.
func newRecordTable(sc *Scene, p RecordTable, sort string, desc bool, more ...table.Option) *RecordTable {
	opts := []table.Option{
		table.WithKeyMap(table.MovingKeyMap()), table.WithGlyphs(sc.Look.TableGlyphs()), table.WithScrollbar(),
		table.WithColumns(p.columns()...),
	}
	if !sc.Flash {
		opts = append(opts, table.WithFlash(0))
	}
	if p.wall = sc.Wall; p.wall != nil {
		opts = append(opts, table.WithoutSelection())
	}
	p.asked = sc.Asked
	p.Table = table.New(append(opts, more...)...)
	p.lines = p.Table
	p.agents, _ = p.Rows.(*render.Agents)
	p.restyle(sc)
	p.SortBy(sort, desc)
	return &p
}

func (p *RecordTable) restyle(sc *Scene) { sc.Look.Dress(p.Table) }

func (p *RecordTable) refresh(sc *Scene) {
	p.latest = sc.Alarms.Latest
	if p.live {
		p.refreshFrom(sc, sc.Floor.Newest, sc.LiveView())
		return
	}
	p.refreshFrom(sc, sc.Floor.Shown, p.look(sc))
}

// look is what the rows are drawn with.
func (p *RecordTable) look(sc *Scene) render.View {
	v := sc.view(p.service, p.group)
	v.Keep = p.keep
	return v
}

// refreshFrom takes over a snapshot, which is nil before the first.
func (p *RecordTable) refreshFrom(sc *Scene, s *model.Snapshot, v render.View) {
	p.follow(sc.Tables)
	if p.again == nil || p.groups != nil || p.live || p.against(sc) {
		p.Rows.Update(s, &v)
	} else { // which another board may have collected
		sc.Look.Shelf.Lists().Update(p.Rows, p.Noun, p.again, s, &v)
	}
	p.Table.SetWidthMethod(sc.Look.Widths)
	p.Table.Tick(sc.Floor.Ours)
	p.Table.SetSource(p.bunch(sc, p.source(sc, &v), p.wanted()))
	p.settle()
	p.Table.SetEmptyText(p.why(sc))
}

// against reports whether the rows are held against those of another instant.
func (p *RecordTable) against(sc *Scene) bool {
	return sc.Compared.Can(p.subs) && p.again != nil && !p.live
}

// source is what the table shows: the rows, held against another instant where the viewer
// wants that.
func (p *RecordTable) source(sc *Scene, v *render.View) table.RowSource {
	if !p.against(sc) {
		if p.than != nil {
			p.than = nil
			p.Table.SetColumns(p.columns()...)
		}
		return p.Rows
	}
	if p.than == nil {
		p.than = compared.New(p.Rows, p.again())
		p.Table.SetColumns(compared.Widen(p.columns())...)
	}
	_, desc := p.Table.Sort()
	p.than.Update(sc.Compared, v, desc)
	return p.than
}

// SortBy sorts by a column; "" is the order of the rows themselves.
func (p *RecordTable) SortBy(id string, desc bool) {
	p.Rows.SetDescending(desc)
	if p.groups != nil {
		p.groups.SetDescending(desc)
	}
	p.Table.SortBy(id, desc)
}

// SortNext sorts by the next visible column, in that column's own direction.
func (p *RecordTable) SortNext() {
	visible := p.Table.VisibleColumns()
	now, _ := p.Table.Sort()
	at := -1
	for i, id := range visible {
		if id == now {
			at = i
		}
	}
	for i := range visible {
		id := visible[(at+1+i)%len(visible)]
		for _, c := range p.Rows.Columns() {
			if c.ID == id && !c.NoSort {
				p.SortBy(id, c.Desc)
				return
			}
		}
	}
}

// SortReverse turns the order of the rows round.
func (p *RecordTable) SortReverse() {
	if id, desc := p.Table.Sort(); id != "" {
		p.SortBy(id, !desc)
	}
}

// sortClicked sorts by a clicked header, or reverses the order by it.
func (p *RecordTable) sortClicked(id string) {
	if now, desc := p.Table.Sort(); now == id {
		p.SortBy(id, !desc)
		return
	}
	for _, c := range p.Rows.Columns() {
		if c.ID == id && !c.NoSort {
			p.SortBy(id, c.Desc)
		}
	}
}

// SetFilter shows only the rows that hold a text.
func (p *RecordTable) SetFilter(filter string) {
	p.Filter = filter
	p.Table.SetFilter(p.wanted())
}

// wanted is what the filter looks for, "" for everything.
func (p *RecordTable) wanted() string {
	if p.alerted {
		return strings.TrimSpace(render.OnlyAlerts + " " + p.typed())
	}
	return p.typed()
}

// typed is what of that was written, by the viewer or in a configuration.
func (p *RecordTable) typed() string {
	return strings.TrimSpace(p.fixed + " " + strings.TrimSpace(p.Filter))
}

// Judged reports whether there are alerts about such rows.
func (p *RecordTable) Judged() bool { return p.judged }

// OnlyAlerts shows only the rows with an alert, or all again, and reports whether there are
// alerts about such rows.
func (p *RecordTable) OnlyAlerts() bool {
	if !p.judged {
		return false
	}
	p.alerted = !p.alerted
	p.Table.SetFilter(p.wanted())
	return true
}

// Widen takes back what narrows the rows: what was typed first, then that only those with
// an alert are shown. It reports whether there was anything.
func (p *RecordTable) Widen() bool {
	switch {
	case p.Filter != "":
		p.SetFilter("")
	case p.alerted:
		p.OnlyAlerts()
	default:
		return false
	}
	return true
}

// Mark remembers the row that was chosen, "" if none was.
func (p *RecordTable) Mark() { p.marked, _ = p.Table.Chosen() }

// ReturnToMark selects the row again that the filter was begun on: a filter that is given
// up leaves no trace.
func (p *RecordTable) ReturnToMark() {
	if p.marked == "" {
		p.Table.Free()
		return
	}
	p.Table.Select(p.marked)
}

// Open opens the selected row.
func (p *RecordTable) Open() {
	if id, ok := p.Table.Selected(); ok {
		p.openRow(id)
	}
}

func (p *RecordTable) openRow(row string) {
	id, ok := p.record(row)
	if !ok {
		p.Fold(false)
		return
	}
	if p.Jump != nil {
		p.Jump(id)
		return
	}
	if p.Target == nil {
		return
	}
	if k, target, ok := p.Target(id); ok {
		p.asked.For(OpenMsg{Kind: k, Key: target, Channel: p.channel})
	}
}

// click obeys a click at a place on the screen and reports whether it was meant
// for this pane. A click on the row that is selected opens it, as does one on
// any row of a table that has no selection.
func (p *RecordTable) click(x, y int) bool {
	switch hit := p.Table.HitTest(x-p.x, y-p.y); hit.Area {
	case table.OnHeader:
		p.sortClicked(hit.Column)
	case table.OnRow:
		if id, ok := p.Table.Selected(); ok && id == hit.Key || !p.Table.Select(hit.Key) {
			p.openRow(hit.Key)
		}
	case table.OnNothing: // a click beside the rows still chooses the table
	case table.Outside:
		return false
	}
	return true
}

// why says why the pane is empty.
func (p *RecordTable) why(sc *Scene) string {
	switch {
	case sc.Floor.Shown == nil:
		return "Waiting for the first data from the platform."
	case sc.Floor.Unrecorded():
		return "Nothing was recorded."
	case p.absent != nil && p.absent(sc) != "":
		return p.absent(sc)
	}
	_, matching, all, _ := p.position()
	if all > 0 && matching == 0 && p.wanted() == render.OnlyAlerts {
		return "None of the " + sc.Look.Count(all) + " " + p.Noun + " has an alert" + sc.hint("; esc shows all") + "."
	}
	if all > 0 && matching == 0 {
		nothing := "Nothing"
		if p.alerted {
			nothing = "Nothing with an alert"
		}
		return nothing + " matches \"" + p.typed() + "\" among " + sc.Look.Count(all) + " " + p.Noun + p.clears()
	}
	if why := p.notYet(sc); why != "" {
		return why
	}
	if p.service != "" || p.group != "" || p.keep != nil {
		return "No " + p.Noun + " here on " + render.ChannelName(sc.Floor.Channel) + "."
	}
	if p.total(sc.Floor.Shown) > 0 {
		return "No " + p.Noun + " on " + render.ChannelName(sc.Floor.Channel) + sc.hint("; c shows the next channel") + "."
	}
	return "The platform has sent no " + p.Noun + "."
}

// clears says how the filter is cleared, where the viewer has one.
func (p *RecordTable) clears() string {
	if p.wall != nil || strings.TrimSpace(p.Filter) == "" {
		return "."
	}
	return "; esc clears the filter."
}

// notYet says what the pane's data wait for, "" if they have come.
func (p *RecordTable) notYet(sc *Scene) string {
	if p.total(sc.Floor.Shown) > 0 {
		return ""
	}
	for _, name := range p.subs {
		s := sc.Floor.Health().Subscription(name)
		if s == nil || s.State.Current() || s.State == model.SubUnverified {
			continue
		}
		why := "Waiting for the " + s.Name.Noun()
		if s.State == model.SubRefused {
			why = "The platform refuses the " + s.Name.Noun()
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
func (p *RecordTable) hide() { p.Table.SetSize(0, 0) }

// view draws the table, faded if its figures are old.
func (p *RecordTable) view(sc *Scene, x, y, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	blank := ""
	if len(p.subs) > 0 && sc.Floor.Blanked(p.subs...) {
		blank = string(sc.Look.Format.Unknown(nil))
	}
	p.Table.SetBlank(blank)
	if p.wall != nil {
		p.Table.SetSize(w, h)
		p.keepRed(sc)
	}
	lines := p.Place(x, y, w, h).Lines()
	if len(p.subs) > 0 {
		sc.Floor.FadeOld(sc.Look, lines, p.subs...)
	}
	return lines
}

// Place puts the table on the screen.
func (p *RecordTable) Place(x, y, w, h int) *table.Model {
	p.x, p.y = x, y
	p.Table.SetOrigin(x, y)
	p.Table.SetSize(w, h)
	if p.wall != nil {
		p.wall.Scroll(p.Table)
	}
	return p.Table
}

// focus gives the table the keyboard, or takes it away.
func (p *RecordTable) focus(on bool) {
	if on {
		p.Table.Focus()
	} else {
		p.Table.Blur()
	}
}

// pointed returns what the selected row is about.
func (p *RecordTable) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	if p == nil || p.Target == nil {
		return 0, "", "", false
	}
	row, ok := p.Table.Selected()
	if !ok {
		return 0, "", "", false
	}
	if row, ok := p.record(row); ok {
		of, key, ok = p.Target(row)
		return of, key, p.channel, ok
	}
	if p.by != grouped.ByGroup { // nothing can be opened for a line of others
		return 0, "", "", false
	}
	key = p.groups.Code(row)
	return floor.Group, key, p.channel, key != ""
}

// carry takes over the viewer's place in the table that this one follows, if both
// are of the same records.
func (p *RecordTable) carry(from *RecordTable) {
	if from.Noun != p.Noun {
		return
	}
	if id, desc := from.Table.Sort(); id != "" {
		p.SortBy(id, desc)
	}
	p.alerted = from.alerted && p.judged
	p.SetFilter(from.Filter)
	p.marked = from.marked
	at, _ := from.Table.Chosen()
	p.bunched.carry(&from.bunched, at)
}

// Stale reports whether the rows are old.
func (p *RecordTable) Stale(sc *Scene) bool {
	return len(p.subs) > 0 && sc.Floor.DoubtAbout(p.subs...).Stale
}
