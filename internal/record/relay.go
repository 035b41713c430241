package record

import (
	"encoding/json"
	"fmt"
	"time"

	"wallboard/model"
)

// RelayEncoder encodes snapshots as frames for a [RelayDecoder] in another process. It is not safe
// for concurrent use.
type RelayEncoder struct {
	frameEncoder *frameEncoder
	schema       []byte
}

// NewRelayEncoder returns an encoder. The first call of [RelayEncoder.EncodeFrame] must request a
// whole frame.
func NewRelayEncoder() *RelayEncoder {
	schema, err := json.Marshal(currentSchema(tables()))
	if err != nil {
		panic(fmt.Sprintf("record: %v", err)) // cannot happen: the schema consists of texts and lists
	}
	return &RelayEncoder{frameEncoder: newFrameEncoder(), schema: schema}
}

// Schema returns the description of the frames, as JSON for [NewRelayDecoder].
func (e *RelayEncoder) Schema() []byte { return e.schema }

// EncodeFrame encodes a snapshot. If whole is true, the frame holds the complete state, otherwise the
// changes since the previous snapshot. The result is valid until the next call. Callers must
// request a whole frame every few minutes, because the memory for strings grows until then.
func (e *RelayEncoder) EncodeFrame(s *model.Snapshot, whole bool) []byte {
	if whole {
		e.frameEncoder.startChunk(time.UnixMilli(0))
	}
	return e.frameEncoder.encodeFrame(s, s.At)
}

// RelayDecoder decodes the frames of a [RelayEncoder] and stores the resulting snapshots. The
// encoder may run on another node of a cluster, with another version of the program. A
// RelayDecoder is not safe for concurrent use.
type RelayDecoder struct{ frameDecoder *frameDecoder }

// NewRelayDecoder returns a decoder for frames with a schema from [RelayEncoder.Schema]. The
// decoder cleans all strings, like those of recordings. The error is
// [ErrNewerVersion] for an unknown schema, or [ErrDamaged] for invalid JSON.
func NewRelayDecoder(schemaJSON []byte, store *model.Store) (*RelayDecoder, error) {
	var s schema
	if err := json.Unmarshal(schemaJSON, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	d, ok := newFrameDecoder(s, store)
	if !ok {
		return nil, ErrNewerVersion
	}
	d.isTrusted = true
	return &RelayDecoder{d}, nil
}

// DecodeFrame decodes a frame. whole reports whether the frame holds the complete state. After an
// error, the next frame must be whole.
func (d *RelayDecoder) DecodeFrame(frame []byte, whole bool) error {
	if whole {
		d.frameDecoder.startChunk(time.UnixMilli(0))
	}
	return d.frameDecoder.readFrame(frame)
}

// Health returns the state of the sender's feed in the last frame.
func (d *RelayDecoder) Health() model.Health { return d.frameDecoder.health }

// Publish publishes the decoded state as a snapshot with the feed state h, and returns the
// snapshot.
func (d *RelayDecoder) Publish(h model.Health) *model.Snapshot {
	d.frameDecoder.updateStore()
	return d.frameDecoder.store.Publish(d.frameDecoder.lastFrameTime, h)
}
