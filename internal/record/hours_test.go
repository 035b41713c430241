package record

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// morningOf records some hours, one snapshot every five seconds with a gap of ten
// minutes, and returns the shown content by time.
func morningOf(t *testing.T, dir, platform string, hours time.Duration) (shown map[int64]string, end time.Time) {
	t.Helper()
	tape, err := NewBatchWriter(dir, Metadata{Platform: platform})
	if err != nil {
		t.Fatal(err)
	}
	f, shown := newFloor(8), make(map[int64]string)
	for end = morning; end.Before(morning.Add(hours)); end = end.Add(5 * time.Second) {
		if in := end.Sub(morning); in >= 40*time.Minute && in < 50*time.Minute {
			continue
		}
		f.at = end.Add(-time.Second)
		s := f.step()
		if err := tape.Add(s); err != nil {
			t.Fatal(err)
		}
		shown[s.At.UnixMilli()] = told(t, s)
	}
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unfinished file is part of the recording: %v", err)
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	return shown, end
}

// TestHours reads the hours before a time: snapshots in order, every ten seconds in the
// last hour, one per minute before, none in a gap.
func TestHours(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	shown, _ := morningOf(t, dir, "floor", 2*time.Hour)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Replay(morning, 1, nil)
	defer f.Close() //nolint:errcheck // only read from
	look := func(from, to, step time.Duration) (n int) {
		last := morning.Add(from)
		for s, err := range f.SampledSnapshots(last, morning.Add(to), step) {
			if err != nil {
				t.Fatal(err)
			}
			if told(t, s) != shown[s.At.UnixMilli()] {
				t.Fatalf("wrong snapshot at %v", s.At)
			}
			if s.At.Before(last) || s.At.After(morning.Add(to)) {
				t.Errorf("not in the order of time: %v after %v", s.At, last)
			}
			last = s.At
			n++
		}
		return n
	}
	for _, tt := range []struct {
		from, to, step time.Duration
		least, most    int
	}{
		{-9 * time.Hour, 40 * time.Minute, time.Minute, 38, 41},
		{41 * time.Minute, 49 * time.Minute, time.Minute, 0, 0},
		{41 * time.Minute, 49 * time.Minute, 10 * time.Second, 0, 0},
		{30 * time.Minute, 60 * time.Minute, 10 * time.Second, 6 * 19, 6*20 + 4},
		{50 * time.Minute, 110 * time.Minute, 10 * time.Second, 6 * 59, 6*60 + 1},
		{time.Hour, 24 * time.Hour, time.Minute, 58, 61},
		{118 * time.Minute, 1e4 * time.Hour, 10 * time.Second, 11, 14}, // the recording ends two minutes later
		{-9 * time.Hour, -time.Hour, time.Minute, 0, 0},
	} {
		if n := look(tt.from, tt.to, tt.step); n < tt.least || n > tt.most {
			t.Errorf("%d pictures from %v to %v, a step of %v", n, tt.from, tt.to, tt.step)
		}
	}
}

// TestHoursOfSomeTables checks that only the requested tables are present, and correct.
func TestHoursOfSomeTables(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	morningOf(t, dir, "floor", 20*time.Minute)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Replay(morning, 1, nil)
	defer f.Close() //nolint:errcheck // only read from
	for _, step := range []time.Duration{10 * time.Second, time.Minute} {
		some, end := iter.Pull2(f.SampledSnapshots(morning, morning.Add(time.Hour), step, model.OpServices, model.OpUserStats))
		defer end()
		for all, err := range f.SampledSnapshots(morning, morning.Add(time.Hour), step) {
			s, wrong, ok := some()
			if err != nil || wrong != nil || !ok {
				t.Fatal(err, wrong, ok)
			}
			if s.Users.Len()+s.Profiles.Len()+s.Groups.Len() > 0 {
				t.Error("there are others")
			}
			all := *all
			all.Users, all.Groups, all.Profiles, all.Campaigns, all.Attendants, all.Operators, all.OperatorProfiles = s.Users, s.Groups, s.Profiles, s.Campaigns, s.Attendants, s.Operators, s.OperatorProfiles
			if told(t, &all) != told(t, s) {
				t.Fatalf("at %v: not as they were", s.At)
			}
		}
	}
}

// TestHoursOfBroken checks that damage is left out or gives an error.
func TestHoursOfBroken(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	shown, _ := morningOf(t, dir, "floor", 10*time.Minute)
	names, err := filepath.Glob(filepath.Join(dir, "*.wbr"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	whole, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	look := func(broken []byte, step time.Duration) (n int) {
		if err := os.WriteFile(names[0], broken, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(dir)
		if err != nil {
			return 0
		}
		f := r.Replay(morning, 1, nil)
		defer f.Close() //nolint:errcheck // only read from
		var last time.Time
		for s, err := range f.SampledSnapshots(morning, morning.Add(time.Hour), step) {
			if err != nil {
				break
			}
			if s.At.Before(last) || told(t, s) != shown[s.At.UnixMilli()] {
				t.Fatalf("wrong snapshot or order: %v after %v", s.At, last)
			}
			last = s.At
			n++
		}
		return n
	}
	for _, step := range []time.Duration{10 * time.Second, time.Minute} {
		all := look(whole, step)
		fewer := 0
		for at := len(whole) / 8; at < len(whole); at += len(whole) / 20 {
			broken := bytes.Clone(whole)
			broken[at] ^= 0x55
			if n := look(broken, step); n < all {
				fewer++
			}
			if n := look(whole[:at], step); n > all {
				t.Errorf("%d pictures of a part, %d of all", n, all)
			}
		}
		if fewer == 0 {
			t.Errorf("at steps of %v nothing was found to be damaged", step)
		}
	}
}

// TestOpenOfOnePlatform checks a folder with recordings of several platforms and other
// files.
func TestOpenOfOnePlatform(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	morningOf(t, dir, "here", 5*time.Minute)
	other := newFloor(4)
	other.at = morning.Add(time.Hour)
	writeFilm(t, filepath.Join(dir, "b.wbr"), other, 5)
	if err := os.WriteFile(filepath.Join(dir, "c.wbr"), []byte("what is this?"), 0o600); err != nil {
		t.Fatal(err)
	}
	of := func(platform string) func(Metadata) bool {
		return func(a Metadata) bool { return a.Platform == platform }
	}
	r, err := OpenFiltered(dir, of("here"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	if in := r.Info(); in.Files != 1 || in.About.Platform != "here" || in.Last.After(morning.Add(time.Hour)) {
		t.Errorf("%+v", in)
	}
	if p := r.Problems(); len(p) != 1 || !strings.Contains(p[0].Error(), "c.wbr") {
		t.Errorf("%v", p)
	}
	if _, err := OpenFiltered(dir, of("elsewhere")); err == nil || !strings.Contains(err.Error(), "c.wbr") {
		t.Errorf("of another platform: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "c.wbr")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFiltered(dir, of("elsewhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of another platform: %v", err)
	}
}

// TestDiscardedTape checks that a discarded tape leaves no file.
func TestDiscardedTape(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	for _, pictures := range []int{0, 3} {
		tape, err := NewBatchWriter(dir, Metadata{})
		if err != nil {
			t.Fatal(err)
		}
		f := newFloor(1)
		for range pictures {
			s := f.step()
			if err := tape.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := tape.Discard(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
