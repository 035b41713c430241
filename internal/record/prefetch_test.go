package record

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// TestStepsAreRead moves through a recording in steps and jumps, slower and faster than
// the prefetching, and checks that each snapshot is correct and does not change
// afterwards.
func TestStepsAreRead(t *testing.T) {
	t.Parallel()
	const seconds = 400
	path := filepath.Join(testkit.PrivateDir(t), "a.wbr")
	all := film(t, path, 5, seconds, 60, true)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Replay(morning, 0, nil)
	defer f.Close() //nolint:errcheck // it was read from
	rng := rand.New(rand.NewPCG(5, 1))
	store := f.player.store
	type then struct {
		told    string
		version uint64
	}
	kept := make(map[*model.Snapshot]then)
	posed, at, step := 0, 200, 10
	for range 500 {
		if rng.IntN(8) == 0 {
			step = []int{10, -10, 60, -60, 1, 0}[rng.IntN(6)]
		}
		if at += step; at < 1 || at > seconds || rng.IntN(15) == 0 {
			at = 1 + rng.IntN(seconds)
		}
		for rest := rng.IntN(2) == 0; rest && f.player.prefetcher.isBusy(); {
			runtime.Gosched()
		}
		before := f.player.prefetcher.snapshotJobs
		if err := f.SeekTo(morning.Add(time.Duration(at) * time.Second)); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(before, func(s *snapshotJob) bool { return s.isDone.Load() && s.reader == f.player.current }) {
			posed++
		}
		s := f.Latest()
		if got := told(t, s); got != all[at-1] {
			t.Fatalf("after a step of %d s, at %d s: wrong snapshot", step, at)
		}
		kept[s] = then{all[at-1], store.Version()}
	}
	for s, was := range kept {
		later := func(r *model.User) bool { return store.Users.ChangedSince(r, was.version) }
		if told(t, s) != was.told || slices.ContainsFunc(s.Users.Rows(), later) {
			t.Errorf("the picture of %v has changed", s.At)
		}
	}
	if posed < 100 {
		t.Errorf("%d of 500 snapshots were prefetched", posed)
	}
}
