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

// hangups decides what SIGHUP means: to an open board whose terminal is still
// there, that somebody wants its configuration to be read again; else that the
// terminal is gone, which ends the program. A closed SSH session hangs up, and
// may do so twice. Nobody hangs up on a program in a session of another terminal, or
// of none: it looks at its own from time to time.
type hangups struct {
	mu    sync.Mutex
	taken []*func() bool // those of open boards; they report whether they go on
}

// watch returns a context that ends when the terminal is gone, if there is one to begin
// with. It has one goroutine until stop.
func (h *hangups) watch(ctx context.Context, onTerminal func() bool) (watched context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	look := time.NewTicker(lookEvery)
	if !onTerminal() {
		look.Stop()
	}
	go func() {
		defer close(done)
		defer look.Stop()
		for {
			select {
			case <-signals:
				if !h.take() {
					cancel()
				}
			case <-look.C:
				if !onTerminal() {
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

// listen has a board take SIGHUP until stop.
func (h *hangups) listen(taken func() bool) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken = append(h.taken, &taken)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.taken = slices.DeleteFunc(h.taken, func(t *func() bool) bool { return t == &taken })
	}
}
