package alerts

import "time"

// Deed is something that a viewer does about alerts.
type Deed struct {
	Kind  DeedKind
	By    string    // who does it
	About string    // the records, for people
	Grave bool      // it keeps critical alerts quiet
	Until time.Time // of a snooze: its end
	Note  string    // of a take-over
}

// DeedKind is what a [Deed] does.
type DeedKind string

// The kinds of deeds.
const (
	Snooze   DeedKind = "snooze"
	Wake     DeedKind = "wake"
	TakeOver DeedKind = "take-over"
)

// Recorder records a deed before it is done. Its error, a sentence for people, keeps them
// from it.
type Recorder func(*Deed) error

// Record has the deeds of this board recorded; nil: nobody does.
func (w *Watch) Record(r Recorder) { w.recorder = r }

func (w *Watch) record(d *Deed) error {
	if w.recorder == nil {
		return nil
	}
	return w.recorder(d)
}
