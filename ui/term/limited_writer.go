package term

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// exitWriteTimeout limits one write while a program ends.
const exitWriteTimeout = time.Second

// limitedWriter writes to a terminal that may stop reading, as a hung SSH client does. A write
// blocks until the terminal reads, unless the program is ending. In that case the write fails with
// [ErrStuck] after exitWriteTimeout, and so does every later write. The bytes of the blocked write
// remain with a goroutine that ends when the terminal reads again or is closed.
type limitedWriter struct {
	out     io.Writer
	writes  chan []byte
	results chan writeResult

	silenced  atomic.Bool   // drop all further writes
	ending    chan struct{} // closed when the program is asked to end
	endOnce   sync.Once
	closeOnce sync.Once

	buf   []byte // the bytes being written; this and the next field are used only by Write
	stuck bool
}

// writeResult is the result of a write.
type writeResult struct {
	n        int
	err      error
	panicked any // value of a panic; nil: none
}

// unwrap returns the results of Write, or panics if the write panicked.
func (w writeResult) unwrap() (int, error) {
	if w.panicked != nil {
		panic(w.panicked) // in the goroutine that handles panics
	}
	return w.n, w.err
}

// newLimitedWriter returns the writer for a terminal. It runs a goroutine until close.
func newLimitedWriter(out io.Writer) *limitedWriter {
	o := &limitedWriter{out: out, writes: make(chan []byte), results: make(chan writeResult, 1), ending: make(chan struct{})}
	go func() {
		for b := range o.writes {
			o.results <- o.writeOut(b)
		}
	}()
	return o
}

func (o *limitedWriter) writeOut(b []byte) (w writeResult) {
	defer func() { w.panicked = recover() }()
	w.n, w.err = o.out.Write(b)
	return w
}

// Write implements [io.Writer]. It must not be called concurrently.
func (o *limitedWriter) Write(b []byte) (int, error) {
	switch {
	case o.stuck:
		return 0, ErrStuck
	case o.silenced.Load():
		return len(b), nil
	}
	o.buf = append(o.buf[:0], b...)
	o.writes <- o.buf
	select {
	case w := <-o.results:
		return w.unwrap()
	case <-o.ending:
	}
	timeout := time.NewTimer(exitWriteTimeout)
	defer timeout.Stop()
	select {
	case w := <-o.results:
		return w.unwrap()
	case <-timeout.C:
		o.stuck = true
		return 0, ErrStuck
	}
}

// limitWrites limits the time of every further write to exitWriteTimeout.
func (o *limitedWriter) limitWrites() { o.endOnce.Do(func() { close(o.ending) }) }

// silence makes Write drop all further output.
func (o *limitedWriter) silence() { o.silenced.Store(true) }

// close ends the goroutine. Write must not be called afterwards.
func (o *limitedWriter) close() { o.closeOnce.Do(func() { close(o.writes) }) }
