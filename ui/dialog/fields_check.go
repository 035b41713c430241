package dialog

import (
	"errors"
	"strconv"
)

var (
	errPositive = errors.New("write a whole number above 0")
	errNegative = errors.New("write 0 or more")
)

// Positive is a [Field.Check] that refuses numbers below 1. It accepts texts that are not numbers,
// because the field's kind already refuses them.
func Positive(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 1 {
		return errPositive
	}
	return nil
}

// NotNegative is a [Field.Check] that refuses numbers below 0.
func NotNegative(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 0 {
		return errNegative
	}
	return nil
}
