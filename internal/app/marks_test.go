package app

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/model"
)

// TestRecordEarlierNotes checks that active notes that were written before the recording began are
// recorded once.
func TestRecordEarlierNotes(t *testing.T) {
	t.Parallel()
	now := time.Now()
	note := func(id string, at, until time.Time) model.Note {
		return model.Note{ID: id, Text: id, At: at, Until: until}
	}
	notes := []model.Note{
		note("over", now.Add(-2*time.Hour), now.Add(-time.Hour)), note("mark", now.Add(-time.Hour), time.Time{}),
		note("recorded", now.Add(-time.Hour), now.Add(time.Hour)), note("active", now.Add(-time.Hour), now.Add(time.Hour)),
	}
	c := config.Default()
	c.Record.Names = string(model.NamesFull)
	var marks []model.Mark
	add := func(e model.Event) {
		marks = append(marks, model.Mark{At: e.At, Kind: e.Kind, Text: e.Text, Note: e.Note})
	}
	p := &Platform{config: &c, Log: slog.New(slog.DiscardHandler), Source: stillSource{latest: &model.Snapshot{Seq: 1}}, Recorder: &Recorder{
		AddMark: add, Marks: func(context.Context, time.Time) ([]model.Mark, bool) {
			return append(marks, model.Mark{Note: &notes[2]}), true
		},
	}}
	for range 2 {
		p.recordEarlierNotes(t.Context(), notes)
	}
	if len(marks) != 1 || marks[0].Text != "Note: active" || !marks[0].At.Equal(notes[3].At) {
		t.Fatalf("recorded %+v", marks)
	}
	if list := statefile.ActiveNotes(statefile.RecordedNotes(marks, now), "", now); len(list) != 1 || list[0].ID != "active" {
		t.Errorf("a rewind shows %+v", list)
	}
	c.Record.Names = string(model.NamesHidden)
	if p.recordEarlierNotes(t.Context(), []model.Note{note("another", now, now.Add(time.Hour))}); len(marks) != 1 {
		t.Errorf("a recording without names has %+v", marks)
	}
}
