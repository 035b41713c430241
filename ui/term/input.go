package term

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/rivo/uniseg"
)

// Limits of the input. The input of real terminals stays well below them.
const (
	maxParams     = 16   // parameters of a control sequence
	maxControlLen = 96   // bytes of a control sequence
	maxStringLen  = 1024 // bytes of a reply, such as a color, a version or a capability
	maxClusterLen = 64   // bytes of a character with its combining marks
	maxPasteLen   = 64 << 10
	// maxEventBurst is the maximum number of events at once. maxEventRate is the maximum number of events per
	// second after a burst. It is about twice the rate of a touchpad wheel, which sends 120 events
	// per second; a held key sends 60.
	maxEventBurst, maxEventRate = 8000, 250
)

// Timeouts for incomplete input.
const (
	escapeTimeout = 50 * time.Millisecond // to complete a sequence; then a lone escape counts as the escape key
	pasteTimeout  = 2 * time.Second       // to continue a pasted text
)

const (
	escapeByte, bellByte, cancelByte, substituteByte = 0x1b, 0x07, 0x18, 0x1a
	pasteStart, pasteEnd                             = "\x1b[200~", "\x1b[201~"
)

// Decoder decodes the input of a terminal into events. The zero value is ready to use.
type Decoder struct {
	// Now returns the current time. If it is nil, [time.Now] is used.
	Now func() time.Time

	events   uv.EventDecoder
	buf      []byte    // incomplete input, at most maxStringLen bytes
	skipping inputKind // kind of the overlong sequence that is being skipped; completePiece: none
	paste    []byte    // the pasted text so far; nil: no text is being pasted

	eventBudget float64   // number of events that may be emitted immediately
	lastRefill  time.Time // time of the last call of refill
}

// Feed decodes bytes from a terminal and passes the events to emit. It drops events that arrive
// faster than a person can cause them.
func (d *Decoder) Feed(b []byte, emit func(uv.Event)) {
	d.refill()
	for len(b) > 0 {
		n := min(len(b), maxStringLen)
		d.buf = append(d.buf, b[:n]...)
		b = b[n:]
		d.buf = d.buf[:copy(d.buf, d.buf[d.decode(emit):])]
	}
}

// Wait returns how long the caller must wait for more input before it calls [Decoder.Flush]. It
// returns 0 if no input is pending.
func (d *Decoder) Wait() time.Duration {
	switch {
	case d.paste != nil:
		return pasteTimeout
	case len(d.buf) > 0 || d.skipping != completePiece:
		return escapeTimeout
	}
	return 0
}

// Flush handles pending input as if it were complete, because no more input has arrived in time.
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

// decode decodes the buffered input and passes the events to emit. It returns the number of bytes
// decoded.
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
			break // the remaining bytes have not arrived yet
		}
		used += n
	}
	return used
}

// decodePiece decodes the key or the sequence at the start of b. It returns its length, or 0 if it
// is incomplete.
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

// emitEvent passes the event of a piece of input to emit, unless the board does not use such events
// or too many events have arrived. It ignores reports of the window size, because the owner of the
// terminal supplies the size.
func (d *Decoder) emitEvent(b []byte, emit func(uv.Event)) {
	if string(b) == pasteStart { // checked before any limit, so that pasted text is never mistaken for keys
		d.paste = []byte{}
		return
	}
	if d.eventBudget < 1 || b[0] >= utf8.RuneSelf && !utf8.Valid(b) {
		return
	}
	_, e := d.events.Decode(b)
	switch e.(type) {
	case uv.KeyPressEvent, uv.KeyReleaseEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseMotionEvent, uv.MouseWheelEvent,
		uv.ModeReportEvent, uv.BackgroundColorEvent, uv.ForegroundColorEvent, uv.CursorColorEvent, uv.CapabilityEvent,
		uv.TerminalVersionEvent, uv.KeyboardEnhancementsEvent, uv.FocusEvent, uv.BlurEvent:
		d.eventBudget--
		emit(e)
	}
}

// skipOverlong returns the number of bytes of b that belong to the overlong sequence that is being
// skipped. At the end of the sequence, it stops skipping.
func (d *Decoder) skipOverlong(b []byte) int {
	for i, c := range b {
		switch {
		case c == escapeByte || c == cancelByte || c == substituteByte:
			d.skipping = completePiece
			return max(i, 1)
		case d.skipping == tooLongString && c == bellByte:
			d.skipping = completePiece
			return i + 1
		case d.skipping == tooLongControl && (c < ' ' || c > '?'):
			d.skipping = completePiece
			return i + 1
		}
	}
	return len(b)
}

// readPaste adds b to the pasted text and returns the number of bytes used. If b ends with what may
// be the start of the end marker, these bytes are kept until more input has arrived.
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

// emitPaste removes all sequences from the pasted text and passes the text to emit.
func (d *Decoder) emitPaste(emit func(uv.Event)) {
	var text []byte
	for b := d.paste; len(b) > 0; {
		n := bytes.IndexByte(b, escapeByte)
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
	if len(text) > 0 && d.eventBudget >= 1 {
		d.eventBudget--
		emit(uv.PasteEvent{Content: string(text)})
	}
}

// refill increases the number of allowed events by maxEventRate for each second since the last call, up
// to maxEventBurst.
func (d *Decoder) refill() {
	now := time.Now
	if d.Now != nil {
		now = d.Now
	}
	t := now()
	if d.lastRefill.IsZero() {
		d.eventBudget = maxEventBurst
	} else {
		d.eventBudget = min(maxEventBurst, d.eventBudget+maxEventRate*max(0, t.Sub(d.lastRefill).Seconds()))
	}
	d.lastRefill = t
}

// inputKind is the kind of a piece of input, as determined by [nextPiece].
type inputKind int

const (
	completePiece   inputKind = iota // a complete key or sequence
	incompletePiece                  // the start of a key or a sequence
	tooLongControl                   // a control sequence that is too long
	tooLongString                    // a string that is too long
	invalidPiece                     // bytes that no terminal sends
)

// nextPiece returns the length and the kind of the piece of input at the start of b. A piece is a
// key or a sequence.
func nextPiece(b []byte) (int, inputKind) {
	if b[0] != escapeByte {
		return nextCharacter(b)
	}
	if len(b) == 1 {
		return 0, incompletePiece
	}
	switch b[1] {
	case escapeByte: // alt with a key that sends a sequence
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

// nextCharacter is like nextPiece, for input that starts with a character. A byte that cannot start
// a UTF-8 sequence is invalid.
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
	for len(cluster) > 0 && !utf8.Valid(cluster) { // the character was cut at maxClusterLen
		cluster = cluster[:len(cluster)-1]
	}
	return max(len(cluster), 1), completePiece
}

// nextControl is like nextPiece, for input that starts with a control sequence.
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
		case i == 2 && c == 'M': // a mouse report in an old format, which is never requested
			return nextFixed(b, i+4)
		case c >= '@' && c <= '~':
			return i + 1, completePiece
		default:
			return i, invalidPiece
		}
	}
	return 0, incompletePiece
}

// nextFixed is like nextPiece, for a sequence of n bytes.
func nextFixed(b []byte, n int) (int, inputKind) {
	if len(b) < n {
		return 0, incompletePiece
	}
	return n, completePiece
}

// nextFunction is like nextPiece, for a function key that starts with SS3.
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

// nextString is like nextPiece, for a string that is the reply to a query.
func nextString(b []byte) (int, inputKind) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case i >= maxStringLen-1:
			return i, tooLongString
		case c == bellByte && b[1] == ']':
			return i + 1, completePiece
		case c == cancelByte || c == substituteByte:
			return i + 1, invalidPiece
		case c == escapeByte && i+1 == len(b):
			return 0, incompletePiece
		case c == escapeByte && b[i+1] == '\\':
			return i + 2, completePiece
		case c == escapeByte:
			return i, invalidPiece
		}
	}
	return 0, incompletePiece
}
