package panes

import (
	"slices"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// RecordTable is a table of records. It holds the rows of the table, the model that draws them, and
// the filters, groups and layout that apply to them.
type RecordTable struct {
	Noun string     // plural name of the records, by which layouts are stored; [Nouns] is for viewers
	subs []model.Op // subscriptions that deliver the rows
	Rows render.Rows
	comparison
	Table *table.Model

	service, group string              // if not "", only agents assigned to this service or group are listed
	restriction    *render.Restriction // restricts the rows to some records; nil: no restriction
	channel        model.Channel       // the pane's own channel; "": the channel on the screen
	alwaysLive     bool                // the rows follow the newest snapshot even while the snapshot is frozen
	ListsAlerts    bool                // the rows are alerts
	HasAlerts      bool                // there are alerts about this kind of record
	latestAlerts   *render.Alerts      // alerts at the time of the last refresh
	tableFilters
	grouping
	screenPosition struct { // position of the table on the screen, and the frame around it
		x, y  int
		frame style.FrameCache
	}
	critical floorview.CriticalRows
	requests *dialog.MsgQueue // messages for the board
	wall     Wall             // scrolls the table on a wall; nil: the board has an operator
	layout   tableLayout      // layout of the columns

	recordCounts recordCount // nil: unknown
	// absentReason returns the reason why the table cannot have any rows. It returns "" if rows may
	// arrive.
	absentReason func(*Scene) string
	// Target returns the record that is opened by the row with the given key. Target is nil if the
	// rows cannot be opened.
	Target func(key string) (floorview.RecordKind, string, bool)
	// OpenRow is called to open the row with the given key, instead of opening its target. It may be
	// nil.
	OpenRow func(key string)
}

// tableFilters holds the filters of a table, and the row to select again if the viewer cancels the
// filter.
type tableFilters struct {
	configuredFilter string // filter from the configuration, applied together with Filter
	Filter           string // filter that the viewer has typed
	onlyAlerts       bool   // only rows with an alert are listed
	rememberedRow    string // row that the viewer had chosen before opening the filter; "": none
	// HeldRow is the key of a row that was selected because a key acted on it, not because the
	// viewer moved the cursor there.
	HeldRow string
}

// comparison compares the rows of a table at the shown time with those at another time.
type comparison struct {
	newRows      func() render.Rows    // returns another set of the table's rows; nil: the rows are neither compared nor shared
	comparedRows *floorview.Comparison // rows at both points in time; nil: there is no comparison
}

// newRecordTable returns a copy of p that is ready for use, sorted by the column with the ID sort. The
// order is descending if desc is true.
func newRecordTable(sc *Scene, p RecordTable, sort string, desc bool, more ...table.Option) *RecordTable {
	opts := []table.Option{
		table.WithKeyMap(table.MovingKeyMap()), table.WithGlyphs(sc.Look.TableGlyphs()), table.WithScrollbar(),
		table.WithColumns(p.columns()...),
	}
	if !sc.MotionEnabled {
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

// restyle sets the styles and the language of the table to those of the look.
func (p *RecordTable) restyle(sc *Scene) {
	sc.Look.StyleTable(p.Table)
	if p.Rows.SetLanguage(sc.Look.Format.Words) {
		p.comparedRows = nil // its columns are in the previous language
		p.Table.SetColumns(p.columns()...)
	}
}

func (p *RecordTable) refresh(sc *Scene) {
	p.latestAlerts = sc.Alarms.CurrentAlerts
	if p.alwaysLive {
		p.refreshFrom(sc, sc.Floor.Newest, sc.LiveRenderView())
		return
	}
	p.refreshFrom(sc, sc.Floor.Shown, p.renderView(sc))
}

// renderView returns the data that package render needs to draw the rows.
func (p *RecordTable) renderView(sc *Scene) render.View {
	v := sc.renderView(p.service, p.group)
	v.Restriction = p.restriction
	return v
}

// refreshFrom updates the rows from the snapshot s, which is nil before the first one arrives. v
// holds the data that package render needs to draw the rows.
func (p *RecordTable) refreshFrom(sc *Scene, s *model.Snapshot, v render.View) {
	p.applyStoredLayout(sc.Layouts)
	if p.newRows == nil || p.groups != nil || p.alwaysLive || p.isCompared(sc) {
		p.Rows.Update(s, &v)
	} else { // reuse the rows that another board has already collected
		sc.Look.Cache.Lists().Update(p.Rows, p.Noun, p.newRows, s, &v)
	}
	p.Table.SetWidthMethod(sc.Look.WidthMethod)
	p.Table.SetTime(sc.Floor.LocalNow)
	var pinned []string
	if p.groups == nil && !p.alwaysLive { // grouped rows are not pinned, because they stay in their groups
		pinned = sc.Layouts.Pinned(p.Noun)
	}
	p.Table.Pinned.Set(pinned)
	p.Table.SetSource(p.groupRows(sc, p.comparedSource(sc, &v), p.effectiveFilter()))
	p.selectPending()
	p.Table.SetEmptyText(p.emptyText(sc))
}

// ListedRows returns the rows of a table. order holds the indexes of the listed rows, in the order
// of the table.
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

// isCompared reports whether the table compares its rows with those at another time.
func (p *RecordTable) isCompared(sc *Scene) bool {
	return sc.ComparedWith.CanCompare(p.subs) && p.newRows != nil && !p.alwaysLive
}

// comparedSource returns the source of the table's rows. If the viewer has requested a comparison,
// its cells also show the values at the other time.
func (p *RecordTable) comparedSource(sc *Scene, v *render.View) table.RowSource {
	if !p.isCompared(sc) {
		if p.comparedRows != nil {
			p.comparedRows = nil
			p.Table.SetColumns(p.columns()...)
		}
		return p.Rows
	}
	if p.comparedRows == nil {
		p.comparedRows = floorview.NewComparison(p.Rows, p.newRows())
		p.Table.SetColumns(floorview.WidenFigures(p.columns())...)
	}
	_, desc := p.Table.Sort()
	p.comparedRows.Update(sc.ComparedWith, v, desc)
	return p.comparedRows
}

// SortBy sorts the table by the column with the given ID, in descending order if desc is true. The
// ID "" restores the natural order of the rows.
func (p *RecordTable) SortBy(id string, desc bool) {
	p.Rows.SetDescending(desc)
	if p.groups != nil {
		p.groups.SetDescending(desc)
	}
	p.Table.SortBy(id, desc)
}

// SortNext sorts the table by the next visible column, in the default direction of that column.
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

// SortColumn sorts the table by the column with the given ID. If the table is already sorted by
// this column, SortColumn reverses the order.
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

// SetFilter sets the viewer's filter, so that the table lists only matching rows.
func (p *RecordTable) SetFilter(filter string) {
	p.Filter = filter
	p.Table.SetFilter(p.effectiveFilter())
}

// effectiveFilter returns a filter that combines all filters of the table. It returns "" if all
// rows are listed.
func (p *RecordTable) effectiveFilter() string {
	if p.onlyAlerts {
		return strings.TrimSpace(render.OnlyAlerts + " " + p.filterText())
	}
	return p.filterText()
}

// filterText returns a filter that combines the configured filter and the viewer's filter.
func (p *RecordTable) filterText() string {
	return strings.TrimSpace(p.configuredFilter + " " + strings.TrimSpace(p.Filter))
}

// ToggleOnlyAlerts switches between all rows and only the rows with an alert. If there are no
// alerts about this kind of record, it does nothing and returns false.
func (p *RecordTable) ToggleOnlyAlerts() bool {
	if !p.HasAlerts {
		return false
	}
	p.onlyAlerts = !p.onlyAlerts
	p.Table.SetFilter(p.effectiveFilter())
	return true
}

// ClearFilter removes the viewer's filter. If there is no such filter, it removes the restriction
// to rows with an alert. It returns false if there was nothing to remove.
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

// RememberSelection remembers the row chosen by the viewer, if any, for RestoreSelection.
func (p *RecordTable) RememberSelection() { p.rememberedRow, _ = p.Table.ChosenKey() }

// RestoreSelection selects the row that RememberSelection has remembered, so that canceling a filter
// leaves the selection unchanged. If there is no such row, it clears the viewer's choice.
func (p *RecordTable) RestoreSelection() {
	if p.rememberedRow == "" {
		p.Table.ClearChoice()
		return
	}
	p.Table.Select(p.rememberedRow)
}

// Open opens the record of the selected row. On the line of a group, Open folds or unfolds the
// group.
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
	if p.OpenRow != nil {
		p.OpenRow(id)
		return
	}
	if p.Target == nil {
		return
	}
	if k, target, ok := p.Target(id); ok {
		p.requests.Add(OpenMsg{Kind: k, Key: target, Channel: p.channel})
	}
}

// click handles a click at a screen position. It returns false if the position is outside the table.
// A click on a title sorts by its column, and a click on a row selects the row. A click on the
// selected row, or on any row of a table without selection, opens it.
func (p *RecordTable) click(x, y int) bool {
	switch hit := p.Table.HitTest(x-p.screenPosition.x, y-p.screenPosition.y); hit.Area {
	case table.HitHeader:
		p.SortColumn(hit.Column)
	case table.HitRow:
		if id, ok := p.Table.Selected(); ok && id == hit.Key || !p.Table.Select(hit.Key) {
			p.openRow(hit.Key)
		}
	case table.HitBlank: // the click has no further effect
	case table.HitOutside:
		return false
	}
	return true
}

// emptyText returns the message of a table that lists no rows. It may be "" if the table has rows.
func (p *RecordTable) emptyText(sc *Scene) string {
	switch {
	case sc.Floor.Shown == nil:
		return sc.translate(words.SituationNoData())
	case sc.Floor.IsUnrecorded():
		return sc.translate(words.PaneNotRecorded())
	case p.absentReason != nil && p.absentReason(sc) != "":
		return p.absentReason(sc)
	}
	switch _, matching, total, _ := p.position(); {
	case matching > 0:
		return ""
	case total > 0:
		return sc.translate(noMatchText(total, p))
	}
	if reason := p.missingDataText(sc); reason != "" {
		return reason
	}
	if p.service != "" || p.group != "" || p.restriction != nil {
		return sc.translate(words.PaneSentence(words.PaneNoneHere(Nouns(p), words.ChannelName(sc.Floor.Channel))))
	}
	if n, _ := p.recordCounts(sc.Floor.Shown); n > 0 {
		return sc.translate(withKey(sc.Wall, words.PaneNoneOnChannel(Nouns(p), words.ChannelName(sc.Floor.Channel)), words.PaneNextChannel))
	}
	if sc.Floor.Replay {
		return sc.translate(words.PaneSentence(words.PaneRecordingHasNone(Nouns(p))))
	}
	return sc.translate(words.PaneSentence(words.PaneNoneSent(Nouns(p))))
}

// noMatchText returns the message of the table p, of which none of the rows, total in number, matches the
// filters.
func noMatchText(total int, p *RecordTable) words.Text {
	filter, records := p.filterText(), Nouns(p)
	if p.effectiveFilter() == render.OnlyAlerts {
		return withKey(p.wall, words.PaneNoneWithAlert(total, records), words.PaneEscShowsAll)
	}
	text := words.PaneNoMatch(filter, total, records)
	if p.onlyAlerts {
		text = words.PaneNoMatchAlerts(filter, total, records)
	} else if title, low, high, ok := floorview.ConditionRange(p.Rows, filter); ok { // says why the condition holds for no row
		values := words.PaneValue(title, floorview.FormatValue(low))
		if floorview.FormatValue(high) != floorview.FormatValue(low) {
			values = words.PaneValues(title, floorview.FormatValue(low), floorview.FormatValue(high))
		}
		text = words.PaneNoMatchValues(filter, values, total, records)
	}
	if strings.TrimSpace(p.Filter) == "" {
		return words.PaneSentence(text)
	}
	return withKey(p.wall, text, words.PaneEscClears)
}

// Nouns returns the noun for the records of a table, such as "services".
func Nouns(p *RecordTable) words.Text {
	return map[string]func() words.Text{
		"services": words.NounServices, "groups": words.NounGroups, "agents": words.NounAgents, "campaigns": words.NounCampaigns,
		"attendants": words.NounAttendants, "operators": words.NounOperators, "alerts": words.PaneAlertRecords,
		"situations": words.PaneSituationRecords, "subscriptions": words.PaneSubscriptionRecords,
	}[p.Noun]()
}

// recordCount returns the number of records of a kind in a snapshot, on all channels. hidden is the
// number of records that the viewer may not see, because they are about too few people.
type recordCount func(*model.Snapshot) (n, hidden int)

// totalText returns a text with total, the number of records of a table.
func (c recordCount) totalText(sc *Scene, total int) string {
	if c.hiddenText(sc) != "" {
		return sc.translate(words.PaneShown(total))
	}
	return sc.translate(words.PaneTotal(total))
}

// hiddenText returns a text with the number of records that the viewer may not see, or "" if there are none.
func (c recordCount) hiddenText(sc *Scene) string {
	if c == nil || sc.Floor.Shown == nil {
		return ""
	}
	if _, hidden := c(sc.Floor.Shown); hidden > 0 {
		return " " + sc.Look.Glyphs.Dot + " " + sc.translate(words.PaneTooSmall(hidden))
	}
	return ""
}

// missingDataText returns the reason why the table has no data yet. It returns "" if data has
// arrived.
func (p *RecordTable) missingDataText(sc *Scene) string {
	if n, _ := p.recordCounts(sc.Floor.Shown); n > 0 {
		return ""
	}
	return sc.Floor.MissingDataReason(p.subs...)
}

// hide takes the table off the screen, so that it ignores clicks.
func (p *RecordTable) hide() { p.Table.SetSize(0, 0) }

// view draws the table at the screen position x, y. The lines are faded if the figures are stale.
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
		p.pinCriticalRows(sc)
	}
	lines := p.SetArea(x, y, w, h).Lines()
	if len(p.subs) > 0 {
		sc.Floor.FadeStale(sc.Look, lines, p.subs...)
	}
	return lines
}

// SetArea sets the position and the size of the table on the screen, scrolls the table on a wall, and
// returns the model that draws it.
func (p *RecordTable) SetArea(x, y, w, h int) *table.Model {
	p.screenPosition.x, p.screenPosition.y = x, y
	p.Table.SetOrigin(x, y)
	p.Table.SetSize(w, h)
	if p.wall != nil {
		p.wall.Scroll(p.Table)
	}
	return p.Table
}

// focus gives the keyboard focus to the table, or takes it away if enabled is false.
func (p *RecordTable) focus(enabled bool) {
	if enabled {
		p.Table.Focus()
	} else {
		p.Table.Blur()
	}
}

// recordUnderCursor returns the record or the group of the selected row. ok is false if there is none.
func (p *RecordTable) recordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
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
	if p.criterion != floorview.ByGroup { // only groups of agents have detail pages, unlike states, profiles and sites
		return 0, "", "", false
	}
	key = p.groups.GroupCode(row)
	return floorview.Group, key, p.channel, key != ""
}

// copyStateFrom copies the viewer's filters, sort order, grouping and selection from other, an earlier
// table. It does nothing if other lists another kind of record.
func (p *RecordTable) copyStateFrom(sc *Scene, other *RecordTable) {
	if other.Noun != p.Noun {
		return
	}
	if id, desc := other.Table.Sort(); id != "" {
		p.SortBy(id, desc)
	}
	p.onlyAlerts = other.onlyAlerts && p.HasAlerts
	p.SetFilter(other.Filter)
	if sc.KeepRowMarks {
		p.Table.Marks = other.Table.Marks
	}
	p.rememberedRow = other.rememberedRow
	at, _ := other.Table.ChosenKey()
	p.carry(&other.grouping, at)
}

// HasStaleFigures reports whether the figures in the rows are stale.
func (p *RecordTable) HasStaleFigures(sc *Scene) bool {
	return len(p.subs) > 0 && sc.Floor.DoubtAbout(p.subs...).Stale
}
