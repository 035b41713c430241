package widgets

import (
	"cmp"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// MaxStateLines is the maximum number of lines returned by [DrawStates]: the bar and two lines of
// its legend.
const MaxStateLines = 3

// DrawStates draws the bar of the agents' states in at most h lines of w cells, and below it a
// legend with words and counts. If there are no agents, it draws the reason instead. floor holds
// the figures of the shown snapshot in v. spots are the click areas of the words in the legend.
func DrawStates(lk *style.Look, v *floorview.View, floor *model.Floor, w, h int) (lines []string, spots style.ClickAreas) {
	var parts []chart.StackedPart
	f := v.FormatOf(lk, model.OpUserStats)
	for _, s := range floorview.StatesInOrder(floor.States) {
		if n := floor.States[s]; n > 0 && !f.AllUnknown {
			state := render.StateOf(s, v.Channel)
			parts = append(parts, chart.StackedPart{Value: float64(n), Style: lk.Theme.OpenSequence(state.Token), Glyph: lk.Render.BarGlyph(state)})
		}
	}
	var out []string
	if floor.Users == 0 {
		waits := []model.Op{model.OpUsers}
		if s := v.Shown; s != nil && s.Users.Len() > 0 { // without logged-in agents, such as at night, no figures of agents will arrive
			waits = append(waits, model.OpUserStats)
		}
		text := " " + cmp.Or(v.MissingDataReason(waits...), lk.Translate(words.PlotNoAgents(words.ChannelName(v.Channel))))
		out = []string{"", style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Dim), text).Finish(themes.Style{})}
	} else {
		bar := chart.StackedBar{Width: max(w-2, 1), Set: lk.ChartGlyphs()}
		var legend []string
		legend, spots = drawStateLegend(lk, v, floor, w, h)
		spots = spots.Offset(0, 1) // the legend is below the bar
		out = append([]string{" " + bar.Render(parts) + " "}, legend...)
		v.FadeStale(lk, out, model.OpUserStats)
	}
	return style.FitLines(out, w, min(len(out), h), ""), spots
}

// drawStateLegend draws the names of the states and their numbers of agents, on two lines if h is
// large enough, and otherwise on one line.
func drawStateLegend(lk *style.Look, v *floorview.View, floor *model.Floor, w, h int) ([]string, style.ClickAreas) {
	var items []style.LegendItem
	f := v.FormatOf(lk, model.OpUserStats)
	for _, s := range floorview.StatesInOrder(floor.States) {
		n := floor.States[s]
		if n == 0 {
			continue
		}
		state := render.StateOf(s, v.Channel)
		items = append(items, style.LegendItem{AreaName: state.Word.In(lk.Format.Words), Style: lk.Style(state.Token), Text: state.Glyph(lk.ASCII) + " " + state.Word.In(lk.Format.Words) + " " + string(f.Count(nil, int64(n)))})
	}
	lines := 1
	if h >= MaxStateLines {
		lines = 2
	}
	return lk.Legend(items, w, lines)
}
