package record

import (
	"encoding/json"
	"fmt"
	"time"

	"wallboard/model"
)

// Encoder writes snapshots as frames that are not kept in a file: for a [Decoder]
// elsewhere. It is for one goroutine.
type Encoder struct {
	framer *framer
	schema []byte
}

// NewEncoder returns an encoder. Its first frame has to be a whole one.
func NewEncoder() *Encoder {
	schema, err := json.Marshal(present(tables()))
	if err != nil {
		panic(fmt.Sprintf("record: %v", err)) // it is of texts and lists only
	}
	return &Encoder{framer: newFramer(), schema: schema}
}

// Schema tells, as JSON, what the frames hold. A [Decoder] needs it.
func (e *Encoder) Schema() []byte { return e.schema }

// Frame returns what a snapshot tells since the one before, or all there is, at the time
// of the snapshot. It is good until the next call. Some whole frame has to come every
// few minutes: what was told since the last one is kept in mind.
func (e *Encoder) Frame(s *model.Snapshot, whole bool) []byte {
	if whole {
		e.framer.restart(time.UnixMilli(0))
	}
	return e.framer.frame(s, s.At)
}

// Decoder rebuilds snapshots from the frames of an [Encoder], of this version of the
// program or of another, in a store that it has to itself. It is for one goroutine.
type Decoder struct{ deframer *deframer }

// NewDecoder reads frames of a schema into a store; texts are made fit for a screen,
// whoever sent them. The error is ErrLater for a schema
// that cannot be read, or ErrDamaged.
func NewDecoder(told []byte, store *model.Store) (*Decoder, error) {
	var s schema
	if err := json.Unmarshal(told, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	d, ok := newDeframer(s, store)
	if !ok {
		return nil, ErrLater
	}
	return &Decoder{d}, nil
}

// Read takes a frame over. After an error only a whole frame can follow.
func (d *Decoder) Read(frame []byte, whole bool) error {
	if whole {
		d.deframer.restart(time.UnixMilli(0))
	}
	return d.deframer.read(frame)
}

// Health is the state of the feed as the frame that was read last has it.
func (d *Decoder) Health() model.Health { return d.deframer.health }

// Show returns the snapshot of the frame that was read last, with a state of the feed.
func (d *Decoder) Show(h model.Health) *model.Snapshot {
	d.deframer.fill()
	return d.deframer.store.Publish(d.deframer.at, h)
}
