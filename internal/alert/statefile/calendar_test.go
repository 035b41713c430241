package statefile

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// calendarOf returns a calendar file with events, each a list of lines.
func calendarOf(events ...string) []byte {
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n"
	for _, e := range events {
		text += "BEGIN:VEVENT\r\n" + strings.ReplaceAll(e, "\n", "\r\n") + "\r\nEND:VEVENT\r\n"
	}
	return []byte(text + "END:VCALENDAR\r\n")
}

func parse(t *testing.T, content []byte, zone *time.Location) (found, problems []string) {
	t.Helper()
	events, errs := parseCalendar(content, zone, noon.Add(-calendarWindow), noon.Add(calendarWindow), func() time.Time { return noon })
	for _, e := range events {
		found = append(found, e.at.UTC().Format("02 15:04 ")+e.summary)
	}
	for _, err := range errs {
		problems = append(problems, err.Error())
	}
	return found, problems
}

// TestCalendar reads single and recurring events around a Monday noon.
func TestCalendar(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	for name, c := range map[string]struct {
		event string
		want  []string
	}{
		"in UTC":             {"UID:1\nDTSTART:20260302T090000Z\nSUMMARY:Newsletter", []string{"02 09:00 Newsletter"}},
		"in the local zone":  {"UID:1\nDTSTART:20260302T090000\nSUMMARY:Spot\\, TV", []string{"02 08:00 Spot, TV"}},
		"in another zone":    {"UID:1\nDTSTART;TZID=Europe/London:20260302T090000\nSUMMARY:Spot", []string{"02 09:00 Spot"}},
		"of Outlook":         {"UID:1\nDTSTART;TZID=\"W. Europe Standard Time\":20260302T090000\nSUMMARY:Spot", []string{"02 08:00 Spot"}},
		"all day":            {"UID:1\nDTSTART;VALUE=DATE:20260302\nSUMMARY:Sale", []string{"01 23:00 Sale"}},
		"folded":             {"UID:1\nDTSTART:20260302T090000Z\nSUMMARY:News\n letter", []string{"02 09:00 Newsletter"}},
		"with an alarm":      {"UID:1\nDTSTART:20260302T090000Z\nSUMMARY:News\nBEGIN:VALARM\nTRIGGER:-PT15M\nEND:VALARM", []string{"02 09:00 News"}},
		"the day before":     {"UID:1\nDTSTART:20260301T130000Z\nSUMMARY:News", []string{"01 13:00 News"}},
		"too early":          {"UID:1\nDTSTART:20260301T110000Z\nSUMMARY:News", nil},
		"tomorrow":           {"UID:1\nDTSTART:20260303T110000Z\nSUMMARY:News", []string{"03 11:00 News"}},
		"too late":           {"UID:1\nDTSTART:20260303T130000Z\nSUMMARY:News", nil},
		"cancelled":          {"UID:1\nDTSTART:20260302T090000Z\nSUMMARY:News\nSTATUS:CANCELLED", nil},
		"daily":              {"UID:1\nDTSTART:20200101T100000Z\nSUMMARY:News\nRRULE:FREQ=DAILY", []string{"02 10:00 News", "03 10:00 News"}},
		"weekly":             {"UID:1\nDTSTART:20200101T100000Z\nSUMMARY:News\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE", []string{"02 10:00 News"}},
		"ended":              {"UID:1\nDTSTART:20200101T100000Z\nSUMMARY:News\nRRULE:FREQ=DAILY;UNTIL=20260301T000000Z", nil},
		"summer time":        {"UID:1\nDTSTART;TZID=Europe/Rome:20250701T100000\nSUMMARY:News\nRRULE:FREQ=DAILY;BYDAY=MO", []string{"02 09:00 News"}},
		"except":             {"UID:1\nDTSTART:20260101T100000Z\nSUMMARY:News\nRRULE:FREQ=DAILY\nEXDATE:20260301T100000Z,20260302T100000Z", []string{"03 10:00 News"}},
		"more dates":         {"UID:1\nDTSTART:20260101T100000Z\nSUMMARY:News\nRDATE:20260302T110000Z,20260302T120000Z", []string{"02 11:00 News", "02 12:00 News"}},
		"never":              {"UID:1\nDTSTART:20260101T100000Z\nSUMMARY:News\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", nil},
		"one of many events": {"UID:1\nDTSTART:20260302T090000Z\nSUMMARY:A\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART:20260302T100000Z\nSUMMARY:B", []string{"02 09:00 A", "02 10:00 B"}},
		"moved": {
			"UID:1\nDTSTART:20260101T100000Z\nSUMMARY:News\nRRULE:FREQ=DAILY\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260302T100000Z\nDTSTART:20260302T113000Z\nSUMMARY:Later",
			[]string{"03 10:00 News", "02 11:30 Later"},
		},
	} {
		got, problems := parse(t, calendarOf(c.event), rome)
		if diff := cmp.Diff(c.want, got); diff != "" || len(problems) > 0 {
			t.Errorf("%s: problems %q\n%s", name, problems, diff)
		}
	}
}

// TestCalendarProblems checks that a broken event is reported with its line and a remedy, and that
// the other events are read.
func TestCalendarProblems(t *testing.T) {
	t.Parallel()
	const good = "UID:0\nDTSTART:20260302T090000Z\nSUMMARY:Good"
	for event, want := range map[string]string{
		"UID:1\nDTSTART:20260302T090000Z":                                         "line 9: the event has no title: add SUMMARY",
		"UID:1\nSUMMARY:x":                                                        "line 9: the event has no beginning: add DTSTART",
		"UID:1\nSUMMARY:x\nDTSTART:tomorrow":                                      "line 9: DTSTART is not a time: write it like",
		"UID:1\nSUMMARY:x\nDTSTART;TZID=Mars:20260302T090000":                     "line 9: DTSTART has an unknown time zone \"Mars\": use a name such as Europe/Rome",
		"UID:1\nSUMMARY:x\nDTSTART;TZID=../../etc/passwd:20260302T090000":         "line 9: DTSTART has an unknown time zone",
		"UID:1\nSUMMARY:x\nDTSTART:16010101T000000Z":                              "line 9: the event begins before 1970",
		"UID:1\nSUMMARY:x\nDTSTART:20260302T090000Z\nRRULE:FREQ=SOMETIMES":        "line 9: the RRULE is not valid",
		"UID:1\nSUMMARY:x\nDTSTART:20260302T090000Z\nRRULE:FREQ=SECONDLY":         "line 9: the RRULE repeats more often than daily",
		"UID:1\nSUMMARY:x\nDTSTART:20260302T090000Z\nRRULE:FREQ=DAILY\nEXDATE:no": "line 9: EXDATE is not a time",
		"UID:1\nthis is not a property":                                           "line 9: the event is not valid iCalendar",
		"UID:1\nBEGIN:VEVENT\nSUMMARY:x":                                          "line 9: the event does not end before line 11",
	} {
		found, problems := parse(t, calendarOf(good, event), time.UTC)
		if len(problems) == 0 || !strings.Contains(problems[0], want) || len(found) != 1 {
			t.Errorf("%q: problems %q, events %q", event, problems, found)
		}
	}
	for content, want := range map[string]string{
		"":                            "line 1: this is not an iCalendar file",
		"<html></html>":               "line 1: this is not an iCalendar file",
		string(calendarOf(good)[:90]): "line 4: the event does not end: add END:VEVENT",
	} {
		if found, problems := parse(t, []byte(content), time.UTC); len(problems) != 1 || !strings.Contains(problems[0], want) || len(found) > 0 {
			t.Errorf("%q: problems %q, events %q", content, problems, found)
		}
	}
	var many []string
	for n := range maxEvents + 1 {
		many = append(many, fmt.Sprintf("UID:%d\nDTSTART:20260302T090000Z\nSUMMARY:x", n))
	}
	if found, problems := parse(t, calendarOf(many[:maxMarks+1]...), time.UTC); len(found) != maxMarks || len(problems) != 1 || !strings.Contains(problems[0], "line 1004: more than 200 events begin within two days") {
		t.Errorf("%d marks, problems %q", len(found), problems)
	}
	for i := range many {
		many[i] = strings.Replace(many[i], "20260302", "20250302", 1)
	}
	if found, problems := parse(t, calendarOf(many...), time.UTC); len(found) != 0 || len(problems) != 1 || !strings.Contains(problems[0], "more than 5000 events") {
		t.Errorf("%d events, problems %q", len(found), problems)
	}
}

// TestCalendarIsBounded checks that recurrence rules that take too long are given up.
func TestCalendarIsBounded(t *testing.T) {
	t.Parallel()
	clock := noon
	content := calendarOf("UID:1\nDTSTART:20260302T090000Z\nSUMMARY:A", "UID:2\nDTSTART:20260302T090000Z\nSUMMARY:B")
	found, problems := parseCalendar(content, time.UTC, noon.Add(-calendarWindow), noon.Add(calendarWindow), func() time.Time {
		clock = clock.Add(parseTimeLimit/2 + time.Second)
		return clock
	})
	if len(found) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "line 9: the recurrence rules of the file take too long") {
		t.Errorf("%v, %v", found, problems)
	}
}

// TestFollowCalendars checks that an event becomes one mark when its time comes, that a changed file
// is read again, and that a broken file keeps what is known and is reported once.
func TestFollowCalendars(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "campaigns.ics")
	var logged strings.Builder
	log := slog.New(slog.NewTextHandler(&logged, nil))
	book := OpenNotes(filepath.Join(dir, "notes.jsonl"), log)
	c := NewCalendars([]string{path}, time.UTC, []*NoteBook{book}, log)
	write := func(content []byte, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	marks := func() string {
		var out []string
		for _, n := range book.All() {
			out = append(out, n.At.Format("15:04 ")+n.Text+" "+n.By)
		}
		return strings.Join(out, ", ")
	}
	if c.update(t.Context(), noon); !strings.Contains(c.Trouble(), path+": it cannot be read (no such file or directory): check calendar.file") {
		t.Errorf("trouble is %q", c.Trouble())
	}
	write(calendarOf("UID:1\nDTSTART:20260302T090000Z\nSUMMARY:Early", "UID:2\nDTSTART:20260302T123000Z\nSUMMARY:Late"), noon)
	for range 2 {
		if c.update(t.Context(), noon); marks() != "09:00 Early campaigns" || c.Trouble() != "" {
			t.Errorf("marks %q, trouble %q", marks(), c.Trouble())
		}
	}
	write(calendarOf("UID:2\nDTSTART:20260302T124500Z\nSUMMARY:Late"), noon.Add(time.Minute))
	if c.update(t.Context(), noon.Add(40*time.Minute)); marks() != "09:00 Early campaigns" {
		t.Errorf("a moved event has its old time: %q", marks())
	}
	write([]byte("<html>"), noon.Add(2*time.Minute))
	for range 3 {
		c.update(t.Context(), noon.Add(41*time.Minute))
	}
	if n := strings.Count(logged.String(), "cannot read a calendar completely"); n != 2 || !strings.Contains(c.Trouble(), "line 1: this is not an iCalendar file") {
		t.Errorf("%d lines in the log, trouble %q", n, c.Trouble())
	}
	write(calendarOf("UID:2\nDTSTART:20260302T124500Z\nSUMMARY:Late"), noon.Add(3*time.Minute))
	for range 2 {
		c.update(t.Context(), noon.Add(46*time.Minute))
	}
	again := NewCalendars([]string{path}, time.UTC, []*NoteBook{book}, log)
	if again.update(t.Context(), noon.Add(47*time.Minute)); marks() != "09:00 Early campaigns, 12:45 Late campaigns" {
		t.Errorf("marks %q", marks())
	}
}
