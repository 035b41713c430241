package panes

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// cardsPane shows records as cards, with figures that are readable from a distance. If there is not
// room for all cards, a wall shows them page by page, and a pane that shares its page with others
// shows the most urgent ones. Otherwise the pane shows a table.
type cardsPane struct {
	*tablePane
	kind       *cardKind
	keysByName []string // keys of the records, sorted by name
	sharesPage bool     // there are other panes on the page
	cardCount  int      // number of records that the last view showed as cards; 0: it showed the table
	isPaging   bool     // the cards are shown page by page, the most urgent records first
}

func newCardsPane(sc *Scene, kind *cardKind, spec PaneSpec) *cardsPane {
	t := kind.table(sc, spec)
	t.SortBy("name", false)
	return &cardsPane{tablePane: &tablePane{RecordTable: t, name: kind.title}, kind: kind, sharesPage: spec.role.usesLargeFigures}
}

func (c *cardsPane) status(sc *Scene) style.HeadingStatus {
	switch n := len(c.keysByName); {
	case n == 0:
		return style.HeadingStatus{}
	case c.cardCount > 0 && c.cardCount < n:
		return style.HeadingStatus{Text: sc.translate(words.PaneProblemsFirst(words.PanePosition(c.cardCount, n))) + c.recordCounts.hiddenText(sc)}
	default:
		return style.HeadingStatus{Text: c.recordCounts.totalText(sc, n) + c.recordCounts.hiddenText(sc)}
	}
}

// OnlyTable implements [SingleTable]. The pane usually shows cards instead of a table.
func (*cardsPane) OnlyTable() *RecordTable { return nil }

// SizeHint implements [Pane].
func (c *cardsPane) SizeHint(_ *Scene, w int) frame.SizeHint {
	if !c.sharesPage {
		return frame.SizeHint{MinWidth: frame.MinCardWidth, MinHeight: frame.SmallCardHeight, WantedHeight: 2 * frame.LargeCardHeight}
	}
	// The pane wants at most one row more than it has columns, because the figures of the floor
	// also need room for large digits.
	columns := max(w/frame.MinCardWidth, 1)
	rows := (max(len(c.keysByName), 1) + columns - 1) / columns
	return frame.SizeHint{MinWidth: frame.MinCardWidth, MinHeight: frame.SmallCardHeight, WantedHeight: min(rows, columns+1) * frame.SmallCardHeight}
}

func cardsKind() paneKind {
	return paneKind{
		name: "cards", settings: []string{"channel", "services", "filter"},
		make: func(sc *Scene, s PaneSpec) Pane { return newCardsPane(sc, cardKindOf("services"), s) },
	}
}

// Refresh implements [Pane].
func (c *cardsPane) Refresh(sc *Scene) {
	c.refresh(sc)
	c.keysByName = c.keysByName[:0]
	if c.comparedRows != nil { // only a table can show the values of both points in time
		return
	}
	for _, i := range c.Table.ListedRows() {
		c.keysByName = append(c.keysByName, c.Rows.Key(int(i)))
	}
}

// View implements [Pane].
func (c *cardsPane) View(sc *Scene, x, y, w, h int) []string {
	if out := c.viewMixedCards(sc, w, h); out != nil {
		return out
	}
	order, last := c.keysByName, overflowCard{}
	maximum := w / frame.MinCardWidth * (h / frame.SmallCardHeight)
	overflows := maximum > 1 && maximum < len(order) && sc.Floor.Shown != nil
	c.setPaging(overflows && !c.sharesPage && sc.Wall != nil)
	switch {
	case c.isPaging: // the last card shows the page number
		order, last = c.currentPage(sc, x, y, w, maximum-1)
	case overflows && sc.LargeFigures: // the last card counts the records without a card
		order, _ = c.kind.sortByUrgency(sc, c.keysByName)
		order, last = order[:maximum-1], overflowCard{words.PaneOthers(), "+" + sc.Look.FormatCount(len(c.keysByName)-maximum+1), words.PaneLessUrgent()}
	case overflows && c.sharesPage:
		order, _ = c.kind.sortByUrgency(sc, c.keysByName)
		order = order[:maximum]
	}
	cards := len(order)
	if last.figure != "" {
		cards++
	}
	g, ok := frame.FitGrid(cards, w, h)
	if c.cardCount = len(order); !ok || sc.Floor.Shown == nil {
		c.cardCount = 0
		return c.view(sc, x, y, w, h)
	}
	out := g.Draw(cards, w, h, func(i, w, h int) []string {
		if i == len(order) {
			return last.draw(sc, w, h)
		}
		return c.drawCard(sc, order[i], w, h)
	})
	sc.Floor.FadeStale(sc.Look, out, c.subscriptions()...)
	return style.FillLines(out, w, h)
}

// overflowCard is the last card of the pane. It shows the page number or the number of records
// without a card.
type overflowCard struct {
	title  words.Text
	figure string
	footer words.Text
}

func (r overflowCard) draw(sc *Scene, w, h int) []string {
	digits := chart.Digits{Set: sc.Look.ChartGlyphs(), HalfHeight: true, Width: w - style.PanelSideCells, Style: sc.Look.Theme.OpenSequence(themes.Unknown)}
	return sc.Look.Frame(w, style.Panel{Title: sc.translate(r.title), FooterText: sc.translate(r.footer), TitleToken: themes.Title}, style.FillLines(digits.Render(r.figure), digits.Width, h-style.PanelFrameLines))
}

// setPaging turns paging on or off. With paging, the records are sorted by urgency; without paging,
// they are sorted by name.
func (c *cardsPane) setPaging(enabled bool) {
	if c.isPaging == enabled {
		return
	}
	if c.isPaging = enabled; enabled {
		c.SortBy("alarm", true)
	} else {
		c.SortBy("name", false)
	}
}

// currentPage returns the keys of the records on the current page, at most maximum, and a card with
// the page number. The pages are those that the table would show on a wall. Critical records are on
// every page, if they fit.
func (c *cardsPane) currentPage(sc *Scene, x, y, w, maximum int) ([]string, overflowCard) {
	c.Table.SetSize(w, maximum+1) // the table also needs a line for its titles
	c.pinCriticalRows(sc)
	c.SetArea(x, y, w, maximum+1)
	first, rows, _ := c.Table.Position()
	kept := c.Table.FrozenRows()
	pageRows := max(maximum-kept, 1)
	pages := (rows - kept + pageRows - 1) / pageRows
	index := min((first-1+pageRows-1)/pageRows, pages-1) + 1
	var out []string
	for _, row := range c.VisibleRows() {
		if code, ok := c.recordKey(row); ok {
			out = append(out, code)
		}
	}
	return out, overflowCard{words.PaneCardPage(), sc.Look.FormatCount(index) + "/" + sc.Look.FormatCount(pages), words.PaneRecords(rows, Nouns(c.RecordTable))}
}

// sortByUrgency returns codes sorted by the urgency of the records. Records whose situations have the same
// level are in the order of the situations, which is that of the ticker; other equally urgent records keep
// their order. withSituation is the number of records at the front that have an alert or a situation.
func (k *cardKind) sortByUrgency(sc *Scene, codes []string) (order []string, withSituation int) {
	rank, place := make(map[string]int, len(codes)), make(map[alert.Key]int)
	live := sc.shownPanelData().View.Live
	for i := range live {
		place[live[i].Place.Key] = i - len(live)
	}
	for _, code := range codes {
		word, token := k.stateWord(sc, sc.KeyOf(k.kind, code))
		rank[code] = slices.Index([]themes.Token{themes.GaugeCritical, themes.GaugeWarn, themes.Dim}, token)
		switch {
		case rank[code] >= 0:
			withSituation++
		case !word.Equal(k.onTargetWord):
			rank[code] = 3
		default:
			rank[code] = 4
		}
	}
	order = slices.Clone(codes)
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(place[sc.KeyOf(k.kind, a)], place[sc.KeyOf(k.kind, b)]))
	})
	return order, withSituation
}

// viewMixedCards draws the records with an alert or a situation as large cards, and all other records
// as small cards or as a strip of names. It returns nil if the board is not a wall, if there are no
// such records, or if there is not enough room.
func (c *cardsPane) viewMixedCards(sc *Scene, w, h int) []string {
	if sc.Wall == nil || sc.Floor.Shown == nil {
		return nil
	}
	order, first := c.kind.sortByUrgency(sc, c.keysByName)
	d, first := frame.FitMixedCards(first, len(order), w, h)
	if first == 0 {
		return nil
	}
	c.setPaging(false)
	others := order[first:]
	c.cardCount = len(order)
	out := d.LargeCards.Draw(first, w, d.LargeLines, func(i, w, h int) []string { return c.drawCard(sc, order[i], w, h) })
	if d.SmallCards.Rows > 0 {
		out = append(out, d.SmallCards.Draw(len(others), w, h-d.LargeLines, func(i, w, h int) []string { return c.drawCard(sc, others[i], w, h) })...)
	} else {
		cells := min(d.CellStrip.Columns*d.CellStrip.Rows, len(others))
		out = append(out, d.CellStrip.Draw(cells, w, h-d.LargeLines, func(i, w, h int) []string {
			if i == cells-1 && cells < len(others) {
				c.cardCount = first + i
				return []string{sc.Look.CellLine(w, themes.Dim, sc.translate(words.PanePlusMore(len(others)-i)))}
			}
			return c.kind.drawCell(sc, others[i], w, h)
		})...)
	}
	sc.Floor.FadeStale(sc.Look, out, c.subscriptions()...)
	return style.FillLines(out, w, h)
}

func (c *cardsPane) drawCard(sc *Scene, code string, w, h int) []string {
	subject := sc.KeyOf(c.kind.kind, code)
	p := style.Panel{Title: c.kind.recordName(sc, code), TitleToken: themes.Title}
	word, token := c.kind.stateWord(sc, subject)
	if p.FooterText = sc.translate(word); token != themes.Text && token != themes.Dim {
		p.TitleToken, p.EdgeToken, p.TintToken = token, token, token
	}
	c.markRecentChange(sc, subject, &p)
	if mark := sc.Look.StateMark(token); mark != "" {
		p.Title = mark + " " + p.Title
	}
	available := w - style.PanelSideCells
	grid := frame.Grid{W: w + 1, H: h}
	n, digits := grid.FiguresPerCard(), chart.Digits{Set: sc.Look.ChartGlyphs(), HalfHeight: h < frame.LargeCardHeight, DotHeight: grid.DotSize(sc.Look.ChartGlyphs())}
	body := make([]string, digits.Rows(), h)
	labels := ""
	figures := slices.Clone(c.kind.figures[:n])
	if calm := c.kind.normalFigureIndex; calm >= n && (token == themes.Text || token == themes.Dim) { // the other figures are usually 0 and say little
		figures[n-1] = c.kind.figures[calm]
	}
	for i, f := range figures {
		t := c.figureTile(sc, f.figure, subject)
		digits.Width = (i+1)*available/n - i*available/n
		digits.Style, digits.WideDots = t.DigitStyle(sc.Look), digits.Width >= widgets.MinWideDigitsWidth && !digits.HalfHeight
		for y, l := range digits.Render(t.Value) {
			body[y] += l
		}
		label, name := style.NewLine(digits.Width, sc.Look.Glyphs.Ellipsis), sc.translate(f.label)
		labels += label.Space(themes.Style{}, max((digits.Width-style.Width(name))/2, 0)).Add(sc.Look.Style(themes.Dim), name).Finish(themes.Style{})
	}
	if h > frame.SmallCardHeight {
		body = append(body, labels)
	} else {
		names := make([]string, n)
		for i, f := range figures {
			names[i] = sc.translate(f.label)
		}
		const between = 4 // cells of the blanks and of the line between title and note
		switch note := strings.Join(names, " "+sc.Look.Glyphs.Dot+" "); {
		case style.Width(p.Title+note) <= available-between:
			p.Note = note
		case n == 1 && style.Width(note+" "+p.FooterText) <= available:
			p.FooterText = note + " " + p.FooterText
		}
	}
	trend := c.figureTile(sc, figures[0].figure, subject)
	body = append(body, trend.DrawTrend(sc.Look, available, h-style.PanelFrameLines-len(body))...)
	return sc.Look.Frame(w, p, body)
}

// markRecentChange marks the card of a record whose situation has just begun or ended with a glyph and a
// word on the panel p. If motion is enabled, it also changes the color of the title.
func (c *cardsPane) markRecentChange(sc *Scene, subject alert.Key, p *style.Panel) {
	isRecent := func(at time.Time) bool { return sc.Floor.Now().Sub(at) < render.ChangeSignDuration }
	v := sc.shownPanelData().View
	name := themes.OK
	index := slices.IndexFunc(v.Live, func(s situation.Situation) bool { return s.Place.Key == subject })
	switch recovered := v.RecoveredAt(subject); {
	case index >= 0 && (v.Live[index].FromStart || !isRecent(v.Live[index].Since)):
		return
	case index >= 0:
		p.Title, p.FooterText, name = sc.Look.Glyphs.New+" "+p.Title, sc.translate(words.PaneNew(words.Name(p.FooterText))), themes.Flash
	case recovered != nil && isRecent(recovered.Ended):
		p.Title, p.FooterText = sc.Look.Glyphs.Check+" "+p.Title, sc.translate(words.PaneResolved())
	default:
		return
	}
	if sc.MotionEnabled {
		p.TitleToken = name
	}
}

// figureTile returns the tile for the figure with the given name on the card of a record.
func (c *cardsPane) figureTile(sc *Scene, name string, subject alert.Key) widgets.Tile {
	t := sc.Charts().TileOf(name, subject)
	f := sc.Alarms.Engine.Value(name, subject)
	v, known := f.Get()
	switch {
	case sc.Floor.IsBlanked(c.subscriptions()...):
		return widgets.Tile{Value: string(sc.Look.Format.Unknown(nil)), Dim: true}
	case name == figureServiceLevel && known: // rounded down, so that a level below the target never looks as if it reached the target
		t.Value = sc.Look.FormatCount(int(math.Floor(100*v+1e-9))) + "%"
	case known && kpi.FigureNamed(name).Unit == kpi.Percent:
		t.Value = sc.Look.FormatCount(int(math.Round(100*v))) + "%"
	case known && v == 0:
		t.Dim = true
	}
	return t
}
