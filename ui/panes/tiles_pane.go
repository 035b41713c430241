package panes

import (
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// tilesPane shows figures side by side, in the largest size that fits.
type tilesPane struct {
	spec PaneSpec
	floorFigures
	tiles []widgets.Tile
}

// MainTileCount is the number of figures of the floor that a pane shows if its spec names none.
const MainTileCount = 6

func (t *tilesPane) subscriptions() []model.Op {
	switch {
	case len(t.spec.Groups) > 0:
		return []model.Op{model.OpGroups}
	case len(t.spec.Campaigns) > 0:
		return []model.Op{model.OpCampaigns}
	case len(t.spec.Services) > 0:
		return []model.Op{model.OpServices}
	}
	return []model.Op{model.OpServices, model.OpUserStats}
}

// Refresh implements [Pane]. It updates the tiles from the current snapshot. While the snapshot is
// frozen, it does not change existing tiles.
func (t *tilesPane) Refresh(sc *Scene) {
	t.refresh(sc)
	if !sc.Floor.FrozenAt.IsZero() && len(t.tiles) > 0 {
		return
	}
	t.tiles = t.tiles[:0]
	for _, subject := range t.recordKeys(sc) {
		if subject.Scope == alert.Floor {
			t.floorTiles(sc)
			continue
		}
		for _, name := range t.kpiNames(subject.Scope) {
			item := sc.Charts().TileOf(name, subject)
			item.Label += " " + sc.Look.Glyphs.Dot + " " + sc.Charts().TitleOf(subject)
			t.tiles = append(t.tiles, item)
		}
	}
}

// recordKeys returns the alert keys of the records whose figures the pane shows.
func (t *tilesPane) recordKeys(sc *Scene) []alert.Key {
	return t.spec.records(sc.Floor.Channel)
}

// records returns the alert keys, on channel ch, of the records that the spec names. If the spec
// names no records, it returns the key of the floor.
func (s *PaneSpec) records(ch model.Channel) []alert.Key {
	var out []alert.Key
	for _, code := range s.Services {
		out = append(out, alert.Key{Scope: alert.Service, Code: code, Channel: ch})
	}
	for _, code := range s.Groups {
		out = append(out, alert.Key{Scope: alert.Group, Code: code, Channel: ch})
	}
	for _, code := range s.Campaigns {
		out = append(out, alert.Key{Scope: alert.Campaign, Code: code})
	}
	if out == nil {
		out = []alert.Key{{Scope: alert.Floor, Channel: ch}}
	}
	return out
}

// kpiNames returns the names of the figures that the pane shows for each record of a scope.
func (t *tilesPane) kpiNames(s alert.Scope) []string {
	if len(t.spec.KPIs) > 0 {
		return t.spec.KPIs
	}
	return widgets.MainKPIs(s)
}

// floorTiles adds the tiles of the floor. Built-in figures have the same tiles as on the overview.
func (t *tilesPane) floorTiles(sc *Scene) {
	all := t.allTiles(sc)
	if len(t.spec.KPIs) == 0 {
		t.tiles = append(t.tiles, all[:MainTileCount]...)
		return
	}
	for _, name := range t.spec.KPIs {
		if index := kpi.TileIndex(name); index >= 0 {
			t.tiles = append(t.tiles, all[index])
			continue
		}
		item := sc.Charts().TileOf(name, alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel})
		if kind, ok := sc.contactKindOf(name); ok && item.Reference == "" {
			_, item.Reference, _ = sc.compareWithBaseline(kind)
		}
		t.tiles = append(t.tiles, item)
	}
}

func (t *tilesPane) tileCount() int { return max(t.expectedTiles(), 1) }
func (t *tilesPane) largestSize() widgets.TileSize {
	if t.spec.Digits == "normal" {
		return widgets.TileMedium
	}
	return widgets.TileLargeWithTrend
}

// expectedTiles returns the number of tiles that the spec requires, regardless of the data.
func (t *tilesPane) expectedTiles() int {
	records := t.spec.records("")
	perRecord := len(t.spec.KPIs)
	if perRecord == 0 {
		perRecord = MainTileCount
		if records[0].Scope != alert.Floor {
			perRecord = len(widgets.MainKPIs(records[0].Scope))
		}
	}
	return perRecord * len(records)
}

func (t *tilesPane) SizeHint(sc *Scene, w int) frame.SizeHint {
	all := widgets.TileLayouts(t.tileCount(), w, t.largestSize())
	minimum := all[0].Lines()
	switch {
	case t.spec.Digits == "big":
		minimum = all[widgets.TileLarge].Lines()
	case t.spec.role.usesLargeFigures && sc.LargeFigures:
		minimum = all[widgets.TileMedium].Lines()
	}
	var steps []int
	for _, a := range all {
		steps = append(steps, a.Lines(), a.Lines()+a.Rows) // the second height includes blank lines between the rows
	}
	slices.Sort(steps)
	return frame.SizeHint{MinWidth: 20, MinHeight: minimum, WantedHeight: minimum, UsefulHeights: slices.Compact(steps)}
}

func (t *tilesPane) View(sc *Scene, _, _, w, h int) []string {
	all := widgets.TileLayouts(t.tileCount(), w, t.largestSize())
	best := all[0]
	for _, a := range all[1:] {
		if a.Lines() <= h {
			best = a
		}
	}
	blank := best.Lines()+best.Rows-1 <= h
	tiles := slices.Clone(t.tiles)
	sc.blankTiles(tiles, t.subscriptions()...)
	hasWide := best.Rows == 1 && slices.ContainsFunc(tiles, func(item widgets.Tile) bool { return item.Wide }) && w/(len(tiles)+1) >= widgets.MinDigitsWidth+4
	if hasWide {
		best.Columns = len(tiles) + 1
	}
	for i := range tiles {
		tiles[i].Wide = tiles[i].Wide && hasWide
		if item := &tiles[i]; sc.LargeFigures && strings.ContainsAny(item.Reference+item.ForecastRange+item.ShortForecast, "0123456789") {
			item.Reference, item.ForecastRange, item.ShortForecast = "", "", "" // text with figures is too small to read from a distance
			if item.Wide {
				item.Reference = sc.translate(words.PaneFloorState(cardKinds()[0].targetWord(sc, alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel})))
			}
		}
	}
	var out []string
	for from := 0; from < len(tiles) && len(out)+best.Size.Lines() <= h; from += best.Columns {
		if blank && from > 0 {
			out = append(out, style.Blanks(w))
		}
		columns := best.Columns
		if !hasWide {
			columns = min(columns, len(tiles)-from) // if the last row has fewer tiles, they are wider
		}
		out = append(out, t.drawings.Row(sc.Look, tiles, from, w, columns, best.Size)...)
	}
	if len(out) == 0 && h > 0 && len(tiles) > 0 { // if no row fits, draw the first tile alone
		out = slices.Clone(t.drawings.Draw(sc.Look, 0, &tiles[0], w, widgets.TileCompact))
	}
	sc.Floor.FadeStale(sc.Look, out, t.subscriptions()...)
	return style.FillLines(out, w, h)
}

func tilesKind() paneKind {
	return paneKind{
		name: "tiles", settings: []string{"channel", "services", "groups", "campaigns", "kpis", "digits"},
		make: func(_ *Scene, s PaneSpec) Pane { return &tilesPane{spec: s} },
	}
}
