package ui

import (
	"math"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/floor"
	"wallboard/ui/render"
)

// plotSpans are how much time a chart may show. The shift is as long as samples
// are kept.
func plotSpans() []time.Duration { return []time.Duration{15 * time.Minute, time.Hour, 8 * time.Hour} }

// maxLines is how many lines a chart has at most: more cannot be told apart.
const maxLines = 6

// plot is a chart of figures over time: one panel under the other for those
// that are counted in different units.
type plot struct {
	about  []alert.Key // of one scope; an empty channel is the one on the screen
	kpis   []string    // empty: those that say most
	target model.Float // for all, in place of their own

	span   int       // of plotSpans
	asked  bool      // the viewer wants all of it, whether or not anything is known of it
	cursor time.Time // on the server's clock; zero: there is none

	from   plotSource // what out was drawn from
	out    []string
	drawn  chart.Plot // the topmost panel
	x, y   int        // its place
	window alert.Trend
	young  bool // window is shorter than the span: nothing is known from before it
}

// plotLine is one line of a chart.
type plotLine struct {
	name   string // of the figure
	about  alert.Key
	title  string
	format alert.Format
	target model.Float
	trend  alert.Trend
	glyph  string
	token  themes.Token
}

// lines returns what the chart draws, and how many lines it leaves out.
func (p *plot) lines(sc *scene) (out []plotLine, more int) {
	for _, k := range p.about {
		if k.Channel == "" && k.Scope != alert.Campaign {
			k.Channel = sc.floor.Channel
		}
		for _, kpi := range p.figures(sc, k.Scope) {
			if len(out) == maxLines {
				more++
				continue
			}
			l := plotLine{
				name: kpi.Name, about: k, title: render.KPITitle(kpi), format: kpi.Format, target: p.target,
				trend: sc.trends.Trend(nil, kpi.Name, k, plotSpans()[p.span]),
				glyph: sc.seriesGlyph(len(out)), token: themes.Series1 + themes.Token(len(out)), //nolint:gosec // there are maxLines at most
			}
			if len(p.about) > 1 {
				l.title = sc.titleOf(k) + ": " + l.title
			}
			if !l.target.Known() {
				l.target = sc.targetFor(kpi, k)
			}
			out = append(out, l)
		}
	}
	return out, more
}

// figures returns the definitions of the chart's figures.
func (p *plot) figures(sc *scene, s alert.Scope) []alert.KPI {
	all := sc.Alerts.Charted(s)
	names := p.kpis
	if len(names) == 0 {
		names = mainKPIs(s)
		for _, own := range sc.own[s] {
			names = append(names, own.Name)
		}
	}
	var out []alert.KPI
	for _, name := range names {
		if i := slices.IndexFunc(all, func(k alert.KPI) bool { return k.Name == name }); i >= 0 {
			out = append(out, all[i])
		}
	}
	return out
}

// mainKPIs are the figures that say most about a record.
func mainKPIs(s alert.Scope) []string {
	switch s {
	case alert.Service, alert.Floor:
		return []string{"queuedCalls", "readyUsers", "longestWait", "serviceLevel"}
	case alert.Group:
		return []string{"queuedCalls", "readyUsers", "abandonRate"}
	case alert.Campaign:
		return []string{"talkingContacts", "freeResources", "ringingContacts", "hitRate"}
	case alert.User, alert.Feed:
	}
	return nil
}

// targetFor is what a figure is measured by.
func (sc *scene) targetFor(kpi alert.KPI, k alert.Key) model.Float {
	service := ""
	if k.Scope == alert.Service {
		service = k.Code
	}
	switch {
	case !kpi.BuiltIn:
		return kpi.Target
	case kpi.Name == "serviceLevel":
		return sc.Alerts.Goal(service).ServiceLevel
	case kpi.Name == "abandonRate":
		return sc.Alerts.Goal(service).Abandon
	}
	return model.Float{}
}

// titleOf is what people call a record.
func (sc *scene) titleOf(k alert.Key) string {
	switch k.Scope {
	case alert.User:
		if sc.floor.Shown != nil {
			if u := sc.floor.Shown.Users.Get(k.Code); u != nil {
				return sc.Names.Of(model.NameUser, floor.FullName(u, k.Code))
			}
		}
	case alert.Floor:
		return "Floor, " + render.ChannelName(k.Channel)
	case alert.Service, alert.Group, alert.Campaign, alert.Feed:
	}
	return k.Name(sc.Names)
}

// seriesGlyph is the sign of a line of a chart.
func (sc *scene) seriesGlyph(i int) string {
	if sc.ASCII {
		return [maxLines]string{"*", "o", "+", "x", "#", "@"}[i]
	}
	return [maxLines]string{"●", "■", "▲", "◆", "○", "□"}[i]
}

// leastSpan is the time that a chart shows at least: it grows to its span while
// the board watches.
const leastSpan = 5 * time.Minute

// begin cuts off the time before the board was started, of which a chart cannot
// tell anything. A gap of later stays.
func (p *plot) begin(sc *scene, lines []plotLine) {
	p.window, p.young = alert.Trend{}, false
	if len(lines) == 0 {
		return
	}
	p.window = lines[0].trend
	all := len(p.window.Samples)
	first := all
	for i := range lines {
		first = min(first, begun(lines[i].trend.Samples))
	}
	if p.asked || first == 0 || first == all || p.older(sc, &lines[0]) {
		return
	}
	from := max(min(first, all-int(leastSpan/p.window.Step)), 0)
	for i := range lines {
		t := &lines[i].trend
		t.Samples = t.Samples[min(from, len(t.Samples)):]
	}
	p.window, p.young = lines[0].trend, true
}

// older reports whether anything is known of a line from before the span.
func (p *plot) older(sc *scene, l *plotLine) bool {
	spans := plotSpans()
	longest := sc.trends.Trend(nil, l.name, l.about, spans[len(spans)-1])
	known := len(longest.Samples) - begun(longest.Samples)
	return time.Duration(known)*longest.Step > spans[p.span]
}

// begun is the place of the first known sample, or after the last if none is.
func begun(samples []float64) int {
	if i := slices.IndexFunc(samples, func(v float64) bool { return !math.IsNaN(v) }); i >= 0 {
		return i
	}
	return len(samples)
}

// zoom shows more time, or less.
func (p *plot) zoom(by int) {
	p.span, p.asked = min(max(p.span+by, 0), len(plotSpans())-1), true
}

// move moves the cursor by samples. Past the newest one there is none.
func (p *plot) move(by int) {
	if p.window.Step == 0 {
		return
	}
	at := p.cursor
	if at.IsZero() {
		if by > 0 {
			return
		}
		at = p.window.End
	}
	at = at.Add(time.Duration(by) * p.window.Step)
	if first := p.window.End.Add(-time.Duration(len(p.window.Samples)-1) * p.window.Step); at.Before(first) {
		at = first
	}
	if p.cursor = at; !at.Before(p.window.End) {
		p.cursor = time.Time{}
	}
}

// release takes the cursor away and reports whether there was one.
func (p *plot) release() bool {
	was := !p.cursor.IsZero()
	p.cursor = time.Time{}
	return was
}

// press obeys a key and reports whether it was one of the chart's.
func (p *plot) press(k string) bool {
	const leap = 10
	switch k {
	case "+", "=":
		p.zoom(-1)
	case "-":
		p.zoom(1)
	case "left":
		p.move(-1)
	case "right":
		p.move(1)
	case "shift+left", "pgup":
		p.move(-leap)
	case "shift+right", "pgdown":
		p.move(leap)
	case "end":
		p.release()
	default:
		return false
	}
	return true
}

// click puts the cursor where the mouse was clicked.
func (p *plot) click(x, y int) bool {
	n := len(p.window.Samples)
	at := p.drawn.SampleAt(x-p.x, n)
	if at < 0 || y < p.y {
		return false
	}
	if p.cursor = p.window.End.Add(-time.Duration(n-1-at) * p.window.Step); at == n-1 {
		p.cursor = time.Time{}
	}
	return true
}

// wheel zooms.
func (p *plot) wheel(msg tea.MouseWheelMsg) {
	if msg.Button == tea.MouseWheelUp {
		p.zoom(-1)
		return
	}
	if msg.Button == tea.MouseWheelDown {
		p.zoom(1)
	}
}

// cursorAt is the sample under the cursor, -1 for none. A cursor that the chart
// has moved past stays at its edge.
func (p *plot) cursorAt() int {
	n := len(p.window.Samples)
	if p.cursor.IsZero() || n == 0 {
		return -1
	}
	return min(max(n-1-int(p.window.End.Sub(p.cursor)/p.window.Step), 0), n-1)
}

// known reports whether a chart has anything to draw.
func (l *plotLine) known() bool {
	return slices.ContainsFunc(l.trend.Samples, func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) })
}

// at is a line's value at a sample.
func (l *plotLine) at(i int) model.Figure {
	if i < 0 || i >= len(l.trend.Samples) || math.IsNaN(l.trend.Samples[i]) {
		return model.Figure{}
	}
	if math.IsInf(l.trend.Samples[i], 1) {
		return model.NotApplicable()
	}
	return model.FigureOf(l.trend.Samples[i])
}
