package widgets

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Tile is a figure with its label. If there is room, it is drawn with its trend.
type Tile struct {
	Label         string
	ShortLabel    string // used if Label does not fit; "": Label is cut
	Value         string
	Reference     string // text about a reference value, such as the target, below the figure
	ForecastRange string // text with the range of the end-of-day forecast; "": unknown
	ShortForecast string // used if ForecastRange does not fit
	Level         render.Level
	MissedMark    string          // mark in front of a figure of the day that misses its target; "": none
	Dim           bool            // the value is dimmed, because it is unknown or zero
	Wide          bool            // as a panel, the tile is twice as wide as the others
	SmallText     string          // text that replaces the trend if the tile is small
	Series        []float64       // samples of the trend
	Target        model.Float     // target of the trend
	Direction     alert.Direction // direction in which the figure gets better; if it is up, a trend of one line dims samples below Target
	Format        alert.Format
}

// ApplyAlerts sets the level of the tile to that of the open alerts about its figure. k is the key
// of the figure's record. If there is an alert that a figure of the day misses its target,
// ApplyAlerts also sets the mark missedGlyph.
func (t *Tile) ApplyAlerts(shown *render.Alerts, k alert.Key, figure, missedGlyph string) {
	t.Level = shown.FigureLevel(k, figure)
	if shown.Alarm(k).MissesTarget(figure) {
		t.MissedMark = missedGlyph
	}
}

// TileOf returns a tile with the figure with the given name, for the record with the key k.
func (sc *Source) TileOf(name string, k alert.Key) Tile {
	kpi := alert.KPI{Name: name}
	all := sc.Engine.ChartedKPIs(k.Scope)
	if i := slices.IndexFunc(all, func(k alert.KPI) bool { return k.Name == name }); i >= 0 {
		kpi = all[i]
	}
	f := sc.Engine.Value(name, k)
	t := Tile{Label: render.KPITitle(kpi).In(sc.Look.Format.Words), Value: string(sc.Look.Format.KPI(nil, kpi.Format.Unit(), f)), Dim: !f.Known(), Format: kpi.Format, Direction: kpi.Direction}
	t.ApplyAlerts(sc.Alerts, k, name, sc.Look.Render.MissedGlyph(kpi.Direction))
	t.Series = sc.Trends.Trend(nil, name, k, Spans()[1]).Samples
	t.Target = sc.TargetFor(kpi, k)
	if target, ok := t.Target.Get(); ok {
		t.Reference = sc.Look.Translate(words.PlotTarget(string(sc.Look.Format.KPI(nil, kpi.Format.Unit(), model.FigureOf(target)))))
	}
	return t
}

// TileSize is the size of a tile.
type TileSize int

// Sizes of tiles.
const (
	TileCompact        TileSize = iota // label, figure and trend on two lines
	TileMedium                         // a panel with digits of three lines, and the trend
	TileLarge                          // a panel with large digits
	TileLargeWithTrend                 // a panel with large digits, and the trend
)

// trendRows is the height in lines of the trend in tiles of the size TileLargeWithTrend.
const trendRows = 2

// Lines returns the height in lines of a tile of this size.
func (s TileSize) Lines() int {
	return [...]int{
		TileCompact: 2, TileMedium: style.PanelFrameLines + chart.HalfDigitRows + 1, TileLarge: style.PanelFrameLines + chart.DigitRows,
		TileLargeWithTrend: style.PanelFrameLines + chart.DigitRows + trendRows,
	}[s]
}

// TileCache caches drawn tiles by index, because few tiles change between frames.
type TileCache struct {
	options *render.Options
	drawn   []tileDrawing
}

type tileDrawing struct {
	tile  Tile
	width int
	size  TileSize
	lines []string
}

// Draw returns the lines of the tile t, each exactly w cells wide. index identifies the tile in the
// cache.
func (d *TileCache) Draw(lk *style.Look, index int, t *Tile, w int, size TileSize) []string {
	if d.options != lk.Render {
		d.options, d.drawn = lk.Render, nil
	}
	for len(d.drawn) <= index {
		d.drawn = append(d.drawn, tileDrawing{})
	}
	k := &d.drawn[index]
	if k.width != w || k.size != size || !k.tile.equals(t) {
		k.tile, k.width, k.size = *t, w, size
		k.tile.Series = slices.Clone(t.Series) // a copy, because the caller reuses the buffer
		k.lines = t.draw(lk, w, size)
		for i := range k.lines {
			k.lines[i] = style.Fit(k.lines[i], w, lk.Glyphs.Ellipsis)
		}
	}
	return k.lines
}

func (t *Tile) equals(o *Tile) bool {
	return t.Label == o.Label && t.ShortLabel == o.ShortLabel && t.Value == o.Value && t.Reference == o.Reference && t.ForecastRange == o.ForecastRange && t.ShortForecast == o.ShortForecast &&
		t.Level == o.Level && t.MissedMark == o.MissedMark && t.Dim == o.Dim && t.Wide == o.Wide && t.SmallText == o.SmallText && t.Target == o.Target && t.Direction == o.Direction && t.Format == o.Format &&
		slices.EqualFunc(t.Series, o.Series, EqualSample)
}

// FittingPanels returns how many tiles, beginning with the first, fit side by side as panels into a
// number of columns. It returns at least 1.
func FittingPanels(tiles []Tile, columns int) int {
	n := 0
	for _, t := range tiles {
		if columns -= t.columns(TileLargeWithTrend); columns < 0 {
			break
		}
		n++
	}
	return max(n, 1)
}

// ColumnCount returns the number of columns that the tiles occupy as panels side by side.
func ColumnCount(tiles []Tile) int {
	n := 0
	for i := range tiles {
		n += tiles[i].columns(TileLargeWithTrend)
	}
	return n
}

// columns returns the number of columns that the tile takes at the given size.
func (t *Tile) columns(size TileSize) int {
	if t.Wide && size != TileCompact {
		return 2
	}
	return 1
}

// Row draws tiles side by side in columns of equal width. It begins with tiles[from] and draws
// tiles until the columns are filled. A wide tile takes two columns.
func (d *TileCache) Row(lk *style.Look, tiles []Tile, from, w, columns int, size TileSize) []string {
	cells := make([][]string, 0, columns) // lines of each tile
	x, index := 0, from
	for column := 0; column < columns; index++ {
		column++
		if index < len(tiles) {
			column = min(column+tiles[index].columns(size)-1, columns)
		}
		to := column * w / columns
		cell := to - x
		if index < len(tiles) {
			cells = append(cells, d.Draw(lk, index, &tiles[index], cell, size))
		} else {
			cells = append(cells, slices.Repeat([]string{style.Blanks(cell)}, size.Lines()))
		}
		x = to
	}
	out, parts := make([]string, size.Lines()), make([]string, len(cells))
	for y := range out {
		for i := range cells {
			parts[i] = cells[i][y]
		}
		out[y] = strings.Join(parts, "")
	}
	return out
}

func (t *Tile) draw(lk *style.Look, w int, size TileSize) []string {
	if size == TileCompact {
		return t.drawCompact(lk, w)
	}
	const gap = 1 // cells between tiles
	return t.drawPanel(lk, w-gap, size)
}

// drawCompact draws the tile in two lines.
func (t *Tile) drawCompact(lk *style.Look, w int) []string {
	start := func() *style.Line { return style.NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1) }
	available := w - 3 // without the space before the tile and the gap after it
	dim := lk.Style(themes.Dim)
	name, figure := t.labelText(available), t.markText(lk)+t.Value
	label := start().Add(dim, name)
	if base := style.FirstFitting(available-style.Width(name)-2, cmp.Or(t.ForecastRange, t.Reference), cmp.Or(t.ShortForecast, t.Reference), t.Reference, ""); base != "" {
		label.Space(themes.Style{}, available-style.Width(name)-style.Width(base)).Add(lk.Style(themes.Faint), base)
	}
	value := start().Add(t.valueStyle(lk), figure)
	switch trend := available - style.Width(figure) - 1; {
	case t.SmallText != "" && style.Width(t.SmallText) <= trend:
		value.Space(themes.Style{}, 1).Add(lk.Style(themes.Accent), t.SmallText)
	case trend >= 4 && t.Value != "":
		value.Space(themes.Style{}, 1).AddRaw(t.sparkline(lk, trend), trend)
	}
	return []string{label.Finish(themes.Style{}), value.Finish(themes.Style{})}
}

// drawPanel draws the tile as a panel with large digits. The colors of the frame and the background
// show the level of the alerts about the figure.
func (t *Tile) drawPanel(lk *style.Look, w int, size TileSize) []string {
	available := w - style.PanelSideCells
	mark := t.markText(lk)
	p := style.Panel{Title: mark + t.labelText(available-style.Width(mark)), FooterText: style.FirstFitting(available, t.footText(t.ForecastRange), t.footText(t.ShortForecast), t.Reference, "")}
	p.Title = style.Truncate(p.Title, available, lk.Glyphs.Ellipsis)
	if t.Level != render.Normal {
		p.TitleToken, p.EdgeToken, p.TintToken = t.Level.Token(), themes.GaugeWarn, themes.GaugeWarn
		if t.Level == render.Critical {
			p.EdgeToken, p.TintToken = themes.GaugeCritical, themes.GaugeCritical
		}
	}
	digits := chart.Digits{
		Width: available, Style: t.DigitStyle(lk), Set: lk.ChartGlyphs(), HalfHeight: size == TileMedium, WideDots: available >= MinWideDigitsWidth,
	}
	text := t.Value
	if !digits.HalfHeight {
		text = strings.ReplaceAll(text, " %", "%")
	}
	lines := digits.Render(text)
	return lk.Frame(w, p, append(lines, t.DrawTrend(lk, available, size.Lines()-style.PanelFrameLines-len(lines))...))
}

// markText returns the mark in front of the figure or the title, followed by a space. The mark is
// the glyph of the level, otherwise that of a missed target. If the tile has neither, markText
// returns "".
func (t *Tile) markText(lk *style.Look) string {
	if mark := cmp.Or(t.Level.Glyph(lk.ASCII), t.MissedMark); mark != "" {
		return mark + " "
	}
	return ""
}

// footText returns the text below the figure: the reference value and forecastText, as far as they
// are not empty.
func (t *Tile) footText(forecastText string) string {
	if t.Reference == "" || forecastText == "" {
		return t.Reference + forecastText
	}
	return t.Reference + ", " + forecastText
}

// labelText returns the label or, if that does not fit into the available cells, the short label.
func (t *Tile) labelText(available int) string {
	if t.ShortLabel != "" && style.Width(t.Label) > available {
		return t.ShortLabel
	}
	return t.Label
}

// DrawTrend draws the samples as an area of w cells and h lines. The newest sample is on the right.
func (t *Tile) DrawTrend(lk *style.Look, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	var targets []float64
	if target, ok := t.Target.Get(); ok && FirstKnown(t.Series) < len(t.Series) && (h > 1 || t.Direction == alert.HigherIsBetter) {
		targets = []float64{target}
	}
	low, high := FittedRange(t.Format, t.Series)
	if h > 1 {
		low, high = FittedRange(t.Format, append(targets, t.Series...))
	}
	values := t.Series
	for len(values) < w {
		values = append(slices.Repeat([]float64{math.NaN()}, w-len(values)), values...)
	}
	return chart.Area{
		Width: w, Height: h, Min: low, Max: high, Set: lk.ChartGlyphs(), Shades: lk.Gradient(themes.Sparkline),
		Targets: targets, TargetStyle: lk.Theme.OpenSequence(themes.Text), BelowTargetStyle: lk.Theme.OpenSequence(themes.Dim),
	}.Render(values)
}

func (t *Tile) valueStyle(lk *style.Look) themes.Style {
	switch {
	case t.Dim:
		return lk.Style(themes.Unknown)
	case t.Level != render.Normal:
		return lk.Style(t.Level.Token())
	}
	return lk.Style(themes.Digits)
}

// DigitStyle returns the escape sequence for large digits. It does not underline critical figures,
// because the line would cut through the digits. If panels have a tint, only the tint shows the
// level, because it is easier to see.
func (t *Tile) DigitStyle(lk *style.Look) string {
	switch {
	case t.Dim:
		return lk.Theme.OpenSequence(themes.Unknown)
	case lk.Tint(themes.GaugeWarn) != "":
	case t.Level == render.Critical:
		return lk.Theme.OpenSequence(themes.GaugeCritical)
	case t.Level == render.Warning:
		return lk.Theme.OpenSequence(themes.GaugeWarn)
	}
	return lk.Theme.OpenSequence(themes.Digits)
}

func (t *Tile) sparkline(lk *style.Look, w int) string {
	set := chart.Braille
	if lk.ASCII {
		set = chart.ASCII
	}
	low, high := FittedRange(t.Format, t.Series)
	line := chart.Sparkline{Width: w, Min: low, Max: high, Set: set, Style: lk.Theme.OpenSequence(themes.Sparkline)}
	if target, ok := t.Target.Get(); ok && t.Direction == alert.HigherIsBetter {
		line.Target, line.BelowTargetStyle = target, lk.Theme.OpenSequence(themes.Dim)
	}
	return line.Render(t.Series)
}

// MinDigitsWidth is the minimum width in cells of a figure such as 12:34 in large digits.
// MinWideDigitsWidth is the minimum width if the dots of the digits are two cells wide.
const (
	MinDigitsWidth     = 17
	MinWideDigitsWidth = 2 * MinDigitsWidth
)

// TileLayout is an arrangement of tiles: their size and the number of columns and rows.
type TileLayout struct {
	Size          TileSize
	Columns, Rows int
}

// Lines returns the number of lines that all rows of tiles take.
func (a TileLayout) Lines() int { return a.Rows * a.Size.Lines() }

// TileLayouts returns the possible layouts of n tiles in w cells, from the smallest size to the
// size largest. If largest is at least [TileLarge], layouts with wide digits follow.
func TileLayouts(n, w int, largest TileSize) []TileLayout {
	least := [...]int{TileCompact: 20, TileMedium: 20, TileLarge: MinDigitsWidth + 4, TileLargeWithTrend: MinDigitsWidth + 4}
	var out []TileLayout
	for size := TileCompact; size <= largest; size++ {
		columns := min(max(w/least[size], 1), n)
		rows := (n + columns - 1) / columns
		// The tiles are spread evenly over the columns, without changing the number of rows.
		columns = (n + rows - 1) / rows
		out = append(out, TileLayout{size, columns, rows})
	}
	if largest < TileLarge {
		return out
	}
	if columns := min(w/(MinWideDigitsWidth+4), n); columns > 0 {
		rows := (n + columns - 1) / columns
		columns = (n + rows - 1) / rows
		out = append(out, TileLayout{TileLarge, columns, rows}, TileLayout{TileLargeWithTrend, columns, rows})
	}
	return out
}
