package panes

import (
	"cmp"
	"slices"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// states draws the bar of the agents' states, with a legend of words and counts.
func (o *overviewPane) states(sc *Scene, w, h int) []string {
	var parts []chart.Part
	f := sc.Floor.FormatOf(sc.Look, model.OpUserStats)
	for _, s := range o.statesInOrder() {
		if n := o.floor.States[s]; n > 0 && !f.Blank {
			state := render.StateOf(s, sc.Floor.Channel)
			parts = append(parts, chart.Part{Value: float64(n), Style: sc.Look.Theme.SGR(state.Token), Glyph: sc.Look.Render.Bar(state)})
		}
	}
	var out []string
	count := ""
	if o.floor.Users == 0 {
		waits := []model.Op{model.OpUsers}
		if s := sc.Floor.Shown; s != nil && s.Users.Len() > 0 { // at night there are no figures to wait for
			waits = append(waits, model.OpUserStats)
		}
		text := " " + cmp.Or(sc.Floor.WaitingFor(waits...), "No agents on "+sc.Floor.ChannelName()+".")
		out = []string{"", style.NewLine(w, sc.Look.Glyphs.Ellipsis).Add(sc.Look.Style(themes.Dim), text).End(themes.Style{})}
	} else {
		count = string(f.Count(nil, int64(o.floor.Users))) + " in all"
		bar := chart.Stacked{Width: max(w-2, 1), Set: sc.Look.Chart()}
		out = append([]string{" " + bar.Render(parts) + " "}, o.legend(sc, w, h)...)
		sc.Floor.FadeOld(sc.Look, out, model.OpUserStats)
	}
	if h >= maxStateLines {
		out = append([]string{sc.Look.Heading(w, "Agents by state", count, false)}, out...)
	}
	return style.FitLines(out, w, min(len(out), h), "")
}

// legend names the parts of the bar in up to two lines, if h lines in all allow that.
// Items that do not fit end in an ellipsis.
func (o *overviewPane) legend(sc *Scene, w, h int) []string {
	type item struct {
		st   themes.Style
		text string
	}
	var items []item
	f := sc.Floor.FormatOf(sc.Look, model.OpUserStats)
	total := 1
	for _, s := range o.statesInOrder() {
		n := o.floor.States[s]
		if n == 0 {
			continue
		}
		state := render.StateOf(s, sc.Floor.Channel)
		text := state.Glyph(sc.Look.ASCII) + " " + state.Word + " " + string(f.Count(nil, int64(n)))
		items = append(items, item{sc.Look.Style(state.Token), text})
		total += style.Width(text)
	}
	gap := min(max((w-total)/max(len(items), 1), 1), 4)
	lines := 1
	if total+gap*(len(items)-1) > w && h > maxStateLines {
		lines, gap = 2, 2
	}
	var out []string
	l := style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for i, it := range items {
		need := style.Width(it.text)
		if i < len(items)-1 {
			need += gap + 1 // the ellipsis must fit after it
		}
		if need > l.Room() && len(out)+1 < lines {
			out = append(out, l.End(themes.Style{}))
			l = style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		}
		if need > l.Room() {
			l.Add(sc.Look.Style(themes.Dim), sc.Look.Glyphs.Ellipsis)
			break
		}
		l.Add(it.st, it.text).Space(themes.Style{}, gap)
	}
	return append(out, l.End(themes.Style{}))
}

// statesInOrder returns the states in the order of the bar, then those that document 2
// does not list, and unknown ones last.
func (o *overviewPane) statesInOrder() []model.UserStatus {
	order := render.StateOrder()
	var others []model.UserStatus
	for s := range o.floor.States {
		if s != "" && !slices.Contains(order[:], s) {
			others = append(others, s)
		}
	}
	slices.Sort(others)
	return append(slices.Concat(order[:], others), "")
}
