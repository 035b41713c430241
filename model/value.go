package model

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// A large floor has a million values of these types, so a value must not need more memory than its
// content. Each type therefore represents an unknown value by a bit pattern that no figure needs.
// The content is stored in such a way that this pattern is zero.

// Int is a whole number that may be unknown. The zero value is unknown.
type Int struct {
	bits int64 // the number with its sign bit flipped
}

// IntOf returns a known Int, except for the smallest int64, which stands for unknown.
func IntOf(n int64) Int { return Int{n ^ math.MinInt64} }

// Get returns the number, or 0 if it is unknown, and whether it is known.
func (v Int) Get() (int64, bool) {
	if v.bits == 0 {
		return 0, false
	}
	return v.bits ^ math.MinInt64, true
}

// Known reports whether the number is known.
func (v Int) Known() bool { return v.bits != 0 }

// Or returns the number, or alt if it is unknown.
func (v Int) Or(alt int64) int64 {
	if n, ok := v.Get(); ok {
		return n
	}
	return alt
}

// Float returns the number as a [Float]. An unknown number remains unknown.
func (v Int) Float() Float {
	n, ok := v.Get()
	if !ok {
		return Float{}
	}
	return FloatOf(float64(n))
}

// MarshalJSON writes the number as JSON, or null if it is unknown.
func (v Int) MarshalJSON() ([]byte, error) {
	n, ok := v.Get()
	if !ok {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, n, 10), nil
}

// Float is a number that may be unknown. The zero value is unknown.
type Float struct {
	bits uint64 // the bits of the number XOR notANumber, so that 0 means unknown
}

// notANumber is the bit pattern of a NaN, which no known Float has.
const notANumber = 0x7FF8000000000001

// FloatOf returns a known Float. If f is a NaN or infinite, the result is unknown.
func FloatOf(f float64) Float {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Float{}
	}
	return Float{math.Float64bits(f) ^ notANumber}
}

// Get returns the number, or 0 if it is unknown, and whether it is known.
func (v Float) Get() (float64, bool) {
	if v.bits == 0 {
		return 0, false
	}
	return math.Float64frombits(v.bits ^ notANumber), true
}

// Known reports whether the number is known.
func (v Float) Known() bool { return v.bits != 0 }

// Or returns the number, or alt if it is unknown.
func (v Float) Or(alt float64) float64 {
	if f, ok := v.Get(); ok {
		return f
	}
	return alt
}

// MarshalJSON writes the number as JSON, or null if it is unknown.
func (v Float) MarshalJSON() ([]byte, error) {
	f, ok := v.Get()
	if !ok {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

// emptyMark is the string that document 2 uses for a missing activityCode, activityCode2,
// currentGroup or currentService.
const emptyMark = "__EMPTY__"

// Text is a string that may be unknown. Its content is clean (see [CleanText]). The zero
// value is unknown.
type Text struct {
	held string // the string, emptyText for a known empty string, or "" for unknown
}

// emptyText stands for a known empty string. No clean text is equal to it.
const emptyText = "\x00"

// TextOf returns a known Text. s must be clean.
func TextOf(s string) Text {
	if s == "" {
		return Text{emptyText}
	}
	return Text{s}
}

// CleanStored cleans stored, the internal form of a [Text] that an untrusted peer sent. The
// form of a known empty string stays unchanged.
func CleanStored(stored string) string {
	if stored == emptyText {
		return stored
	}
	return CleanText(stored, MaxBody)
}

// Get returns the string as the platform sent it, and whether it is known.
func (v Text) Get() (string, bool) { return v.text(), v.Known() }

// text returns the string as the platform sent it. It returns "" if the string is unknown.
func (v Text) text() string {
	if v.held == emptyText {
		return ""
	}
	return v.held
}

// Known reports whether the string is known.
func (v Text) Known() bool { return v.held != "" }

// String returns the string to show. It is "" if the string is unknown or is emptyMark, which
// document 2 uses for a missing value.
func (v Text) String() string {
	if v.held == emptyMark {
		return ""
	}
	return v.text()
}

// MarshalJSON writes the string as the platform sent it, or null if it is unknown.
func (v Text) MarshalJSON() ([]byte, error) {
	if !v.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(v.text())
}

// Instant is a point in time that may be unknown, with millisecond precision: the scalar
// Date of document 2. The zero value is unknown.
type Instant struct {
	since1970 Int    // milliseconds, UTC
	mark      uint32 // identifies the received value if it was an elapsed time or unreadable; otherwise 0
}

// InstantOf returns a known Instant, rounded down to milliseconds.
func InstantOf(t time.Time) Instant { return InstantOfMilli(t.UnixMilli()) }

// InstantOfMilli returns a known Instant. ms is the time in milliseconds since 1970 UTC.
func InstantOfMilli(ms int64) Instant { return Instant{since1970: IntOf(ms)} }

// InstantFromElapsed returns a known Instant that was computed from an elapsed time and is
// accurate only to seconds. ms is the time in milliseconds since 1970 UTC. mark identifies the
// received value and must not be 0.
func InstantFromElapsed(ms int64, mark uint32) Instant {
	return Instant{since1970: IntOf(ms), mark: mark}
}

// UnreadableInstant returns an unknown Instant for a received value that could not be read.
// mark identifies the value.
func UnreadableInstant(mark uint32) Instant { return Instant{mark: mark} }

// ValueHash returns the number that identifies the received value. It is 0 unless the value was an
// elapsed time or unreadable.
func (v Instant) ValueHash() uint32 { return v.mark }

// Same reports whether v and o are the same point in time, or both unknown. Their marks may differ.
func (v Instant) Same(o Instant) bool { return v.since1970 == o.since1970 }

// Get returns the time, and whether it is known. For an unknown Instant it returns the zero
// time, not 1970.
func (v Instant) Get() (time.Time, bool) {
	ms, ok := v.since1970.Get()
	if !ok {
		return time.Time{}, false
	}
	return time.UnixMilli(ms), true
}

// Milli returns the time in milliseconds since 1970 UTC, and whether it is known.
func (v Instant) Milli() (int64, bool) { return v.since1970.Get() }

// Known reports whether the time is known.
func (v Instant) Known() bool { return v.since1970.Known() }

// Since returns the time elapsed from v to now, and whether v is known. If v is after now, because
// the platform's clock is ahead, it returns 0.
func (v Instant) Since(now time.Time) (time.Duration, bool) {
	at, ok := v.Get()
	if !ok {
		return 0, false
	}
	return max(0, now.Sub(at)), true
}

// instantLayout includes milliseconds, so that encoding loses nothing.
const instantLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the instant in ISO 8601, UTC, with milliseconds, or null if it is unknown.
func (v Instant) MarshalJSON() ([]byte, error) {
	at, ok := v.Get()
	if !ok {
		return []byte("null"), nil
	}
	return at.UTC().AppendFormat(nil, `"`+instantLayout+`"`), nil
}

// Scalar is a value whose type document 2 does not show: a number, a string or a boolean, stored as
// received. The zero value is unknown.
type Scalar struct {
	text string
	num  float64
	kind scalarKind
}

type scalarKind uint8

const (
	scalarUnknown scalarKind = iota
	scalarText
	scalarNumber
	scalarBool
)

// ScalarText returns a Scalar that holds clean text.
func ScalarText(s string) Scalar { return Scalar{text: s, kind: scalarText} }

// ScalarNumber returns a Scalar that holds the number f. text is the number as received.
func ScalarNumber(text string, f float64) Scalar {
	return Scalar{text: text, num: f, kind: scalarNumber}
}

// ScalarBool returns a Scalar that holds a boolean.
func ScalarBool(b bool) Scalar { return Scalar{text: strconv.FormatBool(b), kind: scalarBool} }

// Known reports whether the platform sent a value.
func (v Scalar) Known() bool { return v.kind != scalarUnknown }

// String returns the value as received. It is "" if the value is unknown or is emptyMark, which
// document 2 uses for a missing value.
func (v Scalar) String() string {
	if v.text == emptyMark {
		return ""
	}
	return v.text
}

// Number returns the value as a number. It is unknown for a boolean and for a string that is not a
// number.
func (v Scalar) Number() Float {
	switch v.kind {
	case scalarNumber:
		return FloatOf(v.num)
	case scalarText:
		if f, err := strconv.ParseFloat(v.text, 64); err == nil {
			return FloatOf(f)
		}
	case scalarUnknown, scalarBool:
	}
	return Float{}
}

// MarshalJSON writes the value as JSON of the type that was received, or null if it is unknown.
func (v Scalar) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case scalarNumber, scalarBool:
		return []byte(v.text), nil
	case scalarText:
		return json.Marshal(v.text)
	case scalarUnknown:
	}
	return []byte("null"), nil
}
