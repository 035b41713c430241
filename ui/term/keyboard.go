package term

import (
	"io"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
)

// Keyboard is the input that a Bubble Tea program reads instead of the terminal. The
// program gets the input as events. Bubble Tea's own reader, which is needed only to
// keep the terminal raw and to end the reading, gets no bytes.
type Keyboard struct {
	in   io.Reader
	emit func(uv.Event)

	mu         sync.Mutex // guards the decoder, and is held while events are passed on
	decoder    Decoder
	readCount  int // number of reads
	flushTimer *time.Timer
	closed     bool
}

// NewKeyboard returns the keyboard of a terminal, whose events go to emit, and the reader for
// the program.
func NewKeyboard(in io.Reader, emit func(uv.Event)) (*Keyboard, io.Reader) {
	k := &Keyboard{in: in, emit: emit}
	if f, ok := in.(namedFile); ok {
		return k, keyboardFile{f, k}
	}
	return k, k
}

// namedFile is the interface by which Bubble Tea recognizes a terminal.
type namedFile interface {
	term.File
	Name() string
}

// keyboardFile is the reader of a keyboard on a terminal. Bubble Tea recognizes the terminal by the
// methods of the file.
type keyboardFile struct {
	namedFile
	k *Keyboard
}

// Read implements [io.Reader].
func (f keyboardFile) Read(b []byte) (int, error) { return f.k.Read(b) }

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

// flushIfIdle flushes the decoder, unless more was read since the timer was set. Without this
// check, a timer that fired while Read held the lock would flush newer input.
func (k *Keyboard) flushIfIdle(reads int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closed && reads == k.readCount {
		k.decoder.Flush(k.emit)
	}
}

// Close stops all further events.
func (k *Keyboard) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	if k.flushTimer != nil {
		k.flushTimer.Stop()
	}
}
