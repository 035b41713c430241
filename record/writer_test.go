package record

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model"
)

// stage is a source whose picture is put there.
type stage struct{ atomic.Pointer[model.Snapshot] }

func (s *stage) Latest() *model.Snapshot { return s.Load() }

// run has a writer record a random floor for some seconds.
func run(t *testing.T, o Options, seconds int, each func(i int, w *Writer)) {
	t.Helper()
	f := newFloor(9)
	f.at = time.Now()
	play(t, o, seconds, func(int, *Writer) *model.Snapshot {
		s := f.step()
		s.Health.ClockOffset = 0
		return s
	}, each)
}

// infoOf is what a recording says of itself.
func infoOf(t *testing.T, path string) Info {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	return r.Info()
}

// play has a writer record so many pictures, a second apart; each looks on after each of
// them.
func play(t *testing.T, o Options, seconds int, next func(i int, w *Writer) *model.Snapshot, each func(i int, w *Writer)) {
	t.Helper()
	src := &stage{}
	o.Source = src
	w := NewWriter(o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- w.Run(ctx) }()
	for i := range seconds {
		src.Store(next(i, w))
		time.Sleep(time.Second) //nolint:forbidigo // of a clock that is not real
		synctest.Wait()
		if each != nil {
			each(i, w)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestWriterKeepsToItsBudget records for a quarter of an hour on a budget that holds a
// fraction of it: the newest stays, and the budget holds but for one file.
func TestWriterKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		const most = 800_000
		began := time.Now()
		run(t, Options{Dir: dir, MaxBytes: most, Segment: 10 * time.Minute, Whole: 20 * time.Second}, 900, func(i int, w *Writer) {
			if why := w.Trouble(); why != "" {
				t.Fatalf("after %d s: %s", i, why)
			}
			if i%60 != 0 {
				return
			}
			sum := int64(0)
			paths, err := segments(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range paths {
				info, err := os.Stat(p)
				if err != nil {
					t.Fatal(err)
				}
				sum += info.Size()
			}
			if sum > most+most/parts+100_000 {
				t.Fatalf("after %d s: %d bytes, the budget is %d", i, sum, most)
			}
		})
		in := infoOf(t, dir)
		if in.Unclosed != 0 || in.Last.Sub(began) < 899*time.Second || in.Last.Sub(in.First) < 2*time.Minute || len(in.Interruption) > 0 {
			t.Errorf("%+v", in)
		}
		if _, err := os.Stat(filepath.Join(dir, "lock")); err != nil {
			t.Error(err)
		}
	})
}

// TestWriterAndTheDisk has the folder vanish and come back: it is said, and
// recorded again after a minute; the time between is a gap.
func TestWriterAndTheDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "rec")
		said := false
		run(t, Options{Dir: dir, Segment: time.Minute}, 300, func(i int, w *Writer) {
			switch i {
			case 100:
				if err := os.Rename(dir, dir+".gone"); err != nil {
					t.Fatal(err)
				}
			case 130:
				said = w.Trouble() != ""
			case 140:
				if err := os.Rename(dir+".gone", dir); err != nil {
					t.Fatal(err)
				}
			case 299:
				if why := w.Trouble(); why != "" {
					t.Errorf("still %s", why)
				}
			}
		})
		if !said {
			t.Error("nothing is said of a folder that is gone")
		}
		if in := infoOf(t, dir); len(in.Interruption) != 1 {
			t.Errorf("gaps %+v", in.Interruption)
		}
	})
}

// TestTwoWriters has another board record to the same folder: it waits without a word, and
// goes on where the first has ended. What it is told meanwhile it does not mark.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, f := t.TempDir(), newFloor(3)
		f.at = time.Now()
		src := &stage{}
		show := func() {
			s := f.step()
			s.Health.ClockOffset = 0
			src.Store(s)
		}
		ctx, stop := context.WithCancel(t.Context())
		second, done := NewWriter(Options{Dir: dir, Source: src}), make(chan error)
		run(t, Options{Dir: dir}, 30, func(i int, _ *Writer) {
			if i == 0 {
				go func() { done <- second.Run(ctx) }()
			}
			show()
			second.Mark(Mark{At: f.at, Kind: MarkAction, Text: "told to both"})
			if why := second.Trouble(); why != "" {
				t.Errorf("the second: %s", why)
			}
		})
		for range 10 {
			show()
			time.Sleep(time.Second) //nolint:forbidigo // of a clock that is not real
			synctest.Wait()
		}
		second.Mark(Mark{At: f.at, Kind: MarkAction, Text: "told to the second"})
		synctest.Wait()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		in := infoOf(t, dir)
		if in.Files != 2 || in.Frames < 34 || len(in.Marks) != 1 || in.Marks[0].Text != "told to the second" {
			t.Errorf("%+v", in)
		}
	})
}

// TestMarksWaitForTheFile marks a recording before it has a picture.
func TestMarksWaitForTheFile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		f := newFloor(3)
		f.at = time.Now()
		play(t, Options{Dir: dir}, 5, func(i int, w *Writer) *model.Snapshot {
			if i == 0 {
				w.Mark(Mark{At: time.Now(), Kind: MarkAction, Text: "at once"})
			}
			if i < 3 {
				return nil
			}
			return f.step()
		}, nil)
		if marks := infoOf(t, dir).Marks; len(marks) != 1 || marks[0].Text != "at once" {
			t.Errorf("%+v", marks)
		}
	})
}

// TestClockSetBack sets the server's clock back by an hour: what was recorded
// stays, and what comes is recorded in its own time.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		f := newFloor(2)
		play(t, Options{Dir: dir}, 60, func(i int, _ *Writer) *model.Snapshot {
			s := f.step()
			s.Health.ClockOffset = 0
			if i >= 30 {
				s.Health.ClockOffset = -time.Hour
			}
			return s
		}, nil)
		in := infoOf(t, dir)
		if in.Files != 2 || in.Frames < 58 || len(in.Interruption) != 1 {
			t.Errorf("%+v", in)
		}
	})
}

// TestCutsAreMarked marks where the connection ended, once for each time.
func TestCutsAreMarked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		f := newFloor(3)
		f.at = time.Now()
		play(t, Options{Dir: dir}, 30, func(i int, w *Writer) *model.Snapshot {
			s := f.step()
			s.Health.ClockOffset = 0
			s.Health.Link = model.Link{State: model.LinkUp}
			if i >= 10 && i < 15 || i >= 20 {
				s.Health.Link = model.Link{State: model.LinkBackoff, Reason: "connection reset"}
			}
			if i == 6 {
				w.Mark(Mark{At: time.Now(), Kind: MarkCritical, Text: "Sales: 3 wait"})
			}
			return s
		}, nil)
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // it was read from
		var kinds []MarkKind
		for _, m := range r.Info().Marks {
			kinds = append(kinds, m.Kind)
		}
		if want := []MarkKind{MarkCritical, MarkCut, MarkCut}; !slices.Equal(kinds, want) {
			t.Errorf("%v, want %v", kinds, want)
		}
		if marks := r.Film(time.Now(), 1, nil).Marks(); len(marks) != len(kinds) || marks[0].Text != "Sales: 3 wait" {
			t.Errorf("marks %v", marks)
		}
	})
}
