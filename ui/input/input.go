// Package input takes apart what a terminal sends: keys, the mouse, what is pasted,
// answers.
//
// Each sequence is that of ultraviolet, which Bubble Tea reads with, too; but its
// reader believes what it reads. A control sequence of more than 32 parameters
// panics, in a goroutine that nobody looks after; one that does not end is kept and
// looked at again with every byte that follows it; a single key of Windows may say
// that it was pressed 65,535 times; and each of ten million keys is a frame to be
// drawn. Here a sequence has a length before it is looked at, no byte is looked at
// more often than such a length allows, and nobody types faster than people do.
package input

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/rivo/uniseg"
)

// What is taken of a terminal. What real ones send is well below it.
const (
	maxParams  = 16   // parameters of a control sequence
	maxControl = 96   // bytes of one
	maxString  = 1024 // bytes of an answer: a colour, a version, a capability
	maxCluster = 64   // bytes of one character with its marks
	maxPaste   = 64 << 10
	// Who holds a key down sends 60 a second, the wheel of a touchpad 120.
	burst, rate = 8000, 250
)

// How long a terminal may take over what it has begun to send.
const (
	escapeTime = 50 * time.Millisecond // for the rest of a sequence; an escape alone is a key
	pasteTime  = 2 * time.Second       // for more of what is pasted
)

const (
	escape, bell, cancel, substitute = 0x1b, 0x07, 0x18, 0x1a
	pasteStart, pasteEnd             = "\x1b[200~", "\x1b[201~"
)

// Decoder makes events of the bytes of one terminal. Its zero value is ready.
type Decoder struct {
	// Now is the clock; nil is [time.Now].
	Now func() time.Time

	events uv.EventDecoder
	buf    []byte // what has begun and is not whole: no more than maxString
	skip   kind   // what is left out until it ends
	paste  []byte // what is pasted; nil: nothing

	left float64 // events that may come at once
	last time.Time
}

// Feed takes what a terminal has sent and hands over what it means. Keys beyond
// what a person can press are left out.
func (d *Decoder) Feed(b []byte, take func(uv.Event)) {
	d.refill()
	for len(b) > 0 {
		n := min(len(b), maxString)
		d.buf = append(d.buf, b[:n]...)
		b = b[n:]
		d.buf = d.buf[:copy(d.buf, d.buf[d.decode(take):])]
	}
}

// Wait is how long to wait for more before [Decoder.Flush]; 0: nothing has begun.
func (d *Decoder) Wait() time.Duration {
	switch {
	case d.paste != nil:
		return pasteTime
	case len(d.buf) > 0 || d.skip != whole:
		return escapeTime
	}
	return 0
}

// Flush takes what has begun for all of it.
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

// decode takes apart what has come, and returns how much of it is done with.
func (d *Decoder) decode(take func(uv.Event)) int {
	done := 0
	for done < len(d.buf) {
		b := d.buf[done:]
		var n int
		switch {
		case d.paste != nil:
			n = d.takePaste(b, take)
		case d.skip != whole:
			n = d.leaveOut(b)
		default:
			n = d.takePiece(b, take)
		}
		if n == 0 {
			break // the rest of it is still to come
		}
		done += n
	}
	return done
}

// takePiece takes the key or the sequence that b begins with, and returns its
// length, 0 if its end is not there yet.
func (d *Decoder) takePiece(b []byte, take func(uv.Event)) int {
	n, is := piece(b)
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

// event hands over what a piece means, if it means anything that a board can be told.
// The size of the window is none of that: who runs the terminal knows it, not what
// is typed.
func (d *Decoder) event(b []byte, take func(uv.Event)) {
	if string(b) == pasteStart { // always, or what is pasted would be keys
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

// leaveOut returns how much of b belongs to a sequence that is too long.
func (d *Decoder) leaveOut(b []byte) int {
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

// takePaste takes of what is pasted what b has, and returns how much that is. The
// beginning of what may be the end of it waits for the rest.
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

// pasted hands over what was pasted, without the sequences in it.
func (d *Decoder) pasted(take func(uv.Event)) {
	var text []byte
	for b := d.paste; len(b) > 0; {
		n := bytes.IndexByte(b, escape)
		if n < 0 {
			n = len(b)
		}
		text = append(text, b[:n]...)
		if b = b[n:]; len(b) > 0 {
			n, _ = piece(b)
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

// refill lets more come as time passes.
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

// kind is what a piece is.
type kind int

const (
	whole          kind = iota // a key or a sequence
	begun                      // the beginning of one
	tooLongControl             // one that goes on for too long
	tooLongString
	foreign // nothing that a terminal sends
)

// piece returns the length of the piece that b begins with.
func piece(b []byte) (int, kind) {
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
		n, is := piece(b[1:])
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

// character is piece for characters. A byte that no UTF-8 begins with is none.
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
	for len(cluster) > 0 && !utf8.Valid(cluster) { // it was cut
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
		case i == 2 && c == 'M': // the mouse of an old terminal, which nobody has asked for
			return fixed(b, i+4)
		case c >= '@' && c <= '~':
			return i + 1, whole
		default:
			return i, foreign
		}
	}
	return 0, begun
}

// fixed is piece for what has a length.
func fixed(b []byte, n int) (int, kind) {
	if len(b) < n {
		return 0, begun
	}
	return n, whole
}

// function is piece for the function keys that begin with SS3.
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

// text is piece for strings, which are answers.
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
