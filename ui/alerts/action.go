package alerts

import (
	"time"

	"wallboard/model"
)

// Action is a viewer's action on alerts, or on the notes about the floor. A [Recorder] records it.
type Action struct {
	Kind        ActionKind
	UserName    string    // name of the viewer
	RecordNames string    // names of the records to which the alerts belong
	Critical    bool      // the snooze also silences critical alerts
	Until       time.Time // when the snooze or the note ends
	Note        string    // note of the take-over, or text of the note about the floor
}

// ActionKind is the kind of an [Action].
type ActionKind string

// Values of [ActionKind].
const (
	Snooze    ActionKind = "snooze"
	EndSnooze ActionKind = "wake"
	TakeOver  ActionKind = "take-over"
	// WriteNote stands for writing or ending a note about the floor.
	WriteNote ActionKind = "note"
	// AgreeTolerance stands for agreeing or ending a tolerance for the targets of the day.
	AgreeTolerance ActionKind = "tolerance"
	// TickPlaybookItem stands for ticking off an item of a playbook, or for removing the tick.
	TickPlaybookItem ActionKind = "playbook"
)

// Recorder records an action before it is carried out. If Recorder returns an error, the action is
// not carried out, and the viewer sees the error message.
type Recorder func(*Action) error

// NoteApproval returns a function that records an action before it is carried out: a viewer writes or ends
// a note, agrees or ends a tolerance, or ticks or unticks a step of a playbook. If the function returns an
// error, the action must not be carried out. floor is the name of the whole floor in the viewer's
// language.
func (r Recorder) NoteApproval(floor string) func(*model.Note) error {
	return func(n *model.Note) error {
		if r == nil {
			return nil
		}
		kind := WriteNote
		switch {
		case n.Tolerance != (model.AgreedTolerance{}):
			kind = AgreeTolerance
		case n.Tick.Item != "":
			kind = TickPlaybookItem
		}
		return r(&Action{Kind: kind, UserName: n.By, RecordNames: floor, Note: n.Text, Until: n.Until})
	}
}

// SetRecorder sets the function that records actions. With a nil r, actions are not recorded.
func (w *BoardAlerts) SetRecorder(r Recorder) { w.recorder = r }

func (w *BoardAlerts) recordAction(d *Action) error {
	if w.recorder == nil {
		return nil
	}
	return w.recorder(d)
}
