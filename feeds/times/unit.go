package times

import "math"

// Field is a time whose unit or meaning document 2 does not show. Each is learnt
// by itself.
type Field uint8

// The fields. [None] is any other.
const (
	None         Field = iota
	State              // timeInState, "time in the current state"
	Hold               // timeInHold.timeInState
	HoldTotal          // timeInHold.time
	Codes              // totalTime of TimeInActivityCode
	QueueLongest       // maxTimeCallOnQueue
	QueueAverage       // averageTimeOnQueue
	count
)

// Fields returns all of them.
func Fields() []Field { return []Field{State, Hold, HoldTotal, Codes, QueueLongest, QueueAverage} }

// String returns the field's name in document 2, which is its name in the
// configuration as well.
func (f Field) String() string {
	return [...]string{
		None: "", State: "timeInState", Hold: "timeInHold.timeInState", HoldTotal: "timeInHold.time",
		Codes: "totalTime", QueueLongest: "maxTimeCallOnQueue", QueueAverage: "averageTimeOnQueue",
	}[f]
}

// Date reports whether the field is of the type Date, which may be an instant.
func (f Field) Date() bool { return f == State || f == Hold }

// Unit is how a number tells a time.
type Unit uint8

// The units. Those of instants count from 1970 UTC, the others are lengths.
const (
	Unknown Unit = iota
	UnixSeconds
	UnixMillis
	UnixMicros
	Seconds
	Millis
	Micros
	units
)

// String returns the unit's name in the configuration, "" for an unknown one.
func (u Unit) String() string {
	return [...]string{
		Unknown: "", UnixSeconds: "unix-s", UnixMillis: "unix-ms", UnixMicros: "unix-us", Seconds: "s", Millis: "ms", Micros: "us",
	}[u]
}

// Words says the unit in words.
func (u Unit) Words() string {
	return [...]string{
		Unknown: "not known yet", UnixSeconds: "seconds since 1970", UnixMillis: "milliseconds since 1970",
		UnixMicros: "microseconds since 1970", Seconds: "a length in seconds", Millis: "a length in milliseconds",
		Micros: "a length in microseconds",
	}[u]
}

// Parse returns the unit with a name.
func Parse(name string) (Unit, bool) {
	for u := UnixSeconds; u < units; u++ {
		if u.String() == name {
			return u, true
		}
	}
	return Unknown, false
}

// Named returns the field with a name.
func Named(name string) (Field, bool) {
	for _, f := range Fields() {
		if f.String() == name {
			return f, true
		}
	}
	return None, false
}

// Length reports whether the unit is one of lengths.
func (u Unit) Length() bool { return u == Seconds || u == Millis || u == Micros }

// perSecond is how many of the unit are a second.
func (u Unit) perSecond() float64 {
	switch u {
	case UnixMillis, Millis:
		return 1e3
	case UnixMicros, Micros:
		return 1e6
	case UnixSeconds, Seconds, Unknown, units:
	}
	return 1
}

// Millis returns a number of the unit in milliseconds; false where that is no
// time of this world.
func (u Unit) Millis(n float64) (int64, bool) {
	ms := math.Round(n / u.perSecond() * 1e3)
	if math.IsNaN(ms) || math.Abs(ms) > farthest {
		return 0, false
	}
	return int64(ms), true
}

// Seconds returns a number of the unit in seconds.
func (u Unit) Seconds(n float64) float64 { return n / u.perSecond() }

// farthest bounds milliseconds, far beyond the year 9999.
const farthest = 1 << 50
