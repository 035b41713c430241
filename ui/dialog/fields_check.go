package dialog

import (
	"strconv"

	"wallboard/internal/words"
)

var (
	errPositive = words.NewError(words.DialogNeedPositive(), nil)
	errNegative = words.NewError(words.DialogNeedNotNegative(), nil)
)

// CheckPositive is a function for [Field.Check] that returns an error for a number below 1. It
// returns nil for a string that is not a number, because a NumberField refuses such a string
// anyway.
func CheckPositive(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 1 {
		return errPositive
	}
	return nil
}

// CheckNotNegative is a function for [Field.Check] that returns an error for a number below 0. It
// returns nil for a string that is not a number.
func CheckNotNegative(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 0 {
		return errNegative
	}
	return nil
}
