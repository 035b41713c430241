package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/history"
	"wallboard/model/contact"
)

// flat returns a day with the same count in every hour up to at.
func flat(date, at time.Time, n int) contact.Day {
	d := contact.Day{Date: date, At: at}
	for h := range 24 {
		start := date.Add(time.Duration(h) * time.Hour)
		hour := contact.Hour{Start: start, Known: !start.After(at), Partial: at.Before(start.Add(time.Hour))}
		if hour.Known {
			hour.Count = n
		}
		d.Hours = append(d.Hours, hour)
	}
	return d
}

func TestCompare(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, time.March, 18, 0, 0, 0, 0, time.UTC)
	now := today.Add(10*time.Hour + 30*time.Minute)
	var others []contact.Day
	for i, n := range []int{10, 20, 30, 100} {
		others = append(others, flat(today.AddDate(0, 0, -7*(i+1)), now, n))
	}
	c := history.Compare(flat(today, now, 5), others)
	if want := (contact.TypicalRange{Median: 25, Low: 17.5, High: 47.5, Days: 4}); c.Baseline.Hours[9] != want {
		t.Errorf("an hour: %+v, want %+v", c.Baseline.Hours[9], want)
	}
	if c.SoFar.Median != 25*10.5 || c.Baseline.Total.Median != 25*24 {
		t.Errorf("so far %v, the whole day %v", c.SoFar.Median, c.Baseline.Total.Median)
	}
	if c := history.Compare(flat(today, now, 5), nil); c.SoFar != (contact.TypicalRange{}) || c.Baseline.Hours[9] != (contact.TypicalRange{}) {
		t.Error("something is usual without a day to tell it")
	}
	heat := history.WeeklyAverages(contact.Inbound, append(others, flat(today, now, 7)))
	if diff := cmp.Diff(contact.Cell{Mean: 160.0 / 4, Days: 4}, heat.Cells[time.Wednesday][23]); diff != "" {
		t.Errorf("an hour that is to come today (-want +got):\n%s", diff)
	}
	if heat.Cells[time.Monday][9].Days != 0 {
		t.Error("a weekday without a day has a mean")
	}
}
