package alerts

import "time"

// Action is a viewer's action on alerts.
type Action struct {
	Kind        ActionKind
	By          string    // user name
	RecordNames string    // names of the records
	Critical    bool      // the snooze covers critical alerts
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
	// WriteNote writes a note about the floor, or ends it.
	WriteNote ActionKind = "note"
)

// Recorder records an action before it is carried out. If it returns an error, the action is not
// carried out, and the viewer sees the error's text.
type Recorder func(*Action) error

// SetRecorder sets the recorder; nil: actions are not recorded.
func (w *Watch) SetRecorder(r Recorder) { w.recorder = r }

func (w *Watch) recordAction(d *Action) error {
	if w.recorder == nil {
		return nil
	}
	return w.recorder(d)
}
