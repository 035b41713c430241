package handover

import (
	_ "embed"
	"html/template"
	"math"
	"slices"
	"strings"

	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model/contact"
)

//go:embed day_report.html
var pageTemplate string

//go:embed report_head.html
var headTemplate string

// createdForm is the form of the time at which a page was created.
const createdForm = "2006-01-02 15:04 -07:00"

// Layout of a chart, in units of the image.
const (
	chartWidth  = 760.0
	chartLeft   = 40.0
	chartTop    = 18.0
	chartBottom = 190.0
)

// chart is the bar chart of a kind of contact.
type chart struct {
	Name, Verdict string
	Text          string // for readers who do not see the chart
	Total         int
	Top, Middle   float64 // values at the top and in the middle of the axis
	Hours         []chartHour
}

// chartHour is an hour of a chart. Positions and sizes are in units of the image.
type chartHour struct {
	Label                    string
	Count                    int
	Known, Partial, HasUsual bool
	Tick                     bool // the axis has a label for this hour
	X, X2, W                 float64
	BarX, BarW, Y, H         float64
	Median, High, Band       float64
}

// dayHTML formats a report as an HTML page without scripts or external resources.
func dayHTML(d DayReport, l *words.Language) string {
	page := struct {
		Language, Title    string
		About, ByHour      string
		Width              float64
		Charts             []chart
		Head               []string
		Rows               [][]string
		Organizations      []contact.Group
		OrganizationsTitle string
		OrganizationsHead  []string

		IntervalsTitle, IntervalsAbout string
		IntervalHead                   []string
		Intervals                      [][]string
	}{
		Language: l.Tag(), Title: d.title().In(l), ByHour: words.HandoverByHour().In(l), Width: chartWidth, OrganizationsTitle: d.organizationsTitle().In(l),
		OrganizationsHead: []string{words.HandoverOrganization().In(l), words.HandoverCalls().In(l)},
	}
	partial := words.Text{} // zero unless the current hour is not over yet
	for _, c := range d.Comparisons {
		page.Charts = append(page.Charts, drawChart(c, l))
		if slices.ContainsFunc(c.Day.Hours, func(h contact.Hour) bool { return h.Known && h.Partial }) {
			partial = words.HandoverChartPartial()
		}
	}
	page.About = words.JoinSentences(words.HandoverChart(), partial, words.HandoverCreated(d.CreatedAt.Format(createdForm))).In(l)
	page.Head, page.Rows = hourRows(d, l)
	for _, g := range d.Organizations {
		g.Name = organizationName(g, l)
		page.Organizations = append(page.Organizations, g)
	}
	if v := d.Intervals; v != nil {
		page.IntervalsTitle, page.IntervalsAbout, page.IntervalHead, page.Intervals = v.Title(), v.About(), analysis.ColumnTitles(), v.Cells()
	}
	var b strings.Builder
	if err := template.Must(template.New("report").Parse(headTemplate+pageTemplate)).Execute(&b, page); err != nil {
		panic("report: " + err.Error()) // cannot happen, because a test executes the template
	}
	return b.String()
}

// drawChart computes the positions and sizes of a chart's parts.
func drawChart(c contact.Comparison, l *words.Language) chart {
	title, verdict := kindTitle(c.Day.Kind), verdictText(c)
	out := chart{Name: title.In(l), Verdict: verdict.In(l), Text: words.HandoverChartText(title, c.Day.Total(), verdict).In(l), Total: c.Day.Total()}
	top := 1.0
	for _, h := range c.Day.Hours {
		top = max(top, float64(h.Count), c.Baseline.Hours[h.Start.Hour()].High)
	}
	top = axisTop(top)
	out.Top, out.Middle = top, top/2
	at := func(v float64) float64 { return roundTenth(chartBottom - (chartBottom-chartTop)*v/top) }
	width := (chartWidth - chartLeft) / float64(max(len(c.Day.Hours), 1))
	for i, h := range c.Day.Hours {
		band := c.Baseline.Hours[h.Start.Hour()]
		x := chartLeft + width*float64(i)
		out.Hours = append(out.Hours, chartHour{
			Label: textformat.Clock(h.Start, nil), Count: h.Count, Known: h.Known, Partial: h.Partial, HasUsual: band.Days > 0, Tick: i%3 == 0,
			X: roundTenth(x), X2: roundTenth(x + width), W: roundTenth(width),
			BarX: roundTenth(x + width/6), BarW: roundTenth(width * 2 / 3), Y: at(float64(h.Count)), H: roundTenth(chartBottom - at(float64(h.Count))),
			Median: at(band.Median), High: at(band.High), Band: roundTenth(at(band.Low) - at(band.High)),
		})
	}
	return out
}

// axisTop returns a round value for the top of an axis. It is at least v, and half of it is
// also round.
func axisTop(v float64) float64 {
	if v <= 10 {
		return max(2*math.Ceil(v/2), 2)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8} {
		if top := math.Round(n * unit); top >= v {
			return top
		}
	}
	return 10 * unit
}

func roundTenth(v float64) float64 { return math.Round(v*10) / 10 }
