package panes

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// tile is one figure of the floor.
type tile struct {
	label         string
	brief         string // short label if the long one does not fit; "": cut the long one
	value         string
	reference     string // reference value under the figure
	forecastRange string // range of the end-of-day forecast; "": unknown
	shortForecast string // the same in fewer words
	level         render.Level
	missed        string // mark of a figure of the day that misses its target; "": none
	dim           bool   // unknown, or zero
	smallText     string // text of a small tile in place of the trend
	series        []float64
	format        alert.Format
}

// tileSize is the size of a tile.
type tileSize int

// Sizes of tiles.
const (
	tileCompact tileSize = iota // label, figure and trend in two lines
	tileMedium                  // a panel with digits of three lines and the trend
	tileLarge                   // a panel with large digits
	TileBig                     // a panel with large digits and the trend
)

// trendRows is the height of the trend in the largest tiles.
const trendRows = 2

func (s tileSize) lines() int {
	return [...]int{
		tileCompact: 2, tileMedium: style.PanelFrameLines + chart.HalfRows + 1, tileLarge: style.PanelFrameLines + chart.DigitRows,
		TileBig: style.PanelFrameLines + chart.DigitRows + trendRows,
	}[s]
}

// Heights of the screen: from minMediumHeight lines on tiles are panels, and from
// minAllTilesHeight lines on all small tiles are shown below them, even at the expense of the
// services.
const (
	minMediumHeight   = 20
	minAllTilesHeight = 28
)

// minPanelWidth is the minimum width of a panel with a figure.
const minPanelWidth = 20

// tiles draws the figures of the floor as large as they fit.
func (o *overviewPane) tiles(sc *Scene, w, h int) []string {
	all := o.allTiles(sc)
	o.volumeTiles(sc, all)
	sc.blankTiles(all, model.OpServices, model.OpUserStats)
	var out []string
	main, size := 0, tileMedium
	switch {
	case w >= 160 && h >= 44:
		main, size = MainTiles, TileBig
	case w >= 100 && h >= minMediumHeight:
		main = min(MainTiles, w/minPanelWidth)
	}
	columns := min(max(w/minPanelWidth, 2), MainTiles)
	if main > 0 {
		out, columns = o.drawings.row(sc, all, 0, w, main, size), MainTiles
	}
	fits := func() bool {
		return main > 0 && h >= minAllTilesHeight || len(out)+tileCompact.lines() <= compactRoom(h)
	}
	for i := main; i < len(all) && fits(); i += columns {
		out = append(out, o.drawings.row(sc, all, i, w, columns, tileCompact)...)
	}
	sc.Floor.FadeOld(sc.Look, out, model.OpServices, model.OpUserStats)
	return out
}

// blankTiles removes figures that are too old to be shown.
func (sc *Scene) blankTiles(tiles []tile, subs ...model.Op) {
	if !sc.Floor.Blanked(subs...) {
		return
	}
	for i := range tiles {
		tiles[i] = tile{label: tiles[i].label, value: string(sc.Look.Format.Unknown(nil)), dim: true}
	}
}

// compactRoom returns how many of h lines compact tiles may take: small screens also
// need room for the bar of the states and the services.
func compactRoom(h int) int {
	const states, services = 3, 8
	if h < 12 {
		return h - 2
	}
	return max(h-states-services, 2*tileCompact.lines())
}

// floorFigures holds the figures of the whole floor on one channel.
type floorFigures struct {
	tally         model.Tally
	floor         model.Floor
	figures       []model.Figure  // figures of the tiles
	series        [][]float64     // reused buffers for the samples of the trends
	floorSnapshot *model.Snapshot // the snapshot that floor was computed from
	floorChannel  model.Channel
	drawings      tileDrawings
}

// refresh takes the current snapshot.
func (o *floorFigures) refresh(sc *Scene) {
	if sc.Floor.Shown == nil || o.floorSnapshot == sc.Floor.Shown && o.floorChannel == sc.Floor.Channel {
		return
	}
	o.floorSnapshot, o.floorChannel = sc.Floor.Shown, sc.Floor.Channel
	o.floor = o.tally.Floor(sc.Floor.Shown, sc.Floor.Channel)
	o.figures = tilesOf(&o.floor, sc.Alarms.Engine.Goal(""))
}

// allTiles returns the tiles in descending priority.
func (o *floorFigures) allTiles(sc *Scene) []tile {
	figures := kpi.Tiles()
	if o.series == nil {
		o.series = make([][]float64, len(figures))
	}
	if o.figures == nil { // before the first snapshot
		o.figures = make([]model.Figure, len(figures))
	}
	out := make([]tile, len(figures), len(figures)+len(sc.Alarms.CustomKPIs[alert.Floor]))
	for i, figure := range figures {
		t, f := &out[i], o.figures[i]
		o.series[i] = sc.floorSamples(o.series[i][:0], figure.Name).Samples
		t.label, t.series = figure.Tile.Label, o.series[i][plots.FirstKnown(o.series[i]):]
		t.value, t.dim = string(sc.Look.Format.KPI(nil, alert.Format(figure.Unit), f)), !f.Known()
		if f.Known() && sc.presumed().Has(figure.Presumable) {
			t.value += render.PresumedMark
		}
		t.format = alert.Format(figure.Unit)
		t.judge(sc, alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}, figure.Name, figure.Better)
		if measure := measures[figure.Name]; measure != nil {
			measure(o, sc, f, t)
		}
	}
	for _, customKPI := range sc.Alarms.CustomKPIs[alert.Floor] {
		out = append(out, sc.ownTile(customKPI))
	}
	return out
}

// ownTile returns the tile of a configured KPI of the floor, as of the shown snapshot.
func (sc *Scene) ownTile(k alert.KPI) tile {
	subject := alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}
	t, f := sc.tileOf(k.Name, subject), sc.Alarms.Figures.Value(k.Name, subject)
	t.value, t.dim, t.series = string(sc.Look.Format.KPI(nil, k.Format, f)), !f.Known(), sc.FloorTrend(k.Name).Samples
	return t
}

// judge sets the level of a tile, and the mark of a figure of the day that misses its target,
// by the alerts about a record.
func (t *tile) judge(sc *Scene, k alert.Key, figure string, better kpi.Direction) {
	t.level = sc.Alarms.Shown.Level(k, figure)
	if sc.Alarms.Shown.Alarm(k).Missed(figure) {
		t.missed = sc.Look.Render.MissedGlyph(better)
	}
}

// tileDrawings caches drawn tiles by position, because few of them change between
// frames.
type tileDrawings struct {
	look  *render.Options
	drawn []tileDrawing
}

type tileDrawing struct {
	tile  tile
	w     int
	size  tileSize
	lines []string
}

// draw returns the tile at a position in lines of exactly w cells.
func (d *tileDrawings) draw(sc *Scene, index int, t *tile, w int, size tileSize) []string {
	if d.look != sc.Look.Render {
		d.look, d.drawn = sc.Look.Render, nil
	}
	for len(d.drawn) <= index {
		d.drawn = append(d.drawn, tileDrawing{})
	}
	k := &d.drawn[index]
	if k.w != w || k.size != size || !k.tile.same(t) {
		k.tile, k.w, k.size = *t, w, size
		k.tile.series = slices.Clone(t.series) // the original buffer is reused
		k.lines = t.draw(sc, w, size)
		for i := range k.lines {
			k.lines[i] = style.Fit(k.lines[i], w, sc.Look.Glyphs.Ellipsis)
		}
	}
	return k.lines
}

// same reports whether two tiles look the same.
func (t *tile) same(o *tile) bool {
	return t.label == o.label && t.brief == o.brief && t.value == o.value && t.reference == o.reference && t.forecastRange == o.forecastRange && t.shortForecast == o.shortForecast &&
		t.level == o.level && t.missed == o.missed && t.dim == o.dim && t.smallText == o.smallText && t.format == o.format &&
		slices.EqualFunc(t.series, o.series, plots.EqualSample)
}

// row draws consecutive tiles, starting with index from, side by side in columns of
// equal width.
func (d *tileDrawings) row(sc *Scene, tiles []tile, from, w, columns int, size tileSize) []string {
	out := make([]string, size.lines())
	x := 0
	for i := range columns {
		to := (i + 1) * w / columns
		cell := to - x
		if index := from + i; index < len(tiles) {
			for y, l := range d.draw(sc, index, &tiles[index], cell, size) {
				out[y] += l
			}
		} else {
			for y := range out {
				out[y] += style.Blanks(cell)
			}
		}
		x = to
	}
	return out
}

func (t *tile) draw(sc *Scene, w int, size tileSize) []string {
	if size == tileCompact {
		return t.compact(sc, w)
	}
	const gap = 1 // to the next tile
	return t.panel(sc, w-gap, size)
}

// compact draws the tile in two lines.
func (t *tile) compact(sc *Scene, w int) []string {
	start := func() *style.Line { return style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1) }
	available := w - 3 // one blank before it, and the gap to the next
	dim := sc.Look.Style(themes.Dim)
	name, figure := t.name(available), t.mark(sc)+t.value
	label := start().Add(dim, name)
	if base := style.FirstFitting(available-style.Width(name)-2, cmp.Or(t.forecastRange, t.reference), cmp.Or(t.shortForecast, t.reference), t.reference, ""); base != "" {
		label.Space(themes.Style{}, available-style.Width(name)-style.Width(base)).Add(sc.Look.Style(themes.Faint), base)
	}
	value := start().Add(t.valueStyle(sc), figure)
	switch trend := available - style.Width(figure) - 1; {
	case t.smallText != "" && style.Width(t.smallText) <= trend:
		value.Space(themes.Style{}, 1).Add(sc.Look.Style(themes.Accent), t.smallText)
	case trend >= 4 && t.value != "":
		value.Space(themes.Style{}, 1).AddRaw(t.spark(sc, trend), trend)
	}
	return []string{label.End(themes.Style{}), value.End(themes.Style{})}
}

// panel draws the tile as a panel with large digits. A warning colors its frame and
// background.
func (t *tile) panel(sc *Scene, w int, size tileSize) []string {
	available := w - style.PanelSideCells
	p := style.Panel{Title: t.name(available), Foot: style.FirstFitting(available, t.foot(t.forecastRange), t.foot(t.shortForecast), t.reference, "")}
	p.Title = style.Cut(t.mark(sc)+p.Title, available, sc.Look.Glyphs.Ellipsis)
	if t.level != render.Normal {
		p.TitleToken, p.EdgeToken, p.TintToken = t.level.Token(), themes.GaugeWarn, themes.GaugeWarn
		if t.level == render.Critical {
			p.EdgeToken, p.TintToken = themes.GaugeCritical, themes.GaugeCritical
		}
	}
	digits := chart.Digits{
		Width: available, Style: t.digitStyle(sc), Set: sc.Look.Chart(), HalfHeight: size == tileMedium, WideDots: available >= minWideDigitsWidth,
	}
	text := t.value
	if !digits.HalfHeight {
		text = strings.ReplaceAll(text, " %", "%")
	}
	lines := digits.Render(text)
	return sc.Look.Frame(w, p, append(lines, t.trend(sc, available, size.lines()-style.PanelFrameLines-len(lines))...))
}

// mark returns the mark before the figure or the title, with a blank: the glyph of the level,
// or the mark of a missed target; "" for neither.
func (t *tile) mark(sc *Scene) string {
	if mark := cmp.Or(t.level.Glyph(sc.Look.ASCII), t.missed); mark != "" {
		return mark + " "
	}
	return ""
}

// foot returns the reference value and the forecast.
func (t *tile) foot(forecastText string) string {
	if t.reference == "" || forecastText == "" {
		return t.reference + forecastText
	}
	return t.reference + ", " + forecastText
}

// name returns the label, or the short one if the long one does not fit.
func (t *tile) name(available int) string {
	if t.brief != "" && style.Width(t.label) > available {
		return t.brief
	}
	return t.label
}

// trend draws the samples as an area of h lines, the newest value at the right.
func (t *tile) trend(sc *Scene, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	low, high := plots.FittedRange(t.format, t.series)
	values := t.series
	for len(values) < w {
		values = append(slices.Repeat([]float64{math.NaN()}, w-len(values)), values...)
	}
	return chart.Area{
		Width: w, Height: h, Min: low, Max: high, Set: sc.Look.Chart(), Shades: sc.Look.Gradient(themes.Sparkline),
	}.Render(values)
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

// digitStyle is valueStyle for large digits, without the underline of critical figures,
// which would cut through the digits. If panels have a tint, the tint alone shows the
// level, because it is easier to see.
func (t *tile) digitStyle(sc *Scene) string {
	switch {
	case t.dim:
		return sc.Look.Theme.SGR(themes.Unknown)
	case sc.Look.Tint(themes.GaugeWarn) != "":
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
	low, high := plots.FittedRange(t.format, t.series)
	return chart.Sparkline{
		Width: w, Min: low, Max: high, Set: set, Style: sc.Look.Theme.SGR(themes.Sparkline),
	}.Render(t.series)
}
