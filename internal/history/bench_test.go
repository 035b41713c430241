package history_test

import (
	"testing"

	"wallboard/model/contact"
)

// mostOfADay limits the requests for a comparison of a day with four others, with
// aliases.
const mostOfADay = 5

// BenchmarkDay reads a day by the hour and the last four of its weekday, without a
// cache.
func BenchmarkDay(b *testing.B) {
	p := open(b, func(o *simulatorOptions) { o.Stat.Limit = 1 << 30 })
	for b.Loop() {
		c := p.client(b, nil)
		if _, err := c.CompareDay(b.Context(), opening(), contact.Inbound); err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
	perOp := float64(len(p.Statistics().Requests())) / float64(b.N)
	b.ReportMetric(perOp, "requests/op")
	if perOp > mostOfADay {
		b.Errorf("%.1f requests for a day against four, at most %d are allowed", perOp, mostOfADay)
	}
}
