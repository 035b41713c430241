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

// terminalCheckInterval is the interval at which a program checks whether its terminal still exists.
const terminalCheckInterval = 2 * time.Second

// hangups decides what SIGHUP does. A program whose terminal is gone ends. Otherwise a service
// continues, reads its configuration again and reopens its log; any other program ends.
//
// A process that was started with SIGHUP ignored, for example by nohup, keeps ignoring it.
//
// A closed SSH session sends SIGHUP, possibly twice. A program in a session with another terminal
// or without one receives no SIGHUP, so it checks its terminal periodically.
type hangups struct {
	mu         sync.Mutex
	handlers   []*func() bool // called on SIGHUP; each returns whether the program continues
	services   int            // number of running services, which need no terminal
	lastSignal time.Time      // time of the last SIGHUP
}

// maxStartTime is the longest time that the start of a program may take. A handler that is
// registered within this time after a SIGHUP is called at once, so that a signal during the start
// is not lost.
const maxStartTime = time.Minute

// watch handles SIGHUP in a goroutine until stop. It returns a context that is canceled when the
// program must end: after a SIGHUP without a handler that continues, or when the terminal is gone.
func (h *hangups) watch(ctx context.Context, onTerminal func() bool) (watched context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	ignored := signal.Ignored(syscall.SIGHUP)
	if !ignored {
		signal.Notify(signals, syscall.SIGHUP)
	}
	hadTerminal := onTerminal()
	terminalLost := func() bool { return hadTerminal && !onTerminal() }
	done := make(chan struct{})
	ticker := time.NewTicker(terminalCheckInterval)
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

// callHandlers calls all handlers and reports whether at least one of them lets the program
// continue.
func (h *hangups) callHandlers() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lastSignal = time.Now()
	continues := false
	for _, handler := range h.handlers {
		continues = (*handler)() || continues
	}
	return continues
}

// hasService reports whether the program runs a service, which needs no terminal.
func (h *hangups) hasService() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.services > 0
}

// addHandler registers a handler for SIGHUP until stop is called. The handler returns whether the
// program continues. Its calls are serialized, and it must not block.
func (h *hangups) addHandler(handler func() bool) (stop func()) {
	if h == nil { // h is nil in tests without signals
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

// markService marks the program as a service until stop is called. A service needs no terminal, and
// SIGHUP does not end it, not even during its start.
func (h *hangups) markService() (stop func()) {
	if h == nil {
		return func() {}
	}
	h.mu.Lock()
	h.services++
	h.mu.Unlock()
	end := h.addHandler(func() bool { return true })
	return func() {
		end()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.services--
	}
}
