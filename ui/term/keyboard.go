package term

import (
	"io"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
)

// Keyboard is the input of a Bubble Tea program in place of the terminal. The program gets the
// input as events. The reader of Bubble Tea gets no bytes; it is needed only to keep the terminal
// in raw mode and to stop reading.
type Keyboard struct {
	in   io.Reader
	emit func(uv.Event)

	mu         sync.Mutex // guards the decoder; held while events are passed on
	decoder    Decoder
	readCount  int // number of reads so far
	flushTimer *time.Timer
	closed     bool
}

// NewKeyboard returns the keyboard of a terminal, and the reader that the program must use as its
// input. The keyboard reads from in and passes the events to emit.
func NewKeyboard(in io.Reader, emit func(uv.Event)) (*Keyboard, io.Reader) {
	k := &Keyboard{in: in, emit: emit}
	if f, ok := in.(namedFile); ok {
		return k, keyboardFile{f, k}
	}
	return k, k
}

// namedFile has the methods by which Bubble Tea recognizes a terminal.
type namedFile interface {
	term.File
	Name() string
}

// keyboardFile is the reader of a keyboard whose input is a terminal. Bubble Tea recognizes the
// terminal by the methods of the embedded file.
type keyboardFile struct {
	namedFile
	keyboard *Keyboard
}

// Read implements [io.Reader].
func (f keyboardFile) Read(b []byte) (int, error) { return f.keyboard.Read(b) }

// Read implements [io.Reader]. It decodes the input and always returns 0 bytes, because the program
// gets the input as events.
func (k *Keyboard) Read(b []byte) (int, error) {
	n, err := k.in.Read(b)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.flushTimer != nil {
		k.flushTimer.Stop()
	}
	k.decoder.Feed(b[:n], k.emit)
	k.readCount++
	if wait := k.decoder.Wait(); wait > 0 && !k.closed {
		reads := k.readCount
		k.flushTimer = time.AfterFunc(wait, func() { k.flushIfIdle(reads) })
	}
	return 0, err
}

// flushIfIdle flushes the decoder, unless more input was read since the timer was set. reads is the
// number of reads at that time. Without this check, a timer that fires while Read holds the lock
// would flush newer input.
func (k *Keyboard) flushIfIdle(reads int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closed && reads == k.readCount {
		k.decoder.Flush(k.emit)
	}
}

// Close makes the keyboard drop incomplete input instead of passing it on after a timeout.
func (k *Keyboard) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	if k.flushTimer != nil {
		k.flushTimer.Stop()
	}
}
