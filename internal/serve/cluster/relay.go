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

// wholeEvery is the interval of whole frames without a request. Sender and receivers
// remember the texts of all frames since the last whole one.
const wholeEvery = 5 * time.Minute

// teller encodes snapshots as messages.
type teller struct {
	enc   *record.Encoder
	pack  *zstd.Encoder
	buf   []byte
	frame []byte // with the schema in front if it is whole
	out   []byte

	seq   uint64    // of the last piece
	whole time.Time // when the last whole frame was encoded; zero: the next one is whole
}

func newTeller() (*teller, error) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return &teller{enc: record.NewEncoder(), pack: pack}, nil
}

// frameOf returns the frame of a snapshot, valid until the next call.
func (t *teller) frameOf(s *model.Snapshot, now time.Time) (frame []byte, whole bool) {
	if whole = t.whole.IsZero() || now.Sub(t.whole) >= wholeEvery; whole {
		t.whole = now
	}
	return t.enc.Frame(s, whole), whole
}

// tell calls send with each message of a frame, in order. A message is valid during the
// call only. head has the fields that all messages share.
func (t *teller) tell(head message, frame []byte, whole bool, send func([]byte) error) error {
	head.kind, head.flags = kindFrame, flagPacked
	t.frame = t.frame[:0]
	if whole {
		head.flags |= flagWhole
		t.frame = binary.AppendUvarint(t.frame, uint64(len(t.enc.Schema())))
		t.frame = append(t.frame, t.enc.Schema()...)
	}
	t.frame = append(t.frame, frame...)
	t.buf = t.pack.EncodeAll(t.frame, t.buf[:0])
	head.pieces = uint64(len(t.buf)+pieceSize-1) / pieceSize
	for rest := t.buf; len(rest) > 0; head.piece++ {
		n := min(len(rest), pieceSize)
		t.seq++
		head.seq, head.body = t.seq, rest[:n]
		t.out = head.append(t.out[:0])
		if err := send(t.out); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// hearer assembles frames from their pieces and detects missing pieces.
type hearer struct {
	unpack *zstd.Decoder
	epoch  uint64
	seq    uint64 // of the last piece; 0: waiting for a whole frame
	parts  []byte
	next   uint64 // index of the next piece of the frame
	plain  []byte
}

func newHearer() (*hearer, error) {
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostFrame), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return &hearer{unpack: unpack}, nil
}

// errGap means that a piece is missing and a whole frame is needed.
var errGap = errors.New("a frame is missing")

// hear adds a piece. After the last piece of a frame it returns the frame, which is valid
// until the next call; otherwise frame is nil.
func (h *hearer) hear(m *message) (schema, frame []byte, whole bool, err error) {
	whole = m.flags&flagWhole != 0
	ok, again := h.follows(m)
	if again {
		return nil, nil, whole, nil
	}
	if !ok {
		h.lose()
		return nil, nil, whole, errGap
	}
	if h.epoch, h.seq = m.epoch, m.seq; m.piece == 0 {
		h.parts = h.parts[:0]
	}
	h.parts, h.next = append(h.parts, m.body...), m.piece+1
	if h.next < m.pieces {
		return nil, nil, whole, nil
	}
	frame = h.parts
	if m.flags&flagPacked != 0 {
		if h.plain, err = h.unpack.DecodeAll(h.parts, h.plain[:0]); err != nil {
			h.lose()
			return nil, nil, whole, fmt.Errorf("%w: %w", errGap, err)
		}
		frame = h.plain
	}
	if whole {
		n, size := binary.Uvarint(frame)
		if size <= 0 || n > mostFrame || int(n) > len(frame)-size {
			h.lose()
			return nil, nil, whole, errGap
		}
		schema, frame = frame[size:size+int(n)], frame[size+int(n):]
	}
	return schema, frame, whole, nil
}

// follows reports whether a piece continues after the last one. again reports whether it
// was received already.
func (h *hearer) follows(m *message) (ok, again bool) {
	fresh := m.flags&flagWhole != 0 && m.piece == 0 // independent of earlier pieces
	switch {
	case m.epoch != h.epoch || h.seq == 0:
		return fresh, false
	case m.seq <= h.seq:
		return false, true
	case m.piece != 0 && m.piece != h.next:
		return false, false
	}
	return fresh || m.seq == h.seq+1, false
}

// lose drops the received pieces. The next frame must be a whole one.
func (h *hearer) lose() { h.seq, h.parts, h.next = 0, h.parts[:0], 0 }

// behind reports whether the leader has sent pieces that were not received.
func (h *hearer) behind(m *message) bool { return m.epoch != h.epoch || m.seq != h.seq }

// screen publishes the snapshots that this node shows. It uses the same store for frames
// of this node and of other leaders.
type screen struct {
	model.SnapshotHolder

	store  *model.Store
	dec    *record.Decoder
	schema []byte
	at     time.Time    // of the newest snapshot, by the platform's clock
	told   model.Health // feed state of the last frame
	any    bool         // there was a frame
}

func newScreen() *screen { return &screen{store: model.NewStore()} }

// take shows a frame. adjust changes its feed state to what this node knows.
func (s *screen) take(schema, frame []byte, whole bool, adjust func(model.Health) model.Health) error {
	if whole && (s.dec == nil || !slices.Equal(schema, s.schema)) {
		dec, err := record.NewDecoder(schema, s.store)
		if err != nil {
			return err
		}
		s.dec, s.schema = dec, slices.Clone(schema)
	}
	if s.dec == nil {
		return errGap
	}
	if err := s.dec.Read(frame, whole); err != nil {
		return err
	}
	s.told = adjust(s.dec.Health())
	shown := s.dec.Publish(s.told)
	s.at, s.any = shown.At, true
	s.Put(shown)
	return nil
}

// mark shows the current snapshot with another feed state.
func (s *screen) mark(now time.Time, h model.Health) {
	at := s.at
	if !s.any {
		at = now.Add(h.ClockOffset)
	}
	s.Put(s.store.Publish(at, h))
}
