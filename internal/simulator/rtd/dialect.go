package rtd

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"wallboard/internal/simulator/webservice"
)

// dialect rewrites the data of a response in the formats that the switches select. It recognizes numbers and
// dates by their form and not by the names of their fields, because a request may use aliases. A number
// without quotes is a numeric field. A date is a marked string (see [dateScalar]). Other values are copied,
// for example a username that looks like a number.
type dialect struct {
	numbers     Numbers
	dates       DateForm
	quotedDates bool // encode numeric dates as strings
	neverHeld   NeverHeld
	now         time.Time // current time, for dates that are sent as the time elapsed since an instant
	nullKeys    NullKeys
}

// rewrite returns data in the dialect. data must be valid JSON without white space between
// tokens, as written by graphql-go. delta reports whether data is an update, in which null
// means an unchanged field; the switches select how such a field is represented.
func (d dialect) rewrite(data []byte, delta bool) []byte {
	r := rewriter{dialect: d, in: data, out: make([]byte, 0, len(data)+len(data)/8)}
	r.dropNulls = delta && d.nullKeys == NullKeysAbsent
	r.copyValue()
	return r.out
}

type rewriter struct {
	dialect
	dropNulls bool
	in, out   []byte
}

// copyValue copies the next value from the input to the output, in the dialect.
func (r *rewriter) copyValue() {
	if len(r.in) == 0 {
		return
	}
	switch c := r.in[0]; {
	case c == '{':
		r.copyMembers('}', true)
	case c == '[':
		r.copyMembers(']', false)
	case c == '"':
		r.copyText()
	case c == '-' || c >= '0' && c <= '9':
		r.copyNumber()
	default: // null, true, false
		r.copyBytes(r.lengthUntil(",]}"))
	}
}

// copyMembers copies the members of an object or the elements of a list. end is the closing
// bracket. hasNames is true for an object.
func (r *rewriter) copyMembers(end byte, hasNames bool) {
	r.copyBytes(1)
	for first := true; len(r.in) > 0 && r.in[0] != end; first = false {
		start := len(r.out)
		if r.in[0] == ',' {
			r.in = r.in[1:]
		}
		if !first && r.out[len(r.out)-1] != '{' {
			r.out = append(r.out, ',')
		}
		if hasNames {
			r.copyBytes(stringLength(r.in) + len(":"))
			if r.dropNulls && bytes.HasPrefix(r.in, []byte("null")) {
				r.out, r.in = r.out[:start], r.in[len("null"):]
				continue
			}
		}
		r.copyValue()
	}
	if len(r.in) > 0 {
		r.copyBytes(1)
	}
}

func (r *rewriter) copyText() {
	n := stringLength(r.in)
	if !bytes.HasPrefix(r.in, []byte(dateMark)) {
		r.copyBytes(n)
		return
	}
	content := string(r.in[len(dateMark) : n-1])
	if content == neverMark {
		r.in = r.in[n:]
		r.out = append(r.out, neverHeldJSON(r.neverHeld)...)
		return
	}
	ms, err := strconv.ParseInt(content, 10, 64)
	if err != nil { // not a date
		r.copyBytes(n)
		return
	}
	r.in = r.in[n:]
	text, number := r.formatDate(ms)
	if number && !r.quotedDates {
		r.out = append(r.out, text...)
		return
	}
	r.out = append(r.out, '"')
	r.out = append(r.out, text...)
	r.out = append(r.out, '"')
}

// localUTCOffset is the UTC offset of dates in the formats [DateOffset] and [DateLocal].
const localUTCOffset = 2 * time.Hour

// formatDate formats an instant given in milliseconds since 1970. number reports whether text
// is a number; otherwise it is the content of a string.
func (d dialect) formatDate(ms int64) (text string, number bool) {
	elapsed := max(0, d.now.UnixMilli()-ms)
	local := time.UnixMilli(ms).In(time.FixedZone("", int(localUTCOffset.Seconds())))
	switch d.dates {
	case DateSeconds:
		return strconv.FormatInt(ms/1000, 10), true
	case DateMilliseconds:
		return strconv.FormatInt(ms, 10), true
	case DateFraction:
		return fmt.Sprintf("%d.%03d", ms/1000, ms%1000), true
	case DateMicroseconds:
		return strconv.FormatInt(ms*1000, 10), true
	case DateElapsed:
		return strconv.FormatInt(elapsed/1000, 10), true
	case DateElapsedFraction:
		return fmt.Sprintf("%d.%03d", elapsed/1000, elapsed%1000), true
	case DateElapsedMillis:
		return strconv.FormatInt(elapsed, 10), true
	case DateElapsedMicros:
		return strconv.FormatInt(elapsed*1000, 10), true
	case DateElapsedClock:
		return fmt.Sprintf("%d:%02d:%02d", elapsed/3_600_000, elapsed/60_000%60, elapsed/1000%60), false
	case DateOffset:
		return local.Format("2006-01-02T15:04:05.000-07:00"), false
	case DateLocal:
		return local.Format("2006-01-02T15:04:05.000"), false
	case DateISO:
	}
	return time.UnixMilli(ms).UTC().Format(webservice.DateLayout), false
}

// neverHeldJSON returns the JSON value for the time of the last hold of an agent who has not
// held a call.
func neverHeldJSON(n NeverHeld) string {
	switch n {
	case NeverHeldZero:
		return "0"
	case NeverHeldEmpty:
		return `""`
	case NeverHeldNegative:
		return "-1"
	case NeverHeldEpoch:
		return `"1970-01-01T00:00:00.000Z"`
	case NeverHeldFar:
		return `"9999-12-31T23:59:59.999Z"`
	case NeverHeldQuoted:
		return `"0"`
	case NeverHeldLogin, NeverHeldNull:
	}
	return "null"
}

func (r *rewriter) copyNumber() {
	n := r.lengthUntil(",]}")
	token := r.in[:n]
	switch r.numbers {
	case NumbersString:
		r.out = append(r.out, '"')
		r.copyBytes(n)
		r.out = append(r.out, '"')
	case NumbersFloat:
		r.copyBytes(n)
		if !bytes.ContainsAny(token, ".eE") {
			r.out = append(r.out, ".0"...)
		}
	case NumbersInt:
		r.copyBytes(n)
	}
}

func (r *rewriter) copyBytes(n int) {
	n = min(n, len(r.in))
	r.out = append(r.out, r.in[:n]...)
	r.in = r.in[n:]
}

// lengthUntil returns the number of input bytes before the first of the characters in ends, or
// the length of the input if there is none.
func (r *rewriter) lengthUntil(ends string) int {
	if i := bytes.IndexAny(r.in, ends); i >= 0 {
		return i
	}
	return len(r.in)
}

// stringLength returns the length of the JSON string at the start of b, including its quotes.
func stringLength(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}
