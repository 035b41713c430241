package fixedpages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// BreaksName is the name of the page about breaks.
const BreaksName = "Breaks"

// BreaksKeys holds the keys of the board that the page about breaks uses.
type BreaksKeys struct {
	Open *key.Binding
	Part *panes.PartKeys
}

// The tables of the page.
const (
	outNow = iota
	canLeave
	today
	numTables
)

// BreaksPage is the page about the breaks of the agents: who is on a break now, with the time
// used and allowed; how many ready agents each service can spare; and the breaks of the day
// of each agent, also of those who have logged out. It shows live data even while the
// snapshot is frozen. Agents over a limit come first. The others are sorted by their
// expected return and, in the breaks of the day, by name.
type BreaksPage struct {
	keys        BreaksKeys
	tables      table.TextTables
	refreshedAt int64 // second of the last refresh
	out, over   int   // agents on a break, and those of them over a limit
	records     int   // rows of the day
	exceeded    int   // those of them over a limit
	since       time.Time
	perDay      bool // there is a limit per day
	namesakes   model.Namesakes
	subjects    map[string]alert.Key // by key of a row
	leave       leaveFigures
	chart       plots.Plot
}

var (
	_ panes.Page       = (*BreaksPage)(nil)
	_ panes.KeyHandler = (*BreaksPage)(nil)
)

// NewBreaks returns the page about breaks.
func NewBreaks(sc *panes.Scene, keys BreaksKeys) *BreaksPage {
	p := &BreaksPage{
		keys: keys, chart: plots.Plot{Subjects: []alert.Key{{Scope: alert.Floor}}, Span: plots.SpanFor(0)},
		tables: table.NewTextTables(sc.Look.TableStyles(), sc.Look.TableGlyphs(), sc.Wall != nil,
			columns(outNow, false), columns(canLeave, false), columns(today, false)),
	}
	p.tables.List[outNow].Table.SetEmptyText("No agent is on a break.")
	p.tables.List[today].Table.SetEmptyText("No agent has had a break today.")
	return p
}

// Columns about limits per day.
const (
	dayLimitID = "day"
	overDayID  = "overday"
)

// columns returns the columns of a table, without those about limits per day unless there are any.
func columns(index int, perDay bool) []table.Column {
	right := func(id, title string, priority int) table.Column {
		return table.Column{ID: id, Title: title, Min: max(len(title), 7), Priority: priority, Align: table.Right}
	}
	out := []table.Column{
		{ID: "agent", Title: "Agent", Min: 12, Ideal: 22, Max: 40, Weight: 1, Priority: 100},
		{ID: "break", Title: "Break", Min: 8, Ideal: 16, Max: 26, Priority: 99},
	}
	switch index {
	case canLeave:
		return []table.Column{
			{ID: "service", Title: "Service", Min: 12, Ideal: 20, Max: 36, Priority: 100},
			right("waiting", "Waiting", 95), right("ready", "Ready", 97), right("leave", "Can go", 99),
			{ID: "next", Title: "Free next", Min: 12, Ideal: 30, Max: 50, Weight: 1, Priority: 90},
		}
	case outNow:
		out = append(out, right("since", "Since", 90), right("for", "For", 98), right("allowed", "Allowed", 96), right("over", "Over", 97),
			right("today", "Today", 94), right(dayLimitID, "Per day", 92),
			table.Column{ID: "back", Title: "Back about", Min: 12, Ideal: 24, Max: 30, Weight: 1, Priority: 95})
	default:
		out = append(out, right("breaks", "Breaks", 96), right("longest", "Longest", 95), right("allowed", "Allowed", 93), right("over", "Over", 98),
			right("today", "Today", 97), right(dayLimitID, "Per day", 92), right(overDayID, "Over", 94))
	}
	return slices.DeleteFunc(out, func(c table.Column) bool { return !perDay && (c.ID == dayLimitID || c.ID == overDayID) })
}

// Refresh implements [panes.Page]. It formats the rows once a second.
func (p *BreaksPage) Refresh(sc *panes.Scene) {
	now := sc.Floor.Server(sc.Floor.Ours)
	if sc.Outlook == nil || now.Unix() == p.refreshedAt {
		return
	}
	p.refreshedAt = now.Unix()
	var away []breaks.Away
	var records []breaks.Record
	sc.Outlook.WithBreaks(func(t *breaks.Tracker) { away, records, p.since = t.List(now), t.Day(now), t.Since() })
	if sc.Floor.Shown != nil {
		p.namesakes.Update(sc.Floor.Shown.Users)
	}
	p.setPerDay(slices.ContainsFunc(records, func(r breaks.Record) bool { return r.Limit.PerDay > 0 }))
	p.subjects = make(map[string]alert.Key)
	p.out, p.over, p.records, p.exceeded = len(away), 0, len(records), 0
	f := formatter{sc: sc, now: now, page: p}
	p.leave.refresh(sc, now)
	out := make([]table.TextRow, len(away))
	for i := range away {
		out[i] = f.awayRow(&away[i])
		p.subjects[out[i].Key] = subjectOf(away[i].Username)
		if away[i].Exceeds() {
			p.over++
		}
	}
	day := make([]table.TextRow, len(records))
	for i := range records {
		day[i] = f.dayRow(&records[i])
		p.subjects[day[i].Key] = subjectOf(records[i].Username)
		if records[i].Exceeds() {
			p.exceeded++
		}
	}
	slices.SortStableFunc(day, func(a, b table.TextRow) int {
		return strings.Compare(textnorm.Fold(a.Cells[0].Text), textnorm.Fold(b.Cells[0].Text))
	})
	for i, rows := range [numTables][]table.TextRow{out, f.leaveRows(&p.leave), day} {
		exceedingFirst(rows)
		p.tables.List[i].Table.SetWidthMethod(sc.Look.Widths)
		p.tables.List[i].SetRows(rows)
	}
}

// setPerDay shows or hides the columns about limits per day.
func (p *BreaksPage) setPerDay(perDay bool) {
	if p.perDay == perDay {
		return
	}
	p.perDay = perDay
	for i, t := range p.tables.List {
		t.Table.SetColumns(columns(i, perDay)...)
	}
}

// subjectOf returns the alert key of an agent.
func subjectOf(username string) alert.Key { return alert.Key{Scope: alert.User, Code: username} }

// formatter formats rows.
type formatter struct {
	sc   *panes.Scene
	now  time.Time
	page *BreaksPage
}

// name returns the cell of an agent; former is the name of one who has logged out. Its sort value is
// -1 if the agent is over a limit.
func (f formatter) name(username, former string, exceeds bool) table.TextCell {
	name := phrases.DistinctPerson(f.sc.Floor.Shown, f.sc.Floor.Names, &f.page.namesakes, username, model.Call)
	if name == username {
		name = cmp.Or(former, name)
	}
	c := table.TextCell{Text: name}
	if exceeds {
		c.Style, c.SortKey = f.sc.Look.Theme.SGR(themes.Warn), -1
	}
	return c
}

// row returns a row without the cells about limits per day, unless there are any.
func (f formatter) row(index int, id string, cells []table.TextCell) table.TextRow {
	if f.page.perDay {
		return table.TextRow{Key: id, Cells: cells}
	}
	row := table.TextRow{Key: id}
	for i, c := range columns(index, true) {
		if c.ID != dayLimitID && c.ID != overDayID {
			row.Cells = append(row.Cells, cells[i])
		}
	}
	return row
}

// length returns the cell of a duration; zero is empty.
func (f formatter) length(d time.Duration, t themes.Token) table.TextCell {
	if d <= 0 {
		return table.TextCell{Text: f.sc.Look.Glyphs.Dot, Style: f.sc.Look.Theme.SGR(themes.Dim)}
	}
	return table.TextCell{Text: f.sc.Look.Duration(d), Style: f.sc.Look.Theme.SGR(t), SortKey: d.Seconds()}
}

// limit returns the cell of a limit; zero means that there is none.
func (f formatter) limit(d time.Duration) table.TextCell { return f.length(d, themes.Dim) }

// total returns the cell of the platform's total of the day.
func (f formatter) total(seconds model.Figure) table.TextCell {
	d, ok := seconds.Seconds()
	if !ok {
		return table.TextCell{Text: string(f.sc.Look.Format.Unknown(nil)), SortKey: -1}
	}
	return f.length(d, themes.Text)
}

// code returns the cell of an activity code.
func (f formatter) code(code string) table.TextCell {
	return table.TextCell{Text: f.sc.Floor.Names.Of(model.NameActivity, code)}
}

// awayRow returns the row of an agent on a break.
func (f formatter) awayRow(a *breaks.Away) table.TextRow {
	unknown := table.TextCell{Text: string(f.sc.Look.Format.Unknown(nil))}
	since, elapsed := unknown, unknown
	if !a.Since.IsZero() {
		since = table.TextCell{Text: phrases.Clock(a.Since, f.sc.Look.Zone())}
		elapsed = f.length(max(f.now.Sub(a.Since), time.Second), themes.Text)
	}
	return f.row(outNow, a.Username, []table.TextCell{
		f.name(a.Username, "", a.Exceeds()), f.code(a.Code), since, elapsed,
		f.limit(a.Limit.PerTime), f.length(a.OverTime, themes.Warn),
		f.total(a.Used), f.limit(a.Limit.PerDay), f.back(&a.Back),
	})
}

// back returns the cell of an expected return.
func (f formatter) back(b *breaks.ExpectedReturn) table.TextCell {
	clock := func(t time.Time) string { return phrases.Clock(t, f.sc.Look.Zone()) }
	switch {
	case b.Late:
		return table.TextCell{Text: "overdue", Style: f.sc.Look.Theme.SGR(themes.Warn)}
	case b.Likely.IsZero():
		return table.TextCell{Text: string(f.sc.Look.Format.Unknown(nil))}
	case b.From.Equal(b.To):
		return table.TextCell{Text: clock(b.Likely)}
	}
	return table.TextCell{Text: clock(b.Likely) + " (" + clock(b.From) + " to " + clock(b.To) + ")"}
}

// dayRow returns the row of an agent's breaks with one code.
func (f formatter) dayRow(r *breaks.Record) table.TextRow {
	code := f.code(r.Code)
	if r.Away {
		code.Text += ", now"
	}
	return f.row(today, r.Username+"/"+r.Code, []table.TextCell{
		f.name(r.Username, r.Name, r.Exceeds()), code, f.count(r.Breaks, themes.Text), f.length(r.Longest, themes.Text),
		f.limit(r.Limit.PerTime), f.length(r.Over, themes.Warn),
		f.total(r.Total), f.limit(r.Limit.PerDay), f.length(r.OverDay, themes.Warn),
	})
}

// exceedingFirst moves the agents over a limit to the top, and makes the table keep the order.
func exceedingFirst(rows []table.TextRow) {
	slices.SortStableFunc(rows, func(a, b table.TextRow) int { return int(a.Cells[0].SortKey - b.Cells[0].SortKey) })
	for i := range rows {
		rows[i].Cells[0].SortKey = float64(i)
	}
}

// Crumb implements [panes.Page].
func (p *BreaksPage) Crumb(*panes.Scene) string { return BreaksName }

// Status implements [panes.Page].
func (p *BreaksPage) Status(sc *panes.Scene) style.Position {
	text := phrases.Count(p.out, "agent is on a break", "agents are on a break")
	var alarm string
	if p.over > 0 {
		alarm = strconv.Itoa(p.over) + " over a limit"
	}
	if p.since.IsZero() {
		return style.Position{Text: "no figures of agents yet"}
	}
	return style.Position{
		Alarm: alarm, Text: text + " " + sc.Look.Glyphs.Dot + " observed since " + phrases.Clock(p.since, sc.Look.Zone()), Brief: text,
	}
}

// Subs implements [panes.Page].
func (p *BreaksPage) Subs() []model.Op { return []model.Op{model.OpUserStats} }

// Restyle implements [panes.Page].
func (p *BreaksPage) Restyle(sc *panes.Scene) {
	p.tables.SetStyles(sc.Look.TableStyles())
	p.refreshedAt = 0
}

// selected returns the agent or the service of the selected row.
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
	switch direction := p.keys.Part.Direction(msg); {
	case key.Matches(msg, *p.keys.Open):
		p.open(sc)
	case direction != 0:
		p.tables.FocusNext(direction)
	case p.tables.Move(msg):
	default:
		return nil, false
	}
	return nil, true
}

// open asks for the details of the selected agent or service.
func (p *BreaksPage) open(sc *panes.Scene) {
	if k, ok := p.selected(); ok {
		k.Channel = cmp.Or(k.Channel, sc.Floor.Channel)
		sc.Requests.Add(panes.OpenSubjectMsg{Subject: k})
	}
}

// Update implements [panes.Page] for the mouse. Keys arrive through [BreaksPage.Press].
func (p *BreaksPage) Update(sc *panes.Scene, msg tea.Msg) tea.Cmd {
	if _, opens := p.tables.Mouse(msg); opens {
		p.open(sc)
	}
	return nil
}

// Sizes of the layout.
const (
	minBeside = 150 // least width for tables side by side
	minAll    = 30  // least height for all tables below each other
	minToday  = 4   // least height of the breaks of the day, with their heading
	minChart  = 8   // least height of the chart, with its heading
)

// View implements [panes.Page]. The page's own heading is that of the first table. A chart of the
// floor fills the rest of a large screen.
func (p *BreaksPage) View(sc *panes.Scene, x, y, w, h int) []string {
	var out []string
	if w >= minBeside {
		out = p.beside(sc, x, y, w, h)
	} else {
		out = p.below(sc, x, y, w, h)
	}
	return style.FillLines(p.withChart(sc, out, x, y, w, h), w, h)
}

// withChart adds a chart of the floor if at least minChart lines of h are left.
func (p *BreaksPage) withChart(sc *panes.Scene, lines []string, x, y, w, h int) []string {
	if h-len(lines) < minChart {
		return lines
	}
	lines = append(lines, sc.Look.HeadingOf(w, style.Part{Title: "The floor over time"}))
	return append(lines, p.chart.View(sc.Charts(), x, y+len(lines), w, h-len(lines))...)
}

// beside draws the tables side by side.
func (p *BreaksPage) beside(sc *panes.Scene, x, y, w, h int) []string {
	left := (w - frame.Gutter) / 2
	right := w - left - frame.Gutter
	first := min(p.out+2, h/2)
	second := min(len(p.leave.codes)+3, h-first)
	if needed := max(first+second, p.records+3); h-needed >= minChart {
		h = needed
	}
	if h-first-second < minChart {
		second = h - first
	}
	lines := style.FillLines(p.draw(sc, outNow, x, y, left, first), left, first)
	lines = append(lines, style.FillLines(p.part(sc, canLeave, x, y+first, left, second), left, second)...)
	lines = p.withChart(sc, lines, x, y, left, h)
	return style.Beside(lines, p.part(sc, today, x+left+frame.Gutter, y, right, h), left, right, h)
}

// below draws the tables below each other, as far as there is room.
func (p *BreaksPage) below(sc *panes.Scene, x, y, w, h int) []string {
	first, second := min(p.out+2, max(h/2, 3)), 0
	if h >= minAll {
		first = min(first, h/3)
		second = min(len(p.leave.codes)+3, h/3)
	}
	third := h - first - second
	if third < minToday {
		first, second, third = h, 0, 0
	} else if needed := p.records + 3; third-needed >= minChart {
		third = needed
	}
	out := style.FillLines(p.draw(sc, outNow, x, y, w, first), w, first)
	for _, part := range []struct{ index, h int }{{canLeave, second}, {today, third}} {
		if part.h == 0 {
			p.tables.List[part.index].Table.SetSize(0, 0) // so that it ignores clicks
			if p.tables.Focused == part.index {
				p.tables.Focus(outNow)
			}
			continue
		}
		out = append(out, style.FillLines(p.part(sc, part.index, x, y+len(out), w, part.h), w, part.h)...)
	}
	return out
}

// part draws a table below its heading.
func (p *BreaksPage) part(sc *panes.Scene, index, x, y, w, h int) []string {
	part := style.Part{Title: "Today", Position: style.Position{Text: "by the platform's count"}, Focused: p.tables.Focused == index && sc.Wall == nil}
	if p.exceeded > 0 {
		part.Position.Alarm = strconv.Itoa(p.exceeded) + " over a limit"
	}
	if index == canLeave {
		part.Title, part.Position = "Who can leave", p.leave.position()
	}
	return append([]string{sc.Look.HeadingOf(w, part)}, p.draw(sc, index, x, y+1, w, h-1)...)
}

// draw draws a table.
func (p *BreaksPage) draw(sc *panes.Scene, index, x, y, w, h int) []string {
	return p.tables.List[index].Draw(x, y, w, h, sc.Wall)
}

// Tables implements [panes.Page].
func (p *BreaksPage) Tables() int { return numTables }

// Focused implements [panes.Page]. The page has no record tables.
func (p *BreaksPage) Focused() *panes.RecordTable { return nil }

// Help returns the keys that matter on the page.
func (p *BreaksPage) Help() []key.Binding {
	return []key.Binding{style.WithHelp(*p.keys.Open, "open"), p.keys.Part.Next}
}

// PointedRecord implements [panes.Page].
func (p *BreaksPage) PointedRecord() (kind snapshot.Kind, record string, channel model.Channel, ok bool) {
	k, ok := p.selected()
	if !ok {
		return 0, "", "", false
	}
	kind, record, ok = snapshot.SubjectOf(k)
	return kind, record, k.Channel, ok
}

// ChartSubject implements [panes.Page].
func (p *BreaksPage) ChartSubject(*panes.Scene) (k alert.Key, ok, known bool) {
	k, ok = p.selected()
	return k, ok, true
}

// Carry implements [panes.Page].
func (p *BreaksPage) Carry(_ *panes.Scene, from panes.Page) {
	previous, isBreaks := from.(*BreaksPage)
	if !isBreaks {
		return
	}
	p.tables.Carry(&previous.tables)
}

// Flashing implements [panes.Page].
func (p *BreaksPage) Flashing() bool { return false }
