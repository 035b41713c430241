package cluster

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"wallboard/model"
)

func TestMessage(t *testing.T) {
	t.Parallel()
	m := message{kind: kindFrame, flags: flagFull, platform: [identitySize]byte{1, 2}, epoch: 7, seq: 300, piece: 1, pieces: 3, sent: time.UnixMilli(1e12), node: "wb1", body: []byte("x")}
	got, err := parseMessage(m.append(nil))
	if err != nil || got.epoch != 7 || got.seq != 300 || got.piece != 1 || got.pieces != 3 || got.node != "wb1" || string(got.body) != "x" || !got.sent.Equal(m.sent) || got.platform != m.platform {
		t.Errorf("%+v: %v", got, err)
	}
	b := m.append(nil)
	for n := range len(b) - 1 {
		if _, err := parseMessage(b[:n]); err == nil {
			t.Errorf("%d bytes of a message are taken", n)
		}
	}
	b[0] = protocolVersion + 1
	if _, err := parseMessage(b); !errors.Is(err, errProtocolVersion) {
		t.Errorf("a later version: %v", err)
	}
}

// FuzzMessage checks that no message from another node causes a panic, and that a parsed message is
// encoded again without changes.
func FuzzMessage(f *testing.F) {
	f.Add((&message{kind: kindFrame, flags: flagFull | flagCompressed, epoch: 1, seq: 1, pieces: 1, body: []byte("x")}).append(nil))
	f.Add((&message{kind: kindAlive, epoch: 1, body: []byte("why")}).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMessage(b)
		if err != nil {
			return
		}
		h, err := newFrameReceiver()
		if err != nil {
			t.Fatal(err)
		}
		s := newSnapshotPublisher()
		for range 2 {
			schema, frame, whole, err := h.addPiece(&m)
			if err == nil && frame != nil {
				_ = s.showFrame(schema, frame, whole, func(h model.Health) model.Health { return h })
			}
		}
		if again, err := parseMessage(m.append(nil)); err != nil || again.seq != m.seq || !bytes.Equal(again.body, m.body) {
			t.Errorf("%+v is %+v after it was encoded again: %v", m, again, err)
		}
	})
}

// floor publishes a snapshot of some agents, each with the given number of calls.
func floor(store *model.Store, agents int, calls int64, at time.Time) *model.Snapshot {
	for i := range agents {
		r := &model.UserStat{}
		r.Channel, r.Username = model.Call, model.TextOf(string(rune('a'+i)))
		r.NumberCallFromService = model.IntOf(calls)
		store.UserStats.Put(r)
	}
	return store.Publish(at, model.Health{Link: model.Link{State: model.LinkUp}})
}

// TestGap loses a piece, repeats one, and changes the epoch: incomplete frames are not shown, and the
// next full frame ends the gap.
func TestGap(t *testing.T) {
	t.Parallel()
	teller, err := newFrameSender()
	if err != nil {
		t.Fatal(err)
	}
	hearer, err := newFrameReceiver()
	if err != nil {
		t.Fatal(err)
	}
	screen, store, now := newSnapshotPublisher(), model.NewStore(), time.UnixMilli(1e12)
	calls := int64(0)
	tell := func(epoch uint64, whole bool) (out []message) {
		calls++
		now = now.Add(time.Second)
		if whole {
			teller.lastFull = time.Time{}
		}
		frame, all := teller.encodeFrame(floor(store, 20, calls, now), now)
		err := teller.sendFrame(message{epoch: epoch, sent: now, node: "wb1"}, frame, all, func(b []byte) error {
			m, err := parseMessage(bytes.Clone(b))
			out = append(out, m)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	hear := func(all []message) (err error) {
		for i := range all {
			schema, frame, whole, e := hearer.addPiece(&all[i])
			if e == nil && frame != nil {
				e = screen.showFrame(schema, frame, whole, func(h model.Health) model.Health { return h })
			}
			if e != nil {
				err = e
			}
		}
		return err
	}
	shows := func(want int64) {
		t.Helper()
		got := int64(0)
		if s := screen.Latest(); s != nil {
			got = newestCalls(s)
		}
		if got != want {
			t.Fatalf("shows %d, want %d", got, want)
		}
	}
	if err := hear(tell(1, false)); err != nil {
		t.Fatal(err)
	}
	shows(1)
	again := tell(1, false)
	if err := errors.Join(hear(again), hear(again)); err != nil {
		t.Fatal(err)
	}
	shows(2)
	tell(1, false) // lost
	if err := hear(tell(1, false)); !errors.Is(err, errMissingFrame) {
		t.Fatal(err)
	}
	shows(2)
	if err := hear(tell(1, false)); !errors.Is(err, errMissingFrame) {
		t.Fatal("a frame after a gap is accepted")
	}
	if err := hear(tell(1, true)); err != nil {
		t.Fatal(err)
	}
	shows(6)
	if err := hear(tell(2, false)); !errors.Is(err, errMissingFrame) {
		t.Fatal("another epoch may begin without a full frame")
	}
	if err := hear(tell(2, true)); err != nil {
		t.Fatal(err)
	}
	shows(8)
}
