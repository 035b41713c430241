package config

import (
	"slices"
	"time"

	"wallboard/internal/alert"
)

// Closing sets the time at which the day of services ends, for the forecast, in the zone of
// history.time_zone. Without a block the day ends at midnight.
type Closing struct {
	Services []string `toml:"services"` // Codes; empty: all services that no other block names.
	Close    string   `toml:"close"`    // Closing time, "18:00"; at most "24:00".
	Days     []string `toml:"days"`     // Days of the week, mon to sun; empty: all.
}

const maxClosings = 200

// addClosingTimes sets the closing times in goals, the goals of services. It returns general with
// the closing times for all services. Blocks for all services apply before blocks that name
// services.
func (c *Config) addClosingTimes(r *report, general alert.Goal, goals map[string]alert.Goal) alert.Goal {
	for _, forAll := range []bool{true, false} {
		for i := range c.Hours {
			h, path := &c.Hours[i], elementKey("hours", i)
			if forAll != (len(h.Services) == 0) {
				continue
			}
			checkCount(r, path, i, maxClosings)
			closingTime, err := parseTimeOfDay(h.Close)
			if err != nil || closingTime == 0 {
				r.add(joinKey(path, "close"), quoteValue(h.Close)+" is not a closing time", `write it like "18:00"; at most "24:00"`)
				continue
			}
			for j, day := range h.Days {
				checkOneOf(r, elementKey(joinKey(path, "days"), j), day, weekdays())
			}
			checkCodes(r, joinKey(path, "services"), h.Services)
			if forAll {
				h.setClosingTime(&general, closingTime)
				for code, goal := range goals {
					h.setClosingTime(&goal, closingTime)
					goals[code] = goal
				}
			}
			for _, code := range h.Services {
				goal, hasOwn := goals[code]
				if !hasOwn {
					goal = general
				}
				h.setClosingTime(&goal, closingTime)
				goals[code] = goal
			}
		}
	}
	return general
}

// setClosingTime sets the closing time in g on the days of the week that the block lists.
func (h *Closing) setClosingTime(g *alert.Goal, closingTime time.Duration) {
	for day, name := range weekdays() {
		if len(h.Days) == 0 || slices.Contains(h.Days, name) {
			g.Closing[day] = closingTime
		}
	}
}
