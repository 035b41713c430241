package record

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestFilm plays a recording at three times the speed and checks snapshots and clock
// until the end, and the empty snapshots of gaps.
func TestFilm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		all := film(t, filepath.Join(dir, "a.wbr"), 3, 60, 20, true)
		second := newFloor(4)
		second.at = morning.Add(5 * time.Minute)
		writeFilm(t, filepath.Join(dir, "b.wbr"), second, 5)
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // it was read from, or its size tells
		f := r.Replay(morning.Add(11*time.Second), 3, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- f.Play(ctx) }()
		seq := uint64(0)
		for i := range 10 {
			time.Sleep(time.Second) //nolint:forbidigo // of a clock that is not real
			synctest.Wait()
			s := f.Latest()
			second := int(f.playbackTime().Sub(morning)/time.Second) - 1
			if told(t, s) != all[second] {
				t.Fatalf("after %d s: wrong snapshot at %v", i, f.playbackTime())
			}
			if s.Seq <= seq {
				t.Fatal("a picture that does not come after the one before")
			}
			seq = s.Seq
			if now := f.BoardTime(); !now.Equal(f.playbackTime().Add(-s.Health.ClockOffset)) {
				t.Errorf("clock is %v", now)
			}
		}
		time.Sleep(40 * time.Second) //nolint:forbidigo // likewise
		synctest.Wait()
		if s := f.Latest(); s.Users.Len() > 0 || s.Health.Live() || s.Health.Notice == "" || s.Seq <= seq {
			t.Errorf("in a gap: %d agents, %+v", s.Users.Len(), s.Health.Link)
		}
		time.Sleep(time.Hour) //nolint:forbidigo // likewise
		if at := f.playbackTime(); !at.Equal(second.at) {
			t.Errorf("at the end: %v, want %v", at, second.at)
		}
		waited := make(chan error)
		go func() {
			_, err := f.Wait(ctx, f.Latest().Seq)
			waited <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-waited; err == nil {
			t.Error("waited for a picture after the last, and got one")
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestFilmGoes jumps in a recording at different speeds: the snapshot is available at
// once, with a higher number than the one before.
func TestFilmGoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		all := film(t, filepath.Join(dir, "a.wbr"), 3, 60, 20, true)
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		f := r.Replay(morning, 1, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- f.Play(ctx) }()
		seq := uint64(0)
		for _, second := range []int{40, 10, 59, 1, 25, 24} {
			if err := f.SeekTo(morning.Add(time.Duration(second) * time.Second)); err != nil {
				t.Fatal(err)
			}
			s := f.Latest()
			if told(t, s) != all[second-1] {
				t.Fatalf("wrong snapshot at %d s", second)
			}
			if s.Seq <= seq {
				t.Fatal("a picture that does not come after the one before")
			}
			seq = s.Seq
		}
		f.SetSpeed(0)
		before := f.At()
		time.Sleep(time.Minute) //nolint:forbidigo // of a clock that is not real
		if !f.At().Equal(before) {
			t.Error("playback continues")
		}
		f.SetSpeed(10)
		time.Sleep(2 * time.Second) //nolint:forbidigo // likewise
		if got := f.At().Sub(before); got != 20*time.Second {
			t.Errorf("%v in two seconds", got)
		}
		from, to := f.Span()
		if err := f.SeekTo(to.Add(time.Hour)); err != nil || !f.At().Equal(to) {
			t.Errorf("%v beyond the end: %v", f.At(), err)
		}
		if err := f.SeekTo(from.Add(-time.Hour)); err != nil || f.At().Before(from) {
			t.Errorf("%v before the beginning: %v", f.At(), err)
		}
		n := 0
		for s, err := range f.SampledSnapshots(from, from.Add(30*time.Second), 10*time.Second) {
			if err != nil || told(t, s) != all[10*n] {
				t.Errorf("snapshot %d is wrong", n)
			}
			n++
		}
		if n != 4 {
			t.Errorf("%d pictures of thirty seconds", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestExport exports a part of a recording and checks each snapshot.
func TestExport(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	all := film(t, filepath.Join(dir, "a.wbr"), 6, 40, 15, false)
	r, err := Open(filepath.Join(dir, "a.wbr"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // it was read from, or its size tells
	part := filepath.Join(dir, "part.wbr")
	n, err := Export(t.Context(), r, morning.Add(10*time.Second), morning.Add(30*time.Second), part, nil)
	if err != nil || n != 21 {
		t.Fatalf("%d frames, %v", n, err)
	}
	p, err := Open(part)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close() //nolint:errcheck // it was read from, or its size tells
	if in := p.Info(); len(in.Marks) != 1 || in.Unclosed != 0 || in.About.Platform != "floor" {
		t.Errorf("%+v", in)
	}
	play := p.Player()
	for i := range n {
		s, err := play.Next()
		if err != nil {
			t.Fatal(err)
		}
		if told(t, s) != all[9+i] {
			t.Fatalf("frame %d differs from the snapshot", i)
		}
	}
}

// TestToldTwice plays a time that two files cover, as after a clock change: the later
// recording is shown, not a mix. Through returns both, so that counts detect the
// contradiction.
func TestToldTwice(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	first := film(t, filepath.Join(dir, "a.wbr"), 1, 600, 60, true)
	again := newFloor(2)
	again.at = morning.Add(305 * time.Second)
	second := writeSome(t, filepath.Join(dir, "b.wbr"), again, 120, 60, true)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Replay(morning, 0, nil)
	defer f.Close() //nolint:errcheck // only read from
	later := func(at int) bool { return at > 305 && at <= 305+len(second) }
	for at := 1; at <= 600; at++ {
		if err := f.SeekTo(morning.Add(time.Duration(at) * time.Second)); err != nil {
			t.Fatal(err)
		}
		want := first[at-1]
		if later(at) {
			want = second[at-306]
		}
		if at > 420 && at <= 425 {
			continue // here the later recording ends within a chunk of the first one
		}
		if got := told(t, f.Latest()); got != want {
			t.Fatalf("at %d s: wrong snapshot, later recording: %v", at, later(at))
		}
	}
	both := map[bool]int{}
	for s, err := range f.SampledSnapshots(morning, morning.Add(10*time.Minute), time.Minute) {
		if err != nil {
			t.Fatal(err)
		}
		if later(int(s.At.Sub(morning) / time.Second)) {
			both[slices.Contains(second, told(t, s))]++
		}
	}
	if both[true] == 0 || both[false] == 0 {
		t.Errorf("Through does not return both: %v", both)
	}
}
