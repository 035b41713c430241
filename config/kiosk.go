package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kiosk says how a board behaves that hangs on a wall and that nobody operates:
// `wallboard kiosk`, or every start when it is enabled.
type Kiosk struct {
	Enabled  bool                     `toml:"enabled"`  // `wallboard` without a command is a kiosk as well.
	Pages    []string                 `toml:"pages"`    // Pages to rotate, in this order; empty: Wall, Services and Agents; with pages of your own the page to start with, then the others but the feed's.
	Dwell    time.Duration            `toml:"dwell"`    // How long a page stays, 3s to 1h.
	Dwells   map[string]time.Duration `toml:"dwells"`   // Page -> how long that one stays instead.
	Front    string                   `toml:"front"`    // Lowest severity of a situation that brings the page about it to the front: critical, warning, off.
	Active   string                   `toml:"active"`   // Hours of the day to show the board in, "07:00-19:00"; "" is always.
	Days     []string                 `toml:"days"`     // Days of the week to show it on, mon to sun; empty: all.
	Timezone string                   `toml:"timezone"` // Time zone of the hours and of all times shown, "Europe/Rome"; "" is the machine's.
	Names    string                   `toml:"names"`    // How agents are named: full, initials, hidden.
	Quit     string                   `toml:"quit"`     // Keys pressed together that end it, "ctrl+alt+q"; "" is none: only SIGTERM does.
}

// The bounds of kiosk.dwell. A page that goes sooner cannot be read.
const (
	shortestDwell = 3 * time.Second
	longestDwell  = time.Hour
)

// weekdays are the days as kiosk.days names them, Sunday first as in [time.Weekday].
func weekdays() []string { return []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} }

// defaultKiosk is the kiosk of an empty file.
func defaultKiosk() Kiosk {
	return Kiosk{Dwell: 20 * time.Second, Front: "critical", Names: "hidden"}
}

func (k *Kiosk) check(r *report, o Options) {
	arePages(r, "kiosk.pages", k.Pages, o)
	within(r, "kiosk.dwell", k.Dwell, shortestDwell, longestDwell)
	for page, d := range k.Dwells {
		if at := join("kiosk.dwells", page); isPage(r, at, page, o) {
			within(r, at, d, shortestDwell, longestDwell)
		}
	}
	oneOf(r, "kiosk.front", k.Front, []string{"critical", "warning", "off"})
	oneOf(r, "kiosk.names", k.Names, []string{"full", "initials", "hidden"})
	if k.Active != "" {
		if _, _, err := parseHours(k.Active); err != nil {
			r.add("kiosk.active", quoted(k.Active)+" "+err.Error(), `write it like "07:00-19:00"`)
		}
	}
	for i, day := range k.Days {
		oneOf(r, element("kiosk.days", i), day, weekdays())
	}
	if _, err := time.LoadLocation(k.Timezone); err != nil {
		r.add("kiosk.timezone", quoted(k.Timezone)+" is no time zone of this machine",
			`write it like "Europe/Rome", or leave it empty for the machine's own`)
	}
	k.checkQuit(r)
}

// arePages reports names of a list that are no pages, or stand there twice.
func arePages(r *report, key string, pages []string, o Options) {
	for i, page := range pages {
		at := element(key, i)
		if !isPage(r, at, page, o) {
			continue
		}
		if hasPage(pages[:i], page) {
			r.add(at, quoted(page)+" stands there twice", "keep one of them")
		}
	}
}

// isPage reports a name that is no page, in whatever case it is written.
func isPage(r *report, key, page string, o Options) bool {
	if len(o.Pages) == 0 || hasPage(o.Pages, page) {
		return true
	}
	oneOf(r, key, page, o.Pages)
	return false
}

// checkQuit refuses a key that somebody could press by mistake, and the one that
// every program is ended by.
func (k *Kiosk) checkQuit(r *report) {
	if k.Quit == "" {
		return
	}
	parts := strings.Split(k.Quit, "+")
	last := parts[len(parts)-1]
	order := []string{"ctrl", "alt", "shift"}
	at := -1
	for _, mod := range parts[:len(parts)-1] {
		i := slices.Index(order, mod)
		if i <= at {
			at = len(order)
			break
		}
		at = i
	}
	switch {
	case at < 0 || at == len(order) || last == "":
		r.add("kiosk.quit", quoted(k.Quit)+" is no chord", `write ctrl, alt and shift in this order and then the key, for example "ctrl+alt+q"`)
	case k.Quit == "ctrl+c":
		r.add("kiosk.quit", `"ctrl+c" is what anybody would try`, `name another one, for example "ctrl+alt+q"`)
	}
}

// parseHours returns the ends of "07:00-19:00" since midnight. An end that is
// not after the beginning is on the next day.
func parseHours(s string) (from, to time.Duration, err error) {
	a, b, ok := strings.Cut(s, "-")
	if !ok {
		return 0, 0, fmt.Errorf("are no hours")
	}
	if from, err = timeOfDay(strings.TrimSpace(a)); err != nil {
		return 0, 0, err
	}
	if to, err = timeOfDay(strings.TrimSpace(b)); err != nil {
		return 0, 0, err
	}
	if from == to {
		return 0, 0, fmt.Errorf("begin and end at the same time")
	}
	return from, to, nil
}

func timeOfDay(s string) (time.Duration, error) {
	if s == "24:00" {
		return 24 * time.Hour, nil
	}
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0, fmt.Errorf("holds %s, which is no time of day", quoted(s))
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, nil
}

// Location is the time zone of the kiosk; nil is the machine's.
func (k *Kiosk) Location() *time.Location {
	if k.Timezone == "" {
		return nil
	}
	loc, err := time.LoadLocation(k.Timezone)
	if err != nil {
		return nil // check has refused it
	}
	return loc
}

// Hours returns the hours of the day, since midnight, and the days of the week
// to show the board in; nil, with which nothing is ever outside, when the file
// names neither. From is after To where they go past midnight: that part
// belongs to the day that it began on.
func (k *Kiosk) Hours() *Hours {
	if k.Active == "" && len(k.Days) == 0 {
		return nil
	}
	h := &Hours{To: 24 * time.Hour}
	if k.Active != "" {
		h.From, h.To, _ = parseHours(k.Active) // check has refused what is wrong
	}
	for i, day := range weekdays() {
		h.Days[i] = len(k.Days) == 0 || slices.Contains(k.Days, day)
	}
	return h
}

// Hours are hours of the days of a week.
type Hours struct {
	From, To time.Duration // since midnight
	Days     [7]bool       // by [time.Weekday]
}

// Contains reports whether a time, as its own time zone shows it, is in the hours.
func (h *Hours) Contains(t time.Time) bool {
	if h == nil {
		return true
	}
	now := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
	today := t.Weekday()
	if h.From < h.To {
		return h.Days[today] && now >= h.From && now < h.To
	}
	return h.Days[today] && now >= h.From || h.Days[(today+6)%7] && now < h.To
}
