package pages

import (
	"cmp"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// SitesKeys holds the key bindings of the board that the page about all platforms uses.
type SitesKeys struct {
	Open     *key.Binding
	Pane     *frame.PaneKeys
	Next     *key.Binding               // goes to the next platform
	IsAction func(tea.KeyPressMsg) bool // reports whether a key starts an action on the selected record
}

// SitesPage is the page about all platforms: a table with a row for each platform and a row with
// the totals, and below it a panel for each platform. It shows live data even if the board is
// rewound.
type SitesPage struct {
	readRows func() []PlatformRow
	keys     SitesKeys

	rows       []PlatformRow
	tables     table.TextTables // contains a single table
	panels     []sitePanel      // by platform
	focused    int              // 0: the table has the keyboard focus; otherwise 1 plus the index of a panel
	hidden     int              // number of platforms whose panels do not fit
	frontIndex int              // index of the platform that was in front at the last refresh
	staleNote  string           // names the platforms without live data; "": none
	language   *words.Language  // language of the columns and keys
}

// sitePanel is the panel about a platform. It shows the situations and, if there is room, a chart
// and the services.
type sitePanel struct {
	situations     widgets.SituationPanel
	chart          widgets.Plot
	services       *panes.PanePage // nil: the panel has no room for them
	clickedService string          // code of the service that the viewer has just clicked; "": none
	shown          bool            // the page has room for the panel
}

var (
	_ panes.Page       = (*SitesPage)(nil)
	_ panes.KeyHandler = (*SitesPage)(nil)
)

// NewSites returns the page about all platforms. platformRows is called at each refresh and returns
// the data of the platforms.
func NewSites(sc *panes.Scene, platformRows func() []PlatformRow, keys SitesKeys) *SitesPage {
	p := &SitesPage{
		readRows: platformRows, keys: keys, language: sc.Look.Format.Words,
		tables: table.NewTextTables(sc.Look.TableStyles(), sc.Look.TableGlyphs(), sc.Wall != nil, platformColumns(sc.Look.Format.Words)),
	}
	p.focus(0)
	return p
}

func platformColumns(l *words.Language) []table.Column {
	right := func(id string, title words.Text, priority int) table.Column {
		return figureColumn(id, title.In(l), priority)
	}
	needs, age := words.SiteNeeds().In(l), words.SiteAge().In(l)
	return []table.Column{
		{ID: "place", Title: "", Min: 2, Priority: 1},
		{ID: "name", Title: words.SitePlatform().In(l), Min: 13, Ideal: 16, Max: 40, Priority: 100},
		{ID: "needs", Title: needs, Min: max(style.Width(needs), 7), Ideal: 9, Priority: 97},
		right("waiting", words.SiteWaiting(), 96), right("longest", words.SiteLongest(), 95), right("level", words.SiteLevel(), 93), right("abandoned", words.SiteAbandoned(), 89),
		right("free", words.ColumnReady(), 94), right("onCalls", words.SiteTalking(), 87), right("logged", words.SiteLoggedIn(), 92), right("received", words.SiteReceived(), 86),
		{ID: "age", Title: age, Min: max(style.Width(age), 5), Ideal: 6, Priority: 85, Align: table.Right},
		{ID: "feed", Title: words.SiteFeed().In(l), Min: 11, Ideal: 16, Max: 24, Weight: 1, Priority: 98},
	}
}

const totalKey = "total"

// Refresh implements [panes.Page].
func (p *SitesPage) Refresh(sc *panes.Scene) {
	p.rows = p.readRows()
	lk := sc.Look
	var list []table.TextRow
	var silent []string // platforms without current data
	for i := range p.rows {
		l := &p.rows[i]
		list = append(list, l.tableRow(lk, i))
		if !l.IsLive {
			silent = append(silent, l.Name)
		}
	}
	if len(p.rows) > 1 {
		list = append(list, totalRow(lk, p.rows))
	}
	p.staleNote = ""
	if len(silent) > 0 {
		p.staleNote = words.SiteNoLiveData(lk.JoinFirst(silent, 3, ", ")).In(lk.Format.Words)
	}
	if len(p.panels) != len(p.rows) {
		p.panels = make([]sitePanel, len(p.rows))
		for i := range p.panels {
			p.panels[i].chart = widgets.Plot{Subjects: []alert.Key{{Scope: alert.Floor}}, SpanIndex: widgets.SpanFor(0)}
		}
	}
	p.tables.List[0].Table.SetWidthMethod(lk.WidthMethod)
	p.tables.List[0].SetRows(list)
	if front := slices.IndexFunc(p.rows, func(l PlatformRow) bool { return l.IsFront }); front != p.frontIndex {
		p.frontIndex = front
		p.tables.List[0].Table.Select(strconv.Itoa(front))
	}
}

// focus gives the keyboard focus to the table if part is 0, or else to the panel with the index
// part-1.
func (p *SitesPage) focus(part int) {
	p.focused = part
	if part == 0 {
		p.tables.Focus(0)
	} else {
		p.tables.List[0].Table.Blur()
	}
}

// focusNext gives the keyboard focus to the next part of the page, or to the previous part if
// direction is -1.
func (p *SitesPage) focusNext(direction int) {
	n := len(p.panels) + 1
	for part := (p.focused + direction + n) % n; ; part = (part + direction + n) % n {
		if part == 0 || p.panels[part-1].shown {
			p.focus(part)
			return
		}
	}
}

// totalRow returns the row with the totals of all platforms whose figures are current. The service
// level is computed by the formula of the first of these platforms.
func totalRow(lk *style.Look, rows []PlatformRow) table.TextRow {
	total := PlatformRow{Name: words.PageAllPlatforms().In(lk.Format.Words), OnTarget: true}
	var floors []model.Floor
	live := 0
	for i := range rows {
		l := &rows[i]
		total.Situations = append(total.Situations, l.Situations...)
		if l.IsLive {
			live++
		}
		if l.floor != nil && !l.Outdated {
			floors = append(floors, *l.floor)
			if total.targets == nil {
				total.targets = l.targets
			}
		}
	}
	if total.targets != nil {
		sum := model.SumFloors(floors)
		total.SetFigures(&sum, *total.targets)
		total.OnTarget = true // the total has no target, because targets belong to platforms
	}
	total.StateText, total.StateToken = words.SiteLiveOf(live, len(rows)).In(lk.Format.Words), themes.OK
	if live < len(rows) {
		total.StateToken = themes.Warn
	}
	row := total.tableRow(lk, len(rows))
	row.Key = totalKey
	row.Cells[0].Text, row.Cells[len(row.Cells)-2].Text = "", "" // the row of totals has no place and no age
	for i := range row.Cells {
		if row.Cells[i].Style == "" {
			row.Cells[i].Style = ansi.SGR(ansi.AttrBold)
		}
	}
	return row
}

// tableRow returns the row of a platform in the table. place is its index.
func (l *PlatformRow) tableRow(lk *style.Look, place int) table.TextRow {
	f, sgr := lk.Format, func(t themes.Token) string { return lk.Theme.OpenSequence(t) }
	count := func(v model.Int) table.TextCell {
		if l.Outdated {
			v = model.Int{}
		}
		return table.TextCell{Text: string(f.Int(nil, v)), SortKey: float64(v.Or(-1))}
	}
	figure := func(v model.Figure, text func([]byte, model.Figure) []byte) table.TextCell {
		if l.Outdated {
			v = model.Figure{}
		}
		return table.TextCell{Text: string(text(nil, v)), SortKey: sortValue(v)}
	}
	age := table.TextCell{Text: string(f.Unknown(nil)), SortKey: -1}
	if l.HasData {
		age = table.TextCell{Text: lk.FormatDuration(l.DataAge), SortKey: l.DataAge.Seconds()}
	}
	level := figure(l.ServiceLevel, f.Percent)
	if !l.OnTarget && !l.Outdated { // only a glyph and no color, because a figure of the day is not an alarm
		level.Text = lk.Render.MissedGlyph(kpi.HigherIsBetter) + level.Text
	}
	number := table.TextCell{Text: strconv.Itoa(place + 1), Style: sgr(themes.Dim), SortKey: float64(place)}
	if l.IsFront {
		number.Text, number.Style = lk.Glyphs.Crumb+number.Text, sgr(themes.Accent)
	}
	return table.TextRow{Key: strconv.Itoa(place), Cells: []table.TextCell{
		number,
		{Text: l.Name},
		l.openSituationsCell(lk),
		count(l.Waiting),
		figure(l.LongestWait, f.FigureSeconds),
		level,
		figure(l.Abandoned, f.Percent),
		count(l.Ready),
		count(l.Talking),
		count(l.LoggedIn),
		count(l.Received),
		age,
		{Text: l.StateText, Style: sgr(l.StateToken)},
	}}
}

// sortValue returns the sort key of a figure: its value, or -1 if the value is unknown.
func sortValue(v model.Figure) float64 {
	if n, ok := v.Get(); ok {
		return n
	}
	return -1
}

// openSituationsCell returns the cell with the numbers of critical situations and warnings that need action,
// in the same format as in the header.
func (l *PlatformRow) openSituationsCell(lk *style.Look) table.TextCell {
	critical, warning := l.countOpenSituations()
	text, level := lk.AttentionCountsText(critical, warning)
	if text == "" && !l.IsLive {
		return table.TextCell{Text: string(lk.Format.Unknown(nil)), SortKey: -1}
	}
	return table.TextCell{Text: text, Style: lk.Theme.OpenSequence(level.Token()), SortKey: float64(critical*1000 + warning)}
}

// Breadcrumb implements [panes.Page].
func (p *SitesPage) Breadcrumb(sc *panes.Scene) string {
	return words.PageSites().In(sc.Look.Format.Words)
}

// Status implements [panes.Page].
func (p *SitesPage) Status(sc *panes.Scene) style.HeadingStatus {
	text := words.SitePlatforms(len(p.rows)).In(sc.Look.Format.Words)
	if p.hidden > 0 {
		text += " " + sc.Look.Glyphs.Dot + " " + words.SiteMoreBelow(p.hidden).In(sc.Look.Format.Words)
	}
	return style.HeadingStatus{Alarm: p.staleNote, Text: text}
}

// Subscriptions implements [panes.Page]. It returns nil, because each row shows whether its figures are
// current.
func (p *SitesPage) Subscriptions() []model.Op { return nil }

// Restyle implements [panes.Page].
func (p *SitesPage) Restyle(sc *panes.Scene) {
	p.tables.SetStyles(sc.Look.TableStyles())
	for i := range p.panels {
		p.panels[i].services = nil // drawn with the previous theme and language
	}
	if p.language != sc.Look.Format.Words {
		p.language = sc.Look.Format.Words
		p.tables.List[0].Table.SetColumns(platformColumns(p.language)...)
	}
}

// Press implements [panes.KeyHandler].
func (p *SitesPage) Press(sc *panes.Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	direction := p.keys.Pane.DirectionOf(msg)
	switch {
	case direction != 0:
		p.focusNext(direction)
		return nil, true
	case p.keys.IsAction(msg):
		sc.Requests.Add(dialog.NoticeMsg{Text: words.SiteOpenFirst().In(sc.Look.Format.Words)})
		return nil, true
	case p.focused > 0:
		target, ok := p.panels[p.focused-1].situations.Press(p.rows[p.focused-1].panelData(sc), msg)
		p.open(sc, p.focused-1, target)
		return nil, ok
	case key.Matches(msg, *p.keys.Open):
		if id, ok := p.tables.Selected(); ok {
			p.openRow(sc, id)
		}
		return nil, true
	}
	return nil, p.tables.HandleMoveKey(msg)
}

// openRow asks the board to open the platform of the row with the given ID.
func (p *SitesPage) openRow(sc *panes.Scene, id string) {
	if id == totalKey {
		sc.Requests.Add(dialog.NoticeMsg{Text: words.SiteSelectFirst().In(sc.Look.Format.Words)})
		return
	}
	if index, err := strconv.Atoi(id); err == nil && index < len(p.rows) {
		sc.Requests.Add(OpenPlatformMsg{Platform: index, OpensFirstPage: true})
	}
}

// open asks the board to open t, the target of a line in a platform's panel. It does nothing if the
// line has no target.
func (p *SitesPage) open(sc *panes.Scene, platform int, t widgets.SituationTarget) {
	switch {
	case t.Situation != nil:
		subject := t.Situation.FocusKey()
		sc.Requests.Add(OpenPlatformMsg{Platform: platform, Subject: &subject})
	case t.Today:
		sc.Requests.Add(OpenPlatformMsg{Platform: platform, OpensFirstPage: true})
	}
}

// Update implements [panes.Page]. It handles the mouse; keys are handled by [SitesPage.Press].
func (p *SitesPage) Update(sc *panes.Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok && click.Button == tea.MouseLeft {
		for i := range p.panels {
			if !p.panels[i].shown {
				continue
			}
			if p.clickService(sc, i, click) {
				return nil
			}
			if target, hit := p.panels[i].situations.Click(p.rows[i].panelData(sc), click.X, click.Y); hit {
				p.focus(i + 1)
				p.open(sc, i, target)
				return nil
			}
		}
		p.focus(0)
	}
	if id, opens := p.tables.HandleMouse(msg); opens {
		p.openRow(sc, id)
	}
	return nil
}

func (l *PlatformRow) panelData(sc *panes.Scene) widgets.SituationPanelData {
	v := l.View
	if v == nil {
		v = &situation.View{}
	}
	return widgets.SituationPanelData{Look: sc.Look, View: v}
}

// Sizes of the layout.
const (
	minPanelLines      = 2   // minimum number of lines of a panel inside its frame
	minPanelRows       = 2   // rows of panels for which a table of many platforms leaves room
	minTwoColumnsWidth = 150 // minimum width of the page for panels side by side
	minSiteChartWidth  = 140 // minimum width of a panel with a chart beside its text
	minSiteChartLines  = 6   // minimum number of lines of a chart
	siteTextLines      = 6   // number of lines about situations above a chart or services
	fewSiteTextLines   = 4   // number of lines about situations in a panel with little height
	minServiceLines    = 3   // minimum number of lines of the services, including their titles
)

// HasHeading reports whether the first line of the page is the upper edge of a frame.
func (p *SitesPage) HasHeading(sc *panes.Scene) bool { return sc.HasFrames }

// View implements [panes.Page]. The table gets at least half of a small screen; the panels share
// the room below it. If not all panels fit, those of the platforms that need action most are shown.
func (p *SitesPage) View(sc *panes.Scene, x, y, w, h int) []string {
	frameCells, lines := 0, 0
	if sc.HasFrames {
		frameCells, lines = 2, style.PanelFrameLines
	}
	shared := p.sharedLines(sc, w)
	free := h - len(shared)
	tableLines := min(len(p.rows)+2+lines, max(free-minPanelRows*(minPanelLines+max(lines, 1)), free/2))
	order, columns, rows := p.layOutPanels(w, free-tableLines, max(lines, 1))
	out := p.tables.List[0].Draw(x+frameCells/2, y+lines/2, w-frameCells, tableLines-lines, sc.Wall)
	if sc.HasFrames {
		out = sc.DrawPart(w, tableLines, p.Breadcrumb(sc), p.Status(sc), p.focused == 0, out, p.hint(sc))
	}
	out = append(out, shared...)
	top, left := len(out), h-len(out)
	for row := range rows {
		height := left*(row+1)/rows - left*row/rows
		var line []string
		used := 0
		for column, i := range order[row*columns : min((row+1)*columns, len(order))] {
			width := (w-(columns-1)*frame.Gutter)*(column+1)/columns - (w-(columns-1)*frame.Gutter)*column/columns
			part := p.drawPanel(sc, i, x+used, y+top, width, height)
			if column == 0 {
				line = part
			} else {
				line = style.JoinBlocks(line, part, used-frame.Gutter, width, height)
			}
			used += width + frame.Gutter
		}
		out = append(out, line...)
		top += height
	}
	return style.FillLines(out, w, h)
}

// layOutPanels distributes the panels of the platforms over h lines. If not all of them fit, it omits
// the least urgent platforms. It returns the indexes of the remaining platforms, and the numbers of
// columns and rows. frameLines is the number of lines that the frame of a panel takes.
func (p *SitesPage) layOutPanels(w, h, frameLines int) (order []int, columns, rows int) {
	n, columns := len(p.panels), 1
	fitting := max(h/(minPanelLines+frameLines), 0)
	if n > fitting && w >= minTwoColumnsWidth {
		columns = 2
	}
	for i := range p.panels {
		order = append(order, i)
	}
	if n > fitting*columns {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.rows[b].urgency(), p.rows[a].urgency()) })
		order = order[:fitting*columns]
		slices.Sort(order)
	}
	p.hidden = n - len(order)
	for i := range p.panels {
		p.panels[i].shown = slices.Contains(order, i)
	}
	if p.focused > 0 && !p.panels[p.focused-1].shown {
		p.focus(0)
	}
	return order, columns, (len(order) + columns - 1) / columns
}

// drawPanel draws the panel of a platform, in a frame or below a heading.
func (p *SitesPage) drawPanel(sc *panes.Scene, i, x, y, w, h int) []string {
	l, panel := &p.rows[i], &p.panels[i]
	inner, focused := sc.InnerArea(x, y, w, h), p.focused == i+1 && sc.Wall == nil
	position := style.HeadingStatus{Text: l.panelData(sc).HeadingNote()}
	if l.StateToken != themes.OK {
		position.Alarm = l.StateText
	}
	parts := splitPanel(inner, l.Scene != nil)
	lines := panel.situations.View(l.panelData(sc), parts.text.X, parts.text.Y, parts.text.W, parts.text.H, widgets.SituationPanelOptions{Focused: focused, Framed: sc.HasFrames})
	lines = append(lines, p.drawServices(i, parts.services)...)
	if area := parts.chart; area.H > 0 {
		drawing := panel.chart.View(l.Scene().Charts(), area.X, area.Y, area.W, area.H)
		if area.X > inner.X {
			lines = style.JoinBlocks(lines, drawing, parts.text.W, area.W, inner.H)
		} else {
			lines = append(lines, drawing...)
		}
	}
	return sc.DrawPart(w, h, l.Name, position, focused, lines, p.hint(sc))
}

// panelParts holds the areas of a panel. The chart is below the services or to the right of both
// other areas. An area without lines is not drawn.
type panelParts struct{ text, services, chart frame.Area }

// splitPanel divides the area inside the frame of a panel. hasScene is false if only the situations
// are known. The result does not depend on the figures, so that nothing moves when they change.
func splitPanel(inner frame.Area, hasScene bool) panelParts {
	p := panelParts{text: inner}
	if !hasScene {
		return p
	}
	left := inner.H - siteTextLines // number of lines below the situations
	switch {
	case inner.W >= minSiteChartWidth && inner.H >= minSiteChartLines:
		p.chart = inner
		p.chart.W = inner.W * 2 / 5
		p.text.W -= p.chart.W + frame.Gutter
		p.chart.X += p.text.W + frame.Gutter
	case left >= minSiteChartLines:
		p.chart = inner
		p.chart.H = left
		if left >= minSiteChartLines+minServiceLines {
			p.chart.H = max(left/2, minSiteChartLines)
		}
		p.chart.Y += inner.H - p.chart.H
		left -= p.chart.H
		p.text.H = inner.H - p.chart.H
	}
	if left < minServiceLines && p.text.H == inner.H {
		left = inner.H - fewSiteTextLines
	}
	if left >= minServiceLines {
		p.text.H -= left
		p.services = frame.Area{X: p.text.X, Y: p.text.Y + p.text.H, W: p.text.W, H: left}
	}
	return p
}

// drawServices draws the services of a platform, those in trouble first.
func (p *SitesPage) drawServices(platform int, a frame.Area) []string {
	panel := &p.panels[platform]
	if a.H == 0 {
		panel.services = nil
		return nil
	}
	sc := p.rows[platform].Scene()
	if panel.services == nil {
		panel.services = panes.NewPage(sc, p.keys.Pane, panes.StandardPage("Services"))
		list := panel.services.Focused()
		list.OpenRow = func(code string) { panel.clickedService = code }
		table.WithoutSelection()(list.Table)
	}
	panel.services.Refresh(sc)
	return panel.services.View(sc, a.X, a.Y, a.W, a.H)
}

// clickService opens a service that the viewer clicks, on its platform. It returns false if the
// click is not on the services of the platform.
func (p *SitesPage) clickService(sc *panes.Scene, platform int, click tea.MouseClickMsg) bool {
	panel := &p.panels[platform]
	if panel.services == nil || !panel.services.Slots[0].Area.Contains(click.X, click.Y) {
		return false
	}
	panel.clickedService = ""
	panel.services.Update(sc, click)
	if panel.clickedService != "" {
		subject := alert.Key{Scope: alert.Service, Code: panel.clickedService, Channel: sc.Floor.Channel}
		sc.Requests.Add(OpenPlatformMsg{Platform: platform, Subject: &subject})
	}
	return true
}

// hint returns the key that opens the selected platform or situation, with its description.
func (p *SitesPage) hint(sc *panes.Scene) style.KeyHint {
	return style.KeyHint{Key: p.keys.Open.Help().Key, Description: words.KeysGoThere().In(sc.Look.Format.Words)}
}

// FocusableCount implements [panes.Page].
func (p *SitesPage) FocusableCount() int { return 1 + len(p.panels) - p.hidden }

// Focused implements [panes.Page]. It returns nil, because the page has no record tables.
func (p *SitesPage) Focused() *panes.RecordTable { return nil }

// Help returns the key bindings of the page that the footer shows.
func (p *SitesPage) Help() []key.Binding {
	return []key.Binding{style.WithHelp(*p.keys.Open, words.KeysGoThere().In(p.language)), p.keys.Pane.Next, *p.keys.Next}
}

// RecordUnderCursor implements [panes.Page]. It returns no record, because the rows are not records of
// the board's own platform.
func (p *SitesPage) RecordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
	return 0, "", "", false
}

// ChartSubject implements [panes.Page].
func (p *SitesPage) ChartSubject(*panes.Scene) (k alert.Key, ok, known bool) { return k, false, true }

// CopyStateFrom implements [panes.Page].
func (p *SitesPage) CopyStateFrom(_ *panes.Scene, from panes.Page) {
	previous, isSites := from.(*SitesPage)
	if !isSites {
		return
	}
	p.tables.CopyStateFrom(&previous.tables)
	p.focus(0)
}

// IsFlashing implements [panes.Page].
func (p *SitesPage) IsFlashing() bool { return false }
