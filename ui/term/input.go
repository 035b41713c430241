package term

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/rivo/uniseg"
)

// Limits of the input. Real terminals stay well below them.
const (
	maxParams  = 16   // parameters of a control sequence
	maxControl = 96   // bytes of a control sequence
	maxString  = 1024 // bytes of an answer: a color, a version, a capability
	maxCluster = 64   // bytes of one character with its combining marks
	maxPaste   = 64 << 10
	// A held key sends 60 events a second, the wheel of a touchpad 120.
	burst, rate = 8000, 250
)

// How long a terminal may take to complete what it has begun to send.
const (
	escapeTime = 50 * time.Millisecond // for the rest of a sequence; an escape alone is a key
	pasteTime  = 2 * time.Second       // for more of a pasted text
)

const (
	escape, bell, cancel, substitute = 0x1b, 0x07, 0x18, 0x1a
	pasteStart, pasteEnd             = "\x1b[200~", "\x1b[201~"
)

// Decoder turns the bytes of one terminal into events. The zero value is ready to use.
type Decoder struct {
	// Now is the clock; nil means [time.Now].
	Now func() time.Time

	events uv.EventDecoder
	buf    []byte // incomplete input, at most maxString
	skip   kind   // kind of the sequence being skipped
	paste  []byte // the pasted text so far; nil: no paste

	left float64 // number of events allowed at once
	last time.Time
}

// Feed decodes bytes of a terminal and passes the events to take. It drops keys beyond
// the rate that a person can type.
func (d *Decoder) Feed(b []byte, take func(uv.Event)) {
	d.refill()
	for len(b) > 0 {
		n := min(len(b), maxString)
		d.buf = append(d.buf, b[:n]...)
		b = b[n:]
		d.buf = d.buf[:copy(d.buf, d.buf[d.decode(take):])]
	}
}

// Wait returns how long to wait for more input before [Decoder.Flush]; 0: nothing is
// pending.
func (d *Decoder) Wait() time.Duration {
	switch {
	case d.paste != nil:
		return pasteTime
	case len(d.buf) > 0 || d.skip != whole:
		return escapeTime
	}
	return 0
}

// Flush treats pending input as complete.
func (d *Decoder) Flush(take func(uv.Event)) {
	d.refill()
	if d.paste != nil {
		d.paste = append(d.paste, d.buf...)
		d.pasted(take)
	} else if len(d.buf) > 0 && d.skip == whole {
		d.event(d.buf, take)
	}
	d.buf, d.skip = d.buf[:0], whole
}

// decode decodes the buffered input, and returns how many bytes it has used.
func (d *Decoder) decode(take func(uv.Event)) int {
	done := 0
	for done < len(d.buf) {
		b := d.buf[done:]
		var n int
		switch {
		case d.paste != nil:
			n = d.takePaste(b, take)
		case d.skip != whole:
			n = d.skipLong(b)
		default:
			n = d.takePiece(b, take)
		}
		if n == 0 {
			break // the rest has not arrived yet
		}
		done += n
	}
	return done
}

// takePiece decodes the key or sequence at the beginning of b and returns its length, 0
// if it is incomplete.
func (d *Decoder) takePiece(b []byte, take func(uv.Event)) int {
	n, is := nextPiece(b)
	switch is {
	case whole:
		d.event(b[:n], take)
	case begun:
		return 0
	case tooLongControl, tooLongString:
		d.skip = is
	case foreign:
	}
	return n
}

// event passes on the event of a piece if the board supports it. Reports of the window
// size are ignored, because the size comes from the owner of the terminal, not from its
// input.
func (d *Decoder) event(b []byte, take func(uv.Event)) {
	if string(b) == pasteStart { // unconditionally, or pasted text would be taken for keys
		d.paste = []byte{}
		return
	}
	if d.left < 1 || b[0] >= utf8.RuneSelf && !utf8.Valid(b) {
		return
	}
	_, e := d.events.Decode(b)
	switch e.(type) {
	case uv.KeyPressEvent, uv.KeyReleaseEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseMotionEvent, uv.MouseWheelEvent,
		uv.ModeReportEvent, uv.BackgroundColorEvent, uv.ForegroundColorEvent, uv.CursorColorEvent, uv.CapabilityEvent,
		uv.TerminalVersionEvent, uv.KeyboardEnhancementsEvent, uv.FocusEvent, uv.BlurEvent:
		d.left--
		take(e)
	}
}

// skipLong returns how much of b belongs to an overlong sequence.
func (d *Decoder) skipLong(b []byte) int {
	for i, c := range b {
		switch {
		case c == escape || c == cancel || c == substitute:
			d.skip = whole
			return max(i, 1)
		case d.skip == tooLongString && c == bell:
			d.skip = whole
			return i + 1
		case d.skip == tooLongControl && (c < ' ' || c > '?'):
			d.skip = whole
			return i + 1
		}
	}
	return len(b)
}

// takePaste adds b to the pasted text and returns the number of bytes used. A possible
// beginning of the end marker stays until the rest has arrived.
func (d *Decoder) takePaste(b []byte, take func(uv.Event)) int {
	if end := bytes.Index(b, []byte(pasteEnd)); end >= 0 {
		d.more(b[:end])
		d.pasted(take)
		return end + len(pasteEnd)
	}
	n := len(b)
	for i := max(0, n-len(pasteEnd)+1); i < n; i++ {
		if bytes.HasPrefix([]byte(pasteEnd), b[i:]) {
			n = i
		}
	}
	d.more(b[:n])
	return n
}

func (d *Decoder) more(b []byte) {
	d.paste = append(d.paste, b[:min(len(b), maxPaste-len(d.paste))]...)
}

// pasted passes on the pasted text without the sequences in it.
func (d *Decoder) pasted(take func(uv.Event)) {
	var text []byte
	for b := d.paste; len(b) > 0; {
		n := bytes.IndexByte(b, escape)
		if n < 0 {
			n = len(b)
		}
		text = append(text, b[:n]...)
		if b = b[n:]; len(b) > 0 {
			n, _ = nextPiece(b)
			b = b[max(n, 1):]
		}
	}
	text = bytes.ToValidUTF8(text, nil)
	d.paste = nil
	if len(text) > 0 && d.left >= 1 {
		d.left--
		take(uv.PasteEvent{Content: string(text)})
	}
}

// refill allows more events as time passes.
func (d *Decoder) refill() {
	now := time.Now
	if d.Now != nil {
		now = d.Now
	}
	t := now()
	if d.last.IsZero() {
		d.left = burst
	} else {
		d.left = min(burst, d.left+rate*max(0, t.Sub(d.last).Seconds()))
	}
	d.last = t
}

// kind is the kind of a piece.
type kind int

const (
	whole          kind = iota // a complete key or sequence
	begun                      // the beginning of one
	tooLongControl             // a control sequence that is too long
	tooLongString
	foreign // not something that a terminal sends
)

// nextPiece returns the length and kind of the piece at the beginning of b.
func nextPiece(b []byte) (int, kind) {
	if b[0] != escape {
		return character(b)
	}
	if len(b) == 1 {
		return 0, begun
	}
	switch b[1] {
	case escape: // alt with a key that is a sequence
		if len(b) == 2 {
			return 0, begun
		}
		if b[2] != '[' && b[2] != 'O' {
			return 1, whole
		}
		n, is := nextPiece(b[1:])
		return n + 1, is
	case '[':
		return control(b)
	case 'O':
		return function(b)
	case 'P', ']', '_', '^', 'X':
		return text(b)
	}
	n, is := character(b[1:])
	return n + 1, is
}

// character is piece for characters. A byte that cannot begin UTF-8 is foreign.
func character(b []byte) (int, kind) {
	if b[0] < utf8.RuneSelf {
		return 1, whole
	}
	if !utf8.FullRune(b) {
		return 0, begun
	}
	if r, n := utf8.DecodeRune(b); r == utf8.RuneError || r < 0xa0 {
		return n, foreign
	}
	cluster, _, _, _ := uniseg.FirstGraphemeCluster(b[:min(len(b), maxCluster)], -1)
	for len(cluster) > 0 && !utf8.Valid(cluster) { // cut at maxCluster
		cluster = cluster[:len(cluster)-1]
	}
	return max(len(cluster), 1), whole
}

// control is piece for control sequences.
func control(b []byte) (int, kind) {
	params := 0
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case i >= maxControl || params >= maxParams:
			return i, tooLongControl
		case c == ';' || c == ':':
			params++
		case c >= ' ' && c <= '?':
		case i == 2 && c == '[': // a function key of the Linux console
			return fixed(b, i+2)
		case i == 2 && c == 'M': // mouse report of an old terminal, which is never requested
			return fixed(b, i+4)
		case c >= '@' && c <= '~':
			return i + 1, whole
		default:
			return i, foreign
		}
	}
	return 0, begun
}

// fixed is piece for sequences of a fixed length.
func fixed(b []byte, n int) (int, kind) {
	if len(b) < n {
		return 0, begun
	}
	return n, whole
}

// function is piece for function keys that begin with SS3.
func function(b []byte) (int, kind) {
	for i := 2; i < len(b); i++ {
		if c := b[i]; c < '0' || c > '9' || i >= 6 {
			if c <= ' ' || c > '~' {
				return i, whole
			}
			return i + 1, whole
		}
	}
	return 0, begun
}

// text is piece for strings, which are answers to queries.
func text(b []byte) (int, kind) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case i >= maxString-1:
			return i, tooLongString
		case c == bell && b[1] == ']':
			return i + 1, whole
		case c == cancel || c == substitute:
			return i + 1, foreign
		case c == escape && i+1 == len(b):
			return 0, begun
		case c == escape && b[i+1] == '\\':
			return i + 2, whole
		case c == escape:
			return i, foreign
		}
	}
	return 0, begun
}
