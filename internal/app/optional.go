package app

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

// OptionalService is a service that a board can work without, such as metrics. A goroutine tries to
// start the service until it succeeds or Stop is called.
type OptionalService struct {
	Stop func()

	startProblem atomic.Pointer[string] // why the service has not started; nil: it has
}

// startRetryInterval is the interval between two attempts to start an optional service.
const startRetryInterval = 5 * time.Second

// StartOptional starts the service name by calling start, which returns a function that ends the
// service. If start fails, StartOptional logs the error and tries again every [startRetryInterval].
// The first attempt writes warnings to warn. Later attempts discard warnings, because the board
// uses the screen.
func StartOptional(ctx context.Context, log *slog.Logger, name string, warn io.Writer, start func(warn io.Writer) (end func(), err error)) *OptionalService {
	ctx, cancel := context.WithCancel(ctx)
	s, done := &OptionalService{}, make(chan struct{})
	end, err := start(warn)
	if err != nil {
		log.Warn("cannot start yet", "part", name, "every", startRetryInterval, "error", err)
		why := err.Error()
		s.startProblem.Store(&why)
	}
	go func() {
		defer close(done)
		tick := time.NewTicker(startRetryInterval)
		defer tick.Stop()
		for ; err != nil; end, err = start(io.Discard) {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		if s.startProblem.Swap(nil) != nil {
			log.Info("started", "part", name)
		}
	}()
	s.Stop = func() {
		cancel()
		<-done
		if end != nil {
			end()
		}
	}
	return s
}

// ProblemText returns the reason why the service has not started, or "" if it has started.
func (s *OptionalService) ProblemText() string {
	if why := s.startProblem.Load(); why != nil {
		return "Trying again: " + *why
	}
	return ""
}
