package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// lookEvery is how often a program looks whether its terminal is still there.
const lookEvery = 2 * time.Second

// hangups decides what SIGHUP means. A program that was started on a terminal which is
// gone ends. Otherwise a program that listens goes on: it reads its configuration again
// and opens its log again. A program that does not listen ends.
//
// A process that was started with SIGHUP ignored, by nohup for example, keeps ignoring it.
//
// A closed SSH session hangs up, and may do so twice. Nobody hangs up on a program in a
// session of another terminal, or of none: it looks at its own from time to time.
type hangups struct {
	mu       sync.Mutex
	taken    []*func() bool // of those that listen; they report whether they go on
	services int            // how many of them do without a terminal
}

// watch returns a context that ends when the terminal is gone, if there is one to begin
// with. It has one goroutine until stop.
func (h *hangups) watch(ctx context.Context, onTerminal func() bool) (watched context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	ignored := signal.Ignored(syscall.SIGHUP)
	if !ignored {
		signal.Notify(signals, syscall.SIGHUP)
	}
	began := onTerminal()
	gone := func() bool { return began && !onTerminal() }
	done := make(chan struct{})
	look := time.NewTicker(lookEvery)
	if !began {
		look.Stop()
	}
	go func() {
		defer close(done)
		defer look.Stop()
		for {
			select {
			case <-signals:
				if gone() || !h.take() {
					cancel()
				}
			case <-look.C:
				if gone() && (!ignored || !h.serves()) {
					cancel()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(); <-done; signal.Stop(signals) }
}

func (h *hangups) take() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	goesOn := false
	for _, taken := range h.taken {
		goesOn = (*taken)() || goesOn
	}
	return goesOn
}

// serves reports whether a service runs.
func (h *hangups) serves() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.services > 0
}

// listen has SIGHUP call taken until stop. Calls come one at a time, and taken must not wait.
func (h *hangups) listen(taken func() bool) (stop func()) {
	if h == nil { // a test without signals
		return func() {}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken = append(h.taken, &taken)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.taken = slices.DeleteFunc(h.taken, func(t *func() bool) bool { return t == &taken })
	}
}

// serve notes that a service runs, until stop: it needs no terminal, and SIGHUP does not
// end it, not even while it starts.
func (h *hangups) serve() (stop func()) {
	if h == nil {
		return func() {}
	}
	h.mu.Lock()
	h.services++
	h.mu.Unlock()
	end := h.listen(func() bool { return true })
	return func() {
		end()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.services--
	}
}
