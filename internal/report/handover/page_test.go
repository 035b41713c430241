package handover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record"
	"wallboard/model"
	"wallboard/model/contact"
)

var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// busyShift returns a report of a shift with the given number of services, each of which had several
// incidents.
func busyShift(services int) Report {
	at := morning
	r := Report{At: at.Add(8 * time.Hour), From: at, WatchedSince: at}
	open := alert.Alert{
		Rule: "longest wait", Text: "Sales: 4 waiting, longest wait 1:10", Level: alert.Critical, HighestLevel: alert.Critical, Since: at,
		Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call},
	}
	sit := situation.Situation{
		Place: situation.Place{Key: open.Key}, Level: alert.Critical, Since: at, Headline: "4 callers waiting, longest 1:10. No one available.",
		Causes: []diagnosis.Cause{{Text: "2 times as many calls come as before."}}, OccurrencesToday: 3, TotalToday: 4 * time.Minute,
	}
	sit.CriticalSince = at
	for n := range services {
		name := fmt.Sprintf("Service %03d", n)
		sit.Place.Key.Code, sit.Place.Title = fmt.Sprint("S", n), name
		r.Situations.Live = append(r.Situations.Live, sit)
		r.Situations.Today = append(r.Situations.Today, sit)
		r.Services = ServiceCount{n + 1, n + 1}
		r.Campaigns = append(r.Campaigns, Campaign{Name: fmt.Sprintf("Renewals %03d", n)})
		for again := range 6 {
			a := open
			a.Key.Code, a.Text, a.Since = fmt.Sprint("P", n), fmt.Sprintf("past %03d: 4 waiting, longest wait 1:10", n), at.Add(time.Duration(again)*time.Hour)
			a.Ended = a.Since.Add(40 * time.Second)
			r.Alerts = append(r.Alerts, a)
		}
	}
	r.Channels, r.Forecasts = []ChannelFloor{{Channel: model.Call}}, map[model.Channel]forecast.Forecast{model.Call: {ContactsKnown: true}}
	for _, kind := range []contact.Kind{contact.Inbound, contact.Outbound, contact.Video, contact.Chat} {
		r.Baseline = append(r.Baseline, contact.Comparison{
			Day:      contact.Day{Kind: kind, Date: r.At, At: r.At, Hours: []contact.Hour{{Start: r.At, Count: 118, Known: true}}},
			Baseline: contact.Baseline{Kind: kind, Weekday: r.At.Weekday()}, SoFar: contact.TypicalRange{Median: 100, Low: 90, High: 110, Days: 4},
		})
	}
	r.PastSituations = situation.SummarizeEndedAlerts(nil, model.Names{}, r.Alerts, nil)
	for n := range services {
		r.Actions = append(r.Actions, Action{At: at.Add(time.Duration(n) * time.Second), UserName: "anna", Action: "dial", Target: fmt.Sprintf("0471 %03d", n), Outcome: "confirmed"})
	}
	return r
}

// TestBusyShiftIsComplete checks that the report of a shift with 200 services in trouble leaves
// nothing out.
func TestBusyShiftIsComplete(t *testing.T) {
	t.Parallel()
	const services = 200
	text := Markdown(busyShift(services))
	for n := range services {
		for _, want := range []string{
			fmt.Sprintf("- **Service %03d**: 4 callers waiting, longest 1:10. No one available. **CRITICAL** since 09:00, 3 times today, 4:00 in total. Not taken over. 2 times as many calls come as before.\n", n),
			fmt.Sprintf("- Service %03d: 4 callers wait", n), fmt.Sprintf("| Renewals %03d |", n), fmt.Sprintf("dial 0471 %03d,", n),
			fmt.Sprintf("\n| ▲ **past %03d** | 09:00–14:00 | 6 | 4:00 | – | – | 4 waiting, longest wait 1:10. |\n", n),
		} {
			if !strings.Contains(text, want) {
				t.Fatalf("there is no %q in\n%s", want, text[:2000])
			}
		}
	}
	if want := "- **What is open:** 200 situations, 200 of them critical, 200 not taken over; the most severe is Service 000: 4 callers wait"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text[:1000])
	}
	if !strings.Contains(text, "\n- 80 % ranges: four days in five end within them.\n") || strings.Contains(text, "%!") {
		t.Errorf("no line about the ranges in\n%s", text[strings.Index(text, "## Figures"):])
	}
	for _, cut := range []string{"more", "earlier ones", "others", "shown"} {
		if strings.Contains(strings.ReplaceAll(text, "above typical", ""), cut) {
			t.Errorf("%q is in the report", cut)
		}
	}
}

// TestFirstPage checks that the first page of a long report has the beginning of each list and fits on a sheet
// of paper, and that the appendix continues each list with its next entry.
func TestFirstPage(t *testing.T) {
	t.Parallel()
	r := busyShift(30)
	for n := range 20 {
		r.Notes = append(r.Notes, model.Note{At: r.At, Until: r.At.Add(time.Hour), Text: fmt.Sprint("Note ", n)})
		r.input.breaks = append(r.input.breaks, breaks.DayTotal{
			Username: fmt.Sprint("Agent ", n), Code: "LUNCH", Limit: breaks.Limit{PerBreak: 30 * time.Minute}, Longest: 42 * time.Minute, Breaks: 2, Overruns: 1 + n%2,
		})
	}
	first, appendix, _ := strings.Cut(Markdown(r), "\n# Appendix\n")
	if n := printedLines(strings.Split(strings.TrimSuffix(first, "\n"), "\n")...); n > pageLines || n < pageLines-3 {
		t.Errorf("%d lines on the page:\n%s", n, first)
	}
	for _, s := range []struct{ title, entry, next string }{
		{"Open", "- **Service 000**: ", "- **Service 0"},
		{"Notes and marks", "Note 0", "Note "},
		{"Incidents", "| ▲ **past 000** |", "| ▲ **past 0"},
		{"Missing target today", "- Service 000: ", "- Service 0"},
		{"Breaks over the limit today", "- Agent 0: LUNCH 42:00, allowed 30:00\n", "- Agent "},
		{"Actions", "dial 0471 000,", "dial 0471 0"},
	} {
		_, list, _ := strings.Cut(first, "\n## "+s.title+" (")
		list, _, _ = strings.Cut(list, "\n\n")
		if !strings.Contains(list, s.entry) {
			t.Errorf("no %q under %q in\n%s", s.entry, s.title, first)
		}
		_, rest, found := strings.Cut(appendix, "\n## "+s.title+", continued\n")
		rest, _, _ = strings.Cut(rest, "\n\n")
		if shown, left := strings.Count(list, s.next), strings.Count(rest, s.next); !found || shown+left < 20 {
			t.Errorf("%q has %d and %d entries in\n%s", s.title, shown, left, appendix)
		}
	}
	if want := "- Agent 1: LUNCH 42:00, allowed 30:00, 2 times over the limit\n"; !strings.Contains(first+appendix, want) {
		t.Errorf("no %q in\n%s", want, first)
	}
	for _, title := range []string{"Figures for the day", "Campaigns"} {
		if !strings.Contains(appendix, "\n## "+title+"\n|") {
			t.Errorf("no %q in\n%s", title, appendix)
		}
	}
}

// incidentMarks returns the marks of an incident with an alert.
func incidentMarks(title string, level alert.Level, waiting int, began time.Time, length time.Duration) []model.Mark {
	key := alert.Key{Scope: alert.Service, Code: title, Channel: model.Call}
	in := model.Incident{
		ID: fmt.Sprint(title, began.Unix()), Scope: string(key.Scope), Code: key.Code, Channel: key.Channel, Title: title, Began: began, Headline: "Calls wait.",
		Alerts: []model.IncidentAlert{{TakenAlert: model.TakenAlert{Rule: "longest wait", Scope: string(key.Scope), Code: key.Code, Channel: key.Channel, Level: int(level)}, Since: began, Raised: began}},
	}
	begun, over := in, in
	over.Level, over.Ended, over.Headline, over.Waiting = int(level), began.Add(length), fmt.Sprintf("At the worst %d callers waited.", waiting), waiting
	over.Alerts = []model.IncidentAlert{in.Alerts[0]}
	over.Alerts[0].Ended, over.Alerts[0].By, over.Alerts[0].TakenAt = over.Ended, "Anna", began.Add(time.Minute)
	return []model.Mark{{At: began, Kind: model.MarkIncident, Incident: &begun}, {At: over.Ended, Kind: model.MarkIncident, Incident: &over}}
}

// TestIncidentsOfTheRecording checks that a report has all incidents of the recording, the worst
// first, with repetitions as one entry and the worst values of all of them.
func TestIncidentsOfTheRecording(t *testing.T) {
	t.Parallel()
	var marks []model.Mark
	add := func(title string, level alert.Level, waiting int, after, length time.Duration) {
		marks = append(marks, incidentMarks(title, level, waiting, morning.Add(after), length)...)
	}
	add("Before", alert.Critical, 99, -2*time.Hour, time.Hour)
	add("Contracts", alert.Critical, 13, time.Hour, 20*time.Minute)
	add("Contracts", alert.Critical, 4, 2*time.Hour, 15*time.Minute)
	add("Contracts", alert.Warning, 20, 3*time.Hour, 5*time.Minute)
	add("Claims", alert.Warning, 3, 4*time.Hour, 2*time.Hour)
	add("Later", alert.Critical, 3, 9*time.Hour, time.Hour)
	for n := range 600 { // more than an engine and a tracker keep
		add(fmt.Sprintf("Short %03d", n), alert.Warning, 2, time.Duration(n)*10*time.Second, 90*time.Second)
	}
	r := newReport(t)
	r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
		return RecordingData{Marks: marks, Start: morning.Add(-time.Hour)}, nil
	})
	text := Markdown(r)
	lines := []string{
		"- **What was worst:** Contracts, critical 10:00–12:05, 3 times, 40 min. At the worst 13 callers waited.\n",
		"|---|---:|---:|---:|---:|---:|---|\n| ▲ **Contracts** | 10:00–12:05 | 3 | 40 min | 13 | – | Taken over by Anna at 12:01. |\n" +
			"| △ **Claims** | 13:00–15:00 | 1 | 2 h 00 min | 3 | – | Taken over by Anna at 13:01. |\n",
	}
	for n := range 600 {
		lines = append(lines, fmt.Sprintf("| △ **Short %03d** | ", n))
	}
	for _, want := range lines {
		if !strings.Contains(text, want) {
			t.Fatalf("no %q in\n%s", want, text[:2000])
		}
	}
	for _, title := range []string{"Before", "Later"} {
		if strings.Contains(text, title) {
			t.Errorf("the incident %q is not of this shift", title)
		}
	}
}

// TestWorstHasMostWaiting checks that an incident with many callers is worse than a longer one with a
// single caller.
func TestWorstHasMostWaiting(t *testing.T) {
	t.Parallel()
	marks := slices.Concat(
		incidentMarks("Long", alert.Critical, 1, morning.Add(time.Hour), 2*time.Hour),
		incidentMarks("Crowd", alert.Critical, 14, morning.Add(2*time.Hour), 20*time.Minute),
		incidentMarks("Warning", alert.Warning, 30, morning.Add(3*time.Hour), time.Hour))
	r := newReport(t)
	r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
		return RecordingData{Marks: marks, Start: morning.Add(-time.Hour)}, nil
	})
	if want, text := "- **What was worst:** Crowd, critical ", Markdown(r); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// TestIncidentsAtOnce checks that the summary says when many places were in trouble at once, and that
// the list has the worst place first.
func TestIncidentsAtOnce(t *testing.T) {
	t.Parallel()
	var marks []model.Mark
	for n, title := range []string{"A", "B", "C", "D", "E"} {
		marks = append(marks, incidentMarks(title, alert.Critical, n+1, morning.Add(time.Hour+time.Duration(n)*time.Minute), time.Duration(20-n)*time.Minute)...)
	}
	marks = append(marks, incidentMarks("Warning", alert.Warning, 30, morning.Add(time.Hour), 2*time.Hour)...)
	for n, want := range map[int]string{
		len(marks):     " Up to 5 critical incidents at the same time, most of them from 10:02 to 10:20.\n",
		len(marks) - 4: "",
	} {
		r := newReport(t)
		r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
			return RecordingData{Marks: marks[len(marks)-n:], Start: morning.Add(-time.Hour)}, nil
		})
		text := Markdown(r)
		if !strings.Contains(text, want) || (want == "") == strings.Contains(text, "at the same time") {
			t.Errorf("%d marks: no %q in\n%s", n, want, text)
		}
		if strings.Index(text, "**E**") > strings.Index(text, "**D**") || strings.Index(text, "**D**") > strings.Index(text, "**Warning**") {
			t.Errorf("the worst incident is not the first in\n%s", text)
		}
	}
}

// TestInterruptedRecording checks that a report names the gaps of the recording in the shift, and has the
// incidents that were open when the recording stopped.
func TestInterruptedRecording(t *testing.T) {
	t.Parallel()
	began := incidentMarks("Claims", alert.Critical, 3, morning.Add(time.Hour), 3*time.Hour)
	began = slices.DeleteFunc(began, func(m model.Mark) bool { return m.Incident != nil && !m.Incident.Ended.IsZero() })
	began[0].Incident.Level = int(alert.Critical)
	marks := append(began, incidentMarks("Contracts", alert.Warning, 2, morning.Add(4*time.Hour), time.Hour)...)
	gap := func(from, to time.Duration) record.Gap {
		return record.Gap{From: morning.Add(from), To: morning.Add(to)}
	}
	r := newReport(t)
	r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
		return RecordingData{Marks: marks, Start: morning.Add(-5 * time.Hour), Gaps: []record.Gap{gap(-4*time.Hour, -3*time.Hour), gap(2*time.Hour, 3*time.Hour)}}, nil
	})
	text := Markdown(r)
	for _, want := range []string{
		"## Incidents\nThe recording was interrupted: 11:00 to 12:00. No data was recorded during that time.\n",
		"| ▲ **Claims** | 10:00–11:00 or later | 1 | 1 h 00 min |",
		"| △ **Contracts** | 13:00–14:00 | 1 | 1 h 00 min |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestIncidentsAreIncomplete checks what a report says if its recording does not have the incidents
// of the whole shift.
func TestIncidentsAreIncomplete(t *testing.T) {
	t.Parallel()
	noRecording := func(err error) RecordingReader {
		return func(context.Context) (RecordingData, error) { return RecordingData{}, err }
	}
	late := func(context.Context) (RecordingData, error) {
		return RecordingData{Marks: incidentMarks("Claims", alert.Warning, 3, morning.Add(3*time.Hour), time.Hour), Start: morning.Add(2 * time.Hour)}, nil
	}
	for _, c := range []struct {
		read RecordingReader
		want string
	}{
		{nil, "Nothing is recorded. Incidents before 16:00 are not available."},
		{noRecording(errors.New("the disk fails")), "The recording was not read: the disk fails. Incidents before 16:00 are not available."},
		{noRecording(nil), "The recording has no incidents for this view of the floor. Incidents before 16:00 are not available."},
		{late, "The recording begins later than the shift. Incidents before 11:00 are not available.\n\n| ▲ critical, △ warning | when |"},
	} {
		r := newReport(t)
		r.WatchedSince = morning.Add(7 * time.Hour)
		r.ReadIncidents(t.Context(), c.read)
		if text := Markdown(r); !strings.Contains(text, c.want) {
			t.Errorf("no %q in\n%s", c.want, text)
		}
	}
}

// newReport returns a report of a shift of eight hours without data.
func newReport(t *testing.T) Report {
	t.Helper()
	engine, err := alert.New(alert.Options{Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	return New(Input{Alerts: engine, From: morning, At: morning.Add(8 * time.Hour), WatchedSince: morning})
}

// TestOpenInTheRecording checks the handover from a program that has just started: its rules have not raised
// the alerts yet that are open in the recording.
func TestOpenInTheRecording(t *testing.T) {
	t.Parallel()
	r := newReport(t)
	marks := incidentMarks("Contracts", alert.Warning, 4, r.At.Add(-10*time.Minute), time.Hour)
	for pause, want := range map[time.Duration]bool{0: true, time.Minute: true, 2 * time.Minute: false} {
		r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
			return RecordingData{Marks: marks[:1], Start: morning, End: r.At.Add(-pause)}, nil
		})
		text := Markdown(r)
		for _, line := range []string{"- **What is open:** Contracts (warning, not taken over).", "**WARNING** since 16:50. As recorded at 16:50; this report has not been monitoring for long enough to confirm it. Not taken over."} {
			if strings.Contains(text, line) != want {
				t.Errorf("pause of %s: %q is missing or too much in\n%s", pause, line, text)
			}
		}
		if want && strings.Contains(text, "No situation is open") {
			t.Errorf("pause of %s: no situation is open", pause)
		}
	}
	r.Alerts = append(r.Alerts, alertsIn(marks[:1])...)
	r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
		return RecordingData{Marks: marks[:1], Start: morning, End: r.At}, nil
	})
	if strings.Contains(Markdown(r), "as recorded at") {
		t.Error("an alert that has ended counts as open")
	}
}

// alertsIn returns the alerts of incidents as ended alerts.
func alertsIn(marks []model.Mark) []alert.Alert {
	ended, active := situation.NewJournal(marks, nil).Alerts(marks[len(marks)-1].At)
	for i := range active {
		active[i].Ended = marks[0].At.Add(time.Minute)
	}
	return append(ended, active...)
}

// TestWorstIsOpenInTheRecording checks that an open situation of the recording is also ranked by the number
// of callers who waited.
func TestWorstIsOpenInTheRecording(t *testing.T) {
	t.Parallel()
	r := newReport(t)
	open := incidentMarks("Crowd", alert.Critical, 0, r.At.Add(-10*time.Minute), time.Hour)[:1]
	open[0].Incident.Waiting = 14
	marks := append(incidentMarks("Long", alert.Critical, 1, morning.Add(time.Hour), 2*time.Hour), open...)
	r.ReadIncidents(t.Context(), func(context.Context) (RecordingData, error) {
		return RecordingData{Marks: marks, Start: morning, End: r.At}, nil
	})
	if want, text := "- **What was worst:** Crowd, critical, still open since 16:50. ", Markdown(r); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// TestDayFiguresWithoutCause checks that places with the same reason for an unknown cause are listed below it,
// and that no other figure of the day is missing.
func TestDayFiguresWithoutCause(t *testing.T) {
	t.Parallel()
	r := busyShift(0)
	add := func(title, reason string, ack alert.Ack) {
		r.Situations.Today = append(r.Situations.Today, situation.Situation{
			Place: situation.Place{Title: title}, Headline: "30.0 % abandoned.", UnexplainedReason: reason, Ack: ack,
		})
	}
	const reason = "Not monitored for long enough to say when it happened."
	for _, title := range []string{"Billing", "Sales"} {
		add(title, reason, alert.Ack{})
		add("New "+title, "", alert.Ack{})
	}
	add("Claims", reason, alert.Ack{By: "Anna", At: morning})
	text := Markdown(r)
	for _, want := range []string{
		"- " + reason + "\n  - Billing: 30.0 % abandoned.\n  - Sales: 30.0 % abandoned.\n", "- New Billing: 30.0 % abandoned.\n", "- New Sales: 30.0 % abandoned.\n",
		"- Claims: 30.0 % abandoned. " + reason + " Taken over by Anna at 09:00.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
