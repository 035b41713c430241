package dialog

import (
	"errors"
	"strconv"
)

var (
	errPositive = errors.New("write a whole number above 0")
	errNegative = errors.New("write 0 or more")
)

// CheckPositive is a [Field.Check] that refuses numbers below 1. It accepts texts that are not numbers,
// because the field's kind already refuses them.
func CheckPositive(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 1 {
		return errPositive
	}
	return nil
}

// CheckNotNegative is a [Field.Check] that refuses numbers below 0.
func CheckNotNegative(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 0 {
		return errNegative
	}
	return nil
}
