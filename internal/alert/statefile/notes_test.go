package statefile

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func newTestNote(t *testing.T, text string, at, until time.Time) model.Note {
	t.Helper()
	n, err := NewNote(text, "anna", at, until)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestParse checks the ends of typed notes.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line, text string
		until      time.Duration // from noon
	}{
		{"IVR down until 15:00", "IVR down", 3 * time.Hour},
		{"IVR down UNTIL 15.30", "IVR down", 3*time.Hour + 30*time.Minute},
		{"night shift is short until 11:00", "night shift is short", 23 * time.Hour},
		{"chat is slow for 30 min", "chat is slow", 30 * time.Minute},
		{"chat is slow for 2h", "chat is slow", 2 * time.Hour},
		{"waiting for the vendor", "waiting for the vendor", DefaultNoteSpan},
		{"closed until Monday", "closed until Monday", DefaultNoteSpan},
		{"wait until told until 12:05", "wait until told", 5 * time.Minute},
		{"  Zürich: Störung für alle  ", "Zürich: Störung für alle", DefaultNoteSpan},
	} {
		text, until, err := ParseNote(tt.line, noon, time.UTC)
		if err != nil || text != tt.text || !until.Equal(noon.Add(tt.until)) {
			t.Errorf("%q: %q until %v, %v", tt.line, text, until, err)
		}
	}
	for _, line := range []string{"", "until 15:00", "for 2h", "down for 169h"} {
		if text, until, err := ParseNote(line, noon, time.UTC); err == nil {
			t.Errorf("%q: %q until %v", line, text, until)
		}
	}
}

// TestNotesAreShared checks that two programs see each other's notes, that an ended note stays ended, and
// that a board that follows the notes gets each note, and each end of a note, once.
func TestNotesAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path, log := filepath.Join(testkit.PrivateDir(t), "notes.jsonl"), slog.New(slog.DiscardHandler)
		board, script := OpenNotes(path, log), OpenNotes(path, log)
		var told []string
		ctx := t.Context()
		go board.WatchNotes(ctx, board.All(), func(n model.Note) { told = append(told, n.Text+" "+n.Until.Format("15:04")) })
		synctest.Wait()
		now := time.Now()
		down, letter := newTestNote(t, "IVR down", now, now.Add(time.Hour)), newTestNote(t, "newsletter", now, time.Time{})
		if err := script.Write(down); err != nil {
			t.Fatal(err)
		}
		if err := board.Write(letter); err != nil { // the board has not read the other note yet
			t.Fatal(err)
		}
		<-time.After(2 * notesInterval)
		synctest.Wait()
		if all := board.All(); len(all) != 2 || !all[0].IsActive(now) && !all[1].IsActive(now) {
			t.Errorf("the board has %+v", all)
		}
		ended, err := script.EndNotes("ivr", now.Add(time.Minute))
		if err != nil || len(ended) != 1 {
			t.Fatalf("ended %+v, %v", ended, err)
		}
		<-time.After(2 * notesInterval)
		synctest.Wait()
		for _, n := range board.All() {
			if n.IsActive(now.Add(2 * time.Minute)) {
				t.Errorf("%+v is still active", n)
			}
		}
		if got := strings.Join(told, ", "); strings.Count(got, "IVR down") != 2 || strings.Count(got, "newsletter") != 1 {
			t.Errorf("told %s", got)
		}
	})
}

// TestForeignLines checks that lines of other programs do no harm: invalid ones are reported and kept,
// texts are cleaned, and no note is endless.
func TestForeignLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "notes.jsonl")
	good := `{"id":"a","at":"2026-03-02T12:00:00Z","until":"2026-03-02T13:00:00Z","text":"up\u001b[2Jdate\r"}`
	lines := []string{
		"no JSON", `{"id":"b"}`, good, strings.NewReplacer("13:00", "13:01", `"a"`, `""`).Replace(good),
		strings.NewReplacer("03-02T13", "04-02T13", `"a"`, `"endless"`).Replace(good), `{"id":"t","at":`,
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	book := OpenNotes(path, slog.New(slog.DiscardHandler))
	all := book.All()
	if len(all) != 1 || all[0].ID != "a" || strings.ContainsAny(all[0].Text, "\x1b\r") {
		t.Errorf("%+v", all)
	}
	if got := book.Trouble(); !strings.HasSuffix(got, "line 1 is not a note: correct or delete it") {
		t.Errorf("trouble: %q", got)
	}
	note, err := NewNote("storm", "anna", all[0].At, all[0].Until)
	if err := errors.Join(err, book.Write(note)); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	for _, line := range []string{lines[0], lines[1], lines[3], lines[4], lines[5]} {
		if err != nil || !strings.Contains(string(content), line+"\n") {
			t.Errorf("writing a note has dropped %q: %v", line, err)
		}
	}
	if got := book.Trouble(); !strings.HasSuffix(got, "line 3 is not a note: correct or delete it") {
		t.Errorf("trouble after writing: %q", got)
	}
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if book.refresh(); book.Trouble() != "" {
		t.Errorf("trouble of a corrected file: %q", book.Trouble())
	}
}

// TestOldNotesAreDropped checks the limits of the file.
func TestOldNotesAreDropped(t *testing.T) {
	t.Parallel()
	b := OpenNotes(filepath.Join(testkit.PrivateDir(t), "notes.jsonl"), slog.New(slog.DiscardHandler))
	var many []model.Note
	for i := range maxNotes + 50 {
		many = append(many, newTestNote(t, "mark", noon.Add(time.Duration(i)*time.Minute), time.Time{}))
	}
	if err := b.Write(many...); err != nil {
		t.Fatal(err)
	}
	if n := len(b.All()); n != maxNotes {
		t.Errorf("%d notes, want %d", n, maxNotes)
	}
	newest := newTestNote(t, "later", noon.Add(2*maxNoteAge), time.Time{})
	if err := b.Write(newest); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]model.Note{newest}, b.All()); diff != "" {
		t.Error(diff)
	}
}

// TestRecorded checks that a replay knows a note as it was at the instant: the replay knows an early end only
// after that end.
func TestRecorded(t *testing.T) {
	t.Parallel()
	written := newTestNote(t, "IVR down", noon, noon.Add(time.Hour))
	ended := written
	ended.Until = noon.Add(10 * time.Minute)
	marks := []model.Mark{{At: noon, Kind: model.MarkNote, Note: &written}, {At: ended.Until, Kind: model.MarkNote, Note: &ended}, {At: noon, Kind: model.MarkAction}}
	for _, tt := range []struct {
		after  time.Duration
		active bool
	}{{-time.Minute, false}, {time.Minute, true}, {9 * time.Minute, true}, {11 * time.Minute, false}} {
		list := RecordedNotes(marks, noon.Add(tt.after))
		if active := len(list) == 1 && list[0].IsActive(noon.Add(tt.after)); active != tt.active {
			t.Errorf("after %v: %+v", tt.after, list)
		}
	}
}

// TestOldCopyDoesNotUndo checks that a program with an older copy of a note neither revives the note
// after its early end nor forgets the surge that followed it.
func TestOldCopyDoesNotUndo(t *testing.T) {
	t.Parallel()
	path, log := filepath.Join(testkit.PrivateDir(t), "notes.jsonl"), slog.New(slog.DiscardHandler)
	down := newTestNote(t, "Störung", noon, noon.Add(time.Hour))
	viewer := OpenNotes(path, log)
	if err := viewer.Write(down); err != nil {
		t.Fatal(err)
	}
	board := OpenNotes(path, log) // this copy is older than the viewer's next change
	if ended, err := viewer.EndNotes("storung", noon.Add(10*time.Minute)); err != nil || len(ended) != 1 {
		t.Fatalf("ended %+v, %v", ended, err)
	}
	board.RecordSurge(down.ID, noon.Add(5*time.Minute))
	board.writing.Wait()
	if err := viewer.Write(down); err != nil {
		t.Fatal(err)
	}
	all := OpenNotes(path, log).All()
	if len(all) != 1 || !all[0].Until.Equal(noon.Add(10*time.Minute)) || !all[0].Surge.Equal(noon.Add(5*time.Minute)) {
		t.Errorf("the file has %+v", all)
	}
}

// TestRecordedTolerances checks that a tolerance of a recording ends when it was ended.
func TestRecordedTolerances(t *testing.T) {
	t.Parallel()
	agreed := model.Note{ID: "1", At: minuteAt(0), Until: minuteAt(50), Text: "tolerance SL 3", Tolerance: model.AgreedTolerance{Figure: alert.ToleratedServiceLevel, Points: 3}}
	ended := agreed
	ended.Until = minuteAt(10)
	list := RecordedTolerances([]model.Mark{
		{At: agreed.At, Note: &agreed}, {At: minuteAt(5), Note: &model.Note{ID: "2", At: minuteAt(5), Until: minuteAt(50), Text: "IVR down"}}, {At: ended.Until, Note: &ended},
	})
	for at, want := range map[int]float64{0: 0.03, 9: 0.03, 10: 0.01} {
		if got := alert.ToleranceAt(alert.Tolerance{ServiceLevel: 0.01}, list, minuteAt(at)); got.ServiceLevel != want {
			t.Errorf("minute %d: %+v", at, got)
		}
	}
	if got := ActiveTolerances(list, minuteAt(9)); len(got) != 1 || len(ActiveTolerances(list, minuteAt(10))) != 0 {
		t.Errorf("active: %+v", got)
	}
}
