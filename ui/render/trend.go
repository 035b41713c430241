package render

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/table"
)

// Trends provides the samples of figures. [alert.Engine] and [alert.FrozenTrends] implement it.
type Trends interface {
	// Trend appends to dst the samples of a figure of the record with the key k over the last span.
	// NaN stands for a gap, and +Inf for n/a.
	Trend(dst []float64, name string, k alert.Key, span time.Duration) alert.Trend
}

const (
	trendSpan  = time.Hour
	trendStep  = 10 * time.Second // interval between samples
	trendWidth = 15               // width in cells; half a cell of Braille dots is two minutes
)

// addTrendColumn adds a column with the samples of a figure over the last hour. It has the lowest
// priority, because another column shows the current value of the figure.
func (d *sourceSpec[R]) addTrendColumn(title words.Text, figure string) {
	d.showsTrend = true
	var samples []float64
	d.columns = append(d.columns, column[R]{
		columnSpec: columnSpec{texts: columnTexts{title: title}, Column: table.Column{
			ID: "trend", Min: trendWidth, Priority: 1, NoSort: true, NoFlash: true,
		}},
		cell: func(v *View, r *row[R], dst *table.Cell) {
			if v.Trends == nil {
				return
			}
			t := v.Trends.Trend(samples[:0], figure, d.alertKey(r.record), trendSpan)
			samples = t.Samples
			if !slices.ContainsFunc(samples, func(s float64) bool { return !math.IsNaN(s) }) {
				dst.Text, dst.Style = v.Options.Format().Text(dst.Text, ""), v.sgr(themes.Unknown)
				return
			}
			line := chart.Sparkline{Width: dst.Width, Set: chart.Braille}
			points := 2 * dst.Width
			if v.Options.ASCII {
				line.Set, points = chart.ASCII, dst.Width
			}
			dst.Text = line.Append(dst.Text, t.Peaks(points))
			dst.Style = v.sgr(themes.Sparkline)
		},
		value: func(*View, *row[R]) table.Value { return table.Value{} },
	})
}

// trendVersion returns a number that changes with every new sample.
func (v *View) trendVersion() uint64 {
	const spread = 0xD6E8FEB86659FD93
	return uint64(v.Now.Unix()/int64(trendStep/time.Second)) * spread //nolint:gosec // any number is valid
}
