package term

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/term"
)

// exitWriteTimeout is the maximum duration of a write while the program is ending.
const exitWriteTimeout = time.Second

// limitedWriter writes to a terminal that may stop reading, as a hung SSH client does. A write
// blocks until the terminal reads. When the program is ending, a blocked write instead fails with
// [ErrNotReading] after exitWriteTimeout, and so does every later write. A goroutine keeps the bytes of
// the blocked write; it ends when the terminal reads again or is closed.
type limitedWriter struct {
	out     io.Writer
	writes  chan []byte
	results chan writeResult

	outputDropped atomic.Bool   // further output is dropped
	ending        chan struct{} // closed when the program is ending
	endOnce       sync.Once
	closeOnce     sync.Once

	buf   []byte // copy of the bytes being written; like stuck, used only by Write
	stuck bool
}

type writeResult struct {
	n          int
	err        error
	panicValue any // value of a panic during the write; nil: no panic
}

// unwrap returns the results of the write. It panics if the write panicked.
func (w writeResult) unwrap() (int, error) {
	if w.panicValue != nil {
		panic(w.panicValue) // panic in the goroutine of the caller, which handles panics
	}
	return w.n, w.err
}

// newLimitedWriter returns a writer for the terminal out. It starts a goroutine, which is ended by
// close.
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
	defer func() { w.panicValue = recover() }()
	w.n, w.err = o.out.Write(b)
	return w
}

// Write implements [io.Writer]. It must not be called concurrently.
func (o *limitedWriter) Write(b []byte) (int, error) {
	switch {
	case o.stuck:
		return 0, ErrNotReading
	case o.outputDropped.Load():
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
		return 0, ErrNotReading
	}
}

// limitWrites limits the duration of the current write and all later writes to exitWriteTimeout.
func (o *limitedWriter) limitWrites() { o.endOnce.Do(func() { close(o.ending) }) }

// dropOutput makes Write drop all further output.
func (o *limitedWriter) dropOutput() { o.outputDropped.Store(true) }

// close ends the goroutine of the writer. Write must not be called afterwards.
func (o *limitedWriter) close() { o.closeOnce.Do(func() { close(o.writes) }) }

// LimitOutput returns a writer for out. After ctx has ended, a write that takes longer than
// exitWriteTimeout fails with [ErrNotReading], so that the program ends even if its output is not read.
// The writer is a [term.File] if out is one. It must not be used concurrently or after release.
func LimitOutput(ctx context.Context, out io.Writer) (limited io.Writer, release func()) {
	w := newLimitedWriter(out)
	stop := context.AfterFunc(ctx, w.limitWrites)
	release = func() { stop(); w.close() }
	if f, ok := out.(term.File); ok {
		return limitedFile{f, w}, release
	}
	return w, release
}

// limitedFile is a file whose writes a limitedWriter limits.
type limitedFile struct {
	term.File

	limited *limitedWriter
}

// Write implements [io.Writer].
func (f limitedFile) Write(b []byte) (int, error) { return f.limited.Write(b) }
