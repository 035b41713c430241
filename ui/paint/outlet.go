package paint

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// leaveTime is how long one write may take while a program ends.
const leaveTime = time.Second

// outlet writes to a terminal that may stop reading, as a hung SSH client does. A write
// waits as long as that takes, unless the program is to end: then it fails with
// [ErrStuck] after [leaveTime], and so does every write after it. The bytes of that
// write stay with a goroutine that ends when the terminal reads again or is gone.
type outlet struct {
	out  io.Writer
	work chan []byte
	done chan written

	silent    atomic.Bool   // nothing is written any more
	ending    chan struct{} // closed when the program is to end
	endOnce   sync.Once
	closeOnce sync.Once

	buf   []byte // what is being written; only Write uses what follows
	stuck bool
}

// written is what became of a write.
type written struct {
	n        int
	err      error
	panicked any // nil: it did not
}

// result returns what Write returns.
func (w written) result() (int, error) {
	if w.panicked != nil {
		panic(w.panicked) // in the goroutine that knows what to do about it
	}
	return w.n, w.err
}

// newOutlet returns the outlet of a terminal. It has a goroutine until close.
func newOutlet(out io.Writer) *outlet {
	o := &outlet{out: out, work: make(chan []byte), done: make(chan written, 1), ending: make(chan struct{})}
	go func() {
		for b := range o.work {
			o.done <- o.write(b)
		}
	}()
	return o
}

func (o *outlet) write(b []byte) (w written) {
	defer func() { w.panicked = recover() }()
	w.n, w.err = o.out.Write(b)
	return w
}

// Write implements [io.Writer]. It must not be called by two goroutines at once.
func (o *outlet) Write(b []byte) (int, error) {
	switch {
	case o.stuck:
		return 0, ErrStuck
	case o.silent.Load():
		return len(b), nil
	}
	o.buf = append(o.buf[:0], b...)
	o.work <- o.buf
	select {
	case w := <-o.done:
		return w.result()
	case <-o.ending:
	}
	late := time.NewTimer(leaveTime)
	defer late.Stop()
	select {
	case w := <-o.done:
		return w.result()
	case <-late.C:
		o.stuck = true
		return 0, ErrStuck
	}
}

// end bounds the time of every write from now on.
func (o *outlet) end() { o.endOnce.Do(func() { close(o.ending) }) }

// silence drops what is written from now on.
func (o *outlet) silence() { o.silent.Store(true) }

// close ends the goroutine. Nothing may be written after it.
func (o *outlet) close() { o.closeOnce.Do(func() { close(o.work) }) }
