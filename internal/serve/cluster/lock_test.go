package cluster

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const aCall = "hang up call 7"

// shortLocks sets the term of the locks of a site to 1.5 s.
func shortLocks(_ int, o *Options) { o.lockTerm = 1500 * time.Millisecond }

// lock requests a lock for a node until the cluster answers.
func (s *site) lock(i int) (l *Lock, err error) {
	s.t.Helper()
	await(s.t, "an answer", func() bool {
		l, err = s.nodes[i].Shared.Lock(s.t.Context(), aCall)
		return !errors.Is(err, ErrNoAnswer)
	})
	return l, err
}

// mustLock requests a lock for a node until the node has it.
func (s *site) mustLock(i int) (l *Lock) {
	s.t.Helper()
	await(s.t, s.nodes[i].o.Node+" gets the lock", func() bool {
		var err error
		l, err = s.lock(i)
		return err == nil
	})
	return l
}

// TestLocks lets three nodes request the same lock: one node has it for as long as it wants, and another
// node gets it after the release.
func TestLocks(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3, shortLocks)
	s.settled()
	l := s.mustLock(0)
	for until := time.Now().Add(2 * s.nodes[0].o.lockTerm); time.Now().Before(until); {
		var taken *TargetLockedError
		for i := range s.nodes {
			if _, err := s.lock(i); !errors.As(err, &taken) || taken.Node != "wb1" {
				t.Fatalf("wb%d: %v", i+1, err)
			}
		}
	}
	if err := l.Confirm(t.Context()); err != nil || !l.IsHeld() {
		t.Fatalf("it is not renewed: %v", err)
	}
	l.Release(true)
	l = s.mustLock(1)
	other, err := s.nodes[2].Shared.Lock(t.Context(), "hang up call 8")
	if err != nil {
		t.Fatalf("another target: %v", err)
	}
	other.Release(true)
	l.Release(true)
	s.mustLock(2).Release(true)
}

// TestLockOfWhoIsGone stops a node that has a lock. If the node had not sent anything, another node gets
// the lock after its term. Otherwise the first node that requests the lock is told, once, that the
// outcome is unknown.
func TestLockOfWhoIsGone(t *testing.T) {
	t.Parallel()
	inCluster(t)
	for _, sent := range []bool{false, true} {
		s := newSite(t, 3, shortLocks)
		s.settled()
		l := s.mustLock(1)
		if sent {
			if err := l.Confirm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s.cutOff(1)
		s.end(1)
		var unclear *UnknownOutcomeError
		told := 0
		await(t, "another one has the lock", func() bool {
			got, err := s.nodes[2].Shared.Lock(t.Context(), aCall)
			if errors.As(err, &unclear) {
				told++
			}
			if err == nil {
				got.Release(true)
			}
			return err == nil
		})
		if l.IsHeld() {
			t.Error("two nodes had the lock")
		}
		if sent && (told != 1 || unclear.Node != "wb2") || !sent && told > 0 {
			t.Errorf("sent: %v, and %d times told: %v", sent, told, unclear)
		}
		l.Release(true)
	}
}

// TestLockAfterSleep suspends a node that has a lock, while another node gets the lock: the first node
// may not send anything when it continues.
func TestLockAfterSleep(t *testing.T) {
	t.Parallel()
	inCluster(t)
	var asleep atomic.Int64
	s := newSite(t, 3, func(i int, o *Options) {
		shortLocks(i, o)
		if i == 0 {
			o.Now = func() time.Time { return time.Now().Add(time.Duration(asleep.Load())) }
		}
	})
	s.settled()
	l := s.mustLock(0)
	l.stop() // the lock is no longer renewed
	other := s.mustLock(1)
	if l.IsHeld() {
		t.Error("two nodes have the lock")
	}
	var taken *TargetLockedError
	await(t, "it may not send", func() bool {
		err := l.Confirm(t.Context())
		if err == nil {
			t.Fatal("the suspended node may still send")
		}
		return errors.As(err, &taken) && taken.Node == "wb2"
	})
	l.Release(true)
	if err := other.Confirm(t.Context()); err != nil || !other.IsHeld() {
		t.Errorf("the other node no longer has the lock: %v", err)
	}
	other.Release(true)
	l = s.mustLock(0)
	if !l.IsHeld() {
		t.Error("the lock does not hold")
	}
	l.stop()
	for _, long := range []time.Duration{s.nodes[0].o.lockTerm / 2, time.Minute} { // between the confirmation and the request
		asleep.Store(int64(long))
		if l.IsHeld() {
			t.Errorf("the lock holds %v after its last renewal, when it may expire before the request is executed", long)
		}
	}
	l.Release(true)
}

// TestLockInDoubt releases a lock with an unknown outcome: the next node that requests the lock is told
// so, once. The same node is not told.
func TestLockInDoubt(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3, nil)
	s.settled()
	for _, again := range []int{1, 0} { // the node that requests the lock next
		l := s.mustLock(0)
		if err := l.Confirm(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.Release(false)
		if again != 0 {
			var unclear *UnknownOutcomeError
			if _, err := s.lock(again); !errors.As(err, &unclear) || unclear.Node != "wb1" || !strings.Contains(err.Error(), "check whether it was done") {
				t.Errorf("wb%d: %v", again+1, err)
			}
		}
		s.mustLock(again).Release(true)
	}
}

// TestLockCutOff cuts a node off: it gets no lock, and cannot act with a lock that it has. A node that
// may act alone acts with a warning. After the cut, both get locks without a warning.
func TestLockCutOff(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, func(i int, o *Options) { o.ActWithoutMajority = i == 2 })
	s.settled()
	for _, i := range []int{1, 2} {
		mine := s.mustLock(i)
		s.cutOff(i)
		if err := mine.Confirm(t.Context()); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("an earlier lock still allows the node to send: %v", err)
		}
		mine.Release(true)
		m, says := s.nodes[i], map[int]string{1: "Actions wait.", 2: "Actions go on"}[i]
		await(t, "it is cut off", func() bool { return m.Status().CutOff })
		await(t, "its board says so", func() bool { return strings.Contains(m.Latest().Health.Notice, says) })
		l, err := m.Shared.Lock(t.Context(), "another call")
		switch {
		case i == 1 && !errors.Is(err, ErrCutOff):
			t.Errorf("the node acts: %v", err)
		case i == 2 && (err != nil || l.Warning() == "" || l.Confirm(t.Context()) != nil || !l.IsHeld()):
			t.Errorf("the node does not act: %v", err)
		case i == 2:
			l.Release(true)
		}
		s.mend()
		s.settled()
		l = s.mustLock(i)
		if l.Warning() != "" {
			t.Errorf("the lock has a warning: %s", l.Warning())
		}
		l.Release(true)
	}
}

// TestLocksMadeAnew deletes the stored locks while a node has one: no other node gets the lock before its
// term has ended, and the lost lock cannot be confirmed.
func TestLocksMadeAnew(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, shortLocks)
	s.settled()
	l := s.mustLock(0)
	await(t, "all know which locks there are", func() bool {
		for _, m := range s.nodes {
			if m.Shared.currentBuckets() == nil {
				return false
			}
		}
		return true
	})
	await(t, "they are deleted", func() bool {
		return s.nodes[0].leases.jetStream.DeleteStream(t.Context(), "KV_"+s.nodes[0].subjects.bucketName(bucketLocks)) == nil
	})
	await(t, "another one has a lock", func() bool {
		for _, m := range s.nodes[1:] {
			if next, err := m.Shared.Lock(t.Context(), aCall); err == nil {
				if l.IsHeld() {
					t.Error("two nodes have the lock")
				}
				next.Release(true)
				return true
			}
		}
		return false
	})
	if err := l.Confirm(t.Context()); err == nil {
		t.Error("a lock that was lost is confirmed")
	}
	l.Release(true)
}

// TestOlderThan checks that the age of a lock is measured from the time at which this node saw its
// revision.
func TestOlderThan(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := &sharedBuckets{lockRevisions: []lockRevision{{10, now.Add(-50 * time.Second)}, {12, now.Add(-40 * time.Second)}, {20, now.Add(-10 * time.Second)}}}
	for rev, old := range map[uint64]bool{9: true, 10: true, 12: true, 13: false, 20: false, 21: false} {
		if s.isOlderThan(rev, now, 33*time.Second) != old {
			t.Errorf("revision %d: not %v", rev, old)
		}
	}
}
