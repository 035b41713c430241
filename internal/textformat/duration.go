package textformat

import (
	"math"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/words"
)

// maxSeconds is the largest number of whole seconds that fits into a [time.Duration].
const maxSeconds = int64(math.MaxInt64 / time.Second)

// Duration formats a duration as "0:42", "12:07", "1:02:33" or, from 100 hours on, "4d 04:12". A
// negative duration is "0:00".
func Duration(d time.Duration) string { return string(words.English().AppendDuration(nil, d)) }

// DurationFromSeconds converts seconds to a duration, rounded to whole seconds. Negative seconds become 0.
func DurationFromSeconds(seconds float64) time.Duration {
	return time.Duration(min(max(seconds, 0), float64(maxSeconds))+0.5) * time.Second
}

// Seconds formats a number of seconds like [Duration], rounded to whole seconds.
func Seconds(s float64) string { return Duration(DurationFromSeconds(s)) }

// Age formats the age of a file in whole days, hours or minutes, rounded up, such as "3 days" or "24
// hours".
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d > day:
		return strconv.Itoa(int((d+day-1)/day)) + " days"
	case d > time.Hour:
		return CountWithNoun(int((d+time.Hour-1)/time.Hour), "hour", "hours")
	}
	return CountWithNoun(int((d+time.Minute-1)/time.Minute), "minute", "minutes")
}

// ConfigDuration formats a duration for a configuration file. It omits units that are zero:
// "2m" instead of "2m0s".
func ConfigDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// ConfigNumber formats a number for a configuration file, with at most six significant digits.
func ConfigNumber(v float64) string {
	if math.IsNaN(v) {
		return "nan"
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Clock formats the time of day of t in a time zone, such as "15:04". A nil zone means the zone of
// t.
func Clock(t time.Time, zone *time.Location) string {
	return words.TimeClock(words.ClockOf(t, zone)).In(words.English())
}

// DayClock formats the time of day of t in the time zone of now, such as "15:04". If the date
// of t differs from that of now, the result starts with the date, such as "2 Jan 15:04".
func DayClock(t, now time.Time) string { return words.DayClock(t, now).In(words.English()) }
