package ui

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
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
		b.AdvanceClock(time.Second)
	}
	typed("note IVR down until 11:00")
	b.CheckShows("◆ IVR down, until 11:00 (anna)")
	typed("note Chat is slow for 2h")
	b.CheckShows("IVR down, until 11:00 (anna) · Chat is slow, until 12:")
	b.Press("h", "pgdown") // the notes follow the open situations
	b.CheckShows("IVR down, until 11:00 (anna)")
	b.Press("esc")
	typed("note end chat")
	b.CheckHides("Chat is slow, until")
	b.AdvanceClock(time.Hour)
	b.CheckHides("IVR down")
	refusal = errors.New("you may not")
	typed("note VIP closed")
	b.CheckShows("The note was not saved: you may not")
	b.CheckHides("◆ VIP")
	if n := len(v.Observations().Notes().All()); n != 2 {
		t.Errorf("the book has %d notes", n)
	}
}

// TestTolerance checks that a typed tolerance is in the header of all boards and changes what counts
// as missed, that the latest one holds until midnight, and that a refusal is explained.
func TestTolerance(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	refusal := error(nil)
	common := newShared(t, f, testNames())
	b, v := newSharedBoard(t, common, f, 120, 40, model.NamesFull, func(o *Options) {
		o.Actions.User = "anna"
		o.Actions.Recorder = func(d *alerts.Action) error {
			if d.Kind != alerts.AgreeTolerance || d.Note == "" || d.Until.IsZero() {
				t.Errorf("recorded %+v", d)
			}
			return refusal
		}
	})
	other, _ := newSharedBoard(t, common, f, 120, 40, model.NamesFull)
	typed := func(line string) {
		b.Press(":")
		b.Type(line)
		b.Press("enter")
		b.AdvanceClock(2 * time.Second)
	}
	typed("tolerance SL 3")
	b.CheckShows("◆ tolerance SL 3")
	other.AdvanceClock(2 * time.Second)
	other.CheckShows("◆ tolerance SL 3")
	typed("tolerance sl 2,5")
	b.CheckShows("◆ tolerance SL 2.5")
	typed("tolerance abandoned 1")
	b.CheckShows("◆ tolerance SL 2.5, abandoned 1")
	if g := v.Goal(""); g.Tolerance != (alert.Tolerance{ServiceLevel: 0.025, Abandon: 0.01}) {
		t.Errorf("the board judges by %+v", g)
	}
	b.Press("h", "pgdown")
	b.CheckShows("tolerance SL 2.5, until 3 Mar 00:00 (anna)")
	b.Press("esc")
	for line, want := range map[string]string{
		"tolerance SL 30": "is not a number of points from 0 to 20", "tolerance AHT 3": "there is a tolerance for SL and for abandoned",
		"tolerance SL": "say how many points", "tolerance SL NaN": "is not a number of points",
	} {
		typed(line)
		b.CheckShows(want)
	}
	typed("tolerance end sl")
	b.CheckShows("◆ tolerance abandoned 1")
	refusal = errors.New("you may not")
	typed("tolerance end")
	b.CheckShows("It could not be saved: you may not")
	b.CheckShows("◆ tolerance abandoned 1")
	if n := len(statefile.ActiveNotes(v.Observations().Notes().All(), "", b.Now)); n != 0 {
		t.Errorf("%d tolerances are among the notes", n)
	}
	b.AdvanceClock(15 * time.Hour)
	b.CheckHides("◆ tolerance")
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
	b.AdvanceClock(3 * time.Minute)
	b.Press("2", "t")
	b.CheckHides("action or note")
	v.Observations().Notes().MarkAction(b.Now.Add(-time.Minute))
	b.AdvanceClock(10 * time.Second)
	b.CheckShows("◆ action or note")
	b.AdvanceClock(time.Hour)
	b.CheckHides("action or note")
	newsletter.At = b.Now.Add(-time.Minute)
	if err := v.Observations().Notes().Write(newsletter); err != nil {
		t.Fatal(err)
	}
	b.AdvanceClock(10 * time.Second)
	b.CheckShows("◆ action or note")
}

// TestPlaybook checks that the items of a playbook are shown beside what helps, that all boards see
// what is ticked off, and that a tick can be taken back.
func TestPlaybook(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	common := newShared(t, f, testNames())
	var recorded []string
	playbooks := []situation.Playbook{{Rule: alert.RuleLongestWait, Checks: []string{"Is the IVR up?"}, Steps: []string{"Open the overflow"}, EndCondition: "no one waiting"}}
	b, v := newSharedBoard(t, common, f, 120, 60, model.NamesFull, func(o *Options) {
		o.Actions.User, o.Targets.Playbooks = "anna", playbooks
		o.Actions.Recorder = func(d *alerts.Action) error {
			recorded = append(recorded, string(d.Kind)+": "+d.Note)
			return nil
		}
	})
	other, _ := newSharedBoard(t, common, f, 120, 60, model.NamesFull, func(o *Options) { o.Targets.Playbooks = playbooks })
	b.Press("w")
	b.CheckShows("Playbook: 0 of 2 done")
	b.CheckShows("Resolved when: no one waiting")
	b.Press("p", "enter", "down", "enter")
	b.AdvanceClock(2 * time.Second)
	b.CheckShows("[x] Check: Is the IVR up? anna 10:42")
	b.Press("enter")
	b.AdvanceClock(2 * time.Second)
	b.CheckShows("[ ] Do: Open the overflow")
	other.AdvanceClock(2 * time.Second)
	other.Press("w")
	other.CheckShows("Playbook: 1 of 2 done")
	other.CheckShows("[x] Check: Is the IVR up? anna 10:42")
	if diff := cmp.Diff([]string{"playbook: Is the IVR up?", "playbook: Open the overflow", "playbook: Open the overflow"}, recorded); diff != "" {
		t.Error(diff)
	}
	if active := statefile.ActiveNotes(v.Observations().Notes().All(), "", b.Now); len(active) != 0 {
		t.Errorf("ticks are among the notes: %+v", active)
	}
}
