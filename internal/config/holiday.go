package config

import (
	"slices"

	"wallboard/model/contact"
)

// Holiday is a day, in the zone of history.time_zone, that is not comparable with others: typical
// values and forecasts leave it out, and there are none for the day itself.
type Holiday struct {
	Date string `toml:"date"` // The day, "2026-12-25", or "12-25" for every year.
	Name string `toml:"name"` // Its name, for people who read the file.
}

const maxHolidays = 400

func (c *Config) checkHolidays(r *report) {
	for i := range c.HolidayList {
		h, path := &c.HolidayList[i], elementKey("holiday", i)
		checkCount(r, path, i, maxHolidays)
		if _, err := contact.ParseHoliday(h.Date); err != nil {
			r.add(joinKey(path, "date"), quoteValue(h.Date)+" is not a day", `write it like "2026-12-25", or "12-25" for every year`)
			continue
		}
		if slices.ContainsFunc(c.HolidayList[:i], func(other Holiday) bool { return other.Date == h.Date }) {
			r.add(joinKey(path, "date"), quoteValue(h.Date)+" is set twice", "keep one of them")
		}
		checkPrintable(r, joinKey(path, "name"), h.Name)
	}
}

// Holidays returns the configured holidays. It skips invalid days.
func (c *Config) Holidays() contact.Holidays {
	out := make(contact.Holidays, 0, len(c.HolidayList))
	for _, h := range c.HolidayList {
		if day, err := contact.ParseHoliday(h.Date); err == nil {
			day.Name = h.Name
			out = append(out, day)
		}
	}
	return out
}
