package table

import (
	"cmp"
	"math"
)

// Value is the value of a cell for sorting and filtering. It is independent of how the cell is
// drawn. The zero Value is an unknown text.
type Value struct {
	Kind  ValueKind
	Known bool
	// Number is the value of a figure. For a text, it is the rank in a fixed order, such as that of
	// states.
	Number float64
	// Text is the value of a text. For a figure, Text is its written form, or "" if it is written
	// in the usual form of its kind.
	Text string
}

// ValueKind is the kind of a [Value].
type ValueKind uint8

// Values of [ValueKind].
const (
	TextValue     ValueKind = iota // a text
	NumberValue                    // a number
	PercentValue                   // a percentage
	DurationValue                  // a number of seconds
)

// Rounded returns the number of a value with the precision that a cell shows: whole seconds for
// durations, and one decimal for other figures.
func (v Value) Rounded() float64 {
	if v.Kind == DurationValue {
		return math.Round(v.Number)
	}
	return math.Round(v.Number*10) / 10
}

// Compare compares two known values by their numbers. Texts with equal numbers are compared with
// [CompareFold]. The result is negative, 0 or positive.
func (v Value) Compare(other Value) int {
	if c := cmp.Compare(v.Number, other.Number); c != 0 || v.Kind != TextValue {
		return c
	}
	return CompareFold(v.Text, other.Text)
}
