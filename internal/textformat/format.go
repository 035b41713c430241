package textformat

import (
	"math"
	"strconv"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Format formats figures. Its methods append to dst and return the extended buffer. They
// allocate memory only if dst must grow.
type Format struct {
	ASCII      bool
	AllUnknown bool            // format all figures as unknown; times of day are not affected
	Location   *time.Location  // time zone of times of day; nil: the local one
	Words      *words.Language // nil: English
}

// Unknown appends the mark for an unknown value.
func (f Format) Unknown(dst []byte) []byte {
	if f.ASCII {
		return append(dst, '-')
	}
	return append(dst, "–"...)
}

// NA appends the mark "n/a" for a ratio whose denominator is 0.
func (f Format) NA(dst []byte) []byte {
	return words.NotApplicable().Append(dst, f.Words)
}

// Count appends a whole number. From 10,000 on, it separates the thousands with blanks,
// because a blank is not a decimal mark in any language.
func (f Format) Count(dst []byte, n int64) []byte {
	if f.AllUnknown {
		return f.Unknown(dst)
	}
	return f.Words.AppendInt(dst, n)
}

// Int appends a number, or the mark for an unknown value if the platform has not sent it.
func (f Format) Int(dst []byte, v model.Int) []byte {
	if n, ok := v.Get(); ok {
		return f.Count(dst, n)
	}
	return f.Unknown(dst)
}

// Decimal appends a number with at most one decimal, or the mark for an unknown value if v is
// infinite or not a number.
func (f Format) Decimal(dst []byte, v float64) []byte {
	if f.AllUnknown || math.IsNaN(v) || math.IsInf(v, 0) {
		return f.Unknown(dst)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return f.Words.AppendInt(dst, int64(v))
	}
	return f.Words.AppendDecimal(dst, v)
}

// Mean appends a mean or a count. Whole numbers and numbers from 10 on have no decimals, other
// numbers have one.
func (f Format) Mean(dst []byte, v float64) []byte {
	if v >= 10 {
		v = math.Round(v)
	}
	return f.Decimal(dst, v)
}

// Figure appends a figure with at most one decimal, or the mark for an unknown value or a
// ratio without a denominator.
func (f Format) Figure(dst []byte, v model.Figure) []byte {
	if x, ok := v.Get(); ok {
		return f.Decimal(dst, x)
	}
	return f.unknownOrNA(dst, v)
}

// Percent appends a share between 0 and 1 as a percentage such as "87.4 %". If there is no
// share, it appends the mark for an unknown value or "n/a".
func (f Format) Percent(dst []byte, v model.Figure) []byte {
	if x, ok := v.Get(); ok && !f.AllUnknown {
		return f.Words.AppendPercent(dst, x)
	}
	return f.unknownOrNA(dst, v)
}

// Percent formats a share between 0 and 1 as a percentage such as "87.4 %".
func Percent(share float64) string { return string(words.English().AppendPercent(nil, share)) }

func (f Format) unknownOrNA(dst []byte, v model.Figure) []byte {
	if v.IsNotApplicable() && !f.AllUnknown {
		return f.NA(dst)
	}
	return f.Unknown(dst)
}

// Duration appends a duration as "0:42", "12:07", "1:02:33" or, from 100 hours on, "4d 04:12".
// It appends a negative duration as "0:00".
func (f Format) Duration(dst []byte, d time.Duration) []byte {
	if f.AllUnknown {
		return f.Unknown(dst)
	}
	return f.Words.AppendDuration(dst, d)
}

// Seconds appends a number of seconds as a duration, or the mark for an unknown value.
func (f Format) Seconds(dst []byte, v model.Int) []byte {
	n, ok := v.Get()
	if !ok {
		return f.Unknown(dst)
	}
	return f.Duration(dst, DurationFromSeconds(float64(n)))
}

// FigureSeconds appends a figure in seconds as a duration, or the mark for an unknown value or
// "n/a". [EstimateMark] precedes an estimate.
func (f Format) FigureSeconds(dst []byte, v model.Figure) []byte {
	x, ok := v.Get()
	if !ok {
		return f.unknownOrNA(dst, v)
	}
	if v.IsEstimated() && !f.AllUnknown {
		dst = append(dst, EstimateMark)
	}
	return f.Duration(dst, DurationFromSeconds(x))
}

// EstimateMark precedes an estimated figure. It takes one cell on every terminal.
const EstimateMark = '~'

// Since appends the time from an instant until now, or the mark for an unknown value if the
// instant is unknown.
func (f Format) Since(dst []byte, v model.Instant, now time.Time) []byte {
	if d, ok := v.Since(now); ok {
		return f.Duration(dst, d)
	}
	return f.Unknown(dst)
}

// Age appends the time from t until now, or the mark for an unknown value if t is the zero time.
func (f Format) Age(dst []byte, t, now time.Time) []byte {
	if t.IsZero() {
		return f.Unknown(dst)
	}
	return f.Duration(dst, now.Sub(t))
}

// Clock appends the time of day of t with seconds, such as "15:04:05", or the mark for an
// unknown value if t is the zero time.
func (f Format) Clock(dst []byte, t time.Time) []byte {
	if t.IsZero() {
		return f.Unknown(dst)
	}
	return f.Local(t).AppendFormat(dst, time.TimeOnly)
}

// Local converts a time to the time zone of the format.
func (f Format) Local(t time.Time) time.Time {
	if f.Location != nil {
		return t.In(f.Location)
	}
	return t.Local()
}

// Size appends a number of bytes as "999 B", "12.4 kB", "3.1 MB" and so on.
func (f Format) Size(dst []byte, n uint64) []byte {
	if f.AllUnknown {
		return f.Unknown(dst)
	}
	if n < 1000 {
		return append(strconv.AppendUint(dst, n, 10), " B"...)
	}
	v, unit := float64(n)/1000, 0
	const units = "kMGTPE"
	for v >= 999.95 && unit < len(units)-1 {
		v, unit = v/1000, unit+1
	}
	dst = f.Words.AppendDecimal(dst, v)
	return append(dst, ' ', units[unit], 'B')
}

// Text appends s, or the mark for an unknown value if s is empty.
func (f Format) Text(dst []byte, s string) []byte {
	if s == "" {
		return f.Unknown(dst)
	}
	return append(dst, s...)
}

// KPI appends the value of a KPI as a percentage, a duration or a number, depending on its unit.
func (f Format) KPI(dst []byte, unit kpi.Unit, value model.Figure) []byte {
	switch unit {
	case kpi.Percent:
		return f.Percent(dst, value)
	case kpi.Duration:
		return f.FigureSeconds(dst, value)
	case kpi.Number:
	}
	return f.Figure(dst, value)
}
