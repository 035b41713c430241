package record

import (
	"encoding/json"
	"fmt"
	"time"

	"wallboard/model"
)

// Encoder encodes snapshots as frames for a [Decoder] elsewhere. It is not safe for
// concurrent use.
type Encoder struct {
	framer *framer
	schema []byte
}

// NewEncoder returns an encoder. Its first frame must be a whole one.
func NewEncoder() *Encoder {
	schema, err := json.Marshal(currentSchema(tables()))
	if err != nil {
		panic(fmt.Sprintf("record: %v", err)) // the schema contains only texts and lists
	}
	return &Encoder{framer: newFramer(), schema: schema}
}

// Schema returns the schema of the frames as JSON, for a [Decoder].
func (e *Encoder) Schema() []byte { return e.schema }

// Frame encodes the changes of a snapshot since the previous one, or its complete state if whole is
// set. The result is valid until the next call. A complete frame is needed every few minutes,
// because the memory for texts grows until then.
func (e *Encoder) Frame(s *model.Snapshot, whole bool) []byte {
	if whole {
		e.framer.startChunk(time.UnixMilli(0))
	}
	return e.framer.encodeFrame(s, s.At)
}

// Decoder rebuilds snapshots in a store from the frames of an [Encoder] in another node of a
// cluster, which may be of another version. It is not safe for concurrent use.
type Decoder struct{ deframer *deframer }

// NewDecoder returns a decoder for frames of a schema. It cleans all texts, which may
// come from an untrusted sender. The error is ErrNewerVersion for an unknown schema, or
// ErrDamaged.
func NewDecoder(schemaJSON []byte, store *model.Store) (*Decoder, error) {
	var s schema
	if err := json.Unmarshal(schemaJSON, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	d, ok := newDeframer(s, store)
	if !ok {
		return nil, ErrNewerVersion
	}
	d.isTrusted = true
	return &Decoder{d}, nil
}

// Read decodes a frame. After an error the next frame must be a whole one.
func (d *Decoder) Read(frame []byte, whole bool) error {
	if whole {
		d.deframer.startChunk(time.UnixMilli(0))
	}
	return d.deframer.readFrame(frame)
}

// Health returns the feed state of the last frame.
func (d *Decoder) Health() model.Health { return d.deframer.health }

// Publish publishes the snapshot of the last frame with the given feed state.
func (d *Decoder) Publish(h model.Health) *model.Snapshot {
	d.deframer.updateStore()
	return d.deframer.store.Publish(d.deframer.lastFrameTime, h)
}
