package history

import (
	"context"
	"time"

	"wallboard/model/contact"
)

// baselineDays is the number of earlier days of the same weekday that typical values are computed
// from. baselineWeeks is the number of earlier weeks in which these days are searched; it is
// larger, because holidays are skipped.
const (
	baselineDays  = 4
	baselineWeeks = 8
)

// hoursOf returns the hours of the day that begins at date. A day with a clock change has 23
// or 25 hours. In some time zones, the last hour of such a day is only half an hour long.
func hoursOf(date time.Time) []contact.Range {
	var hours []contact.Range
	end := contact.StartOfDay(date, 1)
	for from := date; from.Before(end); {
		to := from.Add(time.Hour)
		if to.After(end) {
			to = end
		}
		hours = append(hours, contact.Range{From: from, To: to})
		from = to
	}
	return hours
}

// CompareDay compares the day of date, hour by hour, with earlier days of the same weekday: the last
// four within eight weeks that were not holidays. It does not compare a holiday with other
// days. CompareDay takes one or two requests if the server supports aliases.
func (c *Client) CompareDay(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	first := contact.StartOfDay(date.In(c.location), 0)
	dates := []time.Time{first}
	for week := 1; week <= baselineWeeks && len(dates) <= baselineDays && !c.holidays.Includes(first); week++ {
		if day := contact.StartOfDay(first, -7*week); !c.holidays.Includes(day) {
			dates = append(dates, day)
		}
	}
	days, err := c.readDays(ctx, dates, kind)
	if err != nil {
		return contact.Comparison{}, err
	}
	out := Compare(days[0], days[1:])
	out.IsHoliday = c.holidays.Includes(first)
	return out, nil
}

// CompareDays compares the day of date with the day of other, whose values take the place of
// the typical ones.
func (c *Client) CompareDays(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error) {
	days, err := c.readDays(ctx, []time.Time{contact.StartOfDay(date.In(c.location), 0), contact.StartOfDay(other.In(c.location), 0)}, kind)
	if err != nil {
		return contact.Comparison{}, err
	}
	return Compare(days[0], days[1:]), nil
}

// maxWeeks limits the number of weeks of a heat map. A heat map of 26 weeks takes 44 requests.
const maxWeeks = 26

// WeeklyAverages returns the mean number of contacts in each hour of each weekday, over a number of
// weeks that end with the day of date. It ignores holidays. weeks must be 1 to 26.
func (c *Client) WeeklyAverages(ctx context.Context, date time.Time, weeks int, kind contact.Kind) (contact.WeeklyAverages, error) {
	if weeks < 1 || weeks > maxWeeks {
		return contact.WeeklyAverages{}, invalidError(operationsOf(kind).count, "want 1 to 26 weeks")
	}
	last := date.In(c.location)
	return c.readWeeklyAverages(ctx, contact.StartOfDay(last, 1-7*weeks), contact.StartOfDay(last, 1), kind)
}

// MonthlyAverages is like [Client.WeeklyAverages], but for the calendar month of date.
func (c *Client) MonthlyAverages(ctx context.Context, date time.Time, kind contact.Kind) (contact.WeeklyAverages, error) {
	date = date.In(c.location)
	return c.readWeeklyAverages(ctx, contact.StartOfMonth(date, 0), contact.StartOfMonth(date, 1), kind)
}

// readWeeklyAverages reads the days between from and to, except holidays, and returns their heat map.
func (c *Client) readWeeklyAverages(ctx context.Context, from, to time.Time, kind contact.Kind) (contact.WeeklyAverages, error) {
	var dates []time.Time
	for day := from; day.Before(to); day = contact.StartOfDay(day, 1) {
		if !c.holidays.Includes(day) {
			dates = append(dates, day)
		}
	}
	days, err := c.readDays(ctx, dates, kind)
	if err != nil {
		return contact.WeeklyAverages{}, err
	}
	return WeeklyAverages(kind, days), nil
}

// readDays reads the number of contacts in each hour of the given days. Hours that have not begun
// yet are unknown.
func (c *Client) readDays(ctx context.Context, dates []time.Time, kind contact.Kind) ([]contact.Day, error) {
	now := c.now().In(c.location)
	days := make([]contact.Day, len(dates))
	var ranges []contact.Range
	var wanted []*contact.Hour
	for i, date := range dates {
		d := contact.Day{Kind: kind, Date: date, At: now}
		hours := hoursOf(date)
		d.Hours = make([]contact.Hour, len(hours))
		for j, r := range hours {
			h := &d.Hours[j]
			h.Start, h.Partial = r.From, now.Before(r.To)
			if !r.From.After(now) {
				ranges, wanted = append(ranges, r), append(wanted, h)
			}
		}
		days[i] = d
	}
	if len(ranges) == 0 {
		return days, nil // no hour has begun
	}
	counts, err := c.fetchCounts(ctx, kind, ranges)
	if err != nil {
		return nil, err
	}
	for i, h := range wanted {
		h.Count, h.Known = counts[i].n, counts[i].known
	}
	return days, nil
}
