package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// shared is what the nodes keep together, as it was opened.
type shared struct {
	notes, locks *entries
	audit        jetstream.Stream

	held      jetstream.Stream // what keeps the locks
	made      time.Time        // which one it is
	notBefore time.Time        // no lock is given before

	mu    sync.Mutex
	looks []look
}

// look is a revision of the locks that there was at a time, by this node's clock alone.
type look struct {
	rev uint64
	at  time.Time
}

// mostLooks is how many are remembered: more than for one and a half terms.
const mostLooks = 8

// observe notes which revision of the locks there is, four times within a term: from that
// follows how old a lock is at least, however the clocks of others are set.
func (s *shared) observe(ctx context.Context, now func() time.Time, term time.Duration) error {
	s.mu.Lock()
	due := len(s.looks) == 0 || now().Sub(s.looks[len(s.looks)-1].at) >= term/4
	s.mu.Unlock()
	if !due {
		return nil
	}
	info, err := soon(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.held.Info(ctx) })
	switch {
	case err != nil:
		return err
	case !info.Created.Equal(s.made):
		return errMadeAnew
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks = append(s.looks, look{info.State.LastSeq, now()})
	if over := len(s.looks) - mostLooks; over > 0 {
		s.looks = append(s.looks[:0], s.looks[over:]...)
	}
	return nil
}

// olderThan reports whether a revision of the locks is known to be older than a time.
func (s *shared) olderThan(rev uint64, now time.Time, age time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.looks {
		if l.rev >= rev {
			return now.Sub(l.at) > age
		}
	}
	return false
}

// errMadeAnew says that the locks are not those that were opened: these were lost.
var errMadeAnew = fmt.Errorf("what keeps the locks was made anew: %w", jetstream.ErrStreamNotFound)

// unchanged reports with an error whether the locks are not those that were opened.
func (s *shared) unchanged(ctx context.Context) error {
	info, err := soon(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.held.Info(ctx) })
	if err == nil && !info.Created.Equal(s.made) {
		return errMadeAnew
	}
	return err
}
