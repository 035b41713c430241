package timeunit

import "math"

// Field is a time in the platform's data whose unit or meaning document 2 does not show.
type Field uint8

// The fields. [FieldNone] stands for any other field, whose unit is known.
const (
	FieldNone         Field = iota
	FieldState              // timeInState, "time in the current state"
	FieldHold               // timeInHold.timeInState
	FieldHoldTotal          // timeInHold.time
	FieldCodes              // totalTime of TimeInActivityCode
	FieldQueueLongest       // maxTimeCallOnQueue
	FieldQueueAverage       // averageTimeOnQueue
	fieldCount
)

// Fields returns all fields.
func Fields() []Field {
	return []Field{FieldState, FieldHold, FieldHoldTotal, FieldCodes, FieldQueueLongest, FieldQueueAverage}
}

// String returns the field's name in document 2 and in the configuration.
func (f Field) String() string {
	return [...]string{
		FieldNone: "", FieldState: "timeInState", FieldHold: "timeInHold.timeInState", FieldHoldTotal: "timeInHold.time",
		FieldCodes: "totalTime", FieldQueueLongest: "maxTimeCallOnQueue", FieldQueueAverage: "averageTimeOnQueue",
	}[f]
}

// IsDate reports whether the field has the type Date and may be an instant.
func (f Field) IsDate() bool { return f == FieldState || f == FieldHold }

// Unit is a unit of numeric times, or [UnitUnknown].
type Unit uint8

// Units. The Unix units count from 1970 UTC and stand for instants. The other units are durations.
const (
	UnitUnknown Unit = iota
	UnixSeconds
	UnixMillis
	UnixMicros
	Seconds
	Millis
	Micros
	unitCount
)

// String returns the unit's name in the configuration, or "" for [UnitUnknown].
func (u Unit) String() string {
	return [...]string{
		UnitUnknown: "", UnixSeconds: "unix-s", UnixMillis: "unix-ms", UnixMicros: "unix-us", Seconds: "s", Millis: "ms", Micros: "us",
	}[u]
}

// Description returns a description of the unit for display.
func (u Unit) Description() string {
	return [...]string{
		UnitUnknown: "not known yet", UnixSeconds: "seconds since 1970", UnixMillis: "milliseconds since 1970",
		UnixMicros: "microseconds since 1970", Seconds: "a length in seconds", Millis: "a length in milliseconds",
		Micros: "a length in microseconds",
	}[u]
}

// UnitNamed returns the unit with the given name, as in the configuration. It returns false if
// there is none.
func UnitNamed(name string) (Unit, bool) {
	for u := UnixSeconds; u < unitCount; u++ {
		if u.String() == name {
			return u, true
		}
	}
	return UnitUnknown, false
}

// FieldNamed returns the field with the given name, as in the configuration. It returns false if
// there is none.
func FieldNamed(name string) (Field, bool) {
	for _, f := range Fields() {
		if f.String() == name {
			return f, true
		}
	}
	return FieldNone, false
}

// IsDuration reports whether the unit is a duration.
func (u Unit) IsDuration() bool { return u == Seconds || u == Millis || u == Micros }

// perSecond returns how many of the unit make one second.
func (u Unit) perSecond() float64 {
	switch u {
	case UnixMillis, Millis:
		return 1e3
	case UnixMicros, Micros:
		return 1e6
	case UnixSeconds, Seconds, UnitUnknown, unitCount:
	}
	return 1
}

// Millis converts n, a number in the unit u, to milliseconds. It returns false if the result is out
// of range.
func (u Unit) Millis(n float64) (int64, bool) {
	ms := math.Round(n / u.perSecond() * 1e3)
	if math.IsNaN(ms) || math.Abs(ms) > maxMillis {
		return 0, false
	}
	return int64(ms), true
}

// Seconds converts n, a number in the unit u, to seconds.
func (u Unit) Seconds(n float64) float64 { return n / u.perSecond() }

// maxMillis limits Unix times in milliseconds. It is far beyond the year 9999.
const maxMillis = 1 << 50
