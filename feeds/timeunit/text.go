package timeunit

import (
	"bytes"
	"strconv"
	"time"
)

// TextKind is the meaning of a string of the type Date.
type TextKind uint8

// Kinds of strings.
const (
	UnreadableText TextKind = iota
	NoTime                  // no time: the string is empty
	InstantText             // an instant with a time zone
	LocalText               // an instant without a time zone
	DurationText
)

// maxTextLength is the maximum length of a string that is parsed.
const maxTextLength = 64

// ParseText parses a string of the type Date. Depending on kind, ms is a duration or a Unix time,
// in milliseconds. A time without a zone is read as if it were in UTC.
func ParseText(b []byte) (kind TextKind, ms int64) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 {
		return NoTime, 0
	}
	if len(b) > maxTextLength {
		return UnreadableText, 0
	}
	s := string(b)
	for _, layout := range [...]string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999Z07", "2006-01-02 15:04:05.999999999Z07:00",
		time.RFC1123Z,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return InstantText, t.UnixMilli()
		}
	}
	for _, layout := range [...]string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return LocalText, t.UnixMilli()
		}
	}
	if ms, ok := parseClock(b); ok {
		return DurationText, ms
	}
	if ms, ok := parseDuration(b); ok {
		return DurationText, ms
	}
	return UnreadableText, 0
}

// parseClock parses hours, minutes and seconds like "0:10:19". The result is in milliseconds.
func parseClock(b []byte) (ms int64, ok bool) {
	parts := bytes.Split(b, []byte(":"))
	if len(parts) != 3 || len(parts[1]) != 2 || len(parts[2]) < 2 {
		return 0, false
	}
	h, errH := strconv.ParseUint(string(parts[0]), 10, 32)
	m, errM := strconv.ParseUint(string(parts[1]), 10, 32)
	s, errS := strconv.ParseFloat(string(parts[2]), 64)
	if errH != nil || errM != nil || errS != nil || m > 59 || s < 0 || s >= 60 {
		return 0, false
	}
	return Seconds.Millis(float64(h)*3600 + float64(m)*60 + s)
}

// parseDuration parses an ISO 8601 duration like "PT1H2M3.5S", with days as the largest unit. The
// result is in milliseconds.
func parseDuration(b []byte) (ms int64, ok bool) {
	if len(b) < 3 || b[0] != 'P' {
		return 0, false
	}
	var sum float64
	inDay, start := false, 1
	for i := 1; i < len(b); i++ {
		c := b[i]
		if c >= '0' && c <= '9' || c == '.' {
			continue
		}
		if c == 'T' && !inDay && i == start {
			inDay, start = true, i+1
			continue
		}
		unit := map[byte]float64{'H': 3600, 'M': 60, 'S': 1}[c]
		if !inDay {
			unit = map[byte]float64{'D': 86400}[c]
		}
		n, err := strconv.ParseFloat(string(b[start:i]), 64)
		if err != nil || unit == 0 {
			return 0, false
		}
		sum, start = sum+n*unit, i+1
	}
	if start != len(b) {
		return 0, false
	}
	return Seconds.Millis(sum)
}
