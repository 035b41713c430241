package merge

import (
	"math"
	"time"
	"unsafe"

	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// RawNumbers collects, from one record, the numeric times whose unit document 2 does not show.
type RawNumbers struct {
	numbers       [8]float64 // numbers by timeunit.Field; for a field that occurs several times, the last date or the sum of the durations
	presentFields uint8      // bit set of the fields that occurred
}

// HasNumbers reports whether any number was read.
func (r *RawNumbers) HasNumbers() bool { return r.presentFields != 0 }

// HasLongestWait reports whether the longest wait was read. Its unit can be learned from updates as
// well as from full states.
func (r *RawNumbers) HasLongestWait() bool {
	return r.presentFields&(1<<timeunit.FieldQueueLongest) != 0
}

const (
	// maxJitter is by how much an instant computed from elapsed times may differ between two
	// messages about the same state. They differ because elapsed times are whole seconds and
	// network delays vary.
	maxJitter = time.Second
	// An instant counts as unknown if it is more than maxInstantAhead in the future or maxInstantAge in the past.
	// An elapsed time counts as unknown if it is longer than [timeunit.MaxDuration].
	maxInstantAhead = 24 * time.Hour
	maxInstantAge   = 25 * 366 * 24 * time.Hour
)

// readInstant reads a value of the type Date. Document 2 does not show the format of dates. Text is
// parsed. The learner detects the unit of numbers. current is the field's value before the message.
func (d *decoder) readInstant(f *fieldPlan, current model.Instant) (model.Instant, error) {
	start := d.pos
	if n, ok := d.readDigits(); ok {
		return d.env.readNumericDate(f.timeField, float64(n), current), nil
	}
	d.pos = start
	quoted := d.pos < len(d.data) && d.data[d.pos] == '"'
	if b, ok := d.readNumeral(); ok {
		if n, ok := parseFloat(b); ok {
			return d.env.readNumericDate(f.timeField, n, current), nil
		}
		if quoted {
			return d.env.readTextDate(f.timeField, b, current), nil
		}
	}
	d.pos = start
	return model.Instant{}, d.shapeError(f.name, "a date")
}

// readNumericDate returns the instant for a numeric Date. Negative numbers and 0 mean "no date". An
// elapsed time of 0 in the current state, however, means that the state has just begun. current is
// the field's value before the message.
func (e *Env) readNumericDate(f timeunit.Field, n float64, current model.Instant) model.Instant {
	unit := e.Times.Unit(f)
	e.RawNumbers.numbers[f] = n
	e.RawNumbers.presentFields |= 1 << f
	if n < 0 || n == 0 && (f != timeunit.FieldState || !unit.IsDuration()) {
		return model.Instant{}
	}
	if e.UnitsOnly {
		return model.UnreadableInstant(numberHash(n))
	}
	if unit == timeunit.UnitUnknown {
		unit = e.Times.LearnFirstNumber(f, n, e.ReceivedAt, e.Now)
	}
	if unit == timeunit.UnitUnknown {
		return model.UnreadableInstant(numberHash(n))
	}
	e.Times.MarkRead(f)
	return e.convertDate(unit, n, current)
}

// convertDate returns the instant for a numeric Date in the given unit.
func (e *Env) convertDate(unit timeunit.Unit, n float64, current model.Instant) model.Instant {
	switch ms, ok := unit.Millis(n); {
	case !ok:
		return model.Instant{}
	case unit.IsDuration():
		return e.instantAgo(time.Duration(ms)*time.Millisecond, numberHash(n), current)
	default:
		return e.instantAt(ms)
	}
}

// instantAt returns the instant for a Unix time in milliseconds, or an unknown one if the time is
// implausible.
func (e *Env) instantAt(ms int64) model.Instant {
	if ahead := ms - e.Now.UnixMilli(); ahead > maxInstantAhead.Milliseconds() || -ahead > maxInstantAge.Milliseconds() {
		return model.Instant{}
	}
	return model.InstantOfMilli(ms)
}

// instantAgo returns the instant at d before now. mark identifies the number from which d was
// computed. current is the field's value before the message. If it was also computed from an
// elapsed time and differs by at most maxJitter, instantAgo returns its time, because the
// difference is only jitter.
func (e *Env) instantAgo(d time.Duration, mark uint32, current model.Instant) model.Instant {
	e.hasElapsedTimes = true
	if d > timeunit.MaxDuration || d < 0 {
		return model.Instant{}
	}
	ms := e.Now.Add(-d).UnixMilli()
	if was, ok := current.Milli(); ok && current.ValueHash() != 0 && (time.Duration(was-ms)*time.Millisecond).Abs() <= maxJitter {
		ms = was
	}
	return model.InstantFromElapsed(ms, mark)
}

func (e *Env) readTextDate(f timeunit.Field, b []byte, current model.Instant) model.Instant {
	kind, ms := timeunit.ParseText(b)
	switch kind {
	case timeunit.InstantText:
		return e.instantAt(ms)
	case timeunit.DurationText:
		if ms == 0 && f != timeunit.FieldState {
			return model.Instant{}
		}
		return e.instantAgo(time.Duration(ms)*time.Millisecond, numberHash(float64(ms)), current)
	case timeunit.LocalText:
		return e.localInstant(ms, current)
	case timeunit.UnreadableText:
		e.Times.MarkUnreadable(f)
	case timeunit.NoTime:
	}
	return model.Instant{}
}

// localInstant returns the instant for a local time without a zone. ms is the local time in Unix
// milliseconds, read as if it were UTC.
func (e *Env) localInstant(ms int64, current model.Instant) model.Instant {
	if e.UnitsOnly {
		e.Times.AddLocalSample(ms)
		return model.UnreadableInstant(numberHash(float64(ms)))
	}
	zone := e.Times.ZoneFor(ms, e.ReceivedAt, e.Now)
	v := model.UnreadableInstant(numberHash(float64(ms)))
	if zone.Known || zone.Presumed {
		v = e.instantAt(ms - int64(zone.Minutes)*60_000)
	}
	if current != (model.Instant{}) && current != v { // the value changed with an update
		e.Times.LearnZone(ms, e.Now)
	}
	return v
}

// toSeconds converts n, a duration of the field f, to seconds. Document 2 does not show the unit of
// f.
func (e *Env) toSeconds(f timeunit.Field, n int64) model.Int {
	unit := e.recordDuration(f, float64(n))
	if unit == timeunit.Seconds { // the number is already in seconds
		return model.IntOf(n)
	}
	return model.IntOf(int64(math.Round(unit.Seconds(float64(n)))))
}

// recordDuration records n, a duration, for the learner and returns the unit of the field f. If no
// unit is known or presumed, it returns seconds.
func (e *Env) recordDuration(f timeunit.Field, n float64) timeunit.Unit {
	e.RawNumbers.numbers[f] += n
	e.RawNumbers.presentFields |= 1 << f
	unit := e.Times.Unit(f)
	if unit == timeunit.UnitUnknown { // no unit is known or presumed
		unit = timeunit.Seconds
	}
	if n != 0 && !e.UnitsOnly {
		e.Times.MarkRead(f)
	}
	return unit
}

// HasElapsedTimes reports whether a Date was sent as an elapsed time. The instants computed from such a
// Date are accurate only to a second or two and depend on Env.Now.
func (e *Env) HasElapsedTimes() bool { return e.hasElapsedTimes }

// LearnUnits passes the numbers of a record in a full state to the learner and clears them. If
// sumsAgents is true, the record summarizes several agents. The learner then does not get the
// agents' times with an activity code, because their sum exceeds the time passed.
func (e *Env) LearnUnits(op string, record any, sumsAgents bool) {
	for f := range timeunit.Field(len(e.RawNumbers.numbers)) {
		if e.RawNumbers.presentFields&(1<<f) != 0 && (f != timeunit.FieldCodes || !sumsAgents) {
			e.Times.AddSample(op, record, f, e.RawNumbers.numbers[f], e.ReceivedAt, e.Now)
		}
	}
	e.RawNumbers = RawNumbers{}
}

// numberHash returns a non-zero hash of a number. Comparing the marks of two messages shows whether
// the number has changed.
func numberHash(n float64) uint32 {
	if n == 0 {
		return zeroHash
	}
	bits := math.Float64bits(n)
	return max(uint32(bits>>32)^uint32(bits&math.MaxUint32), zeroHash+1)
}

// zeroHash is the mark of the number 0.
const zeroHash = 1

// KeepSteadyInstants prepares theirs, a record of a full state, to replace ours, which may be nil.
// An instant in theirs that was computed at now from an elapsed time is replaced with the instant
// in ours if the two differ by at most slack or if no new state can have begun.
func (d *Differ[T]) KeepSteadyInstants(ours, theirs *T, slack time.Duration, now time.Time) {
	if ours == nil {
		return
	}
	for i := range d.leaves {
		c := &d.leaves[i]
		if c.kind != kindInstant {
			continue
		}
		fresh := (*model.Instant)(unsafe.Add(unsafe.Pointer(theirs), c.offset))
		if fresh.ValueHash() != 0 {
			*fresh = chooseInstant(*(*model.Instant)(unsafe.Add(unsafe.Pointer(ours), c.offset)), *fresh, slack, now)
		}
	}
}

// chooseInstant returns the instant to keep: current, or fresh if a new state may have begun.
//
// If the platform sent the same elapsed time again, a new state may have begun and lasted as long.
// If not enough time has passed for that, the platform does not update the elapsed time, and
// current is right.
func chooseInstant(current, fresh model.Instant, slack time.Duration, now time.Time) model.Instant {
	at, known := fresh.Milli()
	was, ok := current.Milli()
	if !known || !ok {
		return fresh
	}
	moved := time.Duration(at-was) * time.Millisecond
	if moved.Abs() <= slack {
		return current
	}
	length := time.Duration(now.UnixMilli()-at) * time.Millisecond
	if fresh.ValueHash() == current.ValueHash() && (fresh.ValueHash() == zeroHash || length > moved) {
		return current
	}
	return fresh
}

// fromElapsed examines the instants at a and b. computed is true if one of them was computed from
// an elapsed time. unitUnknown is true if one of them is unknown because its unit is unknown.
func (l *leaf) fromElapsed(a, b unsafe.Pointer) (computed, unitUnknown bool) {
	if l.kind != kindInstant {
		return false, false
	}
	for _, v := range [...]*model.Instant{(*model.Instant)(a), (*model.Instant)(b)} {
		computed = computed || v.ValueHash() != 0 && v.Known()
		unitUnknown = unitUnknown || v.ValueHash() != 0 && !v.Known()
	}
	return computed, unitUnknown
}
