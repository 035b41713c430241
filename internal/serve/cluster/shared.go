package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// shared has the open buckets and streams of [Common].
type shared struct {
	notes, locks *entries
	audit        jetstream.Stream

	held      jetstream.Stream // the stream of the bucket of locks
	made      time.Time        // when that stream was created, which identifies it
	notBefore time.Time        // no lock may be taken before

	mu    sync.Mutex
	looks []look
}

// look is the last revision of the locks at a time, by this node's clock.
type look struct {
	rev uint64
	at  time.Time
}

// mostLooks bounds the number of remembered looks, which cover more than one and a half
// terms.
const mostLooks = 8

// observe records the last revision of the locks four times per term. The records give the
// minimum age of a lock, independent of the clocks of other nodes.
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

// olderThan reports whether a revision of the locks is known to be older than age.
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

// errMadeAnew means that the opened locks were lost and the stream was created again.
var errMadeAnew = fmt.Errorf("the locks were recreated: %w", jetstream.ErrStreamNotFound)

// unchanged returns an error if the stream of the locks is not the one that was opened.
func (s *shared) unchanged(ctx context.Context) error {
	info, err := soon(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.held.Info(ctx) })
	if err == nil && !info.Created.Equal(s.made) {
		return errMadeAnew
	}
	return err
}
