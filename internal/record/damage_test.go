package record

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// blockAt is the position of a block in a file.
type blockAt struct {
	kind     byte
	from, to int
}

// blocksOf lists the blocks of a file.
func blocksOf(t *testing.T, path string) (all []blockAt) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	b := &blockReader{source: f, offset: int64(len(magic))}
	for {
		from := b.offset
		kind, _, err := b.nextBlock()
		if err != nil {
			return all
		}
		all = append(all, blockAt{kind, int(from), int(b.offset)})
	}
}

// secondOf returns the number of seconds since morning.
func secondOf(at time.Time) int { return int(at.Sub(morning) / time.Second) }

// TestDamagedIsAGap damages a chunk in the middle of a file in several ways. Everything
// else can be played; the missing part is a gap that is marked as damaged, for Info,
// Check and the player.
func TestDamagedIsAGap(t *testing.T) {
	t.Parallel()
	for i := range uint64(8) { // zeros are invalid whatever their number
		closed, good := i%2 == 0, filepath.Join(testkit.PrivateDir(t), "good.wbr")
		all := film(t, good, 6+i/2, 100, 20, closed) // five chunks of 20 s, from the first second on
		whole, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		at := blocksOf(t, good)
		var chunks, data []blockAt
		for _, b := range at {
			switch b.kind {
			case blockChunk:
				chunks = append(chunks, b)
			case blockData:
				data = append(data, b)
			}
		}
		flip := func(i int) []byte {
			b := bytes.Clone(whole)
			b[i] ^= 0x55
			return b
		}
		without := func(b blockAt) []byte { return append(bytes.Clone(whole[:b.from]), whole[b.to:]...) }
		zeros := func(from, to int) []byte {
			b := bytes.Clone(whole)
			clear(b[from:to])
			return b
		}
		for name, c := range map[string]struct {
			file     []byte
			from, to int // the missing snapshots
		}{
			"a byte of a picture":     {flip(data[50].to - 1), 50, 60},
			"the length of a picture": {flip(data[50].from + 2), 50, 60},
			"a picture is gone":       {zeros(data[45].from, data[45].to), 45, 60},
			"a page of zeros":         {zeros(data[41].from, data[55].to), 41, 60},
			"the first picture":       {flip(data[40].from + blockPrefixBytes), 40, 60},
			"what begins a chunk":     {flip(chunks[2].from + blockPrefixBytes), 40, 60},
			"all of a chunk":          {zeros(chunks[2].from, data[59].to), 40, 60},
			"what begins it, cut out": {without(chunks[2]), 40, 60},
			"the last of the chunk":   {flip(data[59].to - 1), 59, 60},
			"two chunks":              {zeros(data[30].from, data[44].to), 30, 60},
			"what begins the first":   {flip(chunks[0].from + blockPrefixBytes), 0, 20},
			"the last of all":         {flip(data[99].to - 1), 99, 100},
		} {
			t.Run(fmt.Sprintf("%s, closed %v, floor %d", name, closed, i/2), func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(testkit.PrivateDir(t), "b.wbr")
				if err := os.WriteFile(path, c.file, 0o600); err != nil {
					t.Fatal(err)
				}
				isPlayed(t, path, all, c.from, c.to)
				isTold(t, path, c.from, c.to)
			})
		}
	}
}

// isPlayed plays a file and checks that only the given snapshots are missing.
func isPlayed(t *testing.T, path string, all []string, from, to int) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	want := 0
	p := r.Player()
	for {
		s, err := p.Next()
		if err != nil {
			t.Fatal(err)
		}
		if s == nil {
			break
		}
		if want == from {
			want = to
		}
		if i := secondOf(s.At) - 1; i != want || told(t, s) != all[i] {
			t.Fatalf("picture %d is played, want %d", i, want)
		}
		want++
	}
	if want != len(all) && (to != len(all) || want != from) {
		t.Errorf("played up to %d", want)
	}
}

// isTold checks that the gap is reported after a check of the file and after playing.
func isTold(t *testing.T, path string, from, to int) {
	t.Helper()
	checked, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer checked.Close() //nolint:errcheck // only read from
	if err := checked.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	visited, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f := visited.Replay(morning, 0, nil)
	defer f.Close() //nolint:errcheck // only read from
	for i := range to {
		if err := f.SeekTo(morning.Add(time.Duration(i+1) * time.Second)); err != nil {
			t.Fatal(err)
		}
		if i == from+2 && to < 100 {
			if s := f.Latest(); s == nil || !strings.Contains(s.Health.Notice, "damaged") {
				t.Errorf("at %d s a picture is shown: %+v", i, s)
			}
		}
	}
	areTold(t, map[string]Info{"checked": checked.Info(), "visited": f.Info()}, visited.Info().Last, from, to)
}

// areTold checks that all descriptions contain the gap.
func areTold(t *testing.T, infos map[string]Info, end time.Time, from, to int) {
	t.Helper()
	for name, in := range infos {
		if to == 100 { // at the end of the file, the recording is only shorter
			if secondOf(in.Last) != from {
				t.Errorf("%s: ends at %d", name, secondOf(in.Last))
			}
			continue
		}
		short := to-from < 2 // snapshots two seconds apart are not a gap
		if short && len(in.Interruption) == 0 {
			continue
		}
		if len(in.Interruption) != 1 || in.Last != end {
			t.Fatalf("%s: %+v", name, in)
		}
		g := in.Interruption[0]
		if since := secondOf(g.From); !g.Damaged || since != from && since != from+1 || secondOf(g.To) != to+1 {
			t.Errorf("%s: a gap from %d to %d, damaged %v", name, since, secondOf(g.To), g.Damaged)
		}
	}
}

// TestFilesOfAFolder plays folders with truncated, copied and renamed files: snapshots
// come once and in order, and missing ones are a gap.
func TestFilesOfAFolder(t *testing.T) {
	t.Parallel()
	const each = 60
	f := newFloor(4)
	dir := testkit.PrivateDir(t)
	var all []string
	var files [][]byte
	for i := range 3 {
		path := filepath.Join(dir, fmt.Sprintf("%d.wbr", i))
		all = append(all, writeSome(t, path, f, each, 20, true)...)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	for name, c := range map[string]struct {
		files    map[string][]byte
		from, to int
	}{
		"named otherwise": {map[string][]byte{"c": files[0], "b": files[1], "a": files[2]}, -1, -1},
		"copied":          {map[string][]byte{"a": files[0], "b": files[1], "b (1)": files[1], "c": files[2]}, -1, -1},
		"cut off":         {map[string][]byte{"a": files[0], "b": files[1][:len(files[1])/2], "c": files[2]}, 0, 2 * each},
		"gone":            {map[string][]byte{"a": files[0], "c": files[2]}, each, 2 * each},
		"no recording":    {map[string][]byte{"a": files[0], "b": []byte("wallboard"), "c": files[2]}, each, 2 * each},
		"cut off, copied": {map[string][]byte{"a": files[0], "b": files[1][:len(files[1])/2], "b (1)": files[1], "c": files[2]}, -1, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.PrivateDir(t)
			for name, b := range c.files {
				if err := os.WriteFile(filepath.Join(dir, name+segmentExtension), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close() //nolint:errcheck // only read from
			last, missing := -1, 0
			for s, err := range r.Snapshots(morning, morning.Add(time.Hour)) {
				if err != nil {
					t.Fatal(err)
				}
				i := secondOf(s.At) - 1
				if i <= last || told(t, s) != all[i] {
					t.Fatalf("picture %d after %d", i, last)
				}
				missing += i - last - 1
				last = i
			}
			in := r.Info()
			switch {
			case last != len(all)-1:
				t.Errorf("played up to %d", last)
			case c.to < 0 && (missing > 0 || len(in.Interruption) > 0):
				t.Errorf("%d are missing, %+v", missing, in.Interruption)
			case c.to > 0 && (missing == 0 || len(in.Interruption) != 1 || secondOf(in.Interruption[0].To) != c.to+1 || max(secondOf(in.Interruption[0].From)-c.to+missing, 0) > 1):
				t.Errorf("%d are missing, %+v", missing, in.Interruption)
			}
		})
	}
}

// TestPauseOfAnUnclosedFile finds a pause in the middle of an unclosed file, as after
// the machine slept.
func TestPauseOfAnUnclosedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "a.wbr")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close() //nolint:errcheck // its size tells
	f := newFloor(6)
	seg, err := newSegment(out, Metadata{}, f.at, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		if i == 45 {
			f.at = f.at.Add(2 * time.Hour)
		}
		if err := seg.writeFrame(f.step(), f.at, i%60 == 0 || i == 45); err != nil {
			t.Fatal(err)
		}
	}
	in := infoOf(t, path)
	if len(in.Interruption) != 1 || secondOf(in.Interruption[0].From) != 45 || in.Interruption[0].Damaged {
		t.Errorf("%+v", in)
	}
}

// TestNonsenseIsAGap reads chunks with valid blocks and maliciously invalid frames.
func TestNonsenseIsAGap(t *testing.T) {
	t.Parallel()
	good := filepath.Join(testkit.PrivateDir(t), "good.wbr")
	all := film(t, good, 9, 60, 20, false)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	at := blocksOf(t, good)
	var cut blockAt // will be the second chunk
	for i, n := 0, 0; i < len(at); i++ {
		if at[i].kind == blockChunk {
			if n++; n == 2 {
				cut.from = at[i].to
			} else if n == 3 {
				cut.to = at[i].from
			}
		}
	}
	for name, write := range bombs() {
		path := filepath.Join(testkit.PrivateDir(t), "b.wbr")
		b := appendBlock(bytes.Clone(whole[:cut.from]), blockData, packed(t, write))
		if err := os.WriteFile(path, append(b, whole[cut.to:]...), 0o600); err != nil {
			t.Fatal(err)
		}
		isPlayed(t, path, all, 20, 40)
		r, err := Open(path)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, err := range r.Snapshots(morning, morning.Add(time.Hour)) { // reading finds the damage
			if err != nil {
				t.Fatal(name, err)
			}
		}
		if in := r.Info(); len(in.Interruption) != 1 || !in.Interruption[0].Damaged || secondOf(in.Interruption[0].To) != 41 {
			t.Errorf("%s: %+v", name, in.Interruption)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
