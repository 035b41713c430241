package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"wallboard/internal/lib/testkit"
)

// fullDisk accepts a limited number of bytes.
type fullDisk struct {
	to   io.Writer
	left *atomic.Int64
}

func (d fullDisk) Write(b []byte) (int, error) {
	if d.left.Add(-int64(len(b))) < 0 {
		n, _ := d.to.Write(b[:len(b)/2]) // half of b still fits
		return n, &os.PathError{Op: "write", Path: "a.wbr", Err: syscall.ENOSPC}
	}
	return d.to.Write(b)
}

// TestFullDisk fills the disk for five minutes: the writer reports it, the recorded
// part stays playable, no empty files remain, and recording continues afterwards.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		var left atomic.Int64
		left.Store(1 << 40)
		said := ""
		run(t, Options{Dir: dir}, 600, func(i int, w *Writer) {
			switch i {
			case 0:
				w.wrapFile = func(f *os.File) io.Writer { return fullDisk{f, &left} }
				w.handleError(w.endSegment()) // the next snapshot begins a file on that disk
				w.pausedUntil = time.Time{}
			case 100:
				left.Store(50)
			case 250:
				said = w.Trouble()
			case 400:
				left.Store(1 << 40)
			case 599:
				if why := w.Trouble(); why != "" {
					t.Errorf("still %s", why)
				}
			}
		})
		if !strings.Contains(said, "no space left") {
			t.Errorf("full disk: Trouble = %q", said)
		}
		paths, err := segmentPaths(dir)
		if err != nil || len(paths) != 3 {
			t.Errorf("%d files, %v", len(paths), err)
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // only read from
		if in := r.Info(); len(in.Interruption) != 1 || in.Last.Sub(in.First) < 590*time.Second {
			t.Errorf("%+v", in)
		}
		for _, s := range playAll(t, r) {
			if s.IsZero() {
				t.Error("a picture of no time")
			}
		}
	})
}

// playAll plays a recording to its end.
func playAll(t *testing.T, r *Recording) (at []time.Time) {
	t.Helper()
	p := r.Player()
	for {
		s, err := p.Next()
		if err != nil {
			t.Fatal(err)
		}
		if s == nil {
			return at
		}
		at = append(at, s.At)
	}
}

// TestFolderThatCannotBeUsed checks files, links and folders that cannot be created.
func TestFolderThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{file: "file", filepath.Join(file, "in"): "not a directory", link: "is a symbolic link"} {
		w := NewWriter(Options{Dir: path, Source: &stage{}})
		if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(w.Trouble(), want) {
			t.Errorf("%s: %v, said is %q", path, err, w.Trouble())
		}
		if _, err := NewBatchWriter(path, Metadata{}); err == nil {
			t.Errorf("%s: a tape is made there", path)
		}
	}
}

// TestPrivateFiles checks that files are only accessible to their owner, and that an
// open folder is closed.
func TestPrivateFiles(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(testkit.PrivateDir(t), "rec")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, Options{Dir: dir}, 3, nil)
		all, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(all) != 2 {
			t.Fatal(all, err)
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // only read from
		given := filepath.Join(testkit.PrivateDir(t), "given.wbr")
		if _, err := Export(t.Context(), r, r.Info().First, r.Info().Last, given, nil); err != nil {
			t.Fatal(err)
		}
		for _, path := range append(all, dir, given) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", path, info.Mode())
			}
		}
	})
}

// TestBudgetOfAMonth records a month with one snapshot every five minutes: the limit is
// exceeded by at most one file, and the newest file stays.
func TestBudgetOfAMonth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := testkit.PrivateDir(t)
		const most = 2_000_000
		src := &stage{}
		w := NewWriter(Options{Dir: dir, Source: src, FrameInterval: 5 * time.Minute, WholeFrameInterval: time.Hour, MaxSegmentTime: 6 * time.Hour, MaxBytes: most, MaxAge: 10 * 24 * time.Hour})
		f := newFloor(5)
		f.at = time.Now()
		worst := int64(0)
		for range 30 * 24 * 12 {
			s := f.step()
			s.Health.ClockOffset = 0
			src.Store(s)
			time.Sleep(5 * time.Minute) //nolint:forbidigo // of a clock that is not real
			if err := w.writeFrame(time.Now()); err != nil {
				t.Fatal(err)
			}
			paths, err := segmentPaths(dir)
			if err != nil {
				t.Fatal(err)
			}
			sum := int64(0)
			for _, p := range paths {
				if info, err := os.Stat(p); err == nil {
					sum += info.Size()
				}
			}
			worst = max(worst, sum)
		}
		if err := w.endSegment(); err != nil {
			t.Fatal(err)
		}
		if worst > most+most/minFiles+100_000 {
			t.Errorf("%d bytes, the budget is %d", worst, most)
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // only read from
		if in := r.Info(); time.Since(in.Last) > 10*time.Minute || worst < most/2 {
			t.Errorf("%+v, %d bytes at most", in, worst)
		}
	})
}

// TestKilledAtAnyByte truncates a file at a thousand places: all frames flushed before
// can be played.
func TestKilledAtAnyByte(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "a.wbr")
	film(t, path, 21, 40, 10, false)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ends := flushedAt(t, path) // ends of the frames
	rng := rand.New(rand.NewPCG(3, 3))
	torn := filepath.Join(testkit.PrivateDir(t), "b.wbr")
	for range 1000 {
		n := ends[0] + rng.IntN(len(whole)-ends[0])
		if err := os.WriteFile(torn, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, end := range ends {
			if end <= n {
				want++
			}
		}
		r, err := Open(torn)
		if err != nil {
			t.Fatalf("ended at %d of %d: %v", n, len(whole), err)
		}
		if got := len(playAll(t, r)); got != want {
			t.Fatalf("ended at %d of %d: %d frames are played, want %d", n, len(whole), got, want)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// flushedAt returns the ends of the data blocks of a file, one per frame.
func flushedAt(t *testing.T, path string) (ends []int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	b := &blockReader{source: f, offset: int64(len(magic))}
	for {
		kind, _, err := b.nextBlock()
		if err != nil {
			return ends
		}
		if kind == blockData {
			ends = append(ends, int(b.offset))
		}
	}
}

// TestHeaderIsBeingWritten truncates a header at every byte. The newest or last
// modified file counts as being created; any other is damaged, as is one with data
// behind the apparent end. The other files are played.
func TestHeaderIsBeingWritten(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	good := filepath.Join(dir, "20260709T080000.000Z.wbr")
	film(t, good, 3, 5, 5, true)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	begun := filepath.Join(dir, "20260709T090000.000Z.wbr")
	older := filepath.Join(dir, "20260709T070000.000Z.wbr")
	problems := func(path string, b []byte, written time.Time) int {
		t.Helper()
		if err := errors.Join(os.WriteFile(path, b, 0o600), os.Chtimes(path, now, written), os.Chtimes(good, now, now)); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path) //nolint:errcheck // of the test's folder
		if _, err := Open(path); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotARecording) {
			t.Fatalf("%d bytes alone: %v", len(b), err)
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
		defer r.Close() //nolint:errcheck // only read from
		if in := r.Info(); in.Files != 1 || in.Frames != 5 {
			t.Fatalf("%d bytes: of the other file is left %+v", len(b), in)
		}
		return len(r.Problems())
	}
	header := blocksOf(t, good)[0].to
	begins := filepath.Join(testkit.PrivateDir(t), "a.wbr")
	if err := os.WriteFile(begins, whole[:header], 0o600); err != nil {
		t.Fatal(err)
	}
	var u unpacker
	for n := header - 1; n >= 0; n-- {
		if err := os.Truncate(begins, int64(n)); err != nil {
			t.Fatal(err)
		}
		if _, err := openFile(begins, &u, nil); !errors.Is(err, errUnfinished) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	prefix := len(magic) + blockPrefixBytes
	for _, n := range []int{0, 1, len(magic) - 1, len(magic), len(magic) + 1, prefix - 1, prefix, prefix + 1, header / 2, header - 1} {
		if got := problems(begun, whole[:n], now.Add(-time.Hour)); got > 0 {
			t.Fatalf("the newest, %d bytes: it is damaged", n)
		}
		if got := problems(older, whole[:n], now.Add(time.Second)); got > 0 {
			t.Fatalf("written to last, %d bytes: it is damaged", n)
		}
		if got := problems(older, whole[:n], now.Add(-time.Hour)); got != 1 {
			t.Fatalf("an older file, %d bytes: no problem reported", n)
		}
	}
	altered := bytes.Clone(whole)
	altered[len(magic)+3]++ // change the length of the header
	if got := problems(begun, altered, now); got != 1 {
		t.Error("a file with an altered header counts as being created")
	}
}

// TestOfALaterVersion checks files of later versions.
func TestOfALaterVersion(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	good := filepath.Join(dir, "good.wbr")
	film(t, good, 3, 5, 5, true)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	later := currentSchema(tables())
	later.Tables[0].Fields = append(later.Tables[0].Fields, fieldSchema{Path: "Mood", Kind: "emoji"})
	head, err := json.Marshal(header{Metadata{}, morning, later})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"another number": bytes.Replace(whole, []byte(magic), []byte("wallboard recording 3\n"), 1),
		"another kind":   appendBlock([]byte(magic), blockHeader, head),
	} {
		path := filepath.Join(dir, "later.wbr")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrNewerVersion) || !strings.Contains(err.Error(), "later version of the wallboard") {
			t.Errorf("%s: %v", name, err)
		}
		files, err := ListFiles(t.Context(), dir)
		if err != nil || len(files) != 2 || files[1].Problem != ErrNewerVersion.Error() {
			t.Errorf("%s: %+v, %v", name, files, err)
		}
		r, err := Open(dir) // the other file can still be played
		if err != nil || len(r.Problems()) != 1 {
			t.Fatalf("%s: %v", name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// bombs returns chunks that are small on disk and large when decompressed.
func bombs() map[string]func(w io.Writer) error {
	fill := func(b byte, megabytes int) func(w io.Writer) error {
		return func(w io.Writer) error {
			piece := bytes.Repeat([]byte{b}, 1<<20)
			for range megabytes {
				if _, err := w.Write(piece); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return map[string]func(w io.Writer) error{
		"zeros":              fill(0, 600),
		"a few zeros":        fill(0, 20),
		"frames of one byte": fill(1, 40),
		"one frame that is longer than all": func(w io.Writer) error {
			_, err := w.Write(binary.AppendUvarint(nil, 1<<62))
			return err
		},
	}
}

// TestBombs checks that decompression bombs take limited memory and give an error.
func TestBombs(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	if testkit.Race {
		t.Skip("with the race detector other things are allocated, and it takes long")
	}
	for name, write := range bombs() {
		for _, closed := range []bool{true, false} {
			path := filepath.Join(testkit.PrivateDir(t), "bomb.wbr")
			writeBomb(t, path, closed, write)
			info, err := os.Stat(path)
			if err != nil || info.Size() > 1<<20 {
				t.Fatalf("%s: %v", name, err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := Open(path)
			played, said := 0, false
			if err == nil {
				s, failed := r.Player().Next()
				if err = failed; s != nil {
					played++
				}
				for _, failed := range r.Replay(morning, 1, nil).SampledSnapshots(morning.Add(-time.Hour), morning.Add(time.Hour), time.Minute) {
					err = errors.Join(err, failed)
				}
				if len(r.Info().Interruption) > 0 {
					said = true
				}
				err = errors.Join(err, r.Close())
			}
			runtime.ReadMemStats(&after)
			if err != nil && !errors.Is(err, ErrDamaged) || played > 0 {
				t.Errorf("%s, closed %v: %d pictures, %v", name, closed, played, err)
			}
			if err == nil && !said {
				t.Errorf("%s, closed %v: no error", name, closed)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 {
				t.Errorf("%s, closed %v: it took %d MiB", name, closed, took)
			}
		}
	}
}

func writeBomb(t *testing.T, path string, closed bool, write func(io.Writer) error) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close() //nolint:errcheck // its size tells
	seg, err := newSegment(out, Metadata{}, morning, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	seg.footer.Chunks = []chunkEntry{{Offset: seg.size, First: morning, Last: morning.Add(time.Second), Frames: 1}}
	b := appendBlock(nil, blockChunk, binary.AppendVarint(nil, morning.UnixMilli()))
	if err := seg.flush(appendBlock(b, blockData, packed(t, write))); err != nil {
		t.Fatal(err)
	}
	if closed {
		if err := seg.close(); err != nil {
			t.Fatal(err)
		}
	}
}

// packed compresses data as the stream of a chunk.
func packed(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed, zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(z), z.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}
