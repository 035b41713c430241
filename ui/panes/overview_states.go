package panes

import (
	"cmp"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// StatesTitle is the title of the bar of the agents' states.
const StatesTitle = "Agents by state"

// drawStates draws the bar of the agents' states as a part of the page. It leaves out the heading
// if the tables below the bar need the room.
func (o *overviewPane) drawStates(sc *Scene, w, h int) []string {
	hasTables := h > minServicesHeight+maxStateLines
	if heading := h >= maxStateLines && !hasTables || h >= minStatesHeadingHeight; !heading {
		return o.drawStatesBar(sc, w, h)
	}
	beside, around := sc.frameMargins()
	lines := o.drawStatesBar(sc, w-beside, h-1)
	o.stateSpots = o.stateSpots.Moved(beside/2, 1)
	position := style.Position{}
	if o.floor.Users > 0 {
		position.Text = string(sc.Floor.FormatOf(sc.Look, model.OpUserStats).Count(nil, int64(o.floor.Users))) + " in total"
	}
	return sc.DrawPart(w, len(lines)+around, StatesTitle, position, false, lines)
}

// drawStatesBar draws the bar of the agents' states, and below it a legend with words and counts.
// If there are no agents, it draws the reason instead.
func (o *overviewPane) drawStatesBar(sc *Scene, w, h int) []string {
	var parts []chart.StackedPart
	f := sc.Floor.FormatOf(sc.Look, model.OpUserStats)
	for _, s := range snapshot.StatesInOrder(o.floor.States) {
		if n := o.floor.States[s]; n > 0 && !f.Blank {
			state := render.StateOf(s, sc.Floor.Channel)
			parts = append(parts, chart.StackedPart{Value: float64(n), Style: sc.Look.Theme.SGR(state.Token), Glyph: sc.Look.Render.BarGlyph(state)})
		}
	}
	var out []string
	o.stateSpots = nil
	if o.floor.Users == 0 {
		waits := []model.Op{model.OpUsers}
		if s := sc.Floor.Shown; s != nil && s.Users.Len() > 0 { // without logged-in agents, such as at night, no figures of agents will arrive
			waits = append(waits, model.OpUserStats)
		}
		text := " " + cmp.Or(sc.Floor.MissingDataReason(waits...), "No agents on "+sc.Floor.ChannelName()+".")
		out = []string{"", style.NewLine(w, sc.Look.Glyphs.Ellipsis).Add(sc.Look.Style(themes.Dim), text).End(themes.Style{})}
	} else {
		bar := chart.StackedBar{Width: max(w-2, 1), Set: sc.Look.ChartGlyphs()}
		out = append([]string{" " + bar.Render(parts) + " "}, o.drawLegend(sc, w, h)...)
		sc.Floor.FadeStale(sc.Look, out, model.OpUserStats)
	}
	return style.FitLines(out, w, min(len(out), h), "")
}

// drawLegend draws the names and the numbers of agents of the states, on two lines if h is large
// enough, and otherwise on one line.
func (o *overviewPane) drawLegend(sc *Scene, w, h int) []string {
	var items []style.LegendItem
	f := sc.Floor.FormatOf(sc.Look, model.OpUserStats)
	for _, s := range snapshot.StatesInOrder(o.floor.States) {
		n := o.floor.States[s]
		if n == 0 {
			continue
		}
		state := render.StateOf(s, sc.Floor.Channel)
		items = append(items, style.LegendItem{SpotName: state.Word, Style: sc.Look.Style(state.Token), Text: state.Glyph(sc.Look.ASCII) + " " + state.Word + " " + string(f.Count(nil, int64(n)))})
	}
	lines := 1
	if h >= maxStateLines {
		lines = 2
	}
	out, spots := sc.Look.Legend(items, w, lines)
	o.stateSpots = spots.Moved(0, 1) // the legend is below the bar
	return out
}
