package config

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
)

// Silence keeps alerts silent at planned hours: they are shown dimmed, but do not ring, notify,
// bring a kiosk page to the front or count for `status`. Without records and rules it applies to
// all alerts.
type Silence struct {
	Name      string   `toml:"name"`      // Name shown in the header; "": the listed codes or rules.
	Hours     string   `toml:"hours"`     // Hours of the day, "12:00-13:30"; "22:00-06:00" ends on the next day.
	Days      []string `toml:"days"`      // Days of the week on which it begins, mon to sun; empty: all.
	Timezone  string   `toml:"timezone"`  // Time zone of the hours, "Europe/Rome"; "": kiosk.timezone, or else the machine's.
	Services  []string `toml:"services"`  // Codes of services.
	Groups    []string `toml:"groups"`    // Codes of groups.
	Campaigns []int    `toml:"campaigns"` // IDs of campaigns.
	Rules     []string `toml:"rules"`     // Names of rules; empty: all.
}

const maxSilences = 100

// checkSilences adds the problems of the silences. rules holds the rules that a silence may name.
func (c *Config) checkSilences(r *report, rules []alert.Rule) {
	names := ruleNames(rules)
	for i := range c.Silences {
		s, path := &c.Silences[i], elementKey("silence", i)
		checkCount(r, path, i, maxSilences)
		checkPrintable(r, joinKey(path, "name"), s.Name)
		switch _, _, err := parseHours(s.Hours); {
		case s.Hours == "":
			r.add(joinKey(path, "hours"), "is missing", `write the hours like "12:00-13:30"`)
		case err != nil:
			r.add(joinKey(path, "hours"), quoteValue(s.Hours)+" "+err.Error(), `write it like "12:00-13:30"`)
		}
		for j, day := range s.Days {
			checkOneOf(r, elementKey(joinKey(path, "days"), j), day, weekdays())
		}
		if _, err := time.LoadLocation(s.Timezone); err != nil {
			r.add(joinKey(path, "timezone"), quoteValue(s.Timezone)+" is not a time zone of this machine",
				`write it like "Europe/Rome", or leave it empty`)
		}
		checkCodes(r, joinKey(path, "services"), s.Services)
		checkCodes(r, joinKey(path, "groups"), s.Groups)
		for j, name := range s.Rules {
			checkOneOf(r, elementKey(joinKey(path, "rules"), j), name, names)
		}
	}
}

// alertSilences converts the valid silences to silences of an alert engine.
func (c *Config) alertSilences() []alert.Silence {
	var out []alert.Silence
	for i := range c.Silences {
		s := &c.Silences[i]
		from, to, err := parseHours(s.Hours)
		if err != nil {
			continue // the invalid hours have already been reported
		}
		silence := alert.Silence{Title: s.title(), From: from, To: to, Zone: c.Kiosk.Location(), Rules: s.Rules}
		if zone, err := time.LoadLocation(s.Timezone); err == nil && s.Timezone != "" {
			silence.Zone = zone
		}
		for _, day := range s.Days {
			silence.Days = append(silence.Days, time.Weekday(slices.Index(weekdays(), day)))
		}
		for scope, codes := range map[alert.Scope][]string{
			alert.Service: s.Services, alert.Group: s.Groups, alert.Campaign: formatInts(s.Campaigns),
		} {
			if len(codes) > 0 && silence.Codes == nil {
				silence.Codes = make(map[alert.Scope][]string)
			}
			if len(codes) > 0 {
				silence.Codes[scope] = codes
			}
		}
		out = append(out, silence)
	}
	return out
}

// title returns the name of a silence or, if it has none, the listed codes or, without codes, the
// listed rules.
func (s *Silence) title() string {
	if s.Name != "" {
		return s.Name
	}
	all := slices.Concat(s.Services, s.Groups, formatInts(s.Campaigns))
	if len(all) == 0 {
		all = s.Rules
	}
	return strings.Join(all, ", ")
}

func formatInts(list []int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return out
}
