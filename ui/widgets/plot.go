package widgets

import (
	"math"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	catalogue "wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Spans returns the periods that a chart can show. Samples are stored for the longest of them.
func Spans() []time.Duration { return []time.Duration{15 * time.Minute, time.Hour, 8 * time.Hour} }

// SpanFor returns the index in [Spans] of the shortest period that is at least d. If d is longer
// than all of them, it returns the last index. If d is 0, it returns the index of one hour.
func SpanFor(d time.Duration) int {
	if d == 0 {
		d = time.Hour
	}
	spans := Spans()
	for i, s := range spans {
		if d <= s {
			return i
		}
	}
	return len(spans) - 1
}

// Plot is a chart of figures over time. Figures with different units are drawn in separate panels.
type Plot struct {
	Subjects []alert.Key // records to draw, all of the same scope; a key without a channel means the channel on the screen
	KPIs     []string    // names of the figures to draw; empty: the main figures of the scope
	Target   model.Float // if known, replaces the targets of all figures

	SpanIndex   int       // index in Spans
	HidesLegend bool      // draw neither legend nor footer
	Cursor      time.Time // time of the cursor on the server's clock; zero: no cursor

	drawnInputs     drawInputs  // the inputs from which drawn was drawn
	drawn           []string    // lines of the last view
	topPanel        chart.Plot  // the topmost panel in the last view
	x, y            int         // screen position of the last view
	Window          alert.Trend // the samples of the first line that are shown
	hasShortHistory bool        // the chart shows less than the span, because there are no earlier samples
}

// chartLine is a line of a chart: a figure of a record.
type chartLine struct {
	name         string // name of the figure
	subject      alert.Key
	title        string
	format       alert.Format
	target       model.Float
	trend        alert.Trend
	drawnSamples []float64          // values that are drawn: the samples or averages of them
	baseline     forecast.UsualBand // its Days are empty if the baseline is unknown
	glyph        string
	token        themes.Token
}

// collectLines returns the lines of the chart. more is the number of lines beyond the maximum,
// which are omitted.
func (p *Plot) collectLines(sc *Source) (out []chartLine, more int) {
	for _, k := range p.Subjects {
		if k.Channel == "" && k.Scope != alert.Campaign {
			k.Channel = sc.Floor.Channel
		}
		for _, kpi := range p.chartedKPIs(sc, k.Scope) {
			if len(out) == style.MaxSeries {
				more++
				continue
			}
			l := chartLine{
				name: kpi.Name, subject: k, title: render.KPITitle(kpi).In(sc.Look.Format.Words), format: kpi.Format, target: p.Target,
				trend: sc.Trends.Trend(nil, kpi.Name, k, Spans()[p.SpanIndex]),
			}
			if len(p.Subjects) > 1 {
				l.title = sc.TitleOf(k) + ": " + l.title
			}
			if !l.target.Known() {
				l.target = sc.TargetFor(kpi, k)
			}
			l.setCurrentValue(sc)
			out = append(out, l)
		}
	}
	return out, more
}

// setCurrentValue replaces the last sample of the line, which may be ten seconds old, with the
// current value, so that the chart and a tile of the same figure agree. It does nothing if the last
// sample is unknown or the snapshot is frozen.
func (l *chartLine) setCurrentValue(sc *Source) {
	n := len(l.trend.Samples)
	if n == 0 || math.IsNaN(l.trend.Samples[n-1]) || !sc.Floor.FrozenAt.IsZero() {
		return
	}
	if v, ok := sc.Engine.Value(l.name, l.subject).Get(); ok {
		l.trend.Samples[n-1] = v
	}
}

// chartedKPIs returns the figures that the chart draws for the records of a scope.
func (p *Plot) chartedKPIs(sc *Source, s alert.Scope) []alert.KPI {
	all := sc.Engine.ChartedKPIs(s)
	names := p.KPIs
	if len(names) == 0 {
		names = MainKPIs(s)
		for _, customKPI := range sc.CustomKPIs[s] {
			names = append(names, customKPI.Name)
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

// MainKPIs returns the names of the most important figures of the records of a scope.
func MainKPIs(s alert.Scope) []string {
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

// TargetFor returns the target of a figure for the record with the key k. It is unknown if there is
// none.
func (sc *Source) TargetFor(kpi alert.KPI, k alert.Key) model.Float {
	service := ""
	if k.Scope == alert.Service {
		service = k.Code
	}
	if !kpi.BuiltIn {
		return kpi.Target
	}
	if f := catalogue.FigureNamed(kpi.Name); f != nil && f.Target != nil {
		return f.Target(sc.Engine.Goal(service))
	}
	return model.Float{}
}

// TitleOf returns the display name of the record with the key k.
func (sc *Source) TitleOf(k alert.Key) string {
	switch k.Scope {
	case alert.User:
		return sc.Floor.AgentName(k.Code)
	case alert.Floor:
		return sc.Look.Translate(words.PlotFloor(words.ChannelName(k.Channel)))
	case alert.Service, alert.Group, alert.Campaign, alert.Feed:
	}
	return k.Name(sc.Floor.Names, sc.Floor.Shown)
}

// minSpan is the minimum period of a chart that still lacks samples. With a shorter period, the
// second sample would halve the width of the first.
const minSpan = time.Minute

// trimStart sets Window to the samples to show. If there are no samples from before the span, it
// removes the unknown samples before the first known one, but keeps at least minSpan.
func (p *Plot) trimStart(sc *Source, lines []chartLine) {
	p.Window, p.hasShortHistory = alert.Trend{}, false
	if len(lines) == 0 {
		return
	}
	p.Window = lines[0].trend
	total := len(p.Window.Samples)
	first := total
	for i := range lines {
		first = min(first, FirstKnown(lines[i].trend.Samples))
	}
	if first == 0 || first == total || p.hasOlder(sc, &lines[0]) {
		return
	}
	from := max(min(first, total-int(minSpan/p.Window.Step)), 0)
	for i := range lines {
		t := &lines[i].trend
		t.Samples = t.Samples[min(from, len(t.Samples)):]
	}
	p.Window, p.hasShortHistory = lines[0].trend, true
}

// hasOlder reports whether the line l has samples from before the span of the chart.
func (p *Plot) hasOlder(sc *Source, l *chartLine) bool {
	spans := Spans()
	longest := sc.Trends.Trend(nil, l.name, l.subject, spans[len(spans)-1])
	known := len(longest.Samples) - FirstKnown(longest.Samples)
	return time.Duration(known)*longest.Step > spans[p.SpanIndex]
}

// FirstKnown returns the index of the first known sample. If no sample is known, it returns
// len(samples).
func FirstKnown(samples []float64) int {
	if i := slices.IndexFunc(samples, func(v float64) bool { return !math.IsNaN(v) }); i >= 0 {
		return i
	}
	return len(samples)
}

// zoom selects the next longer span if delta is 1, or the next shorter one if delta is -1.
func (p *Plot) zoom(delta int) {
	p.SpanIndex = min(max(p.SpanIndex+delta, 0), len(Spans())-1)
}

// moveCursor moves the cursor by delta samples. At the newest sample, the cursor disappears.
func (p *Plot) moveCursor(delta int) {
	if p.Window.Step == 0 {
		return
	}
	at := p.Cursor
	if at.IsZero() {
		if delta > 0 {
			return
		}
		at = p.Window.End
	}
	at = at.Add(time.Duration(delta) * p.Window.Step)
	if first := p.Window.End.Add(-time.Duration(len(p.Window.Samples)-1) * p.Window.Step); at.Before(first) {
		at = first
	}
	if p.Cursor = at; !at.Before(p.Window.End) {
		p.Cursor = time.Time{}
	}
}

// ClearCursor removes the cursor. It reports whether there was one.
func (p *Plot) ClearCursor() bool {
	previous := !p.Cursor.IsZero()
	p.Cursor = time.Time{}
	return previous
}

// Keys returns the key hints of a chart for its frame.
func Keys(lk *style.Look) []style.KeyHint {
	return []style.KeyHint{{Key: "+ -", Description: lk.Translate(words.PlotKeyZoom())}, {Key: "left right", Description: lk.Translate(words.PlotKeyRead())}}
}

// Press handles the key with the name k. It returns false if the chart does not use the key.
func (p *Plot) Press(k string) bool {
	const fastStep = 10
	switch k {
	case "+", "=":
		p.zoom(-1)
	case "-":
		p.zoom(1)
	case "left":
		p.moveCursor(-1)
	case "right":
		p.moveCursor(1)
	case "shift+left", "pgup":
		p.moveCursor(-fastStep)
	case "shift+right", "pgdown":
		p.moveCursor(fastStep)
	case "end":
		p.ClearCursor()
	default:
		return false
	}
	return true
}

// Click moves the cursor to the sample at a screen position. It returns false if there is none.
func (p *Plot) Click(x, y int) bool {
	n := len(p.Window.Samples)
	index := p.topPanel.SampleAt(x-p.x, n)
	if index < 0 || y < p.y {
		return false
	}
	if p.Cursor = p.Window.End.Add(-time.Duration(n-1-index) * p.Window.Step); index == n-1 {
		p.Cursor = time.Time{}
	}
	return true
}

// Wheel selects a shorter span when the mouse wheel is turned up, and a longer span when it is
// turned down.
func (p *Plot) Wheel(msg tea.MouseWheelMsg) {
	if msg.Button == tea.MouseWheelUp {
		p.zoom(-1)
		return
	}
	if msg.Button == tea.MouseWheelDown {
		p.zoom(1)
	}
}

// cursorIndex returns the index of the sample under the cursor, or -1 if there is no cursor. If the
// time of the cursor is before the first sample, it returns the index of the first sample.
func (p *Plot) cursorIndex() int {
	n := len(p.Window.Samples)
	if p.Cursor.IsZero() || n == 0 {
		return -1
	}
	return min(max(n-1-int(p.Window.End.Sub(p.Cursor)/p.Window.Step), 0), n-1)
}

// hasData reports whether the line has at least one value to draw.
func (l *chartLine) hasData() bool {
	return slices.ContainsFunc(l.trend.Samples, func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) })
}

// valueAt returns the value of the sample with the index i. It is unknown if there is no such sample
// or the sample is a gap.
func (l *chartLine) valueAt(i int) model.Figure {
	if i < 0 || i >= len(l.trend.Samples) || math.IsNaN(l.trend.Samples[i]) {
		return model.Figure{}
	}
	if math.IsInf(l.trend.Samples[i], 1) {
		return model.NotApplicable()
	}
	return model.FigureOf(l.trend.Samples[i])
}

// ExtremeText returns a label with the highest value of the first figure or, if the figure is a
// share, with the lowest value. It returns "" if no value is known.
func (p *Plot) ExtremeText(sc *Source) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range p.Window.Samples {
		if !math.IsNaN(v) && !math.IsInf(v, 1) { // +Inf stands for n/a
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case high < low:
		return ""
	case p.drawnInputs.lines[0].format == alert.Percent:
		return sc.Look.Translate(words.PlotLow(sc.Look.PercentText(low)))
	}
	return sc.Look.Translate(words.PlotPeak(string(sc.Look.Format.Decimal(nil, high))))
}
