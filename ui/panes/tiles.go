package panes

import (
	"cmp"
	"slices"
	"strings"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
	"wallboard/ui/plots"
	"wallboard/ui/render"
)

// tile is one figure of the floor.
type tile struct {
	label  string
	brief  string // label where there is no room for it; "": it is cut
	value  string
	under  string // what to measure it by
	wide   string // the same and where the day ends, where there is room for it
	level  render.Level
	dim    bool   // nothing to see: unknown, or nothing waits
	beside string // of a small tile, in place of the trend
	series []float64
	low    float64 // range of the series; high <= low takes it from the values
	high   float64
}

// tileSize is how much room a tile has.
type tileSize int

// The sizes of tiles.
const (
	tileCompact tileSize = iota // label, figure and trend in two lines
	tileMedium                  // four lines
	tileLarge                   // large digits and what they are measured by
	TileBig                     // the same, and the trend
)

func (s tileSize) lines() int {
	return [...]int{
		tileCompact: 2, tileMedium: 4, tileLarge: chart.DigitRows + 2, TileBig: chart.DigitRows + 4,
	}[s]
}

// tiles draws the figures of the floor, as large as there is room for.
func (o *overviewPane) tiles(sc *Scene, w, h int) []string {
	all := o.allTiles(sc)
	o.volumeTiles(sc, all)
	sc.blankTiles(all, model.OpServices, model.OpUserStats)
	var out []string
	switch {
	case w >= 160 && h >= 44:
		const main = 6
		out = o.drawings.row(sc, all, 0, w, main, TileBig)
		out = append(out, look.Blanks(w))
		for i := main; i < len(all); i += main {
			out = append(out, o.drawings.row(sc, all, i, w, main, tileMedium)...)
			out = append(out, look.Blanks(w))
		}
	case w >= 100 && h >= 28:
		for i := 0; i < len(all); i += 6 {
			out = append(out, o.drawings.row(sc, all, i, w, 6, tileMedium)...)
			out = append(out, look.Blanks(w))
		}
	default:
		columns := min(max(w/20, 2), 6)
		for i := 0; i < len(all) && len(out)+tileCompact.lines() <= compactRoom(h); i += columns {
			out = append(out, o.drawings.row(sc, all, i, w, columns, tileCompact)...)
			if h >= 28 {
				out = append(out, look.Blanks(w))
			}
		}
	}
	sc.Floor.FadeOld(sc.Look, out, model.OpServices, model.OpUserStats)
	return out
}

// blankTiles takes the figures off tiles that are too old to be shown.
func (sc *Scene) blankTiles(tiles []tile, subs ...model.Op) {
	if !sc.Floor.Blanked(subs...) {
		return
	}
	for i := range tiles {
		tiles[i] = tile{label: tiles[i].label, value: string(sc.Look.Format.Unknown(nil)), dim: true}
	}
}

// compactRoom is how many of h lines compact tiles may have: on a small screen
// the bar of the states comes next, and then the services.
func compactRoom(h int) int {
	const states, services = 3, 8
	if h < 12 {
		return h - 2
	}
	return max(h-states-services, 2*tileCompact.lines())
}

// floorFigures are the figures of the whole floor on one channel.
type floorFigures struct {
	tally     model.Tally
	floor     model.Floor
	figures   []model.Figure  // of the tiles
	series    [][]float64     // room for the samples that they are drawn from
	floorFrom *model.Snapshot // what floor is of
	floorCh   model.Channel
	drawings  tileDrawings
}

// refresh takes over what is shown now.
func (o *floorFigures) refresh(sc *Scene) {
	if sc.Floor.Shown == nil || o.floorFrom == sc.Floor.Shown && o.floorCh == sc.Floor.Channel {
		return
	}
	o.floorFrom, o.floorCh = sc.Floor.Shown, sc.Floor.Channel
	o.floor = o.tally.Floor(sc.Floor.Shown, sc.Floor.Channel)
	o.figures = tilesOf(&o.floor, sc.Alarms.Engine.Goal(""))
}

// allTiles returns the figures in the order in which they give way.
func (o *floorFigures) allTiles(sc *Scene) []tile {
	figures := kpi.Tiles()
	if o.series == nil {
		o.series = make([][]float64, len(figures))
	}
	if o.figures == nil { // nothing has come yet
		o.figures = make([]model.Figure, len(figures))
	}
	out := make([]tile, len(figures), len(figures)+len(sc.Alarms.Own[alert.Floor]))
	for i, figure := range figures {
		t, f := &out[i], o.figures[i]
		o.series[i] = sc.floorSamples(o.series[i][:0], figure.Name).Samples
		t.label, t.series = figure.Tile.Label, o.series[i][plots.Begun(o.series[i]):]
		t.value, t.dim = string(sc.Look.Format.KPI(nil, alert.Format(figure.Unit), f)), !f.Known()
		if figure.Unit == kpi.Percent {
			t.high = 1
		}
		t.level = sc.Alarms.Shown.FloorLevel(sc.Floor.Channel, figure.Name)
		if measure := measures[figure.Name]; measure != nil {
			measure(o, sc, f, t)
		}
	}
	for _, own := range sc.Alarms.Own[alert.Floor] {
		out = append(out, sc.ownTile(own))
	}
	return out
}

// ownTile is a KPI of one's own of the floor.
func (sc *Scene) ownTile(k alert.KPI) tile {
	at := alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}
	f := sc.Alarms.Figures.Value(k.Name, at)
	t := tile{
		label: render.KPITitle(k), value: string(sc.Look.Format.KPI(nil, k.Format, f)), dim: !f.Known(),
		level: sc.Alarms.Shown.FloorLevel(sc.Floor.Channel, k.Name),
	}
	t.series = sc.FloorTrend(k.Name).Samples
	if target, ok := k.Target.Get(); ok {
		t.under = "target " + string(sc.Look.Format.KPI(nil, k.Format, model.FigureOf(target)))
	}
	return t
}

// tileDrawings are tiles as they were drawn last, by their places. From frame to
// frame hardly one of them changes.
type tileDrawings struct {
	look  *render.Options
	drawn []tileDrawing
}

type tileDrawing struct {
	of    tile
	w     int
	size  tileSize
	lines []string
}

// draw returns the tile at a place in lines of exactly w cells.
func (d *tileDrawings) draw(sc *Scene, at int, t *tile, w int, size tileSize) []string {
	if d.look != sc.Look.Render {
		d.look, d.drawn = sc.Look.Render, nil
	}
	for len(d.drawn) <= at {
		d.drawn = append(d.drawn, tileDrawing{})
	}
	k := &d.drawn[at]
	if k.w != w || k.size != size || !k.of.same(t) {
		k.of, k.w, k.size = *t, w, size
		k.of.series = slices.Clone(t.series) // its room is used again
		k.lines = t.draw(sc, w, size)
		for i := range k.lines {
			k.lines[i] = look.Fit(k.lines[i], w, sc.Look.Glyphs.Ellipsis)
		}
	}
	return k.lines
}

// same reports whether the tile looks like another one.
func (t *tile) same(o *tile) bool {
	return t.label == o.label && t.brief == o.brief && t.value == o.value && t.under == o.under && t.wide == o.wide &&
		t.level == o.level && t.dim == o.dim && t.beside == o.beside && t.low == o.low && t.high == o.high &&
		slices.EqualFunc(t.series, o.series, plots.SameSample)
}

// row draws those of the tiles that begin at a place, next to each other in
// columns of equal width.
func (d *tileDrawings) row(sc *Scene, tiles []tile, from, w, columns int, size tileSize) []string {
	out := make([]string, size.lines())
	x := 0
	for i := range columns {
		to := (i + 1) * w / columns
		cell := to - x
		if at := from + i; at < len(tiles) {
			for y, l := range d.draw(sc, at, &tiles[at], cell, size) {
				out[y] += l
			}
		} else {
			for y := range out {
				out[y] += look.Blanks(cell)
			}
		}
		x = to
	}
	return out
}

// draw draws the tile in lines of w cells.
func (t *tile) draw(sc *Scene, w int, size tileSize) []string {
	edge := sc.Look.Style(themes.Border)
	start := func() *look.Line {
		l := look.NewLine(w, sc.Look.Glyphs.Ellipsis)
		return l.Add(edge, sc.Look.Glyphs.Bar).Space(themes.Style{}, 1)
	}
	room := w - 4 // the edge, a blank on each side, and the gap to the next
	name := t.label
	if t.brief != "" && look.Width(name) > room+1 {
		name = t.brief
	}
	label := start().Add(sc.Look.Style(themes.Dim), name)
	value, mark := t.valueStyle(sc), t.level.Glyph(sc.Look.ASCII)
	if mark != "" {
		mark += " "
	}
	under := cmp.Or(t.wide, t.under)
	if look.Width(under) > room+1 {
		under = t.under
	}
	if look.Width(under) > room+1 {
		under = ""
	}
	switch size {
	case tileCompact:
		figure := start().Add(value, mark+t.value)
		if trend := room - look.Width(mark+t.value) - 1; t.beside != "" && look.Width(t.beside) <= trend {
			figure.Space(themes.Style{}, 1).Add(sc.Look.Style(themes.Accent), t.beside)
		} else if trend >= 4 {
			figure.Space(themes.Style{}, 1)
			if t.value != "" {
				figure.Raw(t.spark(sc, trend), trend)
			}
		}
		return []string{label.End(themes.Style{}), figure.End(themes.Style{})}
	case tileMedium:
		return []string{
			label.End(themes.Style{}),
			start().Add(value, mark+t.value).End(themes.Style{}),
			start().Add(sc.Look.Style(themes.Dim), under).End(themes.Style{}),
			start().Raw(t.spark(sc, room), room).End(themes.Style{}),
		}
	case tileLarge, TileBig:
	}
	out := []string{label.End(themes.Style{})}
	digits := chart.Digits{Width: room, Style: t.digitStyle(sc), Set: sc.Look.Chart(), Wide: room >= wideDigits}
	for _, d := range digits.Render(strings.ReplaceAll(t.value, " %", "%")) {
		out = append(out, start().Raw(d, room).End(themes.Style{}))
	}
	measured := start().Add(sc.Look.Style(t.level.Token()), mark).Add(sc.Look.Style(themes.Dim), under).End(themes.Style{})
	if size == tileLarge {
		return append(out, measured)
	}
	return append(out,
		start().End(themes.Style{}),
		measured,
		start().Raw(t.spark(sc, room), room).End(themes.Style{}))
}

func (t *tile) valueStyle(sc *Scene) themes.Style {
	switch {
	case t.dim:
		return sc.Look.Style(themes.Unknown)
	case t.level != render.Normal:
		return sc.Look.Style(t.level.Token())
	}
	return sc.Look.Style(themes.Digits)
}

// digitStyle is valueStyle for large digits, through which the underline of
// what is critical would run like a crack.
func (t *tile) digitStyle(sc *Scene) string {
	switch {
	case t.dim:
		return sc.Look.Theme.SGR(themes.Unknown)
	case t.level == render.Critical:
		return sc.Look.Theme.SGR(themes.GaugeCritical)
	case t.level == render.Warn:
		return sc.Look.Theme.SGR(themes.GaugeWarn)
	}
	return sc.Look.Theme.SGR(themes.Digits)
}

func (t *tile) spark(sc *Scene, w int) string {
	set := chart.Braille
	if sc.Look.ASCII {
		set = chart.ASCII
	}
	return chart.Sparkline{
		Width: w, Min: t.low, Max: t.high, Set: set, Style: sc.Look.Theme.SGR(themes.Sparkline),
	}.Render(t.series)
}
