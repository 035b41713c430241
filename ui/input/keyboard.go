package input

import (
	"io"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
)

// Keyboard stands before the terminal that a Bubble Tea program reads. What it reads
// goes to the program as events; Bubble Tea's own reader, which is asked only so that
// it keeps the terminal raw and the reading can be ended, gets nothing of it.
type Keyboard struct {
	in   io.Reader
	take func(uv.Event)

	mu    sync.Mutex // guards the decoder, and is held while it hands over
	dec   Decoder
	reads int // how often something was read
	flush *time.Timer
	done  bool
}

// NewKeyboard returns the keyboard of a terminal, whose events go to take, and as
// what a program reads it.
func NewKeyboard(in io.Reader, take func(uv.Event)) (*Keyboard, io.Reader) {
	k := &Keyboard{in: in, take: take}
	if f, ok := in.(namedFile); ok {
		return k, keyboardFile{f, k}
	}
	return k, k
}

// namedFile is what Bubble Tea takes for a terminal.
type namedFile interface {
	term.File
	Name() string
}

// keyboardFile is a keyboard on a terminal.
type keyboardFile struct {
	namedFile
	k *Keyboard
}

// Read implements [io.Reader].
func (f keyboardFile) Read(b []byte) (int, error) { return f.k.Read(b) }

// Read implements [io.Reader]. It returns no byte: see [Keyboard].
func (k *Keyboard) Read(b []byte) (int, error) {
	n, err := k.in.Read(b)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.flush != nil {
		k.flush.Stop()
	}
	k.dec.Feed(b[:n], k.take)
	k.reads++
	if wait := k.dec.Wait(); wait > 0 && !k.done {
		reads := k.reads
		k.flush = time.AfterFunc(wait, func() { k.expire(reads) })
	}
	return 0, err //nolint:wrapcheck // it is the terminal to who reads it
}

// expire takes what has begun for all of it, unless more was read since: the timer
// may have fired while Read had the lock, and what has begun then is younger.
func (k *Keyboard) expire(reads int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.done && reads == k.reads {
		k.dec.Flush(k.take)
	}
}

// Close has nothing more come.
func (k *Keyboard) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.done = true
	if k.flush != nil {
		k.flush.Stop()
	}
}
