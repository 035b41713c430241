package terminal

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"wallboard/internal/lib/powersave"
)

// terminalCheckInterval is the interval at which a program checks whether its terminal still exists.
const terminalCheckInterval = 2 * time.Second

// Hangups decides what SIGHUP does. If the terminal of the program is gone, SIGHUP ends the
// program. Otherwise, a service continues: it reads its configuration again and reopens its
// log. SIGHUP ends other programs.
//
// A process that was started with SIGHUP ignored, for example by nohup, keeps ignoring it.
//
// A closed SSH session sends SIGHUP, possibly twice. A program on another terminal gets no
// SIGHUP, so a program with a terminal also checks periodically whether it still exists.
type Hangups struct {
	mu              sync.Mutex
	handlers        []*func() bool // called on SIGHUP; a handler returns true if the program must continue
	runningServices int            // number of running services, which outlive their terminal if SIGHUP is ignored
	lastSignal      time.Time      // time of the last SIGHUP
}

// maxStartTime is the maximum time that the start of a program takes. A handler registered
// within this time after a SIGHUP is called at once, because a signal during the start would
// otherwise be lost.
const maxStartTime = time.Minute

// Watch handles SIGHUP in a goroutine until stop is called. It cancels the returned context
// when the program must end: when the terminal is gone, or after a SIGHUP for which no handler
// returned true. onTerminal reports whether the terminal exists.
func (h *Hangups) Watch(ctx context.Context, onTerminal func() bool) (watched context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	ignored := signal.Ignored(syscall.SIGHUP)
	if !ignored {
		signal.Notify(signals, syscall.SIGHUP)
	}
	hadTerminal := onTerminal()
	terminalLost := func() bool { return hadTerminal && !onTerminal() }
	done := make(chan struct{})
	ticker := powersave.NewTicker(terminalCheckInterval)
	if !hadTerminal {
		ticker.Stop()
	}
	go func() {
		defer close(done)
		defer ticker.Stop()
		for {
			select {
			case <-signals:
				if terminalLost() || !h.callHandlers() {
					cancel()
				}
			case <-ticker.C:
				if terminalLost() && (!ignored || !h.hasService()) {
					cancel()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(); <-done; signal.Stop(signals) }
}

// callHandlers calls all handlers. It reports whether the program must continue because at
// least one of them returned true.
func (h *Hangups) callHandlers() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lastSignal = time.Now()
	continues := false
	for _, handler := range h.handlers {
		continues = (*handler)() || continues
	}
	return continues
}

func (h *Hangups) hasService() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.runningServices > 0
}

// AddHandler registers a handler for SIGHUP until stop is called. The handler returns true if the
// program must continue. Handlers are called one at a time and must not block.
func (h *Hangups) AddHandler(handler func() bool) (stop func()) {
	if h == nil { // tests without signals use nil
		return func() {}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handlers = append(h.handlers, &handler)
	if time.Since(h.lastSignal) < maxStartTime {
		handler()
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.handlers = slices.DeleteFunc(h.handlers, func(t *func() bool) bool { return t == &handler })
	}
}

// MarkService marks the program as a service until stop is called. SIGHUP does not end a service, not even
// while it starts, unless its terminal is gone. If SIGHUP is ignored, a service also outlives its terminal.
func (h *Hangups) MarkService() (stop func()) {
	if h == nil {
		return func() {}
	}
	h.mu.Lock()
	h.runningServices++
	h.mu.Unlock()
	end := h.AddHandler(func() bool { return true })
	return func() {
		end()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.runningServices--
	}
}
