package merge

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"time"
	"unsafe"

	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// Env holds the inputs and results of a merge that do not belong to a single record: clocks,
// detected units, and signs of how the server sends data.
type Env struct {
	// Now is the current time on the server's clock. It is used to convert an elapsed time ("time
	// in the current state") to an instant.
	Now time.Time
	// ReceivedAt is the same moment as Now on our own, uncorrected clock.
	ReceivedAt time.Time

	// Times detects the units that document 2 does not show. If Times is nil, these units remain
	// unknown.
	Times *timeunit.Learner
	// FullRecord is set while the answer to a query is read, whose records are complete.
	FullRecord bool
	// UnitsOnly is set while records are read only to learn units. Times whose unit is not shown
	// then stay unknown.
	UnitsOnly bool
	// RawNumbers collects the numbers whose unit document 2 does not show.
	RawNumbers RawNumbers

	// CompleteLists is set if keyed lists in updates are known to be complete. Elements that an
	// update lacks are deleted only then.
	CompleteLists bool
	// ListSigns collects signs of whether keyed lists in updates are complete.
	ListSigns ListSigns

	// IgnoreRepeats is set if an update without changes proves nothing, because another
	// subscription may have sent the update before or because the server omits keys.
	IgnoreRepeats bool

	// BareTypes records the types of objects that contained only their __typename because the
	// document selects no fields for the type. It maps each type to the field with the object.
	BareTypes map[string]string

	hasElapsedTimes bool                // a Date was sent as an elapsed time
	cachedTexts     map[string]string   // raw text → clean text; the same codes and names occur again and again
	recentCache     [recentTexts]string // direct-mapped cache of texts that need no cleaning
	ints            []int64             // reused while lists of numbers are read
	strings         []string            // reused while lists of strings are read
}

// Limits of cachedTexts.
const (
	maxCachedTexts      = 1 << 16
	maxCachedTextLength = 256 // in bytes; longer texts rarely occur again
)

// recentTexts is the number of slots of the cache Env.recentCache.
const recentTexts = 1 << 10

// recentSlot returns the slot for a string in the cache Env.recentCache.
func (e *Env) recentSlot(raw []byte) *string {
	h := uint64(len(raw))
	if n := len(raw); n >= 8 {
		h ^= binary.LittleEndian.Uint64(raw) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(raw[n-8:]), 31)
	} else {
		for _, c := range raw {
			h = h<<8 ^ uint64(c)
		}
	}
	return &e.recentCache[h*0x9E3779B97F4A7C15>>54]
}

// cleanText returns the cleaned content of a JSON string. raw is the content between the quotes.
// plain is true if raw is printable ASCII without escapes. cleanText does not allocate if the
// string is cached.
func (e *Env) cleanText(raw []byte, plain bool) (string, error) {
	if plain {
		return e.cleanPlainText(raw), nil
	}
	if s, ok := e.cachedTexts[string(raw)]; ok {
		return s, nil
	}
	s, err := unquote(raw)
	if err != nil {
		return "", err
	}
	s = model.CleanText(s, model.MaxName)
	e.cacheText(string(raw), s)
	return s, nil
}

// cleanPlainText is like [Env.cleanText] for a string of printable ASCII without escapes.
func (e *Env) cleanPlainText(raw []byte) string {
	at := e.recentSlot(raw)
	if *at == string(raw) {
		return *at
	}
	s, ok := e.cachedTexts[string(raw)]
	if !ok {
		seen := string(raw)
		s = model.CleanText(seen, model.MaxName)
		e.cacheText(seen, s)
	}
	if s == string(raw) {
		*at = s
	}
	return s
}

func (e *Env) cacheText(raw, clean string) {
	if len(raw) > maxCachedTextLength {
		return
	}
	if e.cachedTexts == nil || len(e.cachedTexts) >= maxCachedTexts {
		e.cachedTexts = make(map[string]string)
	}
	e.cachedTexts[raw] = clean
}

// readText reads a string and returns it cleaned. current is the field's value before the message.
// An equal string needs no lookup.
func (d *decoder) readText(name, current string) (string, error) {
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		return "", d.shapeError(name, "a string")
	}
	raw, plain, err := d.readString()
	if err != nil {
		return "", err
	}
	if plain && string(raw) == current {
		return current, nil
	}
	return d.env.cleanText(raw, plain)
}

// readNumeral consumes a string or an unquoted number and returns its content, which need not be a
// valid number. It returns false if the string is invalid.
func (d *decoder) readNumeral() ([]byte, bool) {
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		return d.readNumber(), true
	}
	raw, plain, err := d.readString()
	if err == nil && !plain { // some encoders write the + of a time zone as \u002b
		var s string
		s, err = unquote(raw)
		raw = []byte(s)
	}
	return raw, err == nil
}

// readInt reads an integer, a float or a quoted number. Fractions are rounded to the nearest
// integer, because the platform measures some times more precisely than the board shows them.
func (d *decoder) readInt(name string) (int64, error) {
	if n, ok := d.readDigits(); ok {
		return n, nil
	}
	start := d.pos
	b, ok := d.readNumeral()
	if ok {
		if n, ok := parseInteger(b); ok {
			return n, nil
		}
		if n, err := strconv.ParseInt(string(b), 10, 64); err == nil && n != math.MinInt64 && isValidNumber(b) { // the smallest integer stands for an unknown value, see model.IntOf
			return n, nil
		}
		if f, ok := parseFloat(b); ok && math.Abs(f) < 1<<53 {
			return int64(math.Round(f)), nil
		}
	}
	d.pos = start
	return 0, d.shapeError(name, "a number")
}

func (d *decoder) readFloat(name string) (float64, error) {
	if n, ok := d.readDigits(); ok {
		return float64(n), nil
	}
	start := d.pos
	if b, ok := d.readNumeral(); ok {
		if f, ok := parseFloat(b); ok {
			return f, nil
		}
	}
	d.pos = start
	return 0, d.shapeError(name, "a number")
}

// maxDigits is the maximum length of a number that is shown as received.
const maxDigits = 32

// readScalar reads a string, a number or a bool, for a field whose type document 2 does not show.
func (d *decoder) readScalar(name string) (model.Scalar, error) {
	if d.pos >= len(d.data) {
		return model.Scalar{}, errUnexpectedEnd
	}
	switch c := d.data[d.pos]; {
	case c == '"':
		s, err := d.readText(name, "")
		return model.ScalarText(s), err
	case c == 't' || c == 'f':
		err := d.consumeLiteral()
		return model.ScalarBool(c == 't'), err
	case c == '-' || c >= '0' && c <= '9':
		start := d.pos
		b := d.readNumber()
		if f, ok := parseFloat(b); ok {
			if len(b) > maxDigits {
				b = strconv.AppendFloat(nil, f, 'g', -1, 64)
			}
			return model.ScalarNumber(string(b), f), nil
		}
		d.pos = start
	}
	return model.Scalar{}, d.shapeError(name, "a single value")
}

// readNumberInto merges a number into the field at p.
func (d *decoder) readNumberInto(f *fieldPlan, p unsafe.Pointer) error {
	if f.kind == kindInt {
		n, err := d.readInt(f.name)
		switch {
		case err != nil:
			return err
		case f.timeField != timeunit.FieldNone:
			*(*model.Int)(p) = d.env.toSeconds(f.timeField, n)
		default:
			*(*model.Int)(p) = model.IntOf(n)
		}
		return nil
	}
	v, err := d.readFloat(f.name)
	switch {
	case err != nil:
		return err
	case f.timeField != timeunit.FieldNone:
		*(*model.Float)(p) = model.FloatOf(d.env.recordDuration(f.timeField, v).Seconds(v))
	default:
		*(*model.Float)(p) = model.FloatOf(v)
	}
	return nil
}

// readValue merges the non-null value at the current position into field f of the struct at base.
func (d *decoder) readValue(f *fieldPlan, base unsafe.Pointer) error {
	if f.kind <= kindScalar && d.atComposite() {
		return d.readWrappedField(f, base)
	}
	p := unsafe.Add(base, f.offset)
	switch f.kind {
	case kindInt, kindFloat:
		return d.readNumberInto(f, p)
	case kindText:
		have, _ := (*model.Text)(p).Get()
		s, err := d.readText(f.name, have)
		if err == nil {
			*(*model.Text)(p) = model.TextOf(s)
		}
		return err
	case kindString:
		s, err := d.readText(f.name, *(*string)(p))
		if err == nil {
			*(*string)(p) = s
		}
		return err
	case kindInstant:
		v, err := d.readInstant(f, *(*model.Instant)(p))
		if err == nil {
			*(*model.Instant)(p) = v
		}
		return err
	case kindScalar:
		v, err := d.readScalar(f.name)
		if err == nil {
			*(*model.Scalar)(p) = v
		}
		return err
	case kindInts:
		return d.readInts(f.name, (*[]int64)(p))
	case kindStrings:
		return d.readStrings(f.name, (*[]string)(p))
	case kindKeyedList:
		return f.list.merge(d, p)
	case kindObject:
		return d.readObject(f.name, f.object, p)
	}
	return d.skipValue()
}
