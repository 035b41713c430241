package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	ical "github.com/emersion/go-ical"
	"github.com/teambition/rrule-go"
)

// Limits of a calendar file.
const (
	maxCalendarSize = 2 << 20
	maxEvents       = 5000
	maxMarks        = 200             // maximum number of occurrences in the window; a note book keeps 500 notes
	parseTimeLimit  = 2 * time.Second // time limit for all recurrence rules of a file
)

// calendarEvent is one occurrence of an event of a calendar.
type calendarEvent struct {
	uid, summary string
	at           time.Time
}

// calendarProblem is a problem of a calendar file and what to do about it.
type calendarProblem struct {
	line         int // 0: the whole file
	text, remedy string
}

// Error implements error.
func (p *calendarProblem) Error() string {
	text := p.text + ": " + p.remedy
	if p.line > 0 {
		return "line " + strconv.Itoa(p.line) + ": " + text
	}
	return text
}

// eventBlock holds the lines of an event in the file and the number of the first one.
type eventBlock struct {
	line int
	text []byte
}

// parseCalendar returns the events of a calendar that begin between from and to, and the problems
// of the file. An invalid event is reported as a problem and skipped. Times without a zone are in
// zone. now is the clock for parseTimeLimit.
func parseCalendar(content []byte, zone *time.Location, from, to time.Time, now func() time.Time) (found []calendarEvent, problems []error) {
	blocks, err := splitEvents(content)
	if err != nil {
		problems = append(problems, err)
	}
	type instance struct {
		uid string
		at  int64
	}
	moved := make(map[instance]bool) // occurrences that a separate event replaces
	components := make([]*ical.Component, len(blocks))
	for i, b := range blocks {
		c, err := decodeEvent(b)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		components[i] = c
		if p := c.Props.Get(ical.PropRecurrenceID); p != nil {
			if at, err := propertyTime(p, zone); err == nil {
				moved[instance{textOf(c, ical.PropUID), at.Unix()}] = true
			}
		}
	}
	end := now().Add(parseTimeLimit)
	for i, c := range components {
		if c == nil {
			continue
		}
		if now().After(end) {
			return found, append(problems, &calendarProblem{blocks[i].line, "the recurrence rules of the file take too long", "remove old events with an RRULE; this event and all later ones are ignored"})
		}
		one, err := occurrences(c, zone, from, to)
		if err != nil {
			err.line = blocks[i].line
			problems = append(problems, err)
		}
		isOwn := c.Props.Get(ical.PropRecurrenceID) != nil
		for _, e := range one {
			if len(found) == maxMarks {
				return found, append(problems, &calendarProblem{blocks[i].line, "more than " + strconv.Itoa(maxMarks) + " events begin within two days", "use a calendar for campaigns only; this event and all later ones are ignored"})
			}
			if isOwn || !moved[instance{e.uid, e.at.Unix()}] {
				found = append(found, e)
			}
		}
	}
	return found, problems
}

// splitEvents returns the events in a calendar file. If it returns an error, which is a *calendarProblem,
// the events before the error are still valid.
func splitEvents(content []byte) (blocks []eventBlock, err error) {
	if !bytes.Contains(bytes.ToUpper(content[:min(len(content), 1<<10)]), []byte("BEGIN:VCALENDAR")) {
		return nil, &calendarProblem{1, "this is not an iCalendar file", "export the calendar as .ics; its first line is BEGIN:VCALENDAR"}
	}
	var open *eventBlock
	number := 0
	for line := range bytes.Lines(content) {
		number++
		switch text := strings.ToUpper(string(bytes.TrimSpace(line))); {
		case text == "BEGIN:VEVENT" && open != nil:
			return blocks, &calendarProblem{open.line, "the event does not end before line " + strconv.Itoa(number), "add END:VEVENT"}
		case text == "BEGIN:VEVENT" && len(blocks) == maxEvents:
			return blocks, &calendarProblem{number, "the file has more than " + strconv.Itoa(maxEvents) + " events", "export a shorter period; this event and all later ones are ignored"}
		case text == "BEGIN:VEVENT":
			open = &eventBlock{line: number}
		case open == nil:
			continue
		}
		open.text = append(open.text, line...)
		if strings.EqualFold(string(bytes.TrimSpace(line)), "END:VEVENT") {
			blocks, open = append(blocks, *open), nil
		}
	}
	if open != nil {
		return blocks, &calendarProblem{open.line, "the event does not end", "add END:VEVENT, or export the file again: it may be incomplete"}
	}
	return blocks, nil
}

// decodeEvent decodes one event. The error is a *calendarProblem.
func decodeEvent(b eventBlock) (*ical.Component, error) {
	text := append([]byte("BEGIN:VCALENDAR\r\n"), b.text...)
	calendar, err := ical.NewDecoder(bytes.NewReader(append(text, "\r\nEND:VCALENDAR\r\n"...))).Decode()
	if err != nil || len(calendar.Children) != 1 {
		return nil, &calendarProblem{b.line, "the event is not valid iCalendar" + errorReason(err), "export the file again, or remove the event"}
	}
	return calendar.Children[0], nil
}

func errorReason(err error) string {
	if err == nil {
		return ""
	}
	return " (" + strings.TrimPrefix(err.Error(), "ical: ") + ")"
}

func textOf(c *ical.Component, name string) string {
	text, _ := c.Props.Text(name) // a value that cannot be decoded counts as missing
	return text
}

// occurrences returns the occurrences of an event between from and to. A cancelled event has none.
func occurrences(c *ical.Component, zone *time.Location, from, to time.Time) ([]calendarEvent, *calendarProblem) {
	if strings.EqualFold(textOf(c, ical.PropStatus), string(ical.EventCancelled)) {
		return nil, nil
	}
	summary, start := textOf(c, ical.PropSummary), c.Props.Get(ical.PropDateTimeStart)
	switch {
	case strings.TrimSpace(summary) == "":
		return nil, &calendarProblem{text: "the event has no title", remedy: "add SUMMARY: the name of the mark"}
	case start == nil:
		return nil, &calendarProblem{text: "the event has no beginning", remedy: "add DTSTART, for example DTSTART:20261224T100000Z"}
	}
	at, err := propertyTime(start, zone)
	if err != nil {
		return nil, timeProblem("DTSTART", err)
	}
	const earliest = 1970
	if at.Year() < earliest {
		return nil, &calendarProblem{text: "the event begins before 1970", remedy: "correct DTSTART"}
	}
	times := []time.Time{at}
	rule, err := c.Props.RecurrenceRule()
	switch {
	case err != nil:
		return nil, &calendarProblem{text: "the RRULE is not valid" + errorReason(err), remedy: "write it like RRULE:FREQ=WEEKLY;BYDAY=MO"}
	case rule != nil && rule.Freq > rrule.DAILY:
		return nil, &calendarProblem{text: "the RRULE repeats more often than daily", remedy: "use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY"}
	case rule != nil || len(c.Props[ical.PropRecurrenceDates]) > 0:
		var p *calendarProblem
		if times, p = recurrences(c, rule, at, zone, from, to); p != nil {
			return nil, p
		}
	}
	var out []calendarEvent
	for _, t := range times {
		if !t.Before(from) && !t.After(to) {
			out = append(out, calendarEvent{textOf(c, ical.PropUID), summary, t})
		}
	}
	return out, nil
}

// recurrences returns the occurrences of a recurring event between from and to. start is the first
// occurrence. rule is the recurrence rule, or nil if the event lists its dates instead.
func recurrences(c *ical.Component, rule *rrule.ROption, start time.Time, zone *time.Location, from, to time.Time) ([]time.Time, *calendarProblem) {
	var set rrule.Set
	if rule != nil {
		rule.Dtstart = start
		r, err := rrule.NewRRule(*rule)
		if err != nil {
			return nil, &calendarProblem{text: "the RRULE is not valid" + errorReason(err), remedy: "write it like RRULE:FREQ=WEEKLY;BYDAY=MO"}
		}
		set.RRule(r)
	} else {
		set.RDate(start)
	}
	for _, list := range []struct {
		name string
		add  func(time.Time)
	}{{ical.PropRecurrenceDates, set.RDate}, {ical.PropExceptionDates, set.ExDate}} {
		for _, p := range c.Props[list.name] {
			for value := range strings.SplitSeq(p.Value, ",") {
				one := p
				one.Value, _, _ = strings.Cut(strings.TrimSpace(value), "/") // of a period, only the beginning
				t, err := propertyTime(&one, zone)
				if err != nil {
					return nil, timeProblem(list.name, err)
				}
				list.add(t)
			}
		}
	}
	return set.Between(from, to, true), nil
}

// windowsZones maps the Windows names of time zones that Outlook writes to IANA names. It covers
// Europe and the American east coast.
var windowsZones = map[string]string{
	"W. Europe Standard Time": "Europe/Berlin", "Romance Standard Time": "Europe/Paris", "GMT Standard Time": "Europe/London",
	"Central Europe Standard Time": "Europe/Budapest", "Central European Standard Time": "Europe/Warsaw",
	"GTB Standard Time": "Europe/Bucharest", "FLE Standard Time": "Europe/Kiev", "Eastern Standard Time": "America/New_York",
}

var errTimeZone = errors.New("unknown time zone")

// propertyTime returns the time of a property. A time without a zone is read in zone.
func propertyTime(p *ical.Prop, zone *time.Location) (time.Time, error) {
	if id := p.Params.Get(ical.PropTimezoneID); id != "" && !strings.HasSuffix(p.Value, "Z") {
		name := id
		if known, ok := windowsZones[id]; ok {
			name = known
		}
		location, err := time.LoadLocation(name)
		if err != nil {
			return time.Time{}, fmt.Errorf("%w %q", errTimeZone, id)
		}
		zone = location
	}
	one := *p
	one.Params = ical.Params{}
	if value := p.Params.Get(ical.ParamValue); value != "" && value != "PERIOD" {
		one.Params.Set(ical.ParamValue, value)
	}
	return one.DateTime(zone)
}

func timeProblem(name string, err error) *calendarProblem {
	if errors.Is(err, errTimeZone) {
		return &calendarProblem{text: name + " has an " + err.Error(), remedy: "use a name such as Europe/Rome, or write the time in UTC: " + name + ":20261224T090000Z"}
	}
	return &calendarProblem{text: name + " is not a time", remedy: "write it like " + name + ":20261224T090000Z"}
}
