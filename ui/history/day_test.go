package history

import (
	"math"
	"testing"
	"time"

	"wallboard/model/contact"
)

// TestChartOfTheOpenHours checks that a day's chart has one hour on each side of those with
// contacts, and marks the unfinished hour.
func TestChartOfTheOpenHours(t *testing.T) {
	t.Parallel()
	var c comparison
	first := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for i := range 24 {
		c.Day.Hours = append(c.Day.Hours, contact.Hour{Start: first.Add(time.Duration(i) * time.Hour)})
	}
	if got := len(c.busyHours()); got != 24 {
		t.Errorf("a day of nothing has %d hours", got)
	}
	for i := 8; i < 20; i++ {
		c.Baseline.Hours[i] = contact.TypicalRange{Days: 4, Median: 90, Low: 80, High: 100}
	}
	c.Baseline.Hours[2] = contact.TypicalRange{Days: 4, Median: 1, High: 1} // rare contacts do not make an hour busy
	c.Day.Hours[7].Count, c.Day.Hours[7].Known = 30, true
	c.Day.Hours[8].Count, c.Day.Hours[8].Known, c.Day.Hours[8].Partial = 9, true, true
	hours := c.busyHours()
	if from, to := hours[0].Start.Hour(), hours[len(hours)-1].Start.Hour(); from != 6 || to != 20 {
		t.Errorf("the chart is from %d to %d, want 6 to 20", from, to)
	}
	of := c.seriesOf(hours)
	if of.day[1] != 30 || !math.IsNaN(of.day[2]) || of.partialHour[2] != 9 || !math.IsNaN(of.partialHour[1]) || of.maximum != 100 {
		t.Errorf("its lines are %+v", of)
	}
}
