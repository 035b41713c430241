package pages

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
	"wallboard/ui/situations"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// SitesKeys holds the key bindings of the board that the page about all platforms uses.
type SitesKeys struct {
	Open     *key.Binding
	Pane     *panes.PaneKeys
	Next     *key.Binding               // goes to the next platform
	IsAction func(tea.KeyPressMsg) bool // reports whether a key starts an action on the selected record
}

// SitesPage is the page about all platforms. It shows live data, even on a board that was rewound.
type SitesPage struct {
	readRows func() []PlatformRow
	keys     SitesKeys

	rows       []PlatformRow
	tables     table.TextTables // table of the platforms, and table of their situations
	frontIndex int              // index of the platform that was in front at the last refresh
	drawings   plots.TileDrawings
	staleNote  string // names the platforms without live data; "": none
}

var (
	_ panes.Page       = (*SitesPage)(nil)
	_ panes.KeyHandler = (*SitesPage)(nil)
)

// NewSites returns the page about all platforms. platformRows is called at each refresh and returns
// the data of the platforms.
func NewSites(sc *panes.Scene, platformRows func() []PlatformRow, keys SitesKeys) *SitesPage {
	return &SitesPage{
		readRows: platformRows, keys: keys,
		tables: table.NewTextTables(sc.Look.TableStyles(), sc.Look.TableGlyphs(), sc.Wall != nil, platformColumns(), needColumns()),
	}
}

func platformColumns() []table.Column {
	return []table.Column{
		{ID: "place", Title: "", Min: 2, Priority: 1},
		{ID: "name", Title: "Platform", Min: 10, Ideal: 16, Max: 40, Priority: 100},
		{ID: "feed", Title: "Feed", Min: 10, Ideal: 16, Max: 24, Priority: 98},
		{ID: "age", Title: "Age", Min: 5, Ideal: 6, Priority: 90, Align: table.Right},
		{ID: "needs", Title: "Needs", Min: 7, Ideal: 9, Priority: 97},
		{ID: "waiting", Title: "Waiting", Min: 7, Priority: 96, Align: table.Right},
		{ID: "longest", Title: "Longest", Min: 7, Priority: 95, Align: table.Right},
		{ID: "free", Title: "Available", Min: 9, Priority: 94, Align: table.Right},
		{ID: "logged", Title: "Logged in", Min: 9, Priority: 92, Align: table.Right},
		{ID: "level", Title: "SL", Min: 7, Priority: 93, Align: table.Right},
		{ID: "worst", Title: "Worst", Min: 16, Ideal: 24, Weight: 1, Priority: 91},
	}
}

func needColumns() []table.Column {
	return []table.Column{
		{ID: "place", Title: "", Min: 2, Priority: 98},
		{ID: "name", Title: "Platform", Min: 10, Ideal: 16, Max: 40, Priority: 99},
		{ID: "where", Title: "Where", Min: 10, Ideal: 20, Max: 30, Priority: 97},
		{ID: "what", Title: "What", Min: 16, Ideal: 30, Weight: 1, Priority: 100},
		{ID: "for", Title: "For", Min: 6, Priority: 95, Align: table.Right},
		{ID: "taken", Title: "Taken by", Min: 8, Ideal: 12, Max: 20, Priority: 90},
	}
}

// Refresh implements [panes.Page].
func (p *SitesPage) Refresh(sc *panes.Scene) {
	p.rows = p.readRows()
	lk := sc.Look
	var platforms, needs []table.TextRow
	var silent []string // names of the platforms without current data
	for i := range p.rows {
		l := &p.rows[i]
		platforms = append(platforms, l.tableRow(lk, i))
		for j := range l.Situations {
			needs = append(needs, needRow(lk, i, l, &l.Situations[j]))
		}
		if l.StateToken != themes.OK {
			silent = append(silent, l.Name)
		}
	}
	slices.SortStableFunc(needs, func(a, b table.TextRow) int { return int(a.Cells[0].SortKey - b.Cells[0].SortKey) })
	for i := range needs {
		needs[i].Cells[0].SortKey = float64(i)
	}
	nothing := "Nothing needs a person."
	if len(silent) > 0 {
		nothing = "Nothing needs a person, as far as is known."
	}
	p.staleNote = ""
	if len(silent) > 0 {
		p.staleNote = "no live picture of " + lk.JoinFirst(silent, 3, ", ")
	}
	p.tables.List[1].Table.SetEmptyText(nothing)
	for i, rows := range [][]table.TextRow{platforms, needs} {
		p.tables.List[i].Table.SetWidthMethod(lk.Widths)
		p.tables.List[i].SetRows(rows)
	}
	if front := slices.IndexFunc(p.rows, func(l PlatformRow) bool { return l.Front }); front != p.frontIndex {
		p.frontIndex = front
		p.tables.List[0].Table.Select(strconv.Itoa(front))
	}
}

// tableRow returns the row of a platform in the table. place is the index of the platform.
func (l *PlatformRow) tableRow(lk *style.Look, place int) table.TextRow {
	f, sgr := lk.Format, func(t themes.Token) string { return lk.Theme.SGR(t) }
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
		age = table.TextCell{Text: lk.Duration(l.DataAge), SortKey: l.DataAge.Seconds()}
	}
	level := figure(l.ServiceLevel, f.Percent)
	if !l.OnTarget && !l.Outdated {
		level.Style = sgr(themes.Critical)
	}
	worst := table.TextCell{Text: "nothing known"}
	if l.StateToken == themes.OK {
		worst = table.TextCell{Text: "OK", Style: sgr(themes.Dim)}
	}
	if len(l.Situations) > 0 {
		s := &l.Situations[0]
		token, glyph := situations.StyleOf(lk, s)
		worst = table.TextCell{Text: glyph + " " + s.Place.Title + ": " + s.Headline, Style: sgr(token)}
	}
	number := table.TextCell{Text: strconv.Itoa(place + 1), Style: sgr(themes.Dim), SortKey: float64(place)}
	if l.Front {
		number.Text, number.Style = lk.Glyphs.Crumb+number.Text, sgr(themes.Accent)
	}
	return table.TextRow{Key: strconv.Itoa(place), Cells: []table.TextCell{
		number,
		{Text: l.Name},
		{Text: l.StateText, Style: sgr(l.StateToken)},
		age,
		l.needsCell(lk),
		count(l.Waiting),
		figure(l.LongestWait, f.FigureSeconds),
		count(l.Ready),
		count(l.LoggedIn),
		level,
		worst,
	}}
}

// sortValue returns the key by which a figure is sorted: its value, or -1 if the value is unknown.
func sortValue(v model.Figure) float64 {
	if n, ok := v.Get(); ok {
		return n
	}
	return -1
}

// needsCell returns the cell with the numbers of critical situations and of warnings that need
// action. It has the same format as in the header.
func (l *PlatformRow) needsCell(lk *style.Look) table.TextCell {
	critical, warning := l.countNeeds()
	text, level := lk.NeedsText(critical, warning)
	if text == "" && l.StateToken != themes.OK {
		return table.TextCell{Text: string(lk.Format.Unknown(nil)), SortKey: -1}
	}
	return table.TextCell{Text: text, Style: lk.Theme.SGR(level.Token()), SortKey: float64(critical*1000 + warning)}
}

func needRow(lk *style.Look, place int, l *PlatformRow, s *situation.Situation) table.TextRow {
	token, glyph := situations.StyleOf(lk, s)
	style := lk.Theme.SGR(token)
	urgency := map[bool]float64{true: 0, false: 1}[s.Level == alert.Critical]
	if (s.Ack != alert.Ack{}) {
		urgency = 2
	}
	lasts := max(l.Now.Sub(s.Since), 0)
	return table.TextRow{Key: strconv.Itoa(place) + "/" + s.ID, Cells: []table.TextCell{
		{Text: glyph, Style: style, SortKey: urgency},
		{Text: l.Name},
		{Text: s.Place.Title},
		{Text: s.Headline, Style: style},
		{Text: lk.Duration(lasts), SortKey: lasts.Seconds()},
		{Text: s.Ack.By},
	}}
}

// Crumb implements [panes.Page].
func (p *SitesPage) Crumb(*panes.Scene) string { return SitesName }

// Status implements [panes.Page].
func (p *SitesPage) Status(sc *panes.Scene) style.Position {
	return style.Position{Text: sc.Look.Count(len(p.rows)) + " platforms " + sc.Look.Glyphs.Dot + " what is now, on all of them"}
}

// Subs implements [panes.Page]. It returns nil, because each row itself shows whether its figures
// are current.
func (p *SitesPage) Subs() []model.Op { return nil }

// Restyle implements [panes.Page].
func (p *SitesPage) Restyle(sc *panes.Scene) {
	p.tables.SetStyles(sc.Look.TableStyles())
}

// Press implements [panes.KeyHandler].
func (p *SitesPage) Press(sc *panes.Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch direction := p.keys.Pane.DirectionOf(msg); {
	case key.Matches(msg, *p.keys.Open):
		if id, ok := p.tables.Selected(); ok {
			p.openRow(sc, id)
		}
	case direction != 0:
		p.tables.FocusNext(direction)
	case p.tables.HandleMoveKey(msg):
	case p.keys.IsAction(msg):
		sc.Requests.Add(dialog.NoticeMsg{Text: "Open a platform first: nothing is done on all of them at once."})
	default:
		return nil, false
	}
	return nil, true
}

// openRow asks the board to show the platform of a row. For a row about a situation, it also asks
// the board to open the record of the situation.
func (p *SitesPage) openRow(sc *panes.Scene, id string) {
	place, situated, about := strings.Cut(id, "/")
	index, err := strconv.Atoi(place)
	if err != nil || index >= len(p.rows) {
		return
	}
	to := OpenPlatformMsg{Platform: index, FirstPage: true}
	if live := p.rows[index].Situations; about {
		if i := slices.IndexFunc(live, func(s situation.Situation) bool { return s.ID == situated }); i >= 0 {
			to = OpenPlatformMsg{Platform: index, Subject: &live[i].Place.Key}
		}
	}
	sc.Requests.Add(to)
}

// Update implements [panes.Page]. It handles the mouse; keys are handled by [SitesPage.Press].
func (p *SitesPage) Update(sc *panes.Scene, msg tea.Msg) tea.Cmd {
	if id, opens := p.tables.HandleMouse(msg); opens {
		p.openRow(sc, id)
	}
	return nil
}

// View implements [panes.Page]. Below the tables, it draws a row of tiles for each platform, if
// there is room for all these rows.
func (p *SitesPage) View(sc *panes.Scene, x, y, w, h int) []string {
	first := min(len(p.rows)+1, max(h/2, 2))
	out := p.tables.List[0].Draw(x, y, w, min(first, h), sc.Wall)
	tiles := p.tiles(sc, w, h-len(out)-2-minSituationLines)
	if rest := h - len(out) - 2 - len(tiles); rest >= 2 {
		out = append(out, style.Blanks(w), sc.Look.HeadingOf(w, style.PartFrame{Title: "Needs a person", Position: style.Position{Alarm: p.staleNote}, Focused: p.tables.Focused == 1 && sc.Wall == nil}))
		out = append(out, p.tables.List[1].Draw(x, y+len(out), w, rest, sc.Wall)...)
	} else {
		p.tables.List[1].Table.SetSize(0, 0) // makes the table ignore clicks
		p.tables.Focus(0)
	}
	return style.FillLines(append(style.FillLines(out, w, h-len(tiles)), tiles...), w, h)
}

// minSituationLines is the minimum number of lines of the table of situations, if there are tiles
// below it.
const minSituationLines = 6

// tiles draws a row of tiles for each platform in h lines, in the largest size that fits. It
// returns nil if the rows do not fit.
func (p *SitesPage) tiles(sc *panes.Scene, w, h int) []string {
	const figures, least = 5, 20 // number of tiles of a platform, and minimum width of a tile in cells
	size := plots.TileLarge
	if len(p.rows)*size.Lines() > h {
		size = plots.TileMedium
	}
	if len(p.rows)*size.Lines() > h || w < figures*least {
		return nil
	}
	var all []plots.Tile
	for i := range p.rows {
		all = append(all, p.rows[i].tiles(sc.Look)...)
	}
	var out []string
	for from := 0; from < len(all); from += figures {
		out = append(out, p.drawings.Row(sc.Look, all, from, w, figures, size)...)
	}
	return out
}

// tiles returns the tiles with the figures of the platform.
func (l *PlatformRow) tiles(lk *style.Look) []plots.Tile {
	row := l.tableRow(lk, 0)
	out := make([]plots.Tile, 0, len(row.Cells))
	for i, c := range platformColumns() {
		switch c.ID {
		case "waiting", "longest", "free", "logged", "level":
			out = append(out, plots.Tile{Label: l.Name + " " + lk.Glyphs.Dot + " " + c.Title, Value: row.Cells[i].Text, Dim: row.Cells[i].SortKey < 0})
		}
	}
	return out
}

// Tables implements [panes.Page].
func (p *SitesPage) Tables() int { return len(p.tables.List) }

// Focused implements [panes.Page]. It returns nil, because the page has no record tables.
func (p *SitesPage) Focused() *panes.RecordTable { return nil }

// Help returns the key bindings of the page that the footer shows.
func (p *SitesPage) Help() []key.Binding {
	return []key.Binding{style.WithHelp(*p.keys.Open, "go there"), p.keys.Pane.Next, *p.keys.Next}
}

// PointedRecord implements [panes.Page]. It returns no record, because the rows are not records of
// the board's own platform.
func (p *SitesPage) PointedRecord() (kind snapshot.RecordKind, key string, channel model.Channel, ok bool) {
	return 0, "", "", false
}

// ChartSubject implements [panes.Page].
func (p *SitesPage) ChartSubject(*panes.Scene) (k alert.Key, ok, known bool) { return k, false, true }

// Carry implements [panes.Page].
func (p *SitesPage) Carry(_ *panes.Scene, from panes.Page) {
	previous, isSites := from.(*SitesPage)
	if !isSites {
		return
	}
	p.tables.TakePlaceFrom(&previous.tables)
}

// Flashing implements [panes.Page].
func (p *SitesPage) Flashing() bool { return false }
