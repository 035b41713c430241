package alerts

import "time"

// Deed is a viewer's action on alerts.
type Deed struct {
	Kind  DeedKind
	By    string    // user name
	About string    // names of the records
	Grave bool      // it silences critical alerts
	Until time.Time // end of a snooze
	Note  string    // of a take-over
}

// DeedKind is the kind of a [Deed].
type DeedKind string

// Kinds of deeds.
const (
	Snooze   DeedKind = "snooze"
	Wake     DeedKind = "wake"
	TakeOver DeedKind = "take-over"
)

// Recorder records a deed before it is carried out. An error, a sentence for the viewer,
// prevents it.
type Recorder func(*Deed) error

// Record sets the recorder; nil: deeds are not recorded.
func (w *Watch) Record(r Recorder) { w.recorder = r }

func (w *Watch) record(d *Deed) error {
	if w.recorder == nil {
		return nil
	}
	return w.recorder(d)
}
