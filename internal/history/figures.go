package history

import (
	"context"
	"time"

	"wallboard/model/contact"
)

// baselineDays is the number of earlier days of the same weekday that define the typical values.
// baselineWeeks is the number of weeks that are searched for them, because holidays are left out.
const (
	baselineDays  = 4
	baselineWeeks = 8
)

// hoursOf returns the hours of the day that begins with date: 23 or 25 on days with a
// clock change, or half an hour more or less in some zones.
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

// Day compares the day of date with the last four of its weekday that were not holidays, by the
// hour. A holiday is not compared with other days. It takes one or two requests if the server
// supports aliases.
func (c *Client) Day(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
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
	return Compare(days[0], days[1:]), nil
}

// DayAgainst compares the day of date with one other day, which stands for the typical values.
func (c *Client) DayAgainst(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error) {
	days, err := c.readDays(ctx, []time.Time{contact.StartOfDay(date.In(c.location), 0), contact.StartOfDay(other.In(c.location), 0)}, kind)
	if err != nil {
		return contact.Comparison{}, err
	}
	return Compare(days[0], days[1:]), nil
}

// maxWeeks limits a heat map; 26 weeks take 44 requests.
const maxWeeks = 26

// Heat returns the mean of each hour of each weekday over the weeks that end with the
// day of date.
func (c *Client) Heat(ctx context.Context, date time.Time, weeks int, kind contact.Kind) (contact.Heat, error) {
	if weeks < 1 || weeks > maxWeeks {
		return contact.Heat{}, invalidError(operationsOf(kind).count, "want 1 to 26 weeks")
	}
	last := date.In(c.location)
	return c.readHeat(ctx, contact.StartOfDay(last, 1-7*weeks), contact.StartOfDay(last, 1), kind)
}

// HeatOfMonth is like [Client.Heat] for the calendar month of date.
func (c *Client) HeatOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.Heat, error) {
	date = date.In(c.location)
	return c.readHeat(ctx, contact.StartOfMonth(date, 0), contact.StartOfMonth(date, 1), kind)
}

// readHeat reads the days in a range.
func (c *Client) readHeat(ctx context.Context, from, to time.Time, kind contact.Kind) (contact.Heat, error) {
	var dates []time.Time
	for day := from; day.Before(to); day = contact.StartOfDay(day, 1) {
		if !c.holidays.Includes(day) {
			dates = append(dates, day)
		}
	}
	days, err := c.readDays(ctx, dates, kind)
	if err != nil {
		return contact.Heat{}, err
	}
	return Heat(kind, days), nil
}

// readDays reads days by the hour. Hours that have not begun are unknown.
func (c *Client) readDays(ctx context.Context, dates []time.Time, kind contact.Kind) ([]contact.Day, error) {
	now := c.now().In(c.location)
	days := make([]contact.Day, len(dates))
	var ranges []contact.Range
	var into []*contact.Hour
	for i, date := range dates {
		d := contact.Day{Kind: kind, Date: date, At: now}
		hours := hoursOf(date)
		d.Hours = make([]contact.Hour, len(hours))
		for j, r := range hours {
			h := &d.Hours[j]
			h.Start, h.Partial = r.From, now.Before(r.To)
			if !r.From.After(now) {
				ranges, into = append(ranges, r), append(into, h)
			}
		}
		days[i] = d
	}
	if len(ranges) == 0 {
		return days, nil // all hours are in the future
	}
	counts, err := c.fetchCounts(ctx, kind, ranges)
	if err != nil {
		return nil, err
	}
	for i, h := range into {
		h.Count, h.Known = counts[i].n, counts[i].known
	}
	return days, nil
}
