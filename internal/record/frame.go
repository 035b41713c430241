package record

import (
	"math"
	"slices"
	"time"
	"unsafe"

	"wallboard/model"
)

// framer encodes snapshots as frames. The first frame of a chunk holds the complete
// state.
type framer struct {
	encoder
	tables        []tableEncoder
	health        model.Health
	lastFrameTime time.Time
}

func newFramer() *framer {
	f := &framer{}
	for _, t := range tables() {
		f.tables = append(f.tables, t.newEncoder())
	}
	return f
}

// startChunk begins a chunk.
func (f *framer) startChunk(at time.Time) {
	f.encoder.startChunk()
	f.health, f.lastFrameTime = model.Health{}, at
	for _, t := range f.tables {
		t.startChunk()
	}
}

// encodeFrame encodes the changes of a snapshot at a server time. The result is valid until
// the next call.
func (f *framer) encodeFrame(s *model.Snapshot, at time.Time) []byte {
	f.buf = f.buf[:0]
	f.writeInt(at.UnixMilli() - f.lastFrameTime.UnixMilli())
	f.lastFrameTime = at
	h := roundTimes(s.Health)
	f.writeDiff(healthPlan, unsafe.Pointer(&f.health), unsafe.Pointer(&h))
	f.health = h
	for _, t := range f.tables {
		t.write(&f.encoder, s)
	}
	return f.buf
}

// roundTimes rounds the times of the feed state to seconds. They change with every frame
// and would take a tenth of a recording.
func roundTimes(h model.Health) model.Health {
	h.Link.LastFrame = h.Link.LastFrame.Round(time.Second)
	h.Subscriptions = slices.Clone(h.Subscriptions)
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		s.LastData, s.VerifiedAt = s.LastData.Round(time.Second), s.VerifiedAt.Round(time.Second)
		s.PerSecond = math.Round(s.PerSecond)
	}
	return h
}

// deframer rebuilds snapshots from frames.
type deframer struct {
	decoder
	healthMapping *mapping
	tables        []tableDecoder // in the order of the file
	store         *model.Store
	health        model.Health
	lastFrameTime time.Time
}

// newDeframer returns a deframer that decodes frames of a schema into a store. Tables that
// the schema lacks stay empty. It skips unknown fields and, if only is given, all other
// tables. ok is false if the schema cannot be read.
func newDeframer(file schema, store *model.Store, only ...model.Op) (d *deframer, ok bool) {
	d = &deframer{store: store}
	if d.healthMapping, ok = mappingOf(file.Health, healthPlan, 0); !ok {
		return nil, false
	}
	known := make(map[model.Op]tableSpec)
	for _, t := range tables() {
		known[t.operation()] = t
	}
	for _, ts := range file.Tables {
		t := known[ts.Op]
		if t == nil {
			return nil, false // unknown record type
		}
		r, ok := mappingOf(ts.Fields, t.layout(), 0)
		if !ok {
			return nil, false
		}
		if len(only) == 0 || slices.Contains(only, ts.Op) {
			d.tables = append(d.tables, t.newDecoder(r))
		} else {
			d.tables = append(d.tables, &skippedTable{mapping: r})
		}
		delete(known, ts.Op)
	}
	return d, true
}

// startChunk begins a chunk.
func (d *deframer) startChunk(at time.Time) {
	d.decoder = decoder{isTrusted: d.isTrusted}
	d.health, d.lastFrameTime = model.Health{}, at
	for _, s := range d.tables {
		s.startChunk()
	}
}

// makeReadOnly makes the decoded state read-only, so that it can be forked. Decoding continues
// on copies.
func (d *deframer) makeReadOnly() {
	for _, s := range d.tables {
		s.makeReadOnly()
	}
}

// fork returns an independent copy of a shared deframer.
func (d *deframer) fork() *deframer {
	f := *d
	f.data, f.texts = nil, slices.Clip(d.texts)
	f.tables = make([]tableDecoder, len(d.tables))
	for i, s := range d.tables {
		f.tables[i] = s.fork()
	}
	return &f
}

// reuseRecords compares the last frame with a snapshot, assuming that the store holds the
// latter, and reuses its unchanged records.
func (d *deframer) reuseRecords(s *model.Snapshot) {
	for _, t := range d.tables {
		t.compareWith(s)
	}
}

// frameTime returns the time of a frame without decoding it.
func (d *deframer) frameTime(frame []byte) time.Time {
	peek := decoder{data: frame}
	return d.lastFrameTime.Add(time.Duration(peek.readInt()) * time.Millisecond)
}

// readFrame decodes a frame; publish publishes it.
func (d *deframer) readFrame(frame []byte) error {
	d.data, d.frameBytes = frame, 0
	d.lastFrameTime = d.lastFrameTime.Add(time.Duration(d.readInt()) * time.Millisecond)
	health := d.health // published snapshots keep the old one
	d.readDiff(d.healthMapping, unsafe.Pointer(&health))
	d.health = health
	for _, s := range d.tables {
		s.read(&d.decoder)
	}
	if len(d.data) > 0 {
		d.fail("data after the tables of a frame")
	}
	return d.err
}

// publish publishes the snapshot of the last frame.
func (d *deframer) publish() *model.Snapshot {
	d.updateStore()
	return d.store.Publish(d.lastFrameTime, d.health)
}

// updateStore copies the decoded state to the store.
func (d *deframer) updateStore() {
	for _, s := range d.tables {
		s.updateStore(d.store)
	}
}
