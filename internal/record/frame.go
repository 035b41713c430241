package record

import (
	"math"
	"slices"
	"time"
	"unsafe"

	"wallboard/model"
)

// frameEncoder encodes snapshots as frames. The first frame of a chunk holds the complete
// state, and each later frame holds the changes since the previous one.
type frameEncoder struct {
	encoder
	tables        []tableEncoder
	health        model.Health
	lastFrameTime time.Time
}

func newFrameEncoder() *frameEncoder {
	f := &frameEncoder{}
	for _, t := range tables() {
		f.tables = append(f.tables, t.newEncoder())
	}
	return f
}

// startChunk makes the next frame hold the complete state. at is the start time of the chunk.
func (f *frameEncoder) startChunk(at time.Time) {
	f.encoder.startChunk()
	f.health, f.lastFrameTime = model.Health{}, at
	for _, t := range f.tables {
		t.startChunk()
	}
}

// encodeFrame returns a frame with the changes since the last frame. at is the time of the
// snapshot on the server's clock. The frame is valid until the next call.
func (f *frameEncoder) encodeFrame(s *model.Snapshot, at time.Time) []byte {
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

// roundTimes returns h with times rounded to seconds and rates rounded to whole numbers. Exact
// values would change in each frame and take up a tenth of a recording.
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

// frameDecoder decodes frames and stores the resulting snapshots.
type frameDecoder struct {
	decoder
	healthMapping *schemaMapping
	tables        []tableDecoder // in the order of the tables in the file
	store         *model.Store
	health        model.Health
	lastFrameTime time.Time
}

// newFrameDecoder returns a decoder that decodes frames with the schema of a file into a store.
// Tables that are missing in the schema stay empty. If only is not empty, the decoder skips
// other tables. It skips unknown fields. ok is false if the schema is unusable.
func newFrameDecoder(file schema, store *model.Store, only ...model.Op) (d *frameDecoder, ok bool) {
	d = &frameDecoder{store: store}
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
			return nil, false // only a later version knows this table
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

// startChunk drops the decoded state, because the next frame holds the complete state. at is
// the start time of the chunk.
func (d *frameDecoder) startChunk(at time.Time) {
	d.decoder = decoder{isTrusted: d.isTrusted}
	d.health, d.lastFrameTime = model.Health{}, at
	for _, s := range d.tables {
		s.startChunk()
	}
}

// makeReadOnly makes the decoded state read-only and thus safe to share with copies made by
// fork. Later frames change copies of the records.
func (d *frameDecoder) makeReadOnly() {
	for _, s := range d.tables {
		s.makeReadOnly()
	}
}

// fork returns an independent copy of a decoder with a read-only state (see makeReadOnly).
func (d *frameDecoder) fork() *frameDecoder {
	f := *d
	f.data, f.texts = nil, slices.Clip(d.texts)
	f.tables = make([]tableDecoder, len(d.tables))
	for i, s := range d.tables {
		f.tables[i] = s.fork()
	}
	return &f
}

// reuseRecords replaces decoded records with equal records of the snapshot s. The store must hold
// s. publish then only updates the records that differ.
func (d *frameDecoder) reuseRecords(s *model.Snapshot) {
	for _, t := range d.tables {
		t.compareWith(s)
	}
}

// frameTime returns the time of a frame without decoding it. The frame must follow the last decoded
// frame.
func (d *frameDecoder) frameTime(frame []byte) time.Time {
	peek := decoder{data: frame}
	return d.lastFrameTime.Add(time.Duration(peek.readInt()) * time.Millisecond)
}

// readFrame decodes a frame. The change becomes visible when publish is called.
func (d *frameDecoder) readFrame(frame []byte) error {
	d.data, d.frameBytes = frame, 0
	d.lastFrameTime = d.lastFrameTime.Add(time.Duration(d.readInt()) * time.Millisecond)
	health := d.health // copy it, because published snapshots refer to the old value
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

// publish publishes the decoded state and returns it as a snapshot.
func (d *frameDecoder) publish() *model.Snapshot {
	d.updateStore()
	return d.store.Publish(d.lastFrameTime, d.health)
}

// updateStore copies the decoded state to the store without publishing it.
func (d *frameDecoder) updateStore() {
	for _, s := range d.tables {
		s.updateStore(d.store)
	}
}
