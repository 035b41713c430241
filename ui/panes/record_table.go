package panes

import (
	"slices"
	"strings"

	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/rowset"
	"wallboard/ui/snapshot"
	"wallboard/ui/table"
)

// RecordTable is a table of records: its rows, the table model that draws them, and the text for an
// empty table.
type RecordTable struct {
	Noun string     // plural name of the records
	subs []model.Op // subscriptions that deliver the rows
	Rows render.Rows
	comparison
	Table *table.Model

	service, group string              // if not "", only agents assigned to this service or group are listed
	restriction    *render.Restriction // restricts the rows; nil: all are listed
	channel        model.Channel       // the pane's own channel; "": the current one
	alwaysLive     bool                // the rows show live data even while the snapshot is frozen
	ListsAlerts    bool                // the rows are alerts
	HasAlerts      bool                // alerts can be about these rows
	latestAlerts   *render.Alerts      // alerts of the last refresh
	filters
	grouping
	origin   struct{ x, y int } // position of the table on the screen
	critical criticalRows
	requests *dialog.MsgQueue // requests to the board
	wall     Wall             // scrolls the table on a wall; nil: a viewer operates the board
	layout   tableLayout      // layout of the columns

	// countAll returns how many records the snapshot has, on all channels.
	countAll func(*model.Snapshot) int
	// absentReason explains why the table will never have rows. It returns "" if it may have some.
	absentReason func(*Scene) string
	// Target returns the record that a row with a key opens. It is nil if rows cannot be opened.
	Target func(key string) (snapshot.RecordKind, string, bool)
	// Jump, if not nil, is called to open a row instead of opening its target.
	Jump func(key string)
}

// filters holds the filters of a table, and the row to return to when the filter is cancelled.
type filters struct {
	configuredFilter string // the configured filter, applied together with the viewer's
	Filter           string // the viewer's filter
	onlyAlerts       bool   // only rows with an alert are shown
	rememberedRow    string // the row that was selected when the filter was opened
	// HeldRow is the row that is selected only because a key acted on it, not because the viewer
	// moved to it.
	HeldRow string
}

// comparison compares the rows of a table at the shown time with the rows at another time.
type comparison struct {
	newRows      func() render.Rows // makes a second set of the table's rows; nil: the rows are neither compared nor shared
	comparedRows *rowset.Comparison // rows of both times; nil: no comparison is shown
}

// newRecordTable returns a table that is sorted by a column, in descending order if desc is true.
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
	p.requests = sc.Requests
	p.Table = table.New(append(opts, more...)...)
	p.table = p.Table
	p.agents, _ = p.Rows.(*render.Agents)
	p.restyle(sc)
	p.SortBy(sort, desc)
	return &p
}

func (p *RecordTable) restyle(sc *Scene) { sc.Look.StyleTable(p.Table) }

func (p *RecordTable) refresh(sc *Scene) {
	p.latestAlerts = sc.Alarms.CurrentAlerts
	if p.alwaysLive {
		p.refreshFrom(sc, sc.Floor.Newest, sc.LiveRenderView())
		return
	}
	p.refreshFrom(sc, sc.Floor.Shown, p.renderView(sc))
}

// renderView returns the view that the rows are drawn with.
func (p *RecordTable) renderView(sc *Scene) render.View {
	v := sc.renderView(p.service, p.group)
	v.Restriction = p.restriction
	return v
}

// refreshFrom updates the rows from a snapshot, which is nil before the first one arrives. v is the
// view that the rows are drawn with.
func (p *RecordTable) refreshFrom(sc *Scene, s *model.Snapshot, v render.View) {
	p.applyStoredLayout(sc.Layouts)
	if p.newRows == nil || p.groups != nil || p.alwaysLive || p.isCompared(sc) {
		p.Rows.Update(s, &v)
	} else { // reuses the rows that another board has already collected
		sc.Look.Cache.Lists().Update(p.Rows, p.Noun, p.newRows, s, &v)
	}
	p.Table.SetWidthMethod(sc.Look.Widths)
	p.Table.Tick(sc.Floor.LocalNow)
	var pinned []string
	if p.groups == nil && !p.alwaysLive { // grouped rows are not pinned, they stay in their groups
		pinned = sc.Layouts.Pinned(p.Noun)
	}
	p.Table.Pinned.Set(pinned)
	p.Table.SetSource(p.arrange(sc, p.comparedSource(sc, &v), p.effectiveFilter()))
	p.applyPending()
	p.Table.SetEmptyText(p.emptyText(sc))
}

// ListedRows returns the rows of a table, and the indexes of the listed rows in the order of the table.
func ListedRows(p *RecordTable) (rows table.RowSource, order []int32) {
	switch {
	case p.groups != nil:
		rows = p.groups
	case p.comparedRows != nil:
		rows = p.comparedRows
	default:
		rows = p.Rows
	}
	return rows, p.Table.ListedRows()
}

// isCompared reports whether the rows are compared with those of another time.
func (p *RecordTable) isCompared(sc *Scene) bool {
	return sc.ComparedWith.CanCompare(p.subs) && p.newRows != nil && !p.alwaysLive
}

// comparedSource returns the rows of the table. If the viewer has asked for a comparison, the cells
// also show the values at the other time.
func (p *RecordTable) comparedSource(sc *Scene, v *render.View) table.RowSource {
	if !p.isCompared(sc) {
		if p.comparedRows != nil {
			p.comparedRows = nil
			p.Table.SetColumns(p.columns()...)
		}
		return p.Rows
	}
	if p.comparedRows == nil {
		p.comparedRows = rowset.NewComparison(p.Rows, p.newRows())
		p.Table.SetColumns(rowset.WidenFigures(p.columns())...)
	}
	_, desc := p.Table.Sort()
	p.comparedRows.Update(sc.ComparedWith, v, desc)
	return p.comparedRows
}

// SortBy sorts by the column with an ID. The ID "" restores the natural order of the rows.
func (p *RecordTable) SortBy(id string, desc bool) {
	p.Rows.SetDescending(desc)
	if p.groups != nil {
		p.groups.SetDescending(desc)
	}
	p.Table.SortBy(id, desc)
}

// SortNext sorts by the visible column after the current sort column, in its default direction.
func (p *RecordTable) SortNext() {
	visible := p.Table.VisibleColumns()
	current, _ := p.Table.Sort()
	index := slices.Index(visible, current)
	for i := range visible {
		id := visible[(index+1+i)%len(visible)]
		for _, c := range p.Rows.Columns() {
			if c.ID == id && !c.NoSort {
				p.SortBy(id, c.SortDescending)
				return
			}
		}
	}
}

// SortReverse reverses the direction in which the rows are sorted.
func (p *RecordTable) SortReverse() {
	if id, desc := p.Table.Sort(); id != "" {
		p.SortBy(id, !desc)
	}
}

// SortColumn sorts by a column, or reverses the order if the table is already sorted by that column.
func (p *RecordTable) SortColumn(id string) {
	if current, desc := p.Table.Sort(); current == id {
		p.SortBy(id, !desc)
		return
	}
	for _, c := range p.Rows.Columns() {
		if c.ID == id && !c.NoSort {
			p.SortBy(id, c.SortDescending)
		}
	}
}

// SetFilter sets the viewer's filter: the table then lists only rows that contain the text.
func (p *RecordTable) SetFilter(filter string) {
	p.Filter = filter
	p.Table.SetFilter(p.effectiveFilter())
}

// effectiveFilter returns all filters combined into one text. It is "" if all rows are listed.
func (p *RecordTable) effectiveFilter() string {
	if p.onlyAlerts {
		return strings.TrimSpace(render.OnlyAlerts + " " + p.filterText())
	}
	return p.filterText()
}

// filterText returns the configured filter and the viewer's filter as one text.
func (p *RecordTable) filterText() string {
	return strings.TrimSpace(p.configuredFilter + " " + strings.TrimSpace(p.Filter))
}

// ToggleOnlyAlerts switches between all rows and only those with an alert. It does nothing and
// returns false if there are no alerts about these records.
func (p *RecordTable) ToggleOnlyAlerts() bool {
	if !p.HasAlerts {
		return false
	}
	p.onlyAlerts = !p.onlyAlerts
	p.Table.SetFilter(p.effectiveFilter())
	return true
}

// ClearFilter removes the viewer's filter or, without one, the restriction to rows with an alert.
// It reports whether there was anything to remove.
func (p *RecordTable) ClearFilter() bool {
	switch {
	case p.Filter != "":
		p.SetFilter("")
	case p.onlyAlerts:
		p.ToggleOnlyAlerts()
	default:
		return false
	}
	return true
}

// RememberSelection remembers the row that the viewer has chosen, if any, for RestoreSelection.
func (p *RecordTable) RememberSelection() { p.rememberedRow, _ = p.Table.Chosen() }

// RestoreSelection selects the row that was selected when the filter was opened. A cancelled filter
// thus leaves the selection unchanged.
func (p *RecordTable) RestoreSelection() {
	if p.rememberedRow == "" {
		p.Table.ClearChoice()
		return
	}
	p.Table.Select(p.rememberedRow)
}

// Open opens the record of the selected row, or folds and unfolds the group of that row.
func (p *RecordTable) Open() {
	if id, ok := p.Table.Selected(); ok {
		p.openRow(id)
	}
}

func (p *RecordTable) openRow(row string) {
	id, ok := p.recordKey(row)
	if !ok {
		p.ToggleFold(false)
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
		p.requests.Add(OpenMsg{Kind: k, Key: target, Channel: p.channel})
	}
}

// click handles a click at a screen position, and reports whether the position is inside the table.
// A click on a row selects it. A click on the selected row opens it, and so does a click on any row
// of a table without selection.
func (p *RecordTable) click(x, y int) bool {
	switch hit := p.Table.HitTest(x-p.origin.x, y-p.origin.y); hit.Area {
	case table.OnHeader:
		p.SortColumn(hit.Column)
	case table.OnRow:
		if id, ok := p.Table.Selected(); ok && id == hit.Key || !p.Table.Select(hit.Key) {
			p.openRow(hit.Key)
		}
	case table.OnNothing: // the click still gives the table the keyboard
	case table.Outside:
		return false
	}
	return true
}

// emptyText returns the text that the table shows if no row is listed.
func (p *RecordTable) emptyText(sc *Scene) string {
	switch {
	case sc.Floor.Shown == nil:
		return "No data yet"
	case sc.Floor.IsUnrecorded():
		return "Nothing was recorded."
	case p.absentReason != nil && p.absentReason(sc) != "":
		return p.absentReason(sc)
	}
	_, matching, total, _ := p.position()
	if total > 0 && matching == 0 && p.effectiveFilter() == render.OnlyAlerts {
		return "None of the " + sc.Look.Count(total) + " " + p.Noun + " has an alert" + sc.keyHint("; esc shows all") + "."
	}
	if total > 0 && matching == 0 {
		nothing := "Nothing"
		if p.onlyAlerts {
			nothing = "Nothing with an alert"
		}
		return nothing + " matches \"" + p.filterText() + "\" among " + sc.Look.Count(total) + " " + p.Noun + p.clearHint()
	}
	if reason := p.missingDataText(sc); reason != "" {
		return reason
	}
	if p.service != "" || p.group != "" || p.restriction != nil {
		return "No " + p.Noun + " here on " + sc.Floor.ChannelName() + "."
	}
	if p.countAll(sc.Floor.Shown) > 0 {
		return "No " + p.Noun + " on " + sc.Floor.ChannelName() + sc.keyHint("; c shows the next channel") + "."
	}
	return "The platform has sent no " + p.Noun + "."
}

// clearHint returns the end of a sentence about filters. If the viewer has typed a filter, it says
// which key clears it.
func (p *RecordTable) clearHint() string {
	if p.wall != nil || strings.TrimSpace(p.Filter) == "" {
		return "."
	}
	return "; esc clears the filter."
}

// missingDataText explains which data the table is waiting for. It returns "" if the data have arrived.
func (p *RecordTable) missingDataText(sc *Scene) string {
	if p.countAll(sc.Floor.Shown) > 0 {
		return ""
	}
	return sc.Floor.MissingDataReason(p.subs...)
}

// hide marks the table as not visible, so that it ignores clicks.
func (p *RecordTable) hide() { p.Table.SetSize(0, 0) }

// view draws the table, faded if its figures are stale.
func (p *RecordTable) view(sc *Scene, x, y, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	blank := ""
	if len(p.subs) > 0 && sc.Floor.IsBlanked(p.subs...) {
		blank = string(sc.Look.Format.Unknown(nil))
	}
	p.Table.SetBlank(blank)
	if p.wall != nil {
		p.Table.SetSize(w, h)
		p.keepCritical(sc)
	}
	lines := p.Place(x, y, w, h).Lines()
	if len(p.subs) > 0 {
		sc.Floor.FadeStale(sc.Look, lines, p.subs...)
	}
	return lines
}

// Place sets the position and size of the table, and returns its model.
func (p *RecordTable) Place(x, y, w, h int) *table.Model {
	p.origin.x, p.origin.y = x, y
	p.Table.SetOrigin(x, y)
	p.Table.SetSize(w, h)
	if p.wall != nil {
		p.wall.Scroll(p.Table)
	}
	return p.Table
}

// focus gives the table the keyboard if enabled is true, otherwise takes it away.
func (p *RecordTable) focus(enabled bool) {
	if enabled {
		p.Table.Focus()
	} else {
		p.Table.Blur()
	}
}

// pointedRecord returns the record of the selected row. ok is false if there is none. p may be nil.
func (p *RecordTable) pointedRecord() (kind snapshot.RecordKind, key string, channel model.Channel, ok bool) {
	if p == nil || p.Target == nil {
		return 0, "", "", false
	}
	row, ok := p.Table.Selected()
	if !ok {
		return 0, "", "", false
	}
	if row, ok := p.recordKey(row); ok {
		kind, key, ok = p.Target(row)
		return kind, key, p.channel, ok
	}
	if p.criterion != rowset.ByGroup { // the line of any other group cannot be opened
		return 0, "", "", false
	}
	key = p.groups.GroupCode(row)
	return snapshot.Group, key, p.channel, key != ""
}

// carry takes over the viewer's filter, sort order and position from an earlier table of the same records.
func (p *RecordTable) carry(sc *Scene, other *RecordTable) {
	if other.Noun != p.Noun {
		return
	}
	if id, desc := other.Table.Sort(); id != "" {
		p.SortBy(id, desc)
	}
	p.onlyAlerts = other.onlyAlerts && p.HasAlerts
	p.SetFilter(other.Filter)
	if sc.SameRows {
		p.Table.Marks = other.Table.Marks
	}
	p.rememberedRow = other.rememberedRow
	at, _ := other.Table.Chosen()
	p.grouping.carry(&other.grouping, at)
}

// Stale reports whether the figures of the rows are stale.
func (p *RecordTable) Stale(sc *Scene) bool {
	return len(p.subs) > 0 && sc.Floor.DoubtAbout(p.subs...).Stale
}
