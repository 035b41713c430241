package config

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
)

// Silence keeps alerts quiet at planned hours: they are shown, dimmed and marked,
// but ring nobody, notify nobody, bring no kiosk to the front and do not count for
// `status`. What is named is silent and nothing else; without names everything is.
type Silence struct {
	Name      string   `toml:"name"`      // What the header calls it; "" is what it is about.
	Hours     string   `toml:"hours"`     // Hours of the day, "12:00-13:30"; "22:00-06:00" ends on the next day.
	Days      []string `toml:"days"`      // Days of the week on which it begins, mon to sun; empty: all.
	Timezone  string   `toml:"timezone"`  // Time zone of the hours, "Europe/Rome"; "" is kiosk.timezone, and without one the machine's.
	Services  []string `toml:"services"`  // Codes of services.
	Groups    []string `toml:"groups"`    // Codes of groups.
	Campaigns []int    `toml:"campaigns"` // Ids of campaigns.
	Rules     []string `toml:"rules"`     // Names of rules; empty: all.
}

// mostSilences bounds how many there are.
const mostSilences = 100

// checkSilences checks the planned silences. rules are those of the engine.
func (c *Config) checkSilences(r *report, rules []alert.Rule) {
	var names []string
	for _, rule := range rules {
		if !slices.Contains(names, rule.Name) {
			names = append(names, rule.Name)
		}
	}
	for i := range c.Silences {
		s, path := &c.Silences[i], element("silence", i)
		if i == mostSilences {
			r.add(path, "is one too many", "allowed: "+strconv.Itoa(mostSilences))
		}
		noControl(r, join(path, "name"), s.Name)
		switch _, _, err := parseHours(s.Hours); {
		case s.Hours == "":
			r.add(join(path, "hours"), "is missing", `a silence needs an end: write the hours like "12:00-13:30"`)
		case err != nil:
			r.add(join(path, "hours"), quoted(s.Hours)+" "+err.Error(), `write it like "12:00-13:30"`)
		}
		for j, day := range s.Days {
			oneOf(r, element(join(path, "days"), j), day, weekdays())
		}
		if _, err := time.LoadLocation(s.Timezone); err != nil {
			r.add(join(path, "timezone"), quoted(s.Timezone)+" is no time zone of this machine",
				`write it like "Europe/Rome", or leave it empty`)
		}
		checkCodes(r, join(path, "services"), s.Services)
		checkCodes(r, join(path, "groups"), s.Groups)
		for j, name := range s.Rules {
			oneOf(r, element(join(path, "rules"), j), name, names)
		}
	}
}

// silences returns the planned silences as an engine knows them.
func (c *Config) silences() []alert.Silence {
	var out []alert.Silence
	for i := range c.Silences {
		s := &c.Silences[i]
		from, to, err := parseHours(s.Hours)
		if err != nil {
			continue // check has refused it
		}
		q := alert.Silence{Title: s.title(), From: from, To: to, Zone: c.Kiosk.Location(), Rules: s.Rules}
		if zone, err := time.LoadLocation(s.Timezone); err == nil && s.Timezone != "" {
			q.Zone = zone
		}
		for _, day := range s.Days {
			q.Days = append(q.Days, time.Weekday(slices.Index(weekdays(), day)))
		}
		for scope, codes := range map[alert.Scope][]string{
			alert.Service: s.Services, alert.Group: s.Groups, alert.Campaign: numbersOf(s.Campaigns),
		} {
			if len(codes) > 0 && q.Codes == nil {
				q.Codes = make(map[alert.Scope][]string)
			}
			if len(codes) > 0 {
				q.Codes[scope] = codes
			}
		}
		out = append(out, q)
	}
	return out
}

// title is what a silence is called that has no name.
func (s *Silence) title() string {
	if s.Name != "" {
		return s.Name
	}
	all := slices.Concat(s.Services, s.Groups, numbersOf(s.Campaigns))
	if len(all) == 0 {
		all = s.Rules
	}
	return strings.Join(all, ", ")
}

// numbersOf returns numbers as texts.
func numbersOf(list []int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return out
}
