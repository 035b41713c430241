package resource

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"wallboard/model"
)

// Time is a date-time of document 1: ISO 8601 in UTC. A string in an unknown format is stored as clean
// text. The zero value means "not given".
type Time struct {
	at   time.Time // in UTC
	text string    // clean, if the format is unknown
}

// The formats of a time on the wire and for users.
const (
	jsonLayout = "2006-01-02T15:04:05.000Z07:00"
	userLayout = "2006-01-02 15:04:05.999Z07:00"
)

// TimeOf returns t as a Time in UTC, truncated to milliseconds.
func TimeOf(t time.Time) Time { return Time{at: t.UTC().Truncate(time.Millisecond)} }

// ParseTime parses user input: a date, or a date and time, in UTC unless the input contains a zone.
// It also accepts the result of [Time.String]. For "" it returns the zero Time, "not given". The
// error is a sentence for the user.
func ParseTime(text string) (Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Time{}, nil
	}
	at, ok := parseTime(text)
	if !ok {
		return Time{}, fmt.Errorf("%q is not a date and time: write it like 2026-11-30 17:45, in UTC", model.CleanText(text, model.MaxName))
	}
	return TimeOf(at), nil
}

// Get returns the time in UTC. The bool result is false if no time was given or if its format is
// unknown.
func (t Time) Get() (time.Time, bool) { return t.at, !t.at.IsZero() }

// IsZero reports whether t is the zero value: neither a time nor a string was given.
func (t Time) IsZero() bool { return t.at.IsZero() && t.text == "" }

// String returns the time for users, with the zone UTC. It returns "" if no time was given, and the
// received string if its format is unknown.
func (t Time) String() string {
	if t.at.IsZero() {
		return t.text
	}
	return t.at.Format(userLayout)
}

// ISO returns the time in the format of document 1, in UTC with milliseconds. It returns "" if no
// time was given or if its format is unknown.
func (t Time) ISO() string {
	if t.at.IsZero() {
		return ""
	}
	return t.at.Format(jsonLayout)
}

// MarshalJSON writes the result of [Time.ISO], the received string if its format is unknown, or
// null if no time was given.
func (t Time) MarshalJSON() ([]byte, error) { return t.marshal(), nil }

func (t Time) marshal() []byte {
	if t.IsZero() {
		return []byte("null")
	}
	return scalarJSON(cmp.Or(t.ISO(), t.text))
}

// UnmarshalJSON accepts an ISO 8601 string, with or without fraction and zone, or milliseconds
// since 1970. It never fails: it stores a value in another format as clean text, and ignores objects
// and arrays.
func (t *Time) UnmarshalJSON(raw []byte) error {
	t.unmarshal(raw)
	return nil
}

// unmarshal sets t from raw. It returns false if raw is an object or an array.
func (t *Time) unmarshal(raw json.RawMessage) bool {
	*t = Time{}
	text, ok := scalarText(raw)
	if !ok || isNull(raw) {
		return isNull(raw)
	}
	const digits = 13 // number of digits of milliseconds from 2001 to 2286
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && (raw[0] != '"' || len(text) == digits) {
		t.at = time.UnixMilli(ms).UTC()
	} else if at, ok := parseTime(text); ok {
		t.at = at
	} else {
		t.text = model.CleanText(text, model.MaxName)
	}
	return true
}

// parseTime parses the common forms of ISO 8601. The layouts need no variants with fractions,
// because time.Parse accepts a fraction of a second even if the layout has none.
func parseTime(s string) (time.Time, bool) {
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + strings.Replace(s[11:], " ", "", 1) // 2006-01-02 15:04:05 +01:00
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02",
	} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}
