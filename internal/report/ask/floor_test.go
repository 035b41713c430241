package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model"
)

// recordedDay is a recording of part of a simulated day.
type recordedDay struct {
	path  string
	names model.Names
	last  time.Time
}

// newRecordedDay records the hours before 11:00 of a simulated day.
func newRecordedDay(t *testing.T, length time.Duration) recordedDay {
	t.Helper()
	start := time.Date(2026, 3, 18, 11, 0, 0, 0, time.UTC)
	floor := world.Options{Seed: 3, Agents: 40, Services: 8, Groups: 6, Start: start, TrafficFactor: 1.5, Drama: true}
	path, err := record.WriteSnapshots(t.TempDir(), record.Metadata{Names: "full"}, demo.NewPastDay(floor).Snapshots(t.Context(), floor.Start.Add(-length), 10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	d := recordedDay{path: path, names: make(model.Names)}
	r := d.open(t)
	d.last = r.Info().Last
	// Names as supervisors give them: with accents, upper case and spaces, one within another.
	for i, name := range []string{"Réclamations", "SALES", "Sales Back Office", "Groß Kunden", "İade"} {
		d.names.Add(model.NameService, fmt.Sprintf("SRV%02d", i+1), name)
	}
	return d
}

func (d recordedDay) open(t *testing.T) *record.Recording {
	t.Helper()
	r, err := record.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// floor returns the floor of the recording for a viewer.
func (d recordedDay) floor(t *testing.T, v hub.Visibility) *Responder {
	t.Helper()
	engine := func(model.FloorPart) (*alert.Engine, error) {
		return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: d.names})
	}
	f := &Responder{Names: d.names, Zone: time.UTC, Rules: alert.DefaultRules, EngineOptions: hub.Options{Engine: engine, Names: d.names}}
	player := d.open(t).Replay(d.last, 0, nil)
	t.Cleanup(func() { _ = player.Close() })
	o := f.EngineOptions
	o.Source, o.Salt = player, "salt"
	h, err := hub.New(o)
	if err != nil {
		t.Fatal(err)
	}
	viewer, err := h.NewViewer(v, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UseRecording(t.Context(), viewer, player, false); err != nil {
		t.Fatal(err)
	}
	return f
}

// dumpAt returns the figures that the command dump would have written at a time. It reads them from the
// recording in another way than the answers do.
func (d recordedDay) dumpAt(t *testing.T, at time.Time) map[string]map[string]json.RawMessage {
	t.Helper()
	var last *model.Snapshot
	for s, err := range d.open(t).Snapshots(at.Add(-time.Minute), at) {
		if err != nil {
			t.Fatal(err)
		}
		last = s
	}
	text, err := json.Marshal(headless.NewSnapshotDoc(last))
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	out := make(map[string]map[string]json.RawMessage)
	if err := json.Unmarshal(doc[string(model.OpServices)], &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		fields := make(map[string]json.RawMessage)
		flatten(fields, "", row)
		out[unquote(fields["code"])+" "+unquote(fields["channel"])] = fields
	}
	return out
}

func unquote(text json.RawMessage) string { return strings.Trim(string(text), `"`) }

// flatten adds the values of a JSON object to fields, by path.
func flatten(fields map[string]json.RawMessage, path string, object map[string]any) {
	for name, value := range object {
		if inner, ok := value.(map[string]any); ok {
			flatten(fields, path+name+".", inner)
			continue
		}
		text, _ := json.Marshal(value) //nolint:errchkjson // it was just decoded
		fields[path+name] = text
	}
}

// fullOr returns the number in an environment variable or, if the variable is not set, a small number with
// which the test is fast.
func fullOr(name string, small int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return small
}

// TestAnswersEqualDump asks eight questions about each of some recorded moments and compares all
// fields in the answers with the dump of that moment. ASK_MOMENTS is the number of moments, at most 30.
func TestAnswersEqualDump(t *testing.T) {
	t.Parallel()
	moments := fullOr("ASK_MOMENTS", 3)
	d := newRecordedDay(t, 2*time.Hour)
	f := d.floor(t, hub.Visibility{Names: model.NamesFull})
	asked, compared := 0, 0
	for i := range moments {
		at := d.last.Add(-time.Duration(i) * 3 * time.Minute).Add(-time.Duration(i) * 10 * time.Second)
		dumped := d.dumpAt(t, at)
		clock := at.Format(time.TimeOnly)
		for _, question := range []string{
			"reclamations at " + clock, "service SALES at " + clock, "how was \"service srv03\" at " + clock, "groß kunden at " + clock, "iade at " + clock,
			"service level of Réclamations at " + clock, "how many are waiting at sales back office at " + clock, "why iade at " + clock,
		} {
			asked++
			a := f.Ask(t.Context(), question)
			if !a.Understood || a.Problem != "" || a.At == nil || !a.At.Equal(at.Truncate(time.Second)) || !a.IsRecorded {
				t.Fatalf("%q: %q, at %v", question, a.Problem, a.At)
			}
			compared += compareFields(t, question, a, dumped)
		}
	}
	if compared < 10*asked || asked != 8*moments {
		t.Errorf("%d questions and %d fields were compared, want %d and ten times as many", asked, compared, 8*moments)
	}
}

// compareFields compares the fields of the figures of an answer with those of a dump. It returns their
// number.
func compareFields(t *testing.T, question string, a *Answer, dumped map[string]map[string]json.RawMessage) (n int) {
	t.Helper()
	for i := range a.Figures {
		fig := &a.Figures[i]
		row := dumped[fig.Code+" "+string(fig.Channel)]
		if row == nil {
			t.Fatalf("%q: the dump has no %s on %s", question, fig.Code, fig.Channel)
		}
		for path, value := range fig.Fields {
			n++
			if got, has := row[path]; !has || string(got) != string(value) {
				t.Errorf("%q: %s depends on %s = %s, the dump has %s", question, fig.Figure, path, value, got)
			}
		}
		if fig.Figure == "queuedCalls" && fig.Value != nil && string(row["channelStats.queuedCalls"]) != fmt.Sprint(*fig.Value) {
			t.Errorf("%q: %v are waiting, the dump has %s", question, *fig.Value, row["channelStats.queuedCalls"])
		}
		if fig.Unit == "" || fig.Formula == "" || fig.Text == "" || (fig.Value == nil) != (fig.IsUnknown || fig.NotApplicable) {
			t.Errorf("%q: figure without unit, formula or text: %+v", question, fig)
		}
	}
	if len(a.Figures) > 0 && (a.Checked == nil || a.AgeSeconds == nil) {
		t.Errorf("%q: no verification or age", question)
	}
	return n
}

// TestMaskedAnswers checks that answers for a viewer without names contain none. ASK_ANSWERS is the
// number of answers.
func TestMaskedAnswers(t *testing.T) {
	t.Parallel()
	wanted := fullOr("ASK_ANSWERS", 1000)
	d := newRecordedDay(t, 90*time.Minute)
	full := d.floor(t, hub.Visibility{Names: model.NamesFull}).Present()
	var secrets []string
	for u := range full.Snapshot.Users.All() {
		for _, s := range []string{u.Key(), u.Name.String(), u.Surname.String()} {
			if len(s) > 3 {
				secrets = append(secrets, s)
			}
		}
	}
	if len(secrets) < 60 {
		t.Fatalf("only %d names to look for", len(secrets))
	}
	f := d.floor(t, hub.Visibility{Names: model.NamesHidden})
	names := []string{"", secrets[0], secrets[7]}
	for _, r := range headless.AllRecords(f.Present().Snapshot, d.names, alert.Service, alert.Group, alert.Campaign, alert.User) {
		names = append(names, r.Name)
	}
	questions := []string{"who can go", "floor", "rules", "nonsense here", "wy sales"}
	for _, kind := range []string{"why ", "what helps ", "how is ", "incidents ", "forecast ", "compare ", "serviceLevel of ", "who can go "} {
		for _, name := range names {
			questions = append(questions, kind+name)
		}
	}
	n := 0
	for moment := 0; n < wanted; moment++ {
		at := " at " + d.last.Add(-time.Duration(moment)*time.Minute).Format(time.TimeOnly)
		for _, q := range questions {
			n++
			text, err := json.Marshal(f.Ask(t.Context(), q+at))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range secrets {
				if strings.Contains(q, s) { // what the viewer typed
					continue
				}
				if strings.Contains(string(text), s) {
					t.Fatalf("%q: the answer contains the name %q: %s", q+at, s, text)
				}
			}
		}
	}
}

// TestFigureTitles checks that the titles of figures are in the language of the answer.
func TestFigureTitles(t *testing.T) {
	t.Parallel()
	f := newRecordedDay(t, 10*time.Minute).floor(t, hub.Visibility{Names: model.NamesFull})
	german, _ := words.AvailableLanguages.Lookup("de")
	f.Words = german
	a := f.Ask(t.Context(), "floor")
	if len(a.Figures) == 0 || a.Figures[0].Title != "Wartend" {
		t.Errorf("the figures are %+v", a.Figures)
	}
}

// TestNoNameIsConfirmed checks that the answer to a viewer without names does not depend on whether an
// agent has the typed name, and that rules of the configuration name no agent.
func TestNoNameIsConfirmed(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 30*time.Minute)
	var surname string
	for u := range d.floor(t, hub.Visibility{Names: model.NamesFull}).Present().Snapshot.Users.All() {
		surname = u.Surname.String()
	}
	f := d.floor(t, hub.Visibility{Names: model.NamesHidden})
	for _, question := range []string{"is X a nice person", "how is X", "why X", "compare X with 10:50", "rules X"} {
		answer := func(name string) string {
			text, err := json.Marshal(f.Ask(t.Context(), strings.ReplaceAll(question, "X", name)))
			if err != nil {
				t.Fatal(err)
			}
			return strings.ReplaceAll(string(text), name, "X")
		}
		if known, unknown := answer(surname), answer("Qqqqqq"); known != unknown {
			t.Errorf("%q: an agent has the name: %s\nnobody has the name: %s", question, known, unknown)
		}
	}
	f.Rules = func() []alert.Rule {
		return []alert.Rule{{Name: "wait for " + surname, Scope: alert.Service, KPI: "longestWait"}}
	}
	for _, question := range []string{"rules", "rules xyz"} {
		if text := strings.Join(f.Ask(t.Context(), question).Lines(), "\n"); strings.Contains(text, surname) || !strings.Contains(text, "ait for …") {
			t.Errorf("%q: %s", question, text)
		}
	}
}

// TestAgentsKeepTheirNumbers checks that the number of an agent without a name is the same at different
// moments, so that comparisons and questions about it are about one person.
func TestAgentsKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 3*time.Hour)
	full, hidden := d.floor(t, hub.Visibility{Names: model.NamesFull}), d.floor(t, hub.Visibility{Names: model.NamesHidden})
	numbers := make(map[string]string)
	for i := range 4 {
		at := d.last.Add(-time.Duration(i) * 40 * time.Minute)
		named, err := full.pastMoment(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		numbered, err := hidden.pastMoment(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		for row, u := range named.Snapshot.UserStats.Rows() {
			number := numbered.Snapshot.UserStats.Rows()[row].Key().Username
			if before, known := numbers[u.Key().Username]; known && before != number {
				t.Errorf("%s is %s at %s and was %s", u.Key().Username, number, at, before)
			} else if i == 0 || known {
				numbers[u.Key().Username] = number
			}
		}
	}
}

// TestPartOfTheFloor checks that a viewer of one service can ask about no other.
func TestPartOfTheFloor(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 30*time.Minute)
	f := d.floor(t, hub.Visibility{Names: model.NamesFull, Part: model.FloorPart{Services: []string{"SRV01"}}})
	for _, q := range []string{"how is sales", "why srv02", "how is srv04", "compare sales with 10:50"} {
		if a := f.Ask(t.Context(), q); a.Problem == "" || len(a.Figures) > 0 {
			t.Errorf("%q is answered: %+v", q, a)
		}
	}
	if a := f.Ask(t.Context(), "how is réclamations"); a.Problem != "" || len(a.Figures) == 0 {
		t.Errorf("the own service: %q", a.Problem)
	}
	a := f.Ask(t.Context(), "floor")
	if text := strings.Join(a.Lines(), "\n"); strings.Contains(text, "SALES") || len(a.Figures) == 0 {
		t.Errorf("the floor of a part: %s", text)
	}
}

func TestUnclearQuestions(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 30*time.Minute)
	f := d.floor(t, hub.Visibility{Names: model.NamesFull})
	ask := func(q string) *Answer { return f.Ask(t.Context(), q) }
	if a := ask("why wy"); a.Understood && (a.Problem == "" || len(a.Statements) > 0) {
		t.Errorf("a service that does not exist: %+v", a)
	}
	if a := ask("floor plan of the office"); a.Understood || len(a.Examples) == 0 || len(a.Figures) > 0 {
		t.Errorf("nonsense: %+v", a)
	}
	if a := ask("wyh sales at 25:99"); a.Understood {
		t.Errorf("a time that does not exist: %+v", a)
	}
	if a := ask("compare sales"); a.Understood || a.Reading != "why SALES" {
		t.Errorf("a comparison with no time has the nearest reading %q", a.Reading)
	}
	if a := ask("compare sales with today"); a.Understood {
		t.Errorf("a comparison of now with now: %+v", a)
	}
	if a := ask("why sales at 3:00"); a.Problem == "" || len(a.Statements)+len(a.Figures) > 0 || !strings.Contains(a.Problem, "Nothing was recorded") {
		t.Errorf("a moment that was not recorded: %+v", a)
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 30*time.Minute)
	f := d.floor(t, hub.Visibility{Names: model.NamesFull})
	ask := func(q string) *Answer { return f.Ask(t.Context(), q) }
	a := ask("why sale")
	names := a.CandidateNames()
	if len(a.Candidates) < 2 || !slices.Contains(names, "service SALES") || !slices.Contains(names, "service Sales Back Office") || len(a.Statements) > 0 {
		t.Errorf("an ambiguous name has the candidates %v", names)
	}
	if a = ask(a.CandidateQuestion(slices.Index(names, "service Sales Back Office"))); a.Problem != "" || a.Records[0].Name != "Sales Back Office" {
		t.Errorf("the question about a candidate: %q", a.Problem)
	}
	if a := ask("why reklamations"); len(a.Candidates) == 0 || a.Candidates[0].Name != "Réclamations" {
		t.Errorf("a misspelled name: %+v", a.Candidates)
	}
}

// TestNamesLikeScopes asks about names that begin with a word for a kind of record.
func TestNamesLikeScopes(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 30*time.Minute)
	f := d.floor(t, hub.Visibility{Names: model.NamesFull})
	ask := func(q string) *Answer { return f.Ask(t.Context(), q) }
	d.names.Add(model.NameService, "SRV06", "Service Desk")
	d.names.Add(model.NameService, "SRV07", "Agent Assist")
	for _, name := range []string{"Service Desk", "Agent Assist"} {
		if a := ask("how is " + name); len(a.Records) == 0 || a.Records[0].Name != name {
			t.Errorf("%s: %q", name, a.Problem)
		}
	}
	hidden := d.floor(t, hub.Visibility{Names: model.NamesHidden})
	if a := hidden.Ask(t.Context(), "how is Agent 3"); len(a.Records) == 0 || a.Records[0].Name != "Agent 3" {
		t.Errorf("an agent with a number: %q", a.Problem)
	}
	if a := ask("rules wait at 10:50"); a.Reading != "rules wait" || len(a.Statements) == 0 {
		t.Errorf("the rules of an earlier time, which are unknown, are given as %q", a.Reading)
	}
}

func TestCancelledQuestion(t *testing.T) {
	t.Parallel()
	d := newRecordedDay(t, 30*time.Minute)
	f := d.floor(t, hub.Visibility{Names: model.NamesFull})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := f.Ask(ctx, "why sales at 10:50"); !strings.Contains(a.Problem, "cancelled") || len(a.Statements) > 0 {
		t.Errorf("a cancelled question is answered: %+v", a)
	}
}
