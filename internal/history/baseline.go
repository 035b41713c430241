package history

import (
	"math"
	"slices"
	"time"

	"wallboard/model/contact"
)

// ComputeBaseline returns the typical values of a weekday: the median and the quartiles of each
// hour and of the whole day. It ignores unknown and partial hours, and for the whole day also the
// days with such hours. An hour that occurs twice because of a clock change counts twice.
func ComputeBaseline(days []contact.Day) contact.Baseline {
	var u contact.Baseline
	var hours [24][]float64
	var totals []float64
	for _, d := range days {
		u.Kind, u.Weekday = d.Kind, d.Date.Weekday()
		u.Dates = append(u.Dates, d.Date)
		whole := len(d.Hours) > 0
		for _, h := range d.Hours {
			if !h.Known || h.Partial {
				whole = false
				continue
			}
			of := h.Start.Hour()
			hours[of] = append(hours[of], float64(h.Count))
		}
		if whole {
			totals = append(totals, float64(d.Total()))
		}
	}
	for i := range hours {
		u.Hours[i] = quartilesOf(hours[i])
	}
	u.Total = quartilesOf(totals)
	return u
}

// Compare compares a day with other days: the whole days, and the numbers of contacts until
// the time of day of day.At.
func Compare(day contact.Day, others []contact.Day) contact.Comparison {
	c := contact.Comparison{Day: day, Baseline: ComputeBaseline(others)}
	if len(others) == 0 {
		c.Baseline.Kind, c.Baseline.Weekday = day.Kind, day.Date.Weekday()
	}
	now := day.At.In(day.Date.Location())
	if now.Before(day.Date) {
		return c // no hour has begun
	}
	hasEnded := !now.Before(contact.StartOfDay(day.Date, 1))
	var sums []float64
	for _, d := range others {
		if sum, ok := contactsUntil(d, now, hasEnded); ok {
			sums = append(sums, sum)
		}
	}
	c.SoFar = quartilesOf(sums)
	return c
}

// contactsUntil returns the number of contacts of a day until the time of day of now. It
// counts the current hour in proportion to its elapsed part. If all is true, it counts the
// whole day. ok is false if an hour is unknown or the day has no hours.
func contactsUntil(d contact.Day, now time.Time, all bool) (sum float64, ok bool) {
	for _, h := range d.Hours {
		if !h.Known {
			return 0, false
		}
		switch of := h.Start.Hour(); {
		case all, of < now.Hour():
			sum += float64(h.Count)
		case of == now.Hour():
			sum += float64(h.Count) * (float64(now.Minute()) + float64(now.Second())/60) / 60
		}
	}
	return sum, len(d.Hours) > 0
}

// WeeklyAverages returns the mean number of contacts on the given days, for each hour of each weekday. It
// ignores unknown and partial hours.
func WeeklyAverages(kind contact.Kind, days []contact.Day) contact.WeeklyAverages {
	heat := contact.WeeklyAverages{Kind: kind}
	for _, d := range days {
		if heat.Range.From.IsZero() || d.Date.Before(heat.Range.From) {
			heat.Range.From = d.Date
		}
		if end := contact.StartOfDay(d.Date, 1); end.After(heat.Range.To) {
			heat.Range.To = end
		}
		for _, h := range d.Hours {
			if !h.Known || h.Partial {
				continue
			}
			cell := &heat.Cells[h.Start.Weekday()][h.Start.Hour()]
			cell.Days++
			cell.Mean += (float64(h.Count) - cell.Mean) / float64(cell.Days)
		}
	}
	return heat
}

// quartilesOf returns the median and the quartiles of numbers, with linear interpolation. It sorts
// numbers.
func quartilesOf(numbers []float64) contact.TypicalRange {
	if len(numbers) == 0 {
		return contact.TypicalRange{}
	}
	slices.Sort(numbers)
	at := func(share float64) float64 {
		place := share * float64(len(numbers)-1)
		low := int(math.Floor(place))
		high := min(low+1, len(numbers)-1)
		return numbers[low] + (numbers[high]-numbers[low])*(place-float64(low))
	}
	return contact.TypicalRange{Median: at(0.5), Low: at(0.25), High: at(0.75), Days: len(numbers)}
}
