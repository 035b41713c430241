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
	take func(uv.Event)

	mu    sync.Mutex // guards the decoder, and is held while events are passed on
	dec   Decoder
	reads int // number of reads
	flush *time.Timer
	done  bool
}

// NewKeyboard returns the keyboard of a terminal, whose events go to take, and the
// reader for the program.
func NewKeyboard(in io.Reader, take func(uv.Event)) (*Keyboard, io.Reader) {
	k := &Keyboard{in: in, take: take}
	if f, ok := in.(namedFile); ok {
		return k, keyboardFile{f, k}
	}
	return k, k
}

// namedFile is what Bubble Tea recognizes as a terminal.
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

// Read implements [io.Reader]. It returns no bytes: see [Keyboard].
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
	return 0, err
}

// expire flushes the decoder, unless more was read in the meantime: the timer may have
// fired while Read held the lock.
func (k *Keyboard) expire(reads int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.done && reads == k.reads {
		k.dec.Flush(k.take)
	}
}

// Close stops all further events.
func (k *Keyboard) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.done = true
	if k.flush != nil {
		k.flush.Stop()
	}
}
