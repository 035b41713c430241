package words

import (
	"math"
	"strconv"
	"time"

	"wallboard/model"
)

// minGrouped is the smallest number whose thousands are separated by blanks. Numbers of four
// digits are readable without them.
const minGrouped = 10_000

// AppendInt appends a whole number. From 10,000 on, it separates the thousands with blanks,
// because a blank is not a decimal mark in any language. The spoken form of a language has no blanks: they
// would be read as two numbers.
func (l *Language) AppendInt(dst []byte, n int64) []byte {
	if n > -minGrouped && n < minGrouped || l != nil && l.isSpoken {
		return strconv.AppendInt(dst, n, 10)
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], n, 10)
	if n < 0 {
		dst, digits = append(dst, '-'), digits[1:]
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, d)
	}
	return dst
}

// AppendDecimal appends a number with exactly one decimal, rounded half away from zero.
func (l *Language) AppendDecimal(dst []byte, v float64) []byte {
	from := len(dst)
	dst = strconv.AppendFloat(dst, model.RoundTo(v, 1), 'f', 1, 64)
	if mark := l.decimalMark(); mark != '.' {
		for i := from; i < len(dst); i++ {
			if dst[i] == '.' {
				dst[i] = mark
			}
		}
	}
	return dst
}

// AppendNumber appends a number with at most one decimal.
func (l *Language) AppendNumber(dst []byte, v float64) []byte {
	if v = model.RoundTo(v, 1); v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return l.AppendInt(dst, int64(v))
	}
	return l.AppendDecimal(dst, v)
}

// AppendPercent appends a share between 0 and 1 as a percentage such as "87.4 %", or in words in the
// spoken form of a language.
func (l *Language) AppendPercent(dst []byte, share float64) []byte {
	if l != nil && l.isSpoken {
		text := SpeakPercent(100 * share)
		return l.appendForm(dst, &text, "")
	}
	return append(l.AppendDecimal(dst, 100*share), " %"...)
}

// AppendDuration appends a duration as "0:42", "12:07", "1:02:33" or, from 100 hours on,
// "4d 04:12", or in words in the spoken form of a language. It appends a negative duration as "0:00".
func (l *Language) AppendDuration(dst []byte, d time.Duration) []byte {
	if l != nil && l.isSpoken {
		text := SpokenDuration(max(d, 0))
		return l.appendForm(dst, &text, "")
	}
	s := int64(max(d, 0) / time.Second)
	h, m := s/3600, s/60%60
	s %= 60
	switch {
	case h >= 100:
		dst = append(append(strconv.AppendInt(dst, h/24, 10), l.dayLetter()...), ' ')
		return appendTwoDigits(append(appendTwoDigits(dst, h%24), ':'), m)
	case h > 0:
		dst = append(strconv.AppendInt(dst, h, 10), ':')
		return appendTwoDigits(append(appendTwoDigits(dst, m), ':'), s)
	}
	return appendTwoDigits(append(strconv.AppendInt(dst, m, 10), ':'), s)
}

func appendTwoDigits(dst []byte, n int64) []byte {
	if n < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendClock appends a time of day such as "15:04" or "09:05".
func appendClock(dst []byte, c Clock) []byte {
	return appendTwoDigits(append(appendTwoDigits(dst, int64(c/60)), ':'), int64(c%60))
}

// ApproxDuration returns an estimated duration, such as "40 s", "12 min" or "3 h". It rounds durations below
// a minute to tens of seconds, to at least 10 s.
func ApproxDuration(d time.Duration) Text {
	if s := d.Round(10 * time.Second); s < time.Minute {
		return TimeSeconds(int(max(s, 10*time.Second) / time.Second))
	}
	if d < 2*time.Hour {
		return TimeMinutes(int(d.Round(time.Minute) / time.Minute))
	}
	return TimeHours(int(d.Round(time.Hour) / time.Hour))
}

// LastPeriod returns a phrase for the period of about length d before now, such as "the last
// minute" or "the last 5 min".
func LastPeriod(d time.Duration) Text {
	switch m := d.Round(time.Minute) / time.Minute; {
	case d.Round(10*time.Second) < time.Minute || m != 1 && m != 60:
		return TimeLast(ApproxDuration(d))
	case m == 1:
		return TimeLastMinute()
	}
	return TimeLastHour()
}

// Minutes returns a duration, rounded to minutes, such as "18 min" or "1 h 05 min".
func Minutes(d time.Duration) Text {
	m := int(d.Round(time.Minute) / time.Minute)
	if m < 60 {
		return TimeMinutes(m)
	}
	return TimeHoursMinutes(m/60, m%60)
}

// Date returns a day of a month, such as "2 Jan".
func Date(t time.Time) Text {
	months := [...]func() Text{
		DateJan, DateFeb, DateMar, DateApr, DateMay, DateJun, DateJul, DateAug, DateSep, DateOct, DateNov, DateDec,
	}
	return DateDayMonth(t.Day(), months[t.Month()-1]())
}

// DayClock returns the time of day of t in the time zone of now, such as "15:04". If the date of t
// differs from that of now, the date comes before it, such as "2 Jan 15:04".
func DayClock(t, now time.Time) Text {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) != now.Format(time.DateOnly) {
		return DateClock(Date(t), ClockOf(t, nil))
	}
	return TimeClock(ClockOf(t, nil))
}

// TimeToLimit returns the remaining time as "40s left", "14m left" or "1h23m left", or the time over a
// limit as "2m over". It truncates to the shown unit, like a countdown of minutes. From ten hours on, it
// omits the minutes.
func TimeToLimit(over time.Duration) Text {
	whole := ColumnOver
	if over <= 0 {
		whole, over = ColumnLeft, -over
	}
	switch h, m := int(over/time.Hour), int(over/time.Minute); {
	case over < time.Minute:
		return whole(ColumnSeconds(int(over / time.Second)))
	case h == 0:
		return whole(ColumnMinutes(m))
	case h >= 10:
		return whole(ColumnHours(h))
	default:
		return whole(ColumnHoursMinutes(h, m%60))
	}
}
