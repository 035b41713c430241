package term

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/rivo/uniseg"
)

// Limits of the input. Real terminals stay well below these limits.
const (
	maxParams     = 16   // parameters of a control sequence
	maxControlLen = 96   // bytes of a control sequence
	maxStringLen  = 1024 // bytes of an answer: a color, a version, a capability
	maxClusterLen = 64   // bytes of one character with its combining marks
	maxPasteLen   = 64 << 10
	// maxRate is about twice the rate of the wheel of a touchpad, which sends 120 events a second.
	// A held key sends 60.
	maxBurst, maxRate = 8000, 250 // events at once, and events a second
)

// Limits of the time in which a terminal must complete a sequence or a pasted text.
const (
	escapeTimeout = 50 * time.Millisecond // for the rest of a sequence; afterwards an escape alone is a key
	pasteTimeout  = 2 * time.Second       // for more of a pasted text
)

const (
	escape, bell, cancel, substitute = 0x1b, 0x07, 0x18, 0x1a
	pasteStart, pasteEnd             = "\x1b[200~", "\x1b[201~"
)

// Decoder decodes the input of one terminal to events. The zero value is ready to use.
type Decoder struct {
	// Now is the clock. A nil Now means [time.Now].
	Now func() time.Time

	events   uv.EventDecoder
	buf      []byte    // incomplete input, at most maxStringLen
	skipping inputKind // kind of the overlong sequence being skipped; completePiece: none
	paste    []byte    // the pasted text so far; nil: no paste

	allowance  float64   // number of events allowed at once
	lastRefill time.Time // time of the last call of refill
}

// Feed decodes bytes of a terminal and passes the events to emit. It drops events beyond the rate
// at which a person can cause them.
func (d *Decoder) Feed(b []byte, emit func(uv.Event)) {
	d.refill()
	for len(b) > 0 {
		n := min(len(b), maxStringLen)
		d.buf = append(d.buf, b[:n]...)
		b = b[n:]
		d.buf = d.buf[:copy(d.buf, d.buf[d.decode(emit):])]
	}
}

// Wait returns how long to wait for more input before [Decoder.Flush], or 0 if no input is pending.
func (d *Decoder) Wait() time.Duration {
	switch {
	case d.paste != nil:
		return pasteTimeout
	case len(d.buf) > 0 || d.skipping != completePiece:
		return escapeTimeout
	}
	return 0
}

// Flush treats pending input as complete, because no more input has arrived in time.
func (d *Decoder) Flush(emit func(uv.Event)) {
	d.refill()
	if d.paste != nil {
		d.paste = append(d.paste, d.buf...)
		d.emitPaste(emit)
	} else if len(d.buf) > 0 && d.skipping == completePiece {
		d.emitEvent(d.buf, emit)
	}
	d.buf, d.skipping = d.buf[:0], completePiece
}

// decode decodes the buffered input, and returns how many bytes it has used.
func (d *Decoder) decode(emit func(uv.Event)) int {
	used := 0
	for used < len(d.buf) {
		b := d.buf[used:]
		var n int
		switch {
		case d.paste != nil:
			n = d.readPaste(b, emit)
		case d.skipping != completePiece:
			n = d.skipOverlong(b)
		default:
			n = d.decodePiece(b, emit)
		}
		if n == 0 {
			break // the rest has not arrived yet
		}
		used += n
	}
	return used
}

// decodePiece decodes the key or sequence at the beginning of b and returns its length, 0
// if it is incomplete.
func (d *Decoder) decodePiece(b []byte, emit func(uv.Event)) int {
	n, pieceKind := nextPiece(b)
	switch pieceKind {
	case completePiece:
		d.emitEvent(b[:n], emit)
	case incompletePiece:
		return 0
	case tooLongControl, tooLongString:
		d.skipping = pieceKind
	case invalidPiece:
	}
	return n
}

// emitEvent passes the event of a piece to emit, if the board uses such events and the limit of
// events is not exceeded. Reports of the window size are ignored, because the size comes from the
// owner of the terminal, not from its input.
func (d *Decoder) emitEvent(b []byte, emit func(uv.Event)) {
	if string(b) == pasteStart { // before any limit, or pasted text would be taken for keys
		d.paste = []byte{}
		return
	}
	if d.allowance < 1 || b[0] >= utf8.RuneSelf && !utf8.Valid(b) {
		return
	}
	_, e := d.events.Decode(b)
	switch e.(type) {
	case uv.KeyPressEvent, uv.KeyReleaseEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseMotionEvent, uv.MouseWheelEvent,
		uv.ModeReportEvent, uv.BackgroundColorEvent, uv.ForegroundColorEvent, uv.CursorColorEvent, uv.CapabilityEvent,
		uv.TerminalVersionEvent, uv.KeyboardEnhancementsEvent, uv.FocusEvent, uv.BlurEvent:
		d.allowance--
		emit(e)
	}
}

// skipOverlong returns how many bytes of b belong to the overlong sequence that is being skipped.
// It stops skipping at the end of that sequence.
func (d *Decoder) skipOverlong(b []byte) int {
	for i, c := range b {
		switch {
		case c == escape || c == cancel || c == substitute:
			d.skipping = completePiece
			return max(i, 1)
		case d.skipping == tooLongString && c == bell:
			d.skipping = completePiece
			return i + 1
		case d.skipping == tooLongControl && (c < ' ' || c > '?'):
			d.skipping = completePiece
			return i + 1
		}
	}
	return len(b)
}

// readPaste adds b to the pasted text and returns the number of bytes used. A possible beginning of
// the end marker is not used until the rest has arrived.
func (d *Decoder) readPaste(b []byte, emit func(uv.Event)) int {
	if end := bytes.Index(b, []byte(pasteEnd)); end >= 0 {
		d.appendPaste(b[:end])
		d.emitPaste(emit)
		return end + len(pasteEnd)
	}
	n := len(b)
	for i := max(0, n-len(pasteEnd)+1); i < n; i++ {
		if bytes.HasPrefix([]byte(pasteEnd), b[i:]) {
			n = i
		}
	}
	d.appendPaste(b[:n])
	return n
}

func (d *Decoder) appendPaste(b []byte) {
	d.paste = append(d.paste, b[:min(len(b), maxPasteLen-len(d.paste))]...)
}

// emitPaste passes the pasted text to emit, without the sequences in it.
func (d *Decoder) emitPaste(emit func(uv.Event)) {
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
	if len(text) > 0 && d.allowance >= 1 {
		d.allowance--
		emit(uv.PasteEvent{Content: string(text)})
	}
}

// refill increases the number of allowed events by maxRate for each second since the last call, up
// to maxBurst.
func (d *Decoder) refill() {
	now := time.Now
	if d.Now != nil {
		now = d.Now
	}
	t := now()
	if d.lastRefill.IsZero() {
		d.allowance = maxBurst
	} else {
		d.allowance = min(maxBurst, d.allowance+maxRate*max(0, t.Sub(d.lastRefill).Seconds()))
	}
	d.lastRefill = t
}

// inputKind is the kind of a piece of input.
type inputKind int

const (
	completePiece   inputKind = iota // a complete key or sequence
	incompletePiece                  // the beginning of a key or sequence
	tooLongControl                   // a control sequence that is too long
	tooLongString                    // a string that is too long
	invalidPiece                     // bytes that no terminal sends
)

// nextPiece returns the length and kind of the piece at the beginning of b.
func nextPiece(b []byte) (int, inputKind) {
	if b[0] != escape {
		return nextCharacter(b)
	}
	if len(b) == 1 {
		return 0, incompletePiece
	}
	switch b[1] {
	case escape: // alt with a key that is a sequence
		if len(b) == 2 {
			return 0, incompletePiece
		}
		if b[2] != '[' && b[2] != 'O' {
			return 1, completePiece
		}
		n, pieceKind := nextPiece(b[1:])
		return n + 1, pieceKind
	case '[':
		return nextControl(b)
	case 'O':
		return nextFunction(b)
	case 'P', ']', '_', '^', 'X':
		return nextString(b)
	}
	n, pieceKind := nextCharacter(b[1:])
	return n + 1, pieceKind
}

// nextCharacter is like nextPiece, for characters. A byte that cannot begin UTF-8 is invalid.
func nextCharacter(b []byte) (int, inputKind) {
	if b[0] < utf8.RuneSelf {
		return 1, completePiece
	}
	if !utf8.FullRune(b) {
		return 0, incompletePiece
	}
	if r, n := utf8.DecodeRune(b); r == utf8.RuneError || r < 0xa0 {
		return n, invalidPiece
	}
	cluster, _, _, _ := uniseg.FirstGraphemeCluster(b[:min(len(b), maxClusterLen)], -1)
	for len(cluster) > 0 && !utf8.Valid(cluster) { // cut at maxClusterLen
		cluster = cluster[:len(cluster)-1]
	}
	return max(len(cluster), 1), completePiece
}

// nextControl is like nextPiece, for control sequences.
func nextControl(b []byte) (int, inputKind) {
	params := 0
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case i >= maxControlLen || params >= maxParams:
			return i, tooLongControl
		case c == ';' || c == ':':
			params++
		case c >= ' ' && c <= '?':
		case i == 2 && c == '[': // a function key of the Linux console
			return nextFixed(b, i+2)
		case i == 2 && c == 'M': // mouse report of an old terminal, which is never requested
			return nextFixed(b, i+4)
		case c >= '@' && c <= '~':
			return i + 1, completePiece
		default:
			return i, invalidPiece
		}
	}
	return 0, incompletePiece
}

// nextFixed is like nextPiece, for sequences of a fixed length.
func nextFixed(b []byte, n int) (int, inputKind) {
	if len(b) < n {
		return 0, incompletePiece
	}
	return n, completePiece
}

// nextFunction is like nextPiece, for function keys that begin with SS3.
func nextFunction(b []byte) (int, inputKind) {
	for i := 2; i < len(b); i++ {
		if c := b[i]; c < '0' || c > '9' || i >= 6 {
			if c <= ' ' || c > '~' {
				return i, completePiece
			}
			return i + 1, completePiece
		}
	}
	return 0, incompletePiece
}

// nextString is like nextPiece, for strings, which are answers to queries.
func nextString(b []byte) (int, inputKind) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case i >= maxStringLen-1:
			return i, tooLongString
		case c == bell && b[1] == ']':
			return i + 1, completePiece
		case c == cancel || c == substitute:
			return i + 1, invalidPiece
		case c == escape && i+1 == len(b):
			return 0, incompletePiece
		case c == escape && b[i+1] == '\\':
			return i + 2, completePiece
		case c == escape:
			return i, invalidPiece
		}
	}
	return 0, incompletePiece
}
