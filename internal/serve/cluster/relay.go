package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"wallboard/internal/record"
	"wallboard/model"
)

// fullFrameInterval is how often a leader sends a full frame even if no node requests one. The
// sender and the receivers remember all strings since the last full frame, so the interval also
// limits their memory.
const fullFrameInterval = 5 * time.Minute

// frameSender encodes snapshots as frames and sends them in pieces.
type frameSender struct {
	encoder         *record.RelayEncoder
	compressor      *zstd.Encoder
	compressed      []byte
	frameWithSchema []byte // the frame; for a full frame, the schema precedes it
	encodedMessage  []byte

	lastPiece uint64    // sequence number of the last sent piece
	lastFull  time.Time // time of the last full frame; zero: the next frame must be full
}

func newFrameSender() (*frameSender, error) {
	compressor, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return &frameSender{encoder: record.NewRelayEncoder(), compressor: compressor}, nil
}

// encodeFrame encodes a snapshot as a frame. isFull reports whether the frame can be decoded
// without earlier frames. The frame is valid until the next call.
func (t *frameSender) encodeFrame(s *model.Snapshot, now time.Time) (frame []byte, isFull bool) {
	if isFull = t.lastFull.IsZero() || now.Sub(t.lastFull) >= fullFrameInterval; isFull {
		t.lastFull = now
	}
	return t.encoder.EncodeFrame(s, isFull), isFull
}

// sendFrame splits a frame into messages and calls publish with each of them, in order. A message
// is valid only during the call. header holds the common fields of the leader's messages.
func (t *frameSender) sendFrame(header message, frame []byte, isFull bool, publish func([]byte) error) error {
	header.kind, header.flags = kindFrame, flagCompressed
	t.frameWithSchema = t.frameWithSchema[:0]
	if isFull {
		header.flags |= flagFull
		t.frameWithSchema = binary.AppendUvarint(t.frameWithSchema, uint64(len(t.encoder.Schema())))
		t.frameWithSchema = append(t.frameWithSchema, t.encoder.Schema()...)
	}
	t.frameWithSchema = append(t.frameWithSchema, frame...)
	t.compressed = t.compressor.EncodeAll(t.frameWithSchema, t.compressed[:0])
	header.pieces = uint64(len(t.compressed)+maxPieceBytes-1) / maxPieceBytes
	for remaining := t.compressed; len(remaining) > 0; header.piece++ {
		n := min(len(remaining), maxPieceBytes)
		t.lastPiece++
		header.seq, header.body = t.lastPiece, remaining[:n]
		t.encodedMessage = header.append(t.encodedMessage[:0])
		if err := publish(t.encodedMessage); err != nil {
			return err
		}
		remaining = remaining[n:]
	}
	return nil
}

// frameReceiver assembles frames from pieces and detects missing pieces.
type frameReceiver struct {
	decompressor *zstd.Decoder
	epoch        uint64
	lastPiece    uint64 // sequence number of the last received piece; 0: a full frame is needed
	received     []byte
	nextPiece    uint64 // index of the next piece in its frame
	decompressed []byte
}

func newFrameReceiver() (*frameReceiver, error) {
	decompressor, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxFrameBytes), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return &frameReceiver{decompressor: decompressor}, nil
}

// errMissingFrame means that a piece was missed and a full frame is needed to continue.
var errMissingFrame = errors.New("a frame is missing")

// addPiece adds a piece. With the last piece of a frame, it returns the frame and, if the frame is
// full, its schema. Both are valid until the next call. With other pieces, it returns a nil frame.
func (h *frameReceiver) addPiece(m *message) (schema, frame []byte, isFull bool, err error) {
	isFull = m.flags&flagFull != 0
	ok, isDuplicate := h.isNext(m)
	if isDuplicate {
		return nil, nil, isFull, nil
	}
	if !ok {
		h.reset()
		return nil, nil, isFull, errMissingFrame
	}
	if h.epoch, h.lastPiece = m.epoch, m.seq; m.piece == 0 {
		h.received = h.received[:0]
	}
	h.received, h.nextPiece = append(h.received, m.body...), m.piece+1
	if h.nextPiece < m.pieces {
		return nil, nil, isFull, nil
	}
	frame = h.received
	if m.flags&flagCompressed != 0 {
		if h.decompressed, err = h.decompressor.DecodeAll(h.received, h.decompressed[:0]); err != nil {
			h.reset()
			return nil, nil, isFull, fmt.Errorf("%w: %w", errMissingFrame, err)
		}
		frame = h.decompressed
	}
	if isFull {
		n, size := binary.Uvarint(frame)
		if size <= 0 || n > maxFrameBytes || int(n) > len(frame)-size {
			h.reset()
			return nil, nil, isFull, errMissingFrame
		}
		schema, frame = frame[size:size+int(n)], frame[size+int(n):]
	}
	return schema, frame, isFull, nil
}

// isNext reports in ok whether a piece is the expected next one. isDuplicate reports whether
// the piece was already received.
func (h *frameReceiver) isNext(m *message) (ok, isDuplicate bool) {
	isIndependent := m.flags&flagFull != 0 && m.piece == 0 // a receiver can begin with this piece
	switch {
	case m.epoch != h.epoch || h.lastPiece == 0:
		return isIndependent, false
	case m.seq <= h.lastPiece:
		return false, true
	case m.piece != 0 && m.piece != h.nextPiece:
		return false, false
	}
	return isIndependent || m.seq == h.lastPiece+1, false
}

// reset drops the received pieces. The next frame must be full.
func (h *frameReceiver) reset() { h.lastPiece, h.received, h.nextPiece = 0, h.received[:0], 0 }

// isBehind reports whether the leader has sent pieces that this node did not receive. m is a
// message of kind kindAlive.
func (h *frameReceiver) isBehind(m *message) bool { return m.epoch != h.epoch || m.seq != h.lastPiece }

// snapshotPublisher publishes the snapshots that this node displays. It has a single store for
// the frames of this node and of all leaders.
type snapshotPublisher struct {
	model.SnapshotHolder

	store        *model.Store
	decoder      *record.RelayDecoder
	schema       []byte
	snapshotTime time.Time    // time of the newest snapshot, on the platform's clock
	feedHealth   model.Health // feed state of the last frame, as adjusted by this node
	hasFrame     bool         // a frame was published
}

func newSnapshotPublisher() *snapshotPublisher { return &snapshotPublisher{store: model.NewStore()} }

// showFrame decodes a frame and publishes its snapshot. adjust converts the feed state of the
// leader for display on this node.
func (s *snapshotPublisher) showFrame(schema, frame []byte, isFull bool, adjust func(model.Health) model.Health) error {
	if isFull && (s.decoder == nil || !slices.Equal(schema, s.schema)) {
		decoder, err := record.NewRelayDecoder(schema, s.store)
		if err != nil {
			return err
		}
		s.decoder, s.schema = decoder, slices.Clone(schema)
	}
	if s.decoder == nil {
		return errMissingFrame
	}
	if err := s.decoder.DecodeFrame(frame, isFull); err != nil {
		return err
	}
	s.feedHealth = adjust(s.decoder.Health())
	shown := s.decoder.Publish(s.feedHealth)
	s.snapshotTime, s.hasFrame = shown.At, true
	s.Put(shown)
	return nil
}

// showHealth publishes the current snapshot with another feed state.
func (s *snapshotPublisher) showHealth(now time.Time, health model.Health) {
	snapshotTime := s.snapshotTime
	if !s.hasFrame {
		snapshotTime = now.Add(health.ClockOffset)
	}
	s.Put(s.store.Publish(snapshotTime, health))
}
