package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// stage is a source with a settable snapshot.
type stage struct{ atomic.Pointer[model.Snapshot] }

func (s *stage) Latest() *model.Snapshot { return s.Load() }

// run records a random floor for some seconds.
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

// infoOf returns the description of a recording.
func infoOf(t *testing.T, path string) Info {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	return r.Info()
}

// play records the given snapshots, a second apart; each is called after each of them.
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

// TestWriterKeepsToItsBudget records a quarter of an hour with a small limit: the
// newest file stays, and the limit is exceeded by at most one file.
func TestWriterKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		const most = 800_000
		began := time.Now()
		run(t, Options{Dir: dir, MaxBytes: most, MaxSegmentTime: 10 * time.Minute, WholeFrameInterval: 20 * time.Second}, 900, func(i int, w *Writer) {
			if why := w.Trouble(); why != "" {
				t.Fatalf("after %d s: %s", i, why)
			}
			if i%60 != 0 {
				return
			}
			sum := int64(0)
			paths, err := segmentPaths(dir)
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
			if sum > most+most/minFiles+100_000 {
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

// TestWriterAndTheDisk puts a file in the place of the folder for a while: the writer
// reports it and continues afterwards, with a gap.
func TestWriterAndTheDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(testkit.PrivateDir(t), "rec")
		said := false
		run(t, Options{Dir: dir, MaxSegmentTime: time.Minute}, 300, func(i int, w *Writer) {
			switch i {
			case 100:
				if err := errors.Join(os.Rename(dir, dir+".gone"), os.WriteFile(dir, nil, 0o600)); err != nil {
					t.Fatal(err)
				}
			case 130:
				said = w.Trouble() != ""
			case 140:
				if err := errors.Join(os.Remove(dir), os.Rename(dir+".gone", dir)); err != nil {
					t.Fatal(err)
				}
			case 299:
				if why := w.Trouble(); why != "" {
					t.Errorf("still %s", why)
				}
			}
		})
		if !said {
			t.Error("missing folder not reported")
		}
		if in := infoOf(t, dir); len(in.Interruption) != 1 {
			t.Errorf("gaps %+v", in.Interruption)
		}
	})
}

// TestTwoWriters checks that a second writer waits without a problem and continues when
// the first one ends. It drops marks meanwhile.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, f := testkit.PrivateDir(t), newFloor(3)
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
			second.QueueMark(Mark{At: f.at, Kind: MarkAction, Text: "told to both"})
			if why := second.Trouble(); why != "" {
				t.Errorf("the second: %s", why)
			}
		})
		for range 10 {
			show()
			time.Sleep(time.Second) //nolint:forbidigo // of a clock that is not real
			synctest.Wait()
		}
		second.QueueMark(Mark{At: f.at, Kind: MarkAction, Text: "told to the second"})
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

// TestMarksWaitForTheFile marks a recording before the first snapshot.
func TestMarksWaitForTheFile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		f := newFloor(3)
		f.at = time.Now()
		play(t, Options{Dir: dir}, 5, func(i int, w *Writer) *model.Snapshot {
			if i == 0 {
				w.QueueMark(Mark{At: time.Now(), Kind: MarkAction, Text: "at once"})
			}
			if i < 3 {
				return nil
			}
			s := f.step()
			s.Health.ClockOffset = 0
			return s
		}, nil)
		if marks := infoOf(t, dir).Marks; len(marks) != 1 || marks[0].Text != "at once" {
			t.Errorf("%+v", marks)
		}
	})
}

// TestMarksOfTheEnd marks a recording just before it ends.
func TestMarksOfTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const seconds, marks = 5, 40
		dir := testkit.PrivateDir(t)
		run(t, Options{Dir: dir}, seconds, func(i int, w *Writer) {
			for n := range marks {
				if i == seconds-1 {
					w.QueueMark(Mark{At: time.Now(), Kind: MarkAction, Text: fmt.Sprint("press ", n)})
				}
			}
		})
		got := infoOf(t, dir).Marks
		if len(got) != marks || got[marks-1].Text != fmt.Sprint("press ", marks-1) {
			t.Errorf("%d marks: %+v", len(got), got)
		}
	})
}

// playAhead records a minute with the given offset of the platform's clock.
func playAhead(t *testing.T, ahead func(second int) time.Duration) Info {
	t.Helper()
	dir := testkit.PrivateDir(t)
	f := newFloor(2)
	play(t, Options{Dir: dir}, 60, func(i int, _ *Writer) *model.Snapshot {
		s := f.step()
		s.Health.ClockOffset = ahead(i)
		s.Health.Link = model.Link{State: model.LinkUp}
		return s
	}, nil)
	return infoOf(t, dir)
}

// TestClockSetBack sets the server's clock back by an hour: the recorded part stays,
// and recording continues with the new time.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := playAhead(t, func(second int) time.Duration {
			if second >= 30 {
				return -time.Hour
			}
			return 0
		})
		if in.Files != 2 || in.Frames < 58 || len(in.Interruption) != 1 {
			t.Errorf("%+v", in)
		}
	})
}

// TestClockSetIsMarked checks that a clock change is marked once, with its amount; the
// first measurement of the offset and small changes are not marked.
func TestClockSetIsMarked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := playAhead(t, func(second int) time.Duration {
			switch {
			case second >= 45:
				return 30*time.Minute + 7*time.Second
			case second >= 30:
				return -time.Hour
			case second >= 20:
				return 11 * time.Second
			case second >= 10:
				return 9 * time.Second // the first measurement
			}
			return 0
		})
		var marks []string
		for _, m := range in.Marks {
			if marks = append(marks, m.Text); m.Kind != MarkClock {
				t.Errorf("%+v", m)
			}
		}
		if want := []string{"The clock was set back by 1:00:11", "The clock was set forward by 1:30:07, or the machine slept"}; !slices.Equal(marks, want) {
			t.Errorf("%q, want %q", marks, want)
		}
	})
}

// TestStepOfAClock distinguishes clock changes from elapsed time.
func TestStepOfAClock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ shown, went, ahead, now, want time.Duration }{
		"time goes by":                  {time.Hour, time.Hour, time.Second, time.Second, 0},
		"ours is set back":              {-time.Hour, time.Second, 0, 0, -time.Hour - time.Second},
		"ours is set forward":           {61 * time.Second, time.Second, 0, 0, time.Minute},
		"ours is set, and measured":     {-59 * time.Second, time.Second, time.Second, 61 * time.Second, 0},
		"the platform's":                {time.Second, time.Second, time.Second, -59 * time.Second, -time.Minute},
		"the platform's is measured":    {time.Second, time.Second, 0, time.Hour, 0},
		"the machine slept for an hour": {time.Hour, time.Second, 0, 0, time.Hour - time.Second},
	} {
		if got := clockJump(tt.shown, tt.went, tt.ahead, tt.now); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestCutsAreMarked checks that each loss of the connection is marked once.
func TestCutsAreMarked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
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
				w.QueueMark(Mark{At: time.Now(), Kind: MarkCritical, Text: "Sales: 3 wait"})
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
		if marks := r.Replay(time.Now(), 1, nil).Marks(); len(marks) != len(kinds) || marks[0].Text != "Sales: 3 wait" {
			t.Errorf("marks %v", marks)
		}
	})
}

// hangingDisk blocks while it hangs.
type hangingDisk struct {
	to    io.Writer
	hangs *atomic.Pointer[chan struct{}] // channel that is closed when the disk responds again; nil: it does not hang
}

func (d hangingDisk) Write(b []byte) (int, error) {
	if until := d.hangs.Load(); until != nil {
		<-*until
	}
	return d.to.Write(b)
}

// TestDiskThatHangs blocks the disk for two minutes: the writer and the log report it
// with the time, and that it responds again. Recording continues at the current time,
// with a gap.
func TestDiskThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		var hangs atomic.Pointer[chan struct{}]
		var log lines
		began, said := time.Now(), make(map[int]string)
		run(t, Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))}, 300, func(i int, w *Writer) {
			switch i {
			case 0:
				w.wrapFile = func(f *os.File) io.Writer { return hangingDisk{f, &hangs} }
				w.handleError(w.endSegment()) // the next snapshot begins a file on that disk
				w.pausedUntil = time.Time{}
			case 100:
				until := make(chan struct{})
				hangs.Store(&until)
			case 220:
				close(*hangs.Swap(nil))
			}
			said[i] = w.Trouble()
		})
		for i, why := range said {
			since := i - 101 // the snapshot after the disk hung is the first without a response
			want := ""
			if since >= 10 && i < 221 {
				want = "the disk has not answered since " + began.Add(102*time.Second).Local().Format("15:04")
			}
			if why != want && since != 9 && since != 10 { // at these seconds, either text is correct
				t.Errorf("after %d s Trouble = %q, want %q", i, why, want)
			}
		}
		for _, want := range []string{"the disk does not respond", "the disk responds again"} {
			if n := strings.Count(log.String(), want); n != 1 {
				t.Errorf("%d times %q in the log:\n%s", n, want, log.String())
			}
		}
		in := infoOf(t, dir)
		if in.Unclosed != 0 || len(in.Interruption) != 1 || in.Last.Sub(began) < 299*time.Second {
			t.Fatalf("%+v", in)
		}
		if gap := in.Interruption[0]; gap.From.Sub(began).Round(time.Second) != 102*time.Second || gap.To.Sub(gap.From).Round(time.Second) < 119*time.Second {
			t.Errorf("the gap is from %v to %v after the beginning", gap.From.Sub(began), gap.To.Sub(began))
		}
	})
}

// TestDiskThatHangsOverNight checks that the day is mentioned if the time alone would
// be ambiguous.
func TestDiskThatHangsOverNight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, until, done := NewWriter(Options{}), make(chan struct{}), make(chan error)
		began := time.Now()
		go func() { done <- w.disk.runOperation(func() error { <-until; return io.ErrShortWrite }) }()
		time.Sleep(9 * time.Second) //nolint:forbidigo // of a clock that is not real
		if why := w.Trouble(); why != "" {
			t.Errorf("after nine seconds %q", why)
		}
		time.Sleep(13 * time.Hour) //nolint:forbidigo // of a clock that is not real
		if why, want := w.Trouble(), began.Local().Format("2 Jan 15:04"); !strings.HasSuffix(why, "since "+want) {
			t.Errorf("%q, want %q at its end", why, want)
		}
		close(until)
		if err := <-done; !errors.Is(err, io.ErrShortWrite) || w.Trouble() != "" {
			t.Errorf("when it answers: %v, %q", err, w.Trouble())
		}
	})
}

// lines is a log that several goroutines write.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestWhatIsTooOldGoes checks that old files of a writer are removed, but not the
// current one, files that users have added, or renamed files.
func TestWhatIsTooOldGoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		const most = 48 * time.Hour
		aged := func(name string, age time.Duration) {
			t.Helper()
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err != nil {
				film(t, path, 3, 5, 5, true)
			}
			at := time.Now().Add(-age)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		names := map[string]bool{ // file names; true: the file stays
			"19991229T100000.000Z.wbr": false, "19991230T000000.000Z.wbr": false, "19991230T120000.000Z.wbr": true,
			"incident.wbr": true, "kept-19991229T100000.000Z.wbr": true, "notes.txt": true, "19991229T100000.000Z.wbr.part": true,
		}
		for name := range names {
			aged(name, 9*most)
		}
		aged("19991230T000000.000Z.wbr", most+time.Minute)
		aged("19991230T120000.000Z.wbr", most-time.Hour)
		if err := os.Mkdir(filepath.Join(dir, "19991228T100000.000Z.wbr"), 0o700); err != nil {
			t.Fatal(err)
		}
		names["19991228T100000.000Z.wbr"] = true
		run(t, Options{Dir: dir, MaxAge: most}, 200, func(i int, w *Writer) {
			if why := w.Trouble(); why != "" {
				t.Fatalf("after %d s: %s", i, why)
			}
			if i == 10 { // the file looks old, as on a disk with another clock
				aged(filepath.Base(w.file.Name()), 9*most)
				names[filepath.Base(w.file.Name())] = true
			}
		})
		for name, stays := range names {
			if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
				t.Errorf("%s: %v, it stays: %v", name, err, stays)
			}
		}
	})
}

// TestFileTakenAway removes or replaces the file that is being written: the writer
// reports it within a minute and starts another one a minute later. It does not touch
// the replacement.
func TestFileTakenAway(t *testing.T) {
	t.Parallel()
	for want, replaced := range map[string]bool{"was removed while it was being written": false, "was replaced while it was being written": true} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dir, said, name := testkit.PrivateDir(t), "", ""
				began := time.Now()
				run(t, Options{Dir: dir}, 240, func(i int, w *Writer) {
					switch i {
					case 30:
						name = w.file.Name()
						if err := os.Remove(name); err != nil {
							t.Fatal(err)
						}
						if replaced {
							film(t, name, 3, 5, 5, true)
						}
					case 95:
						said = w.Trouble()
					case 239:
						if why := w.Trouble(); why != "" {
							t.Errorf("still %s", why)
						}
					}
				})
				if !strings.Contains(said, want) || !strings.Contains(said, name) {
					t.Errorf("Trouble = %q", said)
				}
				paths, err := segmentPaths(dir)
				if replaced {
					paths = slices.DeleteFunc(paths, func(p string) bool { return p == name })
				}
				if err != nil || len(paths) != 1 {
					t.Fatal(paths, err)
				}
				if in := infoOf(t, paths[0]); in.First.Sub(began) > 125*time.Second || in.Last.Sub(began) < 239*time.Second {
					t.Errorf("%+v", in)
				}
			})
		})
	}
}

// TestFolderTakenAway removes the folder during recording, and removes or replaces its
// lock: the folder is created again within seconds. If another board holds the new
// lock, the writer waits for it.
func TestFolderTakenAway(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(dir string) (other *securefile.PathLock, err error)
		files  int
	}{
		"folder": {func(dir string) (*securefile.PathLock, error) { return nil, os.RemoveAll(dir) }, 1},
		"lock":   {func(dir string) (*securefile.PathLock, error) { return nil, os.Remove(filepath.Join(dir, "lock")) }, 2},
		"another has it": {func(dir string) (*securefile.PathLock, error) {
			path := filepath.Join(dir, "lock")
			if err := os.Remove(path); err != nil {
				return nil, err
			}
			return securefile.LockPath(path, 0)
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dir, log := filepath.Join(testkit.PrivateDir(t), "recorded"), &lines{}
				var other *securefile.PathLock
				run(t, Options{Dir: dir, Log: slog.New(slog.NewTextHandler(log, nil))}, 90, func(i int, w *Writer) {
					switch i {
					case 20:
						var err error
						if other, err = tt.change(dir); err != nil {
							t.Fatal(err)
						}
					case 40:
						if paths, err := segmentPaths(dir); err != nil || other != nil && (len(paths) != 1 || w.segment != nil) {
							t.Errorf("beside another: %q, %v", paths, err)
						}
						if why := w.Trouble(); why != "" {
							t.Errorf("it is in trouble: %s", why)
						}
						other.Release()
					}
				})
				if said := log.String(); !strings.Contains(said, "creating it again") || (other != nil) != strings.Contains(said, "another board is recording") {
					t.Errorf("unexpected log:\n%s", said)
				}
				in := infoOf(t, dir)
				if in.Files != tt.files || in.Unclosed > 0 || in.Frames < 40 {
					t.Errorf("%d files, %d not closed, %d pictures", in.Files, in.Unclosed, in.Frames)
				}
			})
		})
	}
}
