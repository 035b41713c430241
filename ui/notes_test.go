package ui

import (
	"errors"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// TestNotes checks that a typed note is in the header until its end, that it can be ended, and that a
// refusal is explained.
func TestNotes(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	refusal := error(nil)
	b, v := newSharedBoard(t, newShared(t, f, testNames()), f, 120, 40, model.NamesFull, func(o *Options) {
		o.Actions.User = "anna"
		o.Actions.Recorder = func(d *alerts.Action) error {
			if d.Kind != alerts.WriteNote || d.Note == "" || d.Until.IsZero() {
				t.Errorf("recorded %+v", d)
			}
			return refusal
		}
	})
	typed := func(line string) {
		b.Press(":")
		b.Type(line)
		b.Press("enter")
		b.Pass(time.Second)
	}
	typed("note IVR down until 11:00")
	b.Shows("◆ IVR down, until 11:00 (anna)")
	typed("note Chat is slow for 2h")
	b.Shows("IVR down, until 11:00 (anna) · Chat is slow, until 12:")
	b.Press("h")
	b.Shows("IVR down, until 11:00 (anna)")
	b.Press("esc")
	typed("note end chat")
	b.Hides("Chat is slow, until")
	b.Pass(time.Hour)
	b.Hides("IVR down")
	refusal = errors.New("you may not")
	typed("note VIP closed")
	b.Shows("The note is not saved: you may not")
	b.Hides("◆ VIP")
	if n := len(v.Observations().Notes().All()); n != 2 {
		t.Errorf("the book has %d notes", n)
	}
}

// TestEventsOnCharts checks that a chart marks actions and notes, also beside a critical alert.
func TestEventsOnCharts(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	b, v := newSharedBoard(t, newShared(t, f, testNames()), f, 120, 40, model.NamesFull)
	newsletter, err := statefile.NewNote("newsletter", "", b.Now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	b.Pass(3 * time.Minute)
	b.Press("2", "t")
	b.Hides("action or note")
	v.Observations().Notes().MarkAction(b.Now.Add(-time.Minute))
	b.Pass(10 * time.Second)
	b.Shows("◆ action or note")
	b.Pass(time.Hour)
	b.Hides("action or note")
	newsletter.At = b.Now.Add(-time.Minute)
	if err := v.Observations().Notes().Write(newsletter); err != nil {
		t.Fatal(err)
	}
	b.Pass(10 * time.Second)
	b.Shows("◆ action or note")
}
