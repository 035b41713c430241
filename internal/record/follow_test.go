package record

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
)

// TestGrownIsFoundAsOpened extends files by some bytes at a time and compares the
// result with a newly opened file, intact and damaged.
func TestGrownIsFoundAsOpened(t *testing.T) {
	t.Parallel()
	source := filepath.Join(testkit.PrivateDir(t), "a.wbr")
	film(t, source, 3, 95, 20, true)
	whole, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		dir := testkit.PrivateDir(t)
		path := filepath.Join(dir, "a.wbr")
		b := append([]byte(nil), whole...)
		if rng.IntN(2) == 0 {
			b[len(b)/2+rng.IntN(len(b)/3)] ^= 0x55
		}
		n := blocksOf(t, source)[0].to + rng.IntN(len(b)/4)
		write := func() {
			if err := os.WriteFile(path, b[:n], 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write()
		grown, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		var u unpacker
		for n < len(b) {
			n = min(n+1+rng.IntN(len(b)/8), len(b))
			write()
			grown = grown.reopen(&u)
			fresh, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fresh.Info(), grown.Info()); diff != "" {
				t.Fatalf("at %d of %d bytes (-opened +grown):\n%s", n, len(b), diff)
			}
			if grown.reopen(&u) != grown {
				t.Fatal("nothing has come, and it is another")
			}
			if err := fresh.Close(); err != nil {
				t.Error(err)
			}
		}
		u.close()
		if err := grown.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFilmFollows opens a film in the first seconds of a recording. Earlier files that appear later are shown
// on request, playing to the end includes new data, and removed files are no longer played.
func TestFilmFollows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		now := newFloor(4)
		now.at = morning.Add(time.Hour)
		writer := growing(t, filepath.Join(dir, "20260709T090000.000Z.wbr"), now)
		writer(3)
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		opened := r.Info()
		f := r.Replay(opened.Last, 1, nil).FollowRecording()
		asked := morning.Add(30 * time.Second)
		goTo := func(at time.Time) {
			t.Helper()
			if err := f.SeekTo(at); err != nil {
				t.Fatal(err)
			}
		}
		goTo(asked)
		if !f.At().Equal(opened.First) {
			t.Errorf("at %v, where nothing is recorded yet", f.At())
		}
		seq := f.Latest().Seq
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- f.Play(ctx) }()
		before := filepath.Join(dir, "20260709T080000.000Z.wbr")
		all := film(t, before, 3, 60, 20, true)
		writer(3)
		pass := func(d time.Duration) {
			time.Sleep(d) //nolint:forbidigo // of a clock that is not real
			synctest.Wait()
		}
		pass(2 * time.Second)
		if from, to := f.Span(); !from.Equal(morning.Add(time.Second)) || !to.Equal(opened.Last.Add(3*time.Second)) {
			t.Errorf("span from %v to %v", from, to)
		}
		goTo(asked)
		if s := f.Latest(); told(t, s) != all[29] || s.Seq <= seq {
			t.Errorf("at %v: wrong snapshot", f.At())
		}
		_, end := f.Span()
		goTo(end)
		for range 30 {
			writer(1)
			pass(time.Second)
		}
		if late := now.at.Sub(f.At()); late > 2*followInterval {
			t.Errorf("playback at the end is %v late", late)
		}
		if err := os.Remove(before); err != nil {
			t.Fatal(err)
		}
		pass(2 * slowFollowInterval)
		if from, _ := f.Span(); !from.Equal(opened.First) {
			t.Errorf("a file that is gone is played: from %v", from)
		}
		cancel()
		if err := errors.Join(<-done, f.Close()); err != nil {
			t.Error(err)
		}
	})
}

// growing creates a file and returns a function that appends some seconds of a floor.
func growing(t *testing.T, path string, f *floor) (more func(seconds int)) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	s, err := newSegment(out, Metadata{Board: "test", Platform: "floor"}, f.at, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	return func(seconds int) {
		for range seconds {
			if err := s.writeFrame(f.step(), f.at, n%20 == 0); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
}
