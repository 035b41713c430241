package alerts

import "time"

// Action is an action of a viewer on alerts, or on the notes about the floor.
type Action struct {
	Kind        ActionKind
	By          string    // name of the viewer
	RecordNames string    // names of the records that the alerts are about
	Critical    bool      // a snooze also silences critical alerts
	Until       time.Time // end of a snooze
	Note        string    // note on a take-over
}

// ActionKind is the kind of an [Action].
type ActionKind string

// The kinds of actions.
const (
	Snooze   ActionKind = "snooze"
	Wake     ActionKind = "wake"
	TakeOver ActionKind = "take-over"
	// WriteNote is the kind of writing or ending a note about the floor.
	WriteNote ActionKind = "note"
	// AgreeTolerance is the kind of agreeing or ending a tolerance for the targets of the day.
	AgreeTolerance ActionKind = "tolerance"
	// TickOff is the kind of ticking an item of a playbook off, or taking the tick back.
	TickOff ActionKind = "playbook"
)

// Recorder records an action before the action is carried out. If it returns an error, the action
// is not carried out, and the viewer sees the error's text.
type Recorder func(*Action) error

// SetRecorder sets the function that records actions. If it is nil, actions are not recorded.
func (w *Watch) SetRecorder(r Recorder) { w.recorder = r }

func (w *Watch) recordAction(d *Action) error {
	if w.recorder == nil {
		return nil
	}
	return w.recorder(d)
}
