package dialog

import (
	"errors"
	"strconv"
)

var (
	errPositive = errors.New("write a whole number above 0")
	errNegative = errors.New("write 0 or more")
)

// Positive is a check for numbers from 1 on. Other texts are left to the check of the
// field's kind.
func Positive(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 1 {
		return errPositive
	}
	return nil
}

// NotNegative is a check for numbers from 0 on.
func NotNegative(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 0 {
		return errNegative
	}
	return nil
}
