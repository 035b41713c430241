package form

import (
	"errors"
	"strconv"
)

var (
	errPositive = errors.New("write a whole number above 0")
	errNegative = errors.New("write 0 or more")
)

// Positive is a check for numbers that begin with 1. What is no number is for the
// kind of the field to say.
func Positive(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 1 {
		return errPositive
	}
	return nil
}

// NotNegative is a check for numbers that count.
func NotNegative(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n < 0 {
		return errNegative
	}
	return nil
}
