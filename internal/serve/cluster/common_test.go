package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestActionsNoneTwice lets three nodes lock the same targets at the same time while one of them is cut
// off and comes back, or each in turn with CLUSTER_CUTS=3. Two nodes must never have the same lock.
func TestActionsNoneTwice(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, nil)
	s.settled()
	ctx, stop := context.WithCancel(t.Context())
	var inside [5]atomic.Int64
	var given, refused, unanswered atomic.Int64
	var all sync.WaitGroup
	for i := range s.nodes {
		c := s.nodes[i].Shared
		for target := range inside {
			all.Go(func() {
				for ctx.Err() == nil {
					lock, err := c.Lock(ctx, fmt.Sprint("call ", target))
					var taken *TargetLockedError
					switch {
					case errors.As(err, &taken):
						refused.Add(1)
					case err != nil:
						unanswered.Add(1)
						time.Sleep(time.Millisecond) //nolint:forbidigo // a second press
					default:
						if n := inside[target].Add(1); n > 1 {
							t.Errorf("%d act on target %d", n, target)
						}
						given.Add(1)
						inside[target].Add(-1)
						lock.Release(true)
					}
				}
			})
		}
	}
	await(t, "many locks", func() bool { return given.Load() > 100 })
	for i := range s.nodes[:rounds(t, "CLUSTER_CUTS", 1)] {
		s.cutOff(i)
		before := given.Load()
		await(t, "locks without one node", func() bool { return given.Load() > before+50 })
		s.mend()
		s.settled()
	}
	stop()
	all.Wait()
	t.Logf("%d given, %d refused, %d not answered", given.Load(), refused.Load(), unanswered.Load())
	if refused.Load() == 0 {
		t.Error("nobody was ever refused")
	}
}

// rounds returns the number of repetitions: the value of an environment variable, or short if it is not
// set.
func rounds(t *testing.T, name string, short int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return short
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q", name, text)
	}
	return n
}

// TestNotes checks that a note of one node reaches all other nodes, including one that follows the notes
// later.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3, nil)
	s.settled()
	var mu sync.Mutex
	heard := make(map[int][]string)
	listen := func(i int) {
		c := s.nodes[i].Shared
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.FollowNotes(ctx, func(b []byte) {
				mu.Lock()
				defer mu.Unlock()
				heard[i] = append(heard[i], string(b))
			})
		}()
		t.Cleanup(func() { stop(); <-done })
	}
	has := func(i int, text string) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Contains(heard[i], text)
		}
	}
	listen(0)
	listen(1)
	await(t, "a note is taken", func() bool { return s.nodes[0].Shared.SendNote(t.Context(), "ack 1", []byte("anna")) == nil })
	t.Logf("known by another node after %v", await(t, "it is known", has(1, "anna")))
	if err := s.nodes[1].Shared.SendNote(t.Context(), "ack 1", []byte("marco")); err != nil {
		t.Fatal(err)
	}
	t.Logf("known by another node after %v", await(t, "it is known", has(0, "marco")))
	listen(2)
	await(t, "it is known later", has(2, "marco"))
	if has(2, "anna")() {
		t.Error("a replaced note is sent")
	}
}

// TestAuditCopy checks that each line of the nodes' audit files is copied once, including lines that were
// written while a node was stopped or before its file was renamed.
func TestAuditCopy(t *testing.T) {
	t.Parallel()
	inCluster(t)
	dir := testkit.PrivateDir(t)
	path := func(i int) string { return filepath.Join(dir, fmt.Sprint("audit", i)) }
	write := func(i int, lines ...string) {
		f, err := os.OpenFile(path(i), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if _, err := f.WriteString(l); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(0, "one\n")
	s := newSite(t, 3, func(i int, o *Options) { o.AuditFile = path(i) })
	s.settled()
	copied := func(want ...string) {
		t.Helper()
		await(t, fmt.Sprint(want, " copied"), func() bool {
			var got []string
			err := s.nodes[2].Shared.ReadAuditCopies(t.Context(), func(node string, line []byte) error {
				got = append(got, node+" "+string(bytes.Clone(line)))
				return nil
			})
			slices.Sort(got)
			return err == nil && slices.Equal(got, want)
		})
	}
	copied("wb1 one")
	write(0, "tw", "o\n", "thr")
	write(1, "four\n")
	copied("wb1 one", "wb1 two", "wb2 four")
	s.end(0)
	write(0, "ee\n")
	if err := os.Rename(path(0), path(0)+".1"); err != nil {
		t.Fatal(err)
	}
	write(0, "five\n")
	s.start(0)
	copied("wb1 five", "wb1 one", "wb1 three", "wb1 two", "wb2 four")
	if err := os.Rename(path(0)+".1", path(0)+".2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path(0), path(0)+".1"); err != nil {
		t.Fatal(err)
	}
	write(0, "six\n")
	copied("wb1 five", "wb1 one", "wb1 six", "wb1 three", "wb1 two", "wb2 four")
}
