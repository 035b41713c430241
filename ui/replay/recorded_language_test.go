package replay

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/report/handover"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/alerts"
)

// markOf returns the mark for an event as a file holds it.
func markOf(t *testing.T, e model.Event) (m model.Mark) {
	t.Helper()
	b, err := json.Marshal(model.Mark{At: e.At, Kind: e.Kind, Text: e.Text, Message: e.Message, Taken: e.Taken, Incident: e.Incident, Note: e.Note})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// recordedMorning returns the marks of 90 simulated minutes with incidents, and the last snapshot.
func recordedMorning(t *testing.T) (marks []model.Mark, from time.Time, last *model.Snapshot) {
	t.Helper()
	until := time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC)
	from = until.Add(-90 * time.Minute)
	day := demo.NewPastDay(world.Options{Seed: 1, Agents: 60, Drama: true, Start: until, Clock: until})
	e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	watch := situation.New(situation.Options{Goal: func(string) alert.Goal { return alert.DefaultGoal() }, Zone: time.UTC})
	var before *situation.View
	snapshots := 0
	for s, err := range day.Snapshots(t.Context(), from, 10*time.Second) {
		if err != nil {
			t.Fatal(err)
		}
		last = s
		changed := e.Evaluate(s, s.At)
		view := watch.Update(s, e.Active(), changed, s.At)
		snapshots++
		if before != nil {
			changes := append(situation.Changes(before, view), situation.ExplanationChanges(before, view)...)
			for _, event := range alerts.RecordingMarks(changes, e.History) {
				event.At = s.At
				marks = append(marks, markOf(t, event))
			}
		}
		if before = view; len(marks) == 0 || len(e.Active()) == 0 || snapshots%60 != 0 {
			continue
		}
		a, err := e.Acknowledge(e.Active()[0].ID, "Zoe", "", s.At)
		if err != nil {
			t.Fatal(err)
		}
		event := a.AckEvent()
		event.At = s.At
		action := words.RecordedAction(resource.OpCampaignStop, "Win-back", resource.OutcomeConfirmed)
		marks = append(marks, markOf(t, event), markOf(t, statefile.NoteEvent(model.Note{ID: "1", At: s.At, Until: s.At.Add(time.Minute), Text: "Zoe", By: "Zoe"}, s.At)),
			markOf(t, model.Event{At: s.At, Kind: model.MarkAction, Text: action.In(nil), Message: action.Stored()}))
	}
	return marks, from, last
}

// TestRecordingIsTold records a morning on a board and tells it in the pseudo-language: the handover and
// the marks of the replay contain only words of the catalogue and names.
func TestRecordingIsTold(t *testing.T) {
	t.Parallel()
	marks, from, last := recordedMorning(t)
	goals, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	r := handover.New(handover.Input{Snapshot: last, Alerts: goals, From: from, At: last.At, WatchedSince: last.At, Words: words.PseudoLanguage()})
	r.AddMarks(handover.RecordingData{Marks: marks, Start: from, End: last.At})
	if len(r.PastSituations) < 5 || len(r.Actions) == 0 || len(r.Notes) == 0 {
		t.Fatalf("only %d ended situations, %d actions and %d notes of %d marks", len(r.PastSituations), len(r.Actions), len(r.Notes), len(marks))
	}
	told := []string{handover.Markdown(r)}
	for _, p := range r.PastSituations {
		story := p.IncidentSummary()
		told = append(told, handover.ReviewMarkdown(r.ReviewOf(story, nil)))
	}
	for _, m := range JumpMarks(marks) {
		told = append(told, markText(m, words.PseudoLanguage()).In(words.PseudoLanguage()))
	}
	var names strings.Builder
	for u := range last.Users.All() {
		names.WriteString(u.Username.String() + " " + u.Name.String() + " " + u.Surname.String() + " ")
	}
	for u := range last.UserStats.All() {
		names.WriteString(u.ActivityCode.String() + " ")
	}
	for g := range last.Campaigns.All() {
		names.WriteString(g.Name + " ")
	}
	known := make(map[string]bool)
	word := regexp.MustCompile(`\p{L}{3,}`)
	for _, name := range word.FindAllString(names.String()+"Zoe Win back UTC SRV GRP LUNCH PAUSE TRAINING MEETING BACKOFFICE ASA AHT min wallboard play nobody ready stranded try", -1) {
		known[name] = true
	}
	bad := make(map[string]bool)
	for _, text := range told {
		for line := range strings.Lines(text) {
			for _, w := range word.FindAllString(line, -1) {
				hasAccent := strings.ContainsFunc(w, func(c rune) bool { return c > unicode.MaxASCII })
				if !hasAccent && strings.ContainsAny(strings.ToLower(w), "aeiouy") && !known[w] && !bad[w] {
					bad[w] = true
					t.Errorf("%q is not in the catalogue, in: %s", w, line)
				}
			}
		}
	}
}
