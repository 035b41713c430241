package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kiosk configures unattended boards on a wall: `wallboard kiosk`, or every start if it is enabled.
type Kiosk struct {
	Enabled  bool                     `toml:"enabled"`  // Start `wallboard` without a command as a kiosk, too.
	Pages    []string                 `toml:"pages"`    // Pages to rotate, in this order; empty: Wall, Services and Agents or, with custom pages, all except Feed.
	Dwell    time.Duration            `toml:"dwell"`    // How long a page is shown, 3s to 1h.
	Dwells   map[string]time.Duration `toml:"dwells"`   // Page -> how long this page is shown instead.
	Front    string                   `toml:"front"`    // Lowest severity of a situation that brings its page to the front: critical, warning or off.
	Active   string                   `toml:"active"`   // Hours of the day in which the board is shown, "07:00-19:00"; "": always.
	Days     []string                 `toml:"days"`     // Days of the week on which it is shown, mon to sun; empty: all.
	Timezone string                   `toml:"timezone"` // Time zone of the hours and of all displayed times, "Europe/Rome"; "": the machine's.
	Names    string                   `toml:"names"`    // How agents are named: full, initials or hidden.
	Quit     string                   `toml:"quit"`     // Keys pressed together that end the kiosk, "ctrl+alt+q"; "": none, only SIGTERM ends it.
}

// Limits of kiosk.dwell. The minimum is the time that a viewer needs to read a page.
const (
	minDwell = 3 * time.Second
	maxDwell = time.Hour
)

// weekdays returns the configuration's names of the days of the week, Sunday first as in [time.Weekday].
func weekdays() []string { return []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} }

func defaultKiosk() Kiosk {
	return Kiosk{Dwell: 20 * time.Second, Front: "critical", Names: "hidden"}
}

func (k *Kiosk) check(r *report, o Options) {
	checkPageList(r, "kiosk.pages", k.Pages, o)
	checkRange(r, "kiosk.dwell", k.Dwell, minDwell, maxDwell)
	for page, d := range k.Dwells {
		if pageKey := joinKey("kiosk.dwells", page); checkPageName(r, pageKey, page, o) {
			checkRange(r, pageKey, d, minDwell, maxDwell)
		}
	}
	checkOneOf(r, "kiosk.front", k.Front, []string{"critical", "warning", "off"})
	checkOneOf(r, "kiosk.names", k.Names, []string{"full", "initials", "hidden"})
	if k.Active != "" {
		if _, _, err := parseHours(k.Active); err != nil {
			r.add("kiosk.active", quoteValue(k.Active)+" "+err.Error(), `write it like "07:00-19:00"`)
		}
	}
	for i, day := range k.Days {
		checkOneOf(r, elementKey("kiosk.days", i), day, weekdays())
	}
	if _, err := time.LoadLocation(k.Timezone); err != nil {
		r.add("kiosk.timezone", quoteValue(k.Timezone)+" is not a time zone of this machine",
			`write it like "Europe/Rome", or leave it empty for the machine's own`)
	}
	k.checkQuit(r)
}

// checkPageList adds a problem for each name in a list that is not the name of a page or occurs
// twice.
func checkPageList(r *report, key string, pages []string, o Options) {
	for i, page := range pages {
		pageKey := elementKey(key, i)
		if !checkPageName(r, pageKey, page, o) {
			continue
		}
		if containsPage(pages[:i], page) {
			r.add(pageKey, quoteValue(page)+" is listed twice", "keep one of them")
		}
	}
}

// checkPageName reports whether page is the name of a page, ignoring case. Otherwise it adds a
// problem.
func checkPageName(r *report, key, page string, o Options) bool {
	if len(o.Pages) == 0 || containsPage(o.Pages, page) {
		return true
	}
	checkOneOf(r, key, page, o.Pages)
	return false
}

// checkQuit adds a problem if kiosk.quit is not a key combination or is ctrl+c, which is too easy
// to guess.
func (k *Kiosk) checkQuit(r *report) {
	if k.Quit == "" {
		return
	}
	parts := strings.Split(k.Quit, "+")
	last := parts[len(parts)-1]
	order := []string{"ctrl", "alt", "shift"}
	position := -1
	for _, mod := range parts[:len(parts)-1] {
		i := slices.Index(order, mod)
		if i <= position {
			position = len(order)
			break
		}
		position = i
	}
	switch {
	case position < 0 || position == len(order) || last == "":
		r.add("kiosk.quit", quoteValue(k.Quit)+" is not a key combination", `write ctrl, alt and shift in this order and then the key, for example "ctrl+alt+q"`)
	case k.Quit == "ctrl+c":
		r.add("kiosk.quit", `"ctrl+c" is too easy to guess`, `name another one, for example "ctrl+alt+q"`)
	}
}

// parseHours parses a range such as "07:00-19:00". start and end are times since midnight. An end
// before start is on the next day.
func parseHours(s string) (start, end time.Duration, err error) {
	a, b, ok := strings.Cut(s, "-")
	if !ok {
		return 0, 0, fmt.Errorf("is not a range of hours")
	}
	if start, err = parseTimeOfDay(strings.TrimSpace(a)); err != nil {
		return 0, 0, err
	}
	if end, err = parseTimeOfDay(strings.TrimSpace(b)); err != nil {
		return 0, 0, err
	}
	if start == end {
		return 0, 0, fmt.Errorf("begins and ends at the same time")
	}
	return start, end, nil
}

func parseTimeOfDay(s string) (time.Duration, error) {
	if s == "24:00" {
		return 24 * time.Hour, nil
	}
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0, fmt.Errorf("contains %s, which is not a time of day", quoteValue(s))
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, nil
}

// Location returns the time zone of the kiosk, or nil for the zone of this machine.
func (k *Kiosk) Location() *time.Location {
	if k.Timezone == "" {
		return nil
	}
	loc, err := time.LoadLocation(k.Timezone)
	if err != nil {
		return nil // the unknown zone has already been reported
	}
	return loc
}

// Hours returns the hours during which the board is shown, or nil if it is always shown. If the
// hours extend past midnight, From is after To, and the part after midnight belongs to the day on
// which the hours began.
func (k *Kiosk) Hours() *Hours {
	if k.Active == "" && len(k.Days) == 0 {
		return nil
	}
	h := &Hours{To: 24 * time.Hour}
	if k.Active != "" {
		h.From, h.To, _ = parseHours(k.Active) // invalid hours have already been reported
	}
	for i, day := range weekdays() {
		h.Days[i] = len(k.Days) == 0 || slices.Contains(k.Days, day)
	}
	return h
}

// Hours is a range of times on some days of the week.
type Hours struct {
	From, To time.Duration // since midnight
	Days     [7]bool       // by [time.Weekday]
}

// Contains reports whether t is within the hours, by the time of day and the weekday in the
// location of t. Nil hours contain every time.
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
