package alerts

import "time"

// Action is a viewer's action on alerts.
type Action struct {
	Kind     ActionKind
	By       string    // user name
	About    string    // names of the records
	Critical bool      // it silences critical alerts
	Until    time.Time // end of a snooze
	Note     string    // of a take-over
}

// ActionKind is the kind of a [Action].
type ActionKind string

// Kinds of deeds.
const (
	Snooze   ActionKind = "snooze"
	Wake     ActionKind = "wake"
	TakeOver ActionKind = "take-over"
)

// Recorder records a deed before it is carried out. An error, a sentence for the viewer,
// prevents it.
type Recorder func(*Action) error

// Record sets the recorder; nil: deeds are not recorded.
func (w *Watch) Record(r Recorder) { w.recorder = r }

func (w *Watch) record(d *Action) error {
	if w.recorder == nil {
		return nil
	}
	return w.recorder(d)
}
