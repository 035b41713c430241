package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// clock advances by 250 ms with every call.
func clock() func() time.Time {
	var mu sync.Mutex
	now := noon
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		defer func() { now = now.Add(250 * time.Millisecond) }()
		return now
	}
}

func openLog(t *testing.T, path string, tune func(*Options)) *Log {
	t.Helper()
	o := Options{Path: path, User: "supervisor", OSUser: "sofia", Session: "1-a", Now: clock()}
	if tune != nil {
		tune(&o)
	}
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func begin(t *testing.T, l *Log, in Intent) func(Result) error {
	t.Helper()
	finish, err := l.Begin(in)
	if err != nil {
		t.Fatal(err)
	}
	return finish
}

// take writes one complete action.
func take(t *testing.T, l *Log, target string) {
	t.Helper()
	if err := begin(t, l, Intent{Action: "dial", Target: target})(Result{Outcome: "confirmed"}); err != nil {
		t.Fatal(err)
	}
}

// read returns the actions and the errors of a file.
func read(path string, f Filter) (entries []Entry, errs []error) {
	for e, err := range Read(path, f) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		entries = append(entries, e)
	}
	return entries, errs
}

func targets(entries []Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Target)
	}
	return all
}

func TestLinesAreWhatOtherProgramsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "state", "audit.jsonl")
	l := openLog(t, path, nil)
	finish := begin(t, l, Intent{Action: "dial", Target: "agent anna", Parameters: map[string]string{"number": "0612"}})
	intentOnly, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(intentOnly), "\n"); got != 1 {
		t.Errorf("%d lines before the action, want the intent", got)
	}
	if err := finish(Result{Outcome: "rejected", Status: 412, Sentence: "No phone.", Warning: "Look!"}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"time":"2026-03-02T12:00:00.000Z","session":"1-a","seq":1,"id":"1-a-1","phase":"intent","user":"supervisor",` +
		`"osUser":"sofia","action":"dial","target":"agent anna","parameters":{"number":"0612"},"previous":"` + chainStart + `"}
{"time":"2026-03-02T12:00:00.250Z","session":"1-a","seq":2,"id":"1-a-1","phase":"outcome","user":"supervisor",` +
		`"osUser":"sofia","action":"dial","target":"agent anna","outcome":"rejected","status":412,"sentence":"No phone.",` +
		`"warning":"Look!","durationMs":250,"previous":"` + HashLine(intentOnly) + `"}
`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

func TestReadPairsIntentsWithOutcomes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, nil)
	first := begin(t, l, Intent{Action: "dial", Target: "anna", Parameters: map[string]string{"number": "0612"}}) // at 0 ms
	begin(t, l, Intent{User: "boss", Person: "carla", Action: "hang-up", Target: "bert"})                         // at 250 ms
	if err := first(Result{Outcome: "confirmed", Status: 200, Sentence: "Done."}); err != nil {
		t.Fatal(err)
	}
	anna := Entry{
		ID: "1-a-1", Session: "1-a", Time: noon, User: "supervisor", OSUser: "sofia", Action: "dial", Target: "anna",
		Parameters: map[string]string{"number": "0612"}, Finished: true, Outcome: "confirmed", Status: 200,
		Sentence: "Done.", Duration: 500 * time.Millisecond,
	}
	bert := Entry{
		ID: "1-a-2", Session: "1-a", Time: noon.Add(250 * time.Millisecond), User: "boss", Person: "carla", OSUser: "sofia",
		Action: "hang-up", Target: "bert", Outcome: OutcomeUnknown, Sentence: unfinishedText,
	}
	for _, tt := range []struct {
		name   string
		filter Filter
		want   []Entry
	}{
		{"all", Filter{}, []Entry{anna, bert}},
		{"unfinished", Filter{OnlyUnfinished: true}, []Entry{bert}},
		{"unknown", Filter{Outcome: "unknown"}, []Entry{bert}},
		{"outcome", Filter{Outcome: "confirmed"}, []Entry{anna}},
		{"since", Filter{Since: noon.Add(time.Millisecond)}, []Entry{bert}},
		{"until", Filter{Until: noon.Add(250 * time.Millisecond)}, []Entry{anna}},
		{"user", Filter{User: "boss"}, []Entry{bert}},
		{"who asked", Filter{User: "carla"}, []Entry{bert}},
		{"system's user", Filter{User: "sofia"}, []Entry{anna, bert}},
		{"action", Filter{Action: "dial"}, []Entry{anna}},
		{"action by its present name", Filter{Action: "hangup"}, []Entry{bert}},
		{"action by its former name", Filter{Action: "hang-up"}, []Entry{bert}},
	} {
		got, errs := read(path, tt.filter)
		if diff := cmp.Diff(tt.want, got); diff != "" || errs != nil {
			t.Errorf("%s: %s %v", tt.name, diff, errs)
		}
	}
}

// TestActionsOnOtherPlatforms reads the actions on one of several platforms, and those from
// before lines contained the platform.
func TestActionsOnOtherPlatforms(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	for i, platform := range []string{"", "https://a.example/rtd", "https://b.example/rtd"} {
		l := openLog(t, path, func(o *Options) { o.Platform, o.Session = platform, fmt.Sprint("1-", i) })
		take(t, l, "on "+platform)
	}
	entries, errs := read(path, Filter{Platform: "https://b.example/rtd"})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if diff := cmp.Diff([]string{"on ", "on https://b.example/rtd"}, targets(entries)); diff != "" {
		t.Error(diff)
	}
	if got := entries[1].Platform; got != "https://b.example/rtd" {
		t.Errorf("the platform is %q", got)
	}
}

func TestTornLineSpoilsOnlyItself(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, nil)
	take(t, l, "anna")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(whole), "\n")
	for cut := 1; cut < len(line); cut++ {
		if err := os.WriteFile(path, append(whole, line[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		begin(t, l, Intent{Action: "dial", Target: "bert"}) // no outcome, which would also report the action
		got, errs := read(path, Filter{})
		if diff := cmp.Diff([]string{"anna", "bert"}, targets(got)); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		var broken *UnreadableLinesError
		if len(errs) != 1 || !errors.As(errs[0], &broken) || broken.Lines != 1 || broken.First != "line 3 of audit.jsonl" {
			t.Fatalf("cut at %d: errors %v", cut, errs)
		}
	}
}

func TestGenerationsAreReadInOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, func(o *Options) { o.MaxSize, o.MaxGenerations = 1400, 12 })
	var want []string
	for i := range 30 {
		want = append(want, fmt.Sprint("agent ", i))
		take(t, l, want[i])
	}
	got, errs := read(path, Filter{})
	if diff := cmp.Diff(want, targets(got)); diff != "" || errs != nil {
		t.Errorf("%s %v", diff, errs)
	}
	for _, e := range got {
		if !e.Finished {
			t.Errorf("%s lost its outcome in a rotation", e.Target)
		}
	}
	if _, err := os.Stat(generationName(path, 10)); err != nil {
		t.Errorf("too few generations to tell 10 from 1: %v", err)
	}
}

func TestOldGenerationsGo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, func(o *Options) { o.MaxSize, o.MaxGenerations = 400, 2 })
	for i := range 20 {
		take(t, l, fmt.Sprint(i))
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) != 3 {
		t.Errorf("files %v, %v; want the file and 2 generations", files, err)
	}
	got, _ := read(path, Filter{})
	if n := len(got); n == 0 || got[n-1].Target != "19" {
		t.Errorf("the newest is gone: %v", targets(got))
	}
}

// TestSeveralWriters writes to a file through several logs. Each Log opens the file separately, as
// separate programs do.
func TestSeveralWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	const writers, actions = 8, 25
	var wg sync.WaitGroup
	for w := range writers {
		l := openLog(t, path, func(o *Options) {
			o.Session, o.MaxSize, o.MaxGenerations, o.Now = fmt.Sprint("s", w), 6000, 100, time.Now
		})
		wg.Go(func() {
			for i := range actions {
				finish, err := l.Begin(Intent{Action: "dial", Target: fmt.Sprint(w, ".", i)})
				if err != nil {
					t.Error(err)
					return
				}
				if err := finish(Result{Outcome: "confirmed"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	entries, errs := read(path, Filter{})
	if errs != nil {
		t.Error(errs)
	}
	seen := make(map[string]bool)
	for _, e := range entries {
		if !e.Finished {
			t.Errorf("%s has no outcome", e.Target)
		}
		seen[e.Target] = true
	}
	if len(entries) != writers*actions || len(seen) != writers*actions {
		t.Errorf("%d actions, %d different ones; want %d", len(entries), len(seen), writers*actions)
	}
}

func TestWhatIsReadCanBeShown(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, nil)
	evil := "a\x1b[2J\u009b\u202e\u2066\r\nb\xff"
	finish := begin(t, l, Intent{User: evil, Action: evil, Target: evil, Parameters: map[string]string{evil: evil}})
	if err := finish(Result{Outcome: evil, Sentence: evil, Warning: evil}); err != nil {
		t.Fatal(err)
	}
	entries, errs := read(path, Filter{})
	if len(entries) != 1 || errs != nil {
		t.Fatalf("%v %v", entries, errs)
	}
	e := entries[0]
	if got := cleanText(evil); e.Target != got || strings.ContainsAny(e.Target, "\x1b\u009b\u202e\u2066\r\n") {
		t.Errorf("target %q", e.Target)
	}
	for what, got := range map[string]string{
		"user": e.User, "action": e.Action, "outcome": e.Outcome, "sentence": e.Sentence, "warning": e.Warning,
		"parameter": e.Parameters[cleanText(evil)],
	} {
		if got != cleanText(evil) {
			t.Errorf("%s %q", what, got)
		}
	}
}

func TestLinesNobodyWrote(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, nil)
	take(t, l, "anna")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, lonely, _ := strings.Cut(string(good), "\n")
	lonely = strings.ReplaceAll(lonely, "1-a-1", "1-a-9") // an outcome without its intent
	bad := "\n{}\n[1]\n" + strings.Repeat("x", maxLine+10) + "\n" + strings.Repeat("y", 3*maxLine) + "\n"
	if err := os.WriteFile(path, []byte(bad+string(good)+lonely), 0o600); err != nil {
		t.Fatal(err)
	}
	got, errs := read(path, Filter{})
	if diff := cmp.Diff([]string{"anna", "anna"}, targets(got)); diff != "" {
		t.Error(diff)
	}
	if len(got) == 2 && !got[1].Time.Equal(noon) {
		t.Errorf("the intent of a lonely outcome was at %v", got[1].Time)
	}
	var broken *UnreadableLinesError
	if len(errs) != 1 || !errors.As(errs[0], &broken) || broken.Lines != 5 {
		t.Errorf("errors %v, want 5 broken lines", errs)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, nil)
	begin(t, l, Intent{Action: "send-sms", Target: "anna", Parameters: map[string]string{"message": strings.Repeat("é", 1e6)}})
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 2*maxTextBytes || !json.Valid(b) {
		t.Errorf("a line of %d bytes, valid: %v", len(b), json.Valid(b))
	}
}

func TestIntentThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	l := openLog(t, path, nil)
	if finish, err := l.Begin(Intent{Action: "dial"}); err == nil || finish != nil {
		t.Errorf("finish %t, error %v; want an error", finish != nil, err)
	}
}

func TestNoFile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		filepath.Join(testkit.PrivateDir(t), "audit.jsonl"), filepath.Join(testkit.PrivateDir(t), "none", "audit.jsonl"),
	} {
		if entries, errs := read(path, Filter{}); entries != nil || len(errs) != 1 || !errors.Is(errs[0], fs.ErrNotExist) {
			t.Errorf("%v %v, want fs.ErrNotExist", entries, errs)
		}
	}
}

// TestManyParameters checks that the line of an action with many parameters can be read.
func TestManyParameters(t *testing.T) {
	t.Parallel()
	ln := line{ID: "1", Phase: phaseIntent, Time: "2026-03-01T08:00:00.000Z", Parameters: map[string]string{}}
	for i := range 12_000 {
		ln.Parameters[fmt.Sprintf("field %05d", i)] = strings.Repeat("x", 200)
	}
	b, err := ln.encode()
	if err != nil || len(b) > maxLine {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	got, _, ok := decodeIfLong(b)
	if !ok || got.Parameters["field 00000"] == "" || !strings.HasPrefix(got.Parameters["…"], "and 1") {
		t.Errorf("%v, %q", ok, got.Parameters["…"])
	}
}
