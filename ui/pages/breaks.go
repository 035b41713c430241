package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// BreaksName is the name of the page about breaks.
const BreaksName = "Breaks"

// BreaksKeys holds the key bindings of the board that the page about breaks uses.
type BreaksKeys struct {
	Open *key.Binding
	Pane *frame.PaneKeys
}

// Indexes of the page's tables.
const (
	onBreakTable = iota
	leaveTable
	todayTable
	tableCount
)

// BreaksPage is the page about breaks.
type BreaksPage struct {
	keys               BreaksKeys
	tables             table.TextTables
	refreshedAt        int64     // Unix time of the last refresh, on the server's clock
	onBreak, overLimit int       // number of agents on a break, and how many of them are over a limit
	dayRows            int       // number of rows in the table of the day
	dayRowsOverLimit   int       // number of these rows that are over a limit
	observedSince      time.Time // time since which breaks have been observed; zero: not yet
	hasDayLimits       bool      // at least one limit applies to the sum of a day's breaks
	namesakes          model.Namesakes
	subjects           map[string]alert.Key // agent or service of each row, by the key of the row
	leaveFigures       leaveFigures
	planner            releasePlanner
	showsOnePart       bool // the last view had room for only one part below the first table
	chart              widgets.Plot
	language           *words.Language // language of the columns and keys
}

var (
	_ panes.Page       = (*BreaksPage)(nil)
	_ panes.KeyHandler = (*BreaksPage)(nil)
)

// NewBreaks returns the page about breaks. It has no data until its first refresh.
func NewBreaks(sc *panes.Scene, keys BreaksKeys) *BreaksPage {
	l := sc.Look.Format.Words
	p := &BreaksPage{
		keys: keys, language: l, chart: widgets.Plot{Subjects: []alert.Key{{Scope: alert.Floor}}, SpanIndex: widgets.SpanFor(0)},
		tables: table.NewTextTables(sc.Look.TableStyles(), sc.Look.TableGlyphs(), sc.Wall != nil,
			columns(onBreakTable, false, l), columns(leaveTable, false, l), columns(todayTable, false, l)),
	}
	for _, t := range p.tables.List {
		t.Table.SortBy("", false) // the rows keep the order in which the page creates them
	}
	p.setTexts()
	return p
}

// IDs of the columns that are shown only if limits for the breaks of a whole day exist.
const (
	dayLimitID  = "day"
	overLimitID = "overday"
)

// columns returns the columns of the table with the given index. It omits the columns about limits
// for a whole day if perDay is false. The titles are in the language l.
func columns(index int, perDay bool, l *words.Language) []table.Column {
	right := func(id string, title words.Text, priority int) table.Column {
		return figureColumn(id, title.In(l), priority)
	}
	out := []table.Column{
		{ID: "agent", Title: words.LeaveAgent().In(l), Min: 18, Ideal: 22, Max: 40, Weight: 1, Priority: 100},
		{ID: "break", Title: words.LeaveBreak().In(l), Min: 10, Ideal: 16, Max: 26, Priority: 99},
	}
	switch index {
	case leaveTable:
		return []table.Column{
			{ID: "service", Title: words.LeaveService().In(l), Min: 12, Ideal: 20, Max: 36, Priority: 100},
			right("waiting", words.LeaveWaiting(), 95), right("ready", words.LeaveReady(), 97), right("leave", words.LeaveCanGo(), 99),
			{ID: "next", Title: words.LeaveNextFree().In(l), Min: 12, Ideal: 30, Max: 50, Weight: 1, Priority: 90},
		}
	case onBreakTable:
		back := words.LeaveBack().In(l)
		out = append(out, right("since", words.LeaveSince(), 90), right("for", words.LeaveFor(), 98), right("allowed", words.LeaveAllowed(), 94), right("over", words.LeaveOver(), 97),
			right("today", words.LeaveToday(), 96), right(dayLimitID, words.LeavePerDay(), 92),
			table.Column{ID: "back", Title: back, Min: max(style.Width(back), 14), Max: max(style.Width(back), style.Width(words.LeaveBetween(0, 0).In(l)), 16), Weight: 1, Priority: 95})
	default:
		out = append(out, right("breaks", words.LeaveBreaks(), 96), right("longest", words.LeaveLongest(), 95), right("allowed", words.LeavePerBreak(), 93), right("over", words.LeaveOver(), 98),
			right("today", words.LeaveToday(), 97), right(dayLimitID, words.LeavePerDay(), 92), right(overLimitID, words.LeaveOver(), 94))
	}
	return slices.DeleteFunc(out, func(c table.Column) bool { return !perDay && (c.ID == dayLimitID || c.ID == overLimitID) })
}

// figureColumn returns a column of figures.
func figureColumn(id, title string, priority int) table.Column {
	return table.Column{ID: id, Title: title, Min: max(style.Width(title), 7), Priority: priority, Align: table.Right}
}

// Refresh implements [panes.Page]. It creates the rows again at most once a second.
func (p *BreaksPage) Refresh(sc *panes.Scene) {
	now := sc.Floor.ToServerTime(sc.Floor.LocalNow)
	if sc.Forecaster == nil || now.Unix() == p.refreshedAt {
		return
	}
	p.refreshedAt = now.Unix()
	var away []breaks.AgentOnBreak
	var records []breaks.DayTotal
	sc.Forecaster.Observations().ReadBreaks(func(t *breaks.Tracker) {
		away, records, p.observedSince = t.AgentsOnBreak(now), t.DayTotals(now), t.ObservedSince()
	})
	if sc.Floor.Shown != nil {
		p.namesakes.Update(sc.Floor.Shown.Users)
	}
	p.showDayLimits(slices.ContainsFunc(records, func(r breaks.DayTotal) bool { return r.Limit.PerDay > 0 }))
	p.subjects = make(map[string]alert.Key)
	p.onBreak, p.overLimit, p.dayRows, p.dayRowsOverLimit = len(away), 0, len(records), 0
	f := rowFormatter{scene: sc, now: now, page: p}
	p.planner.refresh(sc, now)
	p.leaveFigures.refresh(sc, now, p.planner.plan)
	out := make([]table.TextRow, len(away))
	for i := range away {
		out[i] = f.onBreakRow(&away[i])
		p.subjects[out[i].Key] = subjectOf(away[i].Username)
		if away[i].ExceedsLimit() {
			p.overLimit++
		}
	}
	day := make([]table.TextRow, len(records))
	for i := range records {
		day[i] = f.dayRow(&records[i])
		p.subjects[day[i].Key] = subjectOf(records[i].Username)
		if records[i].ExceedsLimit() {
			p.dayRowsOverLimit++
		}
	}
	tag := sc.Look.Format.Words.Tag()
	slices.SortStableFunc(day, func(a, b table.TextRow) int {
		return strings.Compare(table.NameSortKey(a.Cells[0].Text, tag), table.NameSortKey(b.Cells[0].Text, tag))
	})
	for i, rows := range [tableCount][]table.TextRow{out, f.leaveRows(&p.leaveFigures), day} {
		moveExceedingFirst(rows)
		p.tables.List[i].Table.SetWidthMethod(sc.Look.WidthMethod)
		p.tables.List[i].SetRows(rows)
	}
}

// showDayLimits shows the columns about limits for a whole day, or hides them if perDay is false.
func (p *BreaksPage) showDayLimits(perDay bool) {
	if p.hasDayLimits == perDay {
		return
	}
	p.hasDayLimits = perDay
	p.setTexts()
}

// setTexts sets the columns and the other texts of the tables.
func (p *BreaksPage) setTexts() {
	for i, t := range p.tables.List {
		t.Table.SetColumns(columns(i, p.hasDayLimits, p.language)...)
	}
	p.tables.List[onBreakTable].Table.SetEmptyText(words.LeaveNoOneNow().In(p.language))
	p.tables.List[todayTable].Table.SetEmptyText(words.LeaveNoOneToday().In(p.language))
}

// subjectOf returns the key under which alerts about an agent are stored.
func subjectOf(username string) alert.Key { return alert.Key{Scope: alert.User, Code: username} }

type rowFormatter struct {
	scene *panes.Scene
	now   time.Time
	page  *BreaksPage
}

// agentName returns the cell with the name of an agent. former is a name to show if the agent has
// logged out. exceeds means that the agent is over a limit; the cell then has the sort key -1.
func (f rowFormatter) agentName(username, former string, exceeds bool) table.TextCell {
	name := textformat.DistinctPersonName(f.scene.Floor.Shown, f.scene.Floor.Names, &f.page.namesakes, username, model.Call)
	if name == username {
		name = cmp.Or(former, name)
	}
	c := table.TextCell{Text: name}
	if f.page.namesakes.Has(username) {
		c.Brief = username
	}
	if exceeds {
		c.Style, c.SortKey = f.scene.Look.Theme.OpenSequence(themes.Warn), -1
	}
	return c
}

// newRow returns a row of the table with the given index. It omits the cells about limits for a
// whole day if there are no such limits.
func (f rowFormatter) newRow(index int, id string, cells []table.TextCell) table.TextRow {
	if f.page.hasDayLimits {
		return table.TextRow{Key: id, Cells: cells}
	}
	row := table.TextRow{Key: id}
	for i, c := range columns(index, true, nil) {
		if c.ID != dayLimitID && c.ID != overLimitID {
			row.Cells = append(row.Cells, cells[i])
		}
	}
	return row
}

// duration returns the cell for a duration, in the color of the token t. A zero duration is shown
// as a dot.
func (f rowFormatter) duration(d time.Duration, t themes.Token) table.TextCell {
	if d <= 0 {
		return table.TextCell{Text: f.scene.Look.Glyphs.Dot, Style: f.scene.Look.Theme.OpenSequence(themes.Dim)}
	}
	return table.TextCell{Text: f.scene.Look.FormatDuration(d), Style: f.scene.Look.Theme.OpenSequence(t), SortKey: d.Seconds()}
}

// limit returns the cell for a limit. Zero means that there is no limit.
func (f rowFormatter) limit(d time.Duration) table.TextCell { return f.duration(d, themes.Dim) }

// dayTotal returns the cell with the time that an agent has spent on breaks today, as counted by
// the platform.
func (f rowFormatter) dayTotal(seconds model.Figure) table.TextCell {
	d, ok := seconds.Seconds()
	if !ok {
		return table.TextCell{Text: string(f.scene.Look.Format.Unknown(nil)), SortKey: -1}
	}
	return f.duration(d, themes.Text)
}

func (f rowFormatter) activityName(code string) table.TextCell {
	return table.TextCell{Text: f.scene.Floor.Names.NameOf(model.NameActivity, code)}
}

func (f rowFormatter) onBreakRow(a *breaks.AgentOnBreak) table.TextRow {
	unknown := table.TextCell{Text: string(f.scene.Look.Format.Unknown(nil))}
	since, elapsed := unknown, unknown
	if !a.Since.IsZero() {
		since = table.TextCell{Text: textformat.Clock(a.Since, f.scene.Look.Zone())}
		elapsed = f.duration(max(f.now.Sub(a.Since), time.Second), themes.Text)
	}
	return f.newRow(onBreakTable, a.Username, []table.TextCell{
		f.agentName(a.Username, "", a.ExceedsLimit()), f.activityName(a.Code), since, elapsed,
		f.limit(a.Limit.PerBreak), f.duration(a.OverBreakLimit, themes.Warn),
		f.dayTotal(a.UsedToday), f.limit(a.Limit.PerDay), f.returnTime(&a.Return),
	})
}

// returnTime returns the cell with the time when an agent is expected to return.
func (f rowFormatter) returnTime(b *breaks.ExpectedReturn) table.TextCell {
	clock := func(t time.Time) words.Clock { return words.ClockOf(t, f.scene.Look.Zone()) }
	switch {
	case b.IsOverdue:
		return table.TextCell{Text: words.LeaveOverdue().In(f.scene.Look.Format.Words), Style: f.scene.Look.Theme.OpenSequence(themes.Warn)}
	case b.Likely.IsZero():
		return table.TextCell{Text: string(f.scene.Look.Format.Unknown(nil))}
	case b.IsOneMinute():
		return table.TextCell{Text: words.TimeClock(clock(b.Likely)).In(f.scene.Look.Format.Words)}
	}
	return table.TextCell{Text: words.LeaveBetween(clock(b.From), clock(b.To)).In(f.scene.Look.Format.Words)}
}

// dayRow returns the row about the breaks that an agent has taken today with one activity code.
func (f rowFormatter) dayRow(r *breaks.DayTotal) table.TextRow {
	code := f.activityName(r.Code)
	if r.OnBreak {
		code.Text, code.IsList = words.LeaveBreakNow(code.Text).In(f.scene.Look.Format.Words), true
	}
	number, longest, over := f.count(r.Breaks, themes.Text), f.duration(r.Longest, themes.Text), f.duration(r.LongestOverrun, themes.Warn)
	if !r.WasObserved() {
		number = table.TextCell{Text: string(f.scene.Look.Format.Unknown(nil)), SortKey: -1}
		longest = number
		if r.Limit.PerBreak > 0 {
			over = number
		}
	}
	return f.newRow(todayTable, r.Username+"/"+r.Code, []table.TextCell{
		f.agentName(r.Username, r.Name, r.ExceedsLimit()), code, number, longest,
		f.limit(r.Limit.PerBreak), over,
		f.dayTotal(r.Total), f.limit(r.Limit.PerDay), f.duration(r.OverDayLimit, themes.Warn),
	})
}

// moveExceedingFirst moves the rows of agents over a limit to the top.
func moveExceedingFirst(rows []table.TextRow) {
	slices.SortStableFunc(rows, func(a, b table.TextRow) int { return int(a.Cells[0].SortKey - b.Cells[0].SortKey) })
}

// Breadcrumb implements [panes.Page].
func (p *BreaksPage) Breadcrumb(sc *panes.Scene) string {
	return words.PageBreaks().In(sc.Look.Format.Words)
}

// Status implements [panes.Page].
func (p *BreaksPage) Status(sc *panes.Scene) style.HeadingStatus {
	l := sc.Look.Format.Words
	text := words.LeaveOnBreak(p.onBreak).In(l)
	if plan := p.planner.plan; plan != nil && plan.AwayNow > 0 {
		text = plan.AwayText().In(sc.Look.Format.Words)
	}
	var alarm string
	if p.overLimit > 0 {
		alarm = words.LeaveOverLimit(p.overLimit).In(l)
	}
	if p.observedSince.IsZero() {
		return style.HeadingStatus{Text: words.LeaveNoFigures().In(l)}
	}
	observed := words.LeaveObserved(words.ClockOf(p.observedSince, sc.Look.Zone())).In(l)
	return style.HeadingStatus{Alarm: alarm, Text: text + " " + sc.Look.Glyphs.Dot + " " + observed, Brief: text}
}

// Subscriptions implements [panes.Page].
func (p *BreaksPage) Subscriptions() []model.Op { return []model.Op{model.OpUserStats} }

// Restyle implements [panes.Page].
func (p *BreaksPage) Restyle(sc *panes.Scene) {
	p.tables.SetStyles(sc.Look.TableStyles())
	if p.language != sc.Look.Format.Words {
		p.language = sc.Look.Format.Words
		p.setTexts()
	}
	p.refreshedAt = 0
}

// selected returns the key of the agent or service in the selected row. ok is false if no row is
// selected.
func (p *BreaksPage) selected() (k alert.Key, ok bool) {
	id, ok := p.tables.Selected()
	if !ok {
		return k, false
	}
	k, ok = p.subjects[id]
	return k, ok
}

// Press implements [panes.KeyHandler].
func (p *BreaksPage) Press(sc *panes.Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch direction := p.keys.Pane.DirectionOf(msg); {
	case key.Matches(msg, *p.keys.Open):
		p.open(sc)
	case direction != 0:
		p.tables.FocusNext(direction)
	case p.planner.showsEffect && p.planner.press(msg.String()):
	case p.tables.HandleMoveKey(msg):
	default:
		return nil, false
	}
	return nil, true
}

// open asks the board to open the detail page of the selected agent or service.
func (p *BreaksPage) open(sc *panes.Scene) {
	if k, ok := p.selected(); ok {
		k.Channel = cmp.Or(k.Channel, sc.Floor.Channel)
		sc.Requests.Add(panes.OpenSubjectMsg{Subject: k})
	}
}

// Update implements [panes.Page]. It handles the mouse; keys are handled by [BreaksPage.Press].
func (p *BreaksPage) Update(sc *panes.Scene, msg tea.Msg) tea.Cmd {
	if _, opens := p.tables.HandleMouse(msg); opens {
		p.open(sc)
	}
	return nil
}

// Sizes of the page, in cells or lines, that determine its layout.
const (
	minSideBySideWidth = 150      // minimum width for tables side by side
	minLeaveHeight     = 6        // minimum height of the table of agents who can leave, including its heading
	minTodayHeight     = 6        // minimum height of the table of the day's breaks, including its heading
	minChartHeight     = 8        // minimum height of the chart, including its heading
	offScreenPosition  = -1 << 20 // position of a table that is not drawn
)

// HasHeading reports whether the first line of the page is the upper edge of a frame.
func (p *BreaksPage) HasHeading(sc *panes.Scene) bool { return sc.HasFrames }

// View implements [panes.Page]. On a screen without frames, the first table has no heading, because
// the title of the page is above it. A chart of the floor fills the rest of a large screen.
func (p *BreaksPage) View(sc *panes.Scene, x, y, w, h int) []string {
	var out []string
	if w >= minSideBySideWidth {
		out = p.drawBeside(sc, x, y, w, h)
	} else {
		out = p.drawBelow(sc, x, y, w, h)
	}
	return style.FillLines(p.withChart(sc, out, x, y, w, h), w, h)
}

// withChart appends a chart of the floor to the lines of the page if at least minChartHeight of the h
// lines of the page are free.
func (p *BreaksPage) withChart(sc *panes.Scene, lines []string, x, y, w, h int) []string {
	height := h - len(lines)
	if height < minChartHeight {
		return lines
	}
	inner := sc.InnerArea(x, y+len(lines), w, height)
	chart := p.chart.View(sc.Charts(), inner.X, inner.Y, inner.W, inner.H)
	return append(lines, sc.DrawPart(w, height, words.LeaveFloorOverTime().In(sc.Look.Format.Words), style.HeadingStatus{}, false, chart)...)
}

// tableHeight returns the height of a table with n rows, including its column titles and its frame
// or heading.
func tableHeight(sc *panes.Scene, n int) int { return max(n, 1) + 1 + edgeLines(sc) }

// edgeLines returns the number of lines that the frame or the heading of a part occupies.
func edgeLines(sc *panes.Scene) int { return -sc.InnerArea(0, 0, 0, 0).H }

// drawBeside draws the parts in two columns: on the left the agents on a break, the agents who can
// leave and, if there is room, a chart; on the right the release planner and the breaks of the day.
func (p *BreaksPage) drawBeside(sc *panes.Scene, x, y, w, h int) []string {
	p.showsOnePart = false
	left := (w - frame.Gutter) / 2
	right := w - left - frame.Gutter
	first := min(tableHeight(sc, p.onBreak), h/2)
	second := min(tableHeight(sc, len(p.leaveFigures.serviceCodes)), h-first)
	plan := p.drawPlan(sc, right, max(h-minTodayHeight, 0))
	if needed := max(first+second, len(plan)+tableHeight(sc, p.dayRows)); h-needed >= minChartHeight {
		h = needed
	}
	if h-first-second < minChartHeight {
		second = h - first
	}
	lines := p.drawPart(sc, onBreakTable, x, y, left, first)
	lines = append(lines, p.drawPart(sc, leaveTable, x, y+first, left, second)...)
	lines = p.withChart(sc, lines, x, y, left, h)
	day := p.drawPart(sc, todayTable, x+left+frame.Gutter, y+len(plan), right, h-len(plan))
	return style.JoinBlocks(lines, append(plan, day...), left, right, h)
}

// drawBelow draws the parts one below the other. If not all of them fit, it draws the table of
// agents on a break and, below it, only one other part: the part that has the keyboard focus, or
// the release planner if the first table has it. A wall has no keyboard focus; it shows the breaks
// of the day.
func (p *BreaksPage) drawBelow(sc *panes.Scene, x, y, w, h int) []string {
	services := tableHeight(sc, len(p.leaveFigures.serviceCodes))
	first := min(tableHeight(sc, p.onBreak), max(h/3, 2+edgeLines(sc)), max(h, 0))
	p.showsOnePart = false
	plan := p.drawPlan(sc, w, max(h-first, 0))
	second := min(services, max(h-first-len(plan), 0)/2)
	third := h - first - len(plan) - second
	p.showsOnePart = second < min(services, minLeaveHeight) || third < minTodayHeight || p.planner.isTruncated
	if needed := tableHeight(sc, p.dayRows); !p.showsOnePart && third-needed >= minChartHeight {
		third = needed
	}
	out := p.drawPart(sc, onBreakTable, x, y, w, first)
	if !p.showsOnePart {
		out = append(out, plan...)
		out = append(out, p.drawPart(sc, leaveTable, x, y+len(out), w, second)...)
		return append(out, p.drawPart(sc, todayTable, x, y+len(out), w, third)...)
	}
	part := p.tables.Focused
	if sc.Wall != nil {
		part = todayTable
	}
	for _, index := range []int{leaveTable, todayTable} {
		if index != part {
			p.tables.List[index].Draw(offScreenPosition, offScreenPosition, w, h-first, nil) // the hidden table keeps its size, so that it can get the focus, but gets no clicks
		}
	}
	if part == onBreakTable {
		return append(out, p.drawPlan(sc, w, h-first)...)
	}
	p.planner.showsEffect = false
	return append(out, p.drawPart(sc, part, x, y+first, w, h-first)...)
}

// drawPlan draws the release planner, in its frame or below its heading, in at most h lines.
func (p *BreaksPage) drawPlan(sc *panes.Scene, w, h int) []string {
	const indent = " " // tables have a margin of their own, text has not
	plan := p.planner.lines(sc, sc.InnerArea(0, 0, w, 0).W-2*len(indent), max(h-edgeLines(sc), 0))
	end := sc.Look.TableStyles().Blank + indent
	for i := range plan {
		plan[i] = indent + plan[i] + end
	}
	position := p.planner.position(sc.Wall == nil, sc.Look.Format.Words)
	if p.showsOnePart {
		tab := func(text string) string {
			hint := words.LeaveTab()
			if text != "" {
				hint = words.LeaveThen(words.Name(text), hint)
			}
			return hint.In(sc.Look.Format.Words)
		}
		position.Text, position.Brief = tab(position.Brief), tab(position.Shortest)
	}
	lines := sc.DrawPart(w, len(plan)+edgeLines(sc), words.LeavePlanner().In(sc.Look.Format.Words), position, false, plan)
	return lines[:min(len(lines), max(h, 0))]
}

// drawPart draws the table with the given index in h lines, in its frame or below its heading. On a
// screen without frames, the first table has no heading.
func (p *BreaksPage) drawPart(sc *panes.Scene, index, x, y, w, h int) []string {
	area, position, title, l := sc.InnerArea(x, y, w, h), style.HeadingStatus{}, words.LeaveToday(), sc.Look.Format.Words
	switch index {
	case onBreakTable:
		title, position = words.PageBreaks(), p.Status(sc)
		if !sc.HasFrames {
			area.Y, area.H = y, h
		}
	case leaveTable:
		title, position = words.LeaveWhoCanLeave(), p.leaveFigures.position(l)
	default:
		position.Text = words.LeaveByPlatform().In(l)
		if p.dayRowsOverLimit > 0 {
			position.Alarm = words.LeaveOverLimit(p.dayRowsOverLimit).In(l)
		}
	}
	lines := style.FillLines(p.tables.List[index].Draw(area.X, area.Y, area.W, max(area.H, 0), sc.Wall), area.W, max(area.H, 0))
	if area.H == h {
		return lines
	}
	open := style.KeyHint{Key: p.keys.Open.Help().Key, Description: words.KeysOpen().In(l)}
	return style.FillLines(sc.DrawPart(w, h, title.In(l), position, p.tables.Focused == index, lines, open), w, h)
}

// FocusableCount implements [panes.Page].
func (p *BreaksPage) FocusableCount() int { return tableCount }

// Focused implements [panes.Page]. It returns nil, because the page has no record tables.
func (p *BreaksPage) Focused() *panes.RecordTable { return nil }

// Help returns the key bindings of the page that the footer shows. It omits the keys of the release
// planner while the screen does not show their effect.
func (p *BreaksPage) Help() []key.Binding {
	out := []key.Binding{*p.keys.Open, p.keys.Pane.Next}
	if p.planner.showsEffect {
		out = append(out, ReleaseKeys(p.language)...)
	}
	return out
}

// RecordUnderCursor implements [panes.Page].
func (p *BreaksPage) RecordUnderCursor() (kind floorview.RecordKind, record string, channel model.Channel, ok bool) {
	k, ok := p.selected()
	if !ok {
		return 0, "", "", false
	}
	kind, record, ok = floorview.SubjectOf(k)
	return kind, record, k.Channel, ok
}

// ChartSubject implements [panes.Page].
func (p *BreaksPage) ChartSubject(*panes.Scene) (k alert.Key, ok, known bool) {
	k, ok = p.selected()
	return k, ok, true
}

// CopyStateFrom implements [panes.Page].
func (p *BreaksPage) CopyStateFrom(_ *panes.Scene, from panes.Page) {
	previous, isBreaks := from.(*BreaksPage)
	if !isBreaks {
		return
	}
	p.tables.CopyStateFrom(&previous.tables)
}

// IsFlashing implements [panes.Page].
func (p *BreaksPage) IsFlashing() bool { return false }
