package handover_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/situation"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/model"
)

// TestDeedsOfAnotherClock hands over a shift on a platform whose clock is ten minutes ahead or behind. The
// actions are read by the local clock, from the start of the shift on. The report and the measurement of
// effects use the platform's clock.
func TestDeedsOfAnotherClock(t *testing.T) {
	t.Parallel()
	ours := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	for _, ahead := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		r := handover.Report{From: ours.Add(-8 * time.Hour).Add(ahead), At: ours.Add(ahead)}
		r.Health.ClockOffset = ahead
		did := []handover.Action{{At: ours.Add(-20 * time.Minute), UserName: "anna", Action: "stop campaign", Target: "Win-back", Outcome: "confirmed", AffectsWaits: true}}
		var since time.Time
		if err := r.AddActions(func(from time.Time) ([]handover.Action, error) { since = from; return did, nil }); err != nil {
			t.Fatal(err)
		}
		if want := ours.Add(-8 * time.Hour); !since.Equal(want) {
			t.Errorf("%v ahead: read actions since %v, want %v", ahead, since, want)
		}
		at := ours.Add(-20 * time.Minute).Add(ahead)
		err := r.MeasureEffects(t.Context(), func(_ context.Context, deeds []analysis.Action) ([]string, error) {
			if len(deeds) != 1 || !deeds[0].At.Equal(at) {
				t.Errorf("%v ahead: measured at %v, want %v", ahead, deeds, at)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := handover.Markdown(r); !strings.Contains(text, "- "+at.Format("15:04")+" anna: stop campaign") {
			t.Errorf("%v ahead:\n%s", ahead, text)
		}
		if !did[0].At.Equal(ours.Add(-20 * time.Minute)) {
			t.Error("AddActions changed its input")
		}
	}
}

// TestDeedsOfARecording checks the actions taken from the marks of a recording: those from the start of the
// shift until the time of the report.
func TestDeedsOfARecording(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	mark := func(ago time.Duration, kind model.MarkKind, text string) model.Mark {
		return model.Mark{At: at.Add(-ago), Kind: kind, Text: text}
	}
	marks := []model.Mark{
		mark(9*time.Hour, model.MarkAction, "Hang up, confirmed"),
		mark(time.Hour, model.MarkAction, "Stop campaign: Win-back, confirmed"),
		mark(50*time.Minute, model.MarkAction, "Start campaign: Win-back, not sent"),
		mark(40*time.Minute, model.MarkAction, "Hang up: Rossi, Anna, unknown whether it happened"),
		mark(30*time.Minute, model.MarkCritical, "Sales: 8 wait"),
		mark(20*time.Minute, model.MarkAction, "Something *else*"),
		mark(-time.Minute, model.MarkAction, "Stop campaign: Later, confirmed"),
	}
	r := handover.Report{From: at.Add(-8 * time.Hour), At: at, Actions: []handover.Action{{Action: "of before"}}}
	r.AddMarks(handover.RecordingData{Marks: marks, Start: at.Add(-8 * time.Hour)})
	text := handover.Markdown(r)
	_, text, _ = strings.Cut(text, "## Actions\n")
	text, _, _ = strings.Cut(text, "\n##")
	want := `From the marks of the recording, which do not name the user.
- 13:00 stop campaign Win-back, **confirmed**
- 13:10 start campaign Win-back, **not sent**
- 13:20 hang up Rossi, Anna, **outcome unknown**
- 13:40 Something \*else\*
`
	if text != want {
		t.Errorf("%q\nwant %q", text, want)
	}
	for i, moves := range []bool{true, false, false, false} {
		if r.Actions[i].AffectsWaits != moves {
			t.Errorf("%+v", r.Actions[i])
		}
	}
	r.AddMarks(handover.RecordingData{Start: at.Add(-time.Hour)})
	if want := "No action is marked in the recording, as far as this board may see it. Actions before 13:00 were not recorded."; len(r.Actions) > 0 || r.ActionsNote != want {
		t.Errorf("%q, %+v", r.ActionsNote, r.Actions)
	}
	r.From = at.Add(-24 * time.Hour)
	r.AddMarks(handover.RecordingData{Start: at.Add(-23 * time.Hour)})
	if want := "Actions before 1 Mar 15:00 were not recorded."; !strings.HasSuffix(r.ActionsNote, want) {
		t.Errorf("%q, want %q", r.ActionsNote, want)
	}
}

// TestReviewWithoutMarks checks that a review only says that no action is recorded if the viewer may see
// the marks of the recording.
func TestReviewWithoutMarks(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	for want, marks := range map[string][]model.Mark{
		"No action is marked in the recording, as far as this board may see it.": nil,
		"No one took it over, and no action is recorded.":                        {},
	} {
		r := handover.Report{From: at.Add(-8 * time.Hour), At: at}
		r.AddMarks(handover.RecordingData{Marks: marks, Start: at.Add(-8 * time.Hour)})
		got := handover.ReviewMarkdown(r.ReviewOf(situation.IncidentSummary{Began: at.Add(-time.Hour), Ended: at.Add(-time.Minute)}, nil))
		if !strings.Contains(got, "## Actions and their effect\n"+want+"\n") {
			t.Errorf("%d marks: want %q:\n%s", len(marks), want, got)
		}
	}
}
