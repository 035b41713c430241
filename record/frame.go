package record

import (
	"math"
	"slices"
	"time"
	"unsafe"

	"wallboard/model"
)

// framer writes snapshots as frames: the first of a chunk holds all there is.
type framer struct {
	encoder
	trackers []tracker
	health   model.Health
	at       time.Time
}

func newFramer() *framer {
	f := &framer{}
	for _, t := range tables() {
		f.trackers = append(f.trackers, t.tracker())
	}
	return f
}

// restart begins a chunk at a time.
func (f *framer) restart(at time.Time) {
	f.encoder.restart()
	f.health, f.at = model.Health{}, at
	for _, t := range f.trackers {
		t.restart()
	}
}

// frame returns what a snapshot tells since the one before, at a time on the
// server's clock. It is good until the next one.
func (f *framer) frame(s *model.Snapshot, at time.Time) []byte {
	f.buf = f.buf[:0]
	f.int(at.UnixMilli() - f.at.UnixMilli())
	f.at = at
	h := rounded(s.Health)
	f.diff(healthPlan, unsafe.Pointer(&f.health), unsafe.Pointer(&h))
	f.health = h
	for _, t := range f.trackers {
		t.write(&f.encoder, s)
	}
	return f.buf
}

// rounded returns the state of the feed with its times to the second: when data
// last came is another time in every frame, and takes a tenth of a recording.
func rounded(h model.Health) model.Health {
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
	healthAs *reading
	showers  []shower // in the order of the file
	store    *model.Store
	health   model.Health
	at       time.Time
}

// newDeframer reads frames of a schema into a store. Operations that the schema
// does not have are empty; those that are no more are read and dropped, and so are the
// others than only, where there are such. ok is false for a schema that cannot be read.
func newDeframer(file schema, store *model.Store, only ...model.Op) (d *deframer, ok bool) {
	d = &deframer{store: store}
	if d.healthAs, ok = readingOf(file.Health, healthPlan, 0); !ok {
		return nil, false
	}
	known := make(map[model.Op]tabled)
	for _, t := range tables() {
		known[t.op()] = t
	}
	for _, ts := range file.Tables {
		t := known[ts.Op]
		if t == nil {
			return nil, false // the types of its records are not known
		}
		r, ok := readingOf(ts.Fields, t.layout(), 0)
		if !ok {
			return nil, false
		}
		if len(only) == 0 || slices.Contains(only, ts.Op) {
			d.showers = append(d.showers, t.shower(r))
		} else {
			d.showers = append(d.showers, &dropped{reading: r})
		}
		delete(known, ts.Op)
	}
	return d, true
}

// restart begins a chunk that begins at a time.
func (d *deframer) restart(at time.Time) {
	d.decoder = decoder{}
	d.health, d.at = model.Health{}, at
	for _, s := range d.showers {
		s.restart()
	}
}

// share has what was read be nobody's: it is read on in copies, so that it can be forked.
func (d *deframer) share() {
	for _, s := range d.showers {
		s.share()
	}
}

// fork returns one that goes on from here, of one that is shared. Neither changes what the
// other has read.
func (d *deframer) fork() *deframer {
	f := *d
	f.data, f.words = nil, slices.Clip(d.words)
	f.showers = make([]shower, len(d.showers))
	for i, s := range d.showers {
		f.showers[i] = s.fork()
	}
	return &f
}

// match finds in what the frame that was read last differs from a picture, and has it shown
// where that is what the store has. Where a record says the same it is that of the picture.
func (d *deframer) match(s *model.Snapshot) {
	for _, t := range d.showers {
		t.match(s)
	}
}

// next returns when a frame was, without taking it over.
func (d *deframer) next(frame []byte) time.Time {
	peek := decoder{data: frame}
	return d.at.Add(time.Duration(peek.int()) * time.Millisecond)
}

// read takes a frame over; it is shown by show.
func (d *deframer) read(frame []byte) error {
	d.data, d.made = frame, 0
	d.at = d.at.Add(time.Duration(d.int()) * time.Millisecond)
	health := d.health // whoever has a snapshot reads the one before
	d.apply(d.healthAs, unsafe.Pointer(&health))
	d.health = health
	for _, s := range d.showers {
		s.read(&d.decoder)
	}
	if len(d.data) > 0 {
		d.fail("a frame holds more than its tables")
	}
	return d.err
}

// show returns the snapshot of the frame that was read last.
func (d *deframer) show() *model.Snapshot {
	d.fill()
	return d.store.Publish(d.at, d.health)
}

// fill brings what was read to the store.
func (d *deframer) fill() {
	for _, s := range d.showers {
		s.show(d.store)
	}
}
