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

// Env holds the context of a merge.
type Env struct {
	// Now is the current time on the server's clock. A Date that is an elapsed
	// time ("time in the current state") is converted to its start.
	Now time.Time
	// ReceivedAt is the same moment on our own, uncorrected clock.
	ReceivedAt time.Time

	// Times detects the units that document 2 does not show; nil knows none.
	Times *timeunit.Learner
	// FullRecord is set while full records are read.
	FullRecord bool
	// UnitsOnly is set while records are read only to learn their units: times
	// stay unknown.
	UnitsOnly bool
	// RawNumbers collects numbers with unknown units.
	RawNumbers RawNumbers

	// CompleteLists is set if keyed lists in updates are complete: missing
	// elements are deleted. Otherwise they stay.
	CompleteLists bool
	// ListSigns collects the signs of keyed lists in updates.
	ListSigns ListSigns

	// IgnoreRepeats is set if an update without changes has no meaning: another
	// subscription may have sent the same, or the server omits keys.
	IgnoreRepeats bool

	// BareTypes maps the __typename of objects that contained nothing else to the name of
	// their field. The document selects no fields for such types.
	BareTypes map[string]string

	sawElapsed  bool                // a Date was an elapsed time
	cachedTexts map[string]string   // raw → clean text; codes and names repeat for ever
	recent      [recentTexts]string // direct-mapped cache of texts that need no cleaning
	ints        []int64             // scratch for number lists
	strings     []string            // scratch for string lists
}

// Limits of the text cache.
const (
	maxCachedTexts      = 1 << 16
	maxCachedTextLength = 256 // bytes; longer texts do not repeat
)

// recentTexts is the size of the direct-mapped cache.
const recentTexts = 1 << 10

// recentSlot returns the slot of a text in the direct-mapped cache.
func (e *Env) recentSlot(raw []byte) *string {
	h := uint64(len(raw))
	if n := len(raw); n >= 8 {
		h ^= binary.LittleEndian.Uint64(raw) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(raw[n-8:]), 31)
	} else {
		for _, c := range raw {
			h = h<<8 ^ uint64(c)
		}
	}
	return &e.recent[h*0x9E3779B97F4A7C15>>54]
}

// cleanText returns the clean text of a string, without allocating if it is cached.
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

// cleanPlainText is like text, for a string without escapes and non-ASCII characters.
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

// cacheText caches a clean text.
func (e *Env) cacheText(raw, clean string) {
	if len(raw) > maxCachedTextLength {
		return
	}
	if e.cachedTexts == nil || len(e.cachedTexts) >= maxCachedTexts {
		e.cachedTexts = make(map[string]string)
	}
	e.cachedTexts[raw] = clean
}

// readText reads a string. current is the present value of the field; if it is
// the same, no lookup is needed.
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

// readNumeral consumes a number or date, quoted or not, and returns its text.
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

// readInt reads an integer, a float or a quoted number. Fractions are rounded
// to the nearest integer: the platform measures some times more precisely than
// the board shows them.
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
		if n, err := strconv.ParseInt(string(b), 10, 64); err == nil && n != math.MinInt64 && isValidNumber(b) { // see model.IntOf
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

// readScalar reads a value whose type document 2 does not show.
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
		case f.timeField != timeunit.None:
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
	case f.timeField != timeunit.None:
		*(*model.Float)(p) = d.env.toSecondsFloat(f.timeField, v)
	default:
		*(*model.Float)(p) = model.FloatOf(v)
	}
	return nil
}

// readValue merges the non-null value at the current position into field f of the
// struct at base.
func (d *decoder) readValue(f *fieldPlan, base unsafe.Pointer) error {
	if f.kind <= kindScalar && d.atComposite() {
		return d.readWrapped(f, base)
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
