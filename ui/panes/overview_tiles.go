package panes

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/render"
	"wallboard/ui/widgets"
)

// minMediumHeight is the minimum height of a page whose main tiles are panels. From minAllTilesHeight on,
// all small tiles are drawn below the panels, even if the services then get less room.
const (
	minMediumHeight   = 20
	minAllTilesHeight = 28
)

// minPanelWidth is the minimum width in cells of a panel with a figure.
const minPanelWidth = 20

// drawTiles draws the tiles with the figures of the floor. Their size depends on w and h.
func (o *overviewPane) drawTiles(sc *Scene, w, h int) []string {
	all := o.allTiles(sc)
	o.replaceByVolumes(sc, all)
	sc.blankTiles(all, model.OpServices, model.OpUserStats)
	var out []string
	main, size := 0, widgets.TileMedium
	columns := min(max(w/minPanelWidth, 2), MainTileCount)
	if w >= 160 && h >= 44 {
		size = widgets.TileLargeWithTrend
	}
	if w >= 100 && h >= minMediumHeight {
		panels := min(w/minPanelWidth, MainTileCount+1) // one more column than tiles, because one of the main tiles takes two
		main = widgets.FittingPanels(all[:MainTileCount], panels)
		panels = min(panels, widgets.ColumnCount(all[:main]))
		out, columns = o.drawings.Row(sc.Look, all, 0, w, panels, size), MainTileCount
		rows := (len(all) - main + columns - 1) / columns
		columns = (len(all) - main + rows - 1) / max(rows, 1) // fills the rows evenly, so that no row has a single tile
	}
	fits := func() bool {
		return main > 0 && h >= minAllTilesHeight || len(out)+widgets.TileCompact.Lines() <= maxCompactLines(h)
	}
	for i := main; i < len(all) && fits(); i += columns {
		out = append(out, o.drawings.Row(sc.Look, all, i, w, columns, widgets.TileCompact)...)
	}
	sc.Floor.FadeStale(sc.Look, out, model.OpServices, model.OpUserStats)
	return out
}

// blankTiles replaces the values of tiles with the mark for unknown values if figures from the
// subscriptions subs are too old to be shown.
func (sc *Scene) blankTiles(tiles []widgets.Tile, subs ...model.Op) {
	if !sc.Floor.IsBlanked(subs...) {
		return
	}
	for i := range tiles {
		tiles[i] = widgets.Tile{Label: tiles[i].Label, Wide: tiles[i].Wide, Value: string(sc.Look.Format.Unknown(nil)), Dim: true}
	}
}

// maxCompactLines returns how many of the page's h lines compact tiles may occupy. It leaves room for
// the bar of the states and, except on small screens, for the services.
func maxCompactLines(h int) int {
	const states, services, low = 3, 10, 14
	switch {
	case h < 12:
		return h - 1
	case h < low:
		return widgets.TileCompact.Lines()
	}
	return max(h-states-services, 2*widgets.TileCompact.Lines())
}

// floorFigures holds the figures of the whole floor on one channel.
type floorFigures struct {
	tally         model.FloorTally
	floor         model.Floor
	figures       []model.Figure  // figures of the tiles, in the order of the tiles
	series        [][]float64     // samples of the trends; the buffers are reused
	floorSnapshot *model.Snapshot // the snapshot from which floor was computed
	floorChannel  model.Channel
	drawings      widgets.TileCache
}

// refresh computes the figures again if the shown snapshot or the channel has changed.
func (o *floorFigures) refresh(sc *Scene) {
	if sc.Floor.Shown == nil || o.floorSnapshot == sc.Floor.Shown && o.floorChannel == sc.Floor.Channel {
		return
	}
	o.floorSnapshot, o.floorChannel = sc.Floor.Shown, sc.Floor.Channel
	o.floor = o.tally.Floor(sc.Floor.Shown, sc.Floor.Channel)
	o.figures = kpi.TileValues(&o.floor, sc.Alarms.Engine.Goal(""))
}

// allTiles returns the tiles of all built-in figures of the floor, the most important first,
// followed by those of the configured KPIs.
func (o *floorFigures) allTiles(sc *Scene) []widgets.Tile {
	figures := kpi.Tiles()
	if o.series == nil {
		o.series = make([][]float64, len(figures))
	}
	if o.figures == nil { // no snapshot has arrived yet
		o.figures = make([]model.Figure, len(figures))
	}
	describer := widgets.FloorDescriber{Source: sc.Charts(), Figures: &o.floor, Forecast: func() (forecast.Forecast, bool) {
		return sc.Forecast("", sc.Floor.Channel, &o.floor.Calls)
	}}
	out := make([]widgets.Tile, len(figures), len(figures)+len(sc.Alarms.CustomKPIs[alert.Floor]))
	for i, figure := range figures {
		t, f := &out[i], o.figures[i]
		o.series[i] = sc.floorSamples(o.series[i][:0], figure.Name).Samples
		t.Label, t.ShortLabel = sc.translate(words.FigureTile(figure.Name)), sc.translate(words.FigureHeading(figure.Name))
		t.Series = o.series[i][widgets.FirstKnown(o.series[i]):]
		t.Value, t.Dim = string(sc.Look.Format.KPI(nil, figure.Unit, f)), !f.Known()
		if f.Known() && sc.presumedTimeUnits().Has(figure.Presumable) {
			t.Value += render.PresumedMark
		}
		t.Format = alert.Format(figure.Unit)
		t.ApplyAlerts(sc.Alarms.ShownAlerts, alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}, figure.Name, sc.Look.Render.MissedGlyph(figure.Better))
		describer.Describe(figure.Name, f, t)
	}
	for _, customKPI := range sc.Alarms.CustomKPIs[alert.Floor] {
		out = append(out, sc.customKPITile(customKPI))
	}
	return out
}

// customKPITile returns the tile of a configured KPI of the floor, with the value at the time of
// the shown snapshot.
func (sc *Scene) customKPITile(k alert.KPI) widgets.Tile {
	subject := alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}
	t, f := sc.Charts().TileOf(k.Name, subject), sc.Alarms.KPIValues.Value(k.Name, subject)
	t.Value, t.Dim, t.Series = string(sc.Look.Format.KPI(nil, k.Format.Unit(), f)), !f.Known(), sc.FloorTrend(k.Name).Samples
	return t
}
