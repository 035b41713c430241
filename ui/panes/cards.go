package panes

import (
	"cmp"
	"math"
	"slices"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// cardsPane is services as cards with large figures, to be read from some metres away.
// Where there are too many of them it is their table, or beside other panes those that
// need somebody most.
type cardsPane struct {
	*tablePane
	order  []string // the codes of the services by name
	beside bool     // it is not all of a page: another one has the others
	shown  int      // how many had room in the last view
}

func newCardsPane(sc *Scene, spec PaneSpec) *cardsPane {
	t := servicesTable(sc, spec)
	t.SortBy("name", false)
	return &cardsPane{tablePane: &tablePane{t, "Services"}, beside: spec.afar}
}

func (c *cardsPane) status(sc *Scene) look.Position {
	switch n := len(c.order); {
	case n == 0:
		return look.Position{}
	case c.shown > 0 && c.shown < n:
		return look.Position{Text: sc.Look.Count(c.shown) + " of " + sc.Look.Count(n) + ", what is wrong first"}
	default:
		return look.Position{Text: sc.Look.Count(n) + " in all"}
	}
}

// Only implements [Filler]: there is more to the pane than its rows.
func (*cardsPane) Only() *RecordTable { return nil }

// Want implements [Pane].
func (c *cardsPane) Want(_ *Scene, w int) Room {
	if !c.beside {
		return Room{width: leastCard, least: smallCard, wanted: 2 * largeCard}
	}
	// A row for each of its columns and one more: the figures of the floor need room
	// for large digits, too.
	columns := max(w/leastCard, 1)
	rows := (max(len(c.order), 1) + columns - 1) / columns
	return Room{width: leastCard, least: smallCard, wanted: min(rows, columns+1) * smallCard}
}

// cardsKind is the kind of panes that are cards.
func cardsKind() paneKind {
	return paneKind{
		name: "cards", takes: []string{"channel", "services", "filter"},
		make: func(sc *Scene, s PaneSpec) Pane { return newCardsPane(sc, s) },
	}
}

// The figures of a card, in the order in which they give way.
var cardFigures = [...]struct{ figure, label string }{
	{figureWaiting, "waiting"}, {"longestWait", "longest"}, {figureServiceLevel, "service level"},
}

// What a card takes: its figures beside each other, and digits of three or of five
// lines with their names below.
const (
	leastCard  = 24
	figureRoom = 15
	smallCard  = look.PanelAbove + chart.HalfRows // one figure, named in the frame
	largeCard  = look.PanelAbove + chart.DigitRows + 1
)

// cardGrid is how cards stand.
type cardGrid struct{ columns, rows, w, h int }

// figures is how many figures a card has room for: with one, their names need no line.
func (g cardGrid) figures() int {
	if g.h <= smallCard {
		return 1
	}
	return min(max((g.w-1-look.PanelBeside)/figureRoom, 1), len(cardFigures))
}

// better reports whether cards are read better than in another grid: by more figures,
// larger digits, and a form that is neither flat nor narrow.
func (g cardGrid) better(o cardGrid) bool {
	if g.figures() != o.figures() {
		return g.figures() > o.figures()
	}
	if large := g.h >= largeCard; large != (o.h >= largeCard) {
		return large
	}
	const form = 4 // cells to a line
	off := func(g cardGrid) int { return max(g.w-form*g.h, form*g.h-g.w) }
	return off(g) < off(o)
}

// gridOf returns how n cards stand best in w cells and h lines; ok is false where they
// have no room.
func gridOf(n, w, h int) (best cardGrid, ok bool) {
	for columns := 1; columns <= min(n, w/leastCard); columns++ {
		rows := (n + columns - 1) / columns
		g := cardGrid{columns, rows, w / columns, h / rows}
		if g.h >= smallCard && (!ok || g.better(best)) {
			best, ok = g, true
		}
	}
	return best, ok
}

// Refresh implements [Pane].
func (c *cardsPane) Refresh(sc *Scene) {
	c.refresh(sc)
	c.order = c.order[:0]
	if c.than != nil { // the table has both values
		return
	}
	for _, i := range c.Table.Order() {
		c.order = append(c.order, c.Rows.Key(int(i)))
	}
}

// View implements [Pane].
func (c *cardsPane) View(sc *Scene, x, y, w, h int) []string {
	order := c.order
	if most := w / leastCard * (h / smallCard); c.beside && most > 0 && most < len(order) && sc.Floor.Shown != nil {
		order = c.gravest(sc, most)
	}
	g, ok := gridOf(len(order), w, h)
	if c.shown = len(order); !ok || sc.Floor.Shown == nil {
		c.shown = 0
		return c.view(sc, x, y, w, h)
	}
	var out []string
	for row := range g.rows {
		high := (row+1)*h/g.rows - row*h/g.rows
		lines := make([]string, high)
		for column := range g.columns {
			wide := (column+1)*w/g.columns - column*w/g.columns
			card := look.FitLines(nil, wide, high, "")
			if at := row*g.columns + column; at < len(order) {
				card = look.FillLines(c.card(sc, order[at], wide-1, g.h), wide-1, high) // all of one form
				for i := range card {
					card[i] += " "
				}
			}
			for i := range lines {
				lines[i] += card[i]
			}
		}
		out = append(out, lines...)
	}
	sc.Floor.FadeOld(sc.Look, out, c.subs()...)
	return look.FillLines(out, w, h)
}

// gravest returns the n services that need somebody most, equal ones by name.
func (c *cardsPane) gravest(sc *Scene, n int) []string {
	rank := make(map[string]int, len(c.order))
	for _, code := range c.order {
		switch word, token := standing(sc, sc.KeyOf(floor.Service, code)); {
		case token == themes.GaugeCritical:
			rank[code] = 0
		case token == themes.GaugeWarn:
			rank[code] = 1
		case word != inTarget:
			rank[code] = 2
		default:
			rank[code] = 3
		}
	}
	order := slices.Clone(c.order)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return order[:n]
}

// card draws a service.
func (c *cardsPane) card(sc *Scene, code string, w, h int) []string {
	about := sc.KeyOf(floor.Service, code)
	p := look.Panel{Title: sc.Floor.Names.Of(model.NameService, code), Name: themes.Title}
	word, token := standing(sc, about)
	if p.Foot = word; token != themes.Text {
		p.Name, p.Edge, p.Tint = token, token, token
	}
	room := w - look.PanelBeside
	n := cardGrid{w: w + 1, h: h}.figures()
	digits := chart.Digits{Set: sc.Look.Chart(), Half: h < largeCard}
	body := make([]string, digits.Rows(), h)
	labels := ""
	var trend *tile
	for i, f := range cardFigures[:n] {
		t := c.figure(sc, f.figure, about)
		if i == 0 {
			trend = &t
		}
		digits.Width = (i+1)*room/n - i*room/n
		digits.Style, digits.Wide = t.digitStyle(sc), digits.Width >= wideDigits && !digits.Half
		for y, l := range digits.Render(t.value) {
			body[y] += l
		}
		label := look.NewLine(digits.Width, sc.Look.Glyphs.Ellipsis)
		label.Space(themes.Style{}, max((digits.Width-look.Width(f.label))/2, 0)).Add(sc.Look.Style(themes.Dim), f.label)
		labels += label.End(themes.Style{})
	}
	if h > smallCard {
		body = append(body, labels)
	} else {
		p.Note = cardFigures[0].label
	}
	body = append(body, trend.trend(sc, room, h-look.PanelAbove-len(body))...)
	return sc.Look.Frame(w, p, body)
}

// figure is one of the figures of a card.
func (c *cardsPane) figure(sc *Scene, name string, about alert.Key) tile {
	t := sc.tileOf(name, about)
	f := sc.Alarms.Engine.Value(name, about)
	v, known := f.Get()
	switch {
	case sc.Floor.Blanked(c.subs()...):
		return tile{value: string(sc.Look.Format.Unknown(nil)), dim: true}
	case name == figureServiceLevel && known: // whole, and never above the target when it is not
		t.value = sc.Look.Count(int(math.Floor(100*v+1e-9))) + "%"
	case known && v == 0:
		t.dim = true
	}
	return t
}

// standing says how a service stands in a word or two, without figures, and by which
// token that is shown; [themes.Text] is that of what is in order.
func standing(sc *Scene, about alert.Key) (string, themes.Token) {
	live := sc.now().View.Live // not those of the day, which nobody can help now
	at := slices.IndexFunc(live, func(s situation.Situation) bool { return s.Place.Key == about })
	switch {
	case at >= 0 && live[at].Level == alert.Critical:
		return "needs somebody now", themes.GaugeCritical
	case at >= 0:
		return "needs a look", themes.GaugeWarn
	case sc.Alarms.Shown.Level(about, figureServiceLevel) != render.Normal:
		return "under target today", themes.Text
	case sc.Floor.DoubtAbout(model.OpServices).Stale:
		return "not known", themes.Text
	}
	return inTarget, themes.Text
}

// inTarget is the word for a service with which all is well.
const inTarget = "in target"
