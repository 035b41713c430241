package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// sharedBuckets holds the open buckets and streams of a [SharedData].
type sharedBuckets struct {
	notes, locks *kvBucket
	audit        jetstream.Stream

	lockStream        jetstream.Stream // stream behind the bucket of locks
	lockStreamCreated time.Time        // creation time of the stream, which identifies it
	noLocksBefore     time.Time        // no lock may be taken before this time

	mu            sync.Mutex
	lockRevisions []lockRevision
}

// lockRevision is the last revision of the locks at a time on this node's clock.
type lockRevision struct {
	revision uint64
	time     time.Time
}

// maxRevisions is the maximum number of remembered revisions. Eight revisions cover more
// than one and a half lock terms.
const maxRevisions = 8

// recordRevision records the newest revision of the locks, at most four times per lock term. The recorded
// revisions give the minimum age of a lock without relying on the clocks of other nodes.
func (s *sharedBuckets) recordRevision(ctx context.Context, now func() time.Time, term time.Duration) error {
	s.mu.Lock()
	isDue := len(s.lockRevisions) == 0 || now().Sub(s.lockRevisions[len(s.lockRevisions)-1].time) >= term/4
	s.mu.Unlock()
	if !isDue {
		return nil
	}
	info, err := withShortTimeout(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.lockStream.Info(ctx) })
	switch {
	case err != nil:
		return err
	case !info.Created.Equal(s.lockStreamCreated):
		return errLocksRecreated
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lockRevisions = append(s.lockRevisions, lockRevision{info.State.LastSeq, now()})
	if excess := len(s.lockRevisions) - maxRevisions; excess > 0 {
		s.lockRevisions = append(s.lockRevisions[:0], s.lockRevisions[excess:]...)
	}
	return nil
}

// isOlderThan reports whether a revision of the locks is known to be older than age.
func (s *sharedBuckets) isOlderThan(rev uint64, now time.Time, age time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lockRevisions {
		if l.revision >= rev {
			return now.Sub(l.time) > age
		}
	}
	return false
}

// errLocksRecreated means that the locks were lost and their stream was created again.
var errLocksRecreated = fmt.Errorf("the locks were recreated: %w", jetstream.ErrStreamNotFound)

// checkUnchanged returns an error if the stream of the locks was created again since it was
// opened, or if it cannot be checked.
func (s *sharedBuckets) checkUnchanged(ctx context.Context) error {
	info, err := withShortTimeout(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.lockStream.Info(ctx) })
	if err == nil && !info.Created.Equal(s.lockStreamCreated) {
		return errLocksRecreated
	}
	return err
}
