package record

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// worstFile writes a recording with a number of chunks, each with a number of frames. change is called
// before each frame.
func worstFile(t *testing.T, chunks, frames int, change func(s *model.Store, frame int)) string {
	t.Helper()
	path := filepath.Join(testkit.PrivateDir(t), "worst.wbr")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	seg, err := newSegment(out, Metadata{}, morning, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	for i := range chunks * frames {
		change(store, i)
		at := morning.Add(time.Duration(i) * time.Minute / time.Duration(frames))
		if err := seg.writeFrame(store.Publish(at, model.Health{}), at, i%frames == 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := seg.close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// incompressible returns a text that keeps a chunk below the limit of its expansion.
func incompressible(bytes int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, bytes/2)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return hex.EncodeToString(b)
}

// TestMemoryOfWorstRecordings plays, cuts and exports recordings that take the most memory: long
// lists of figures that all change, texts and people that are all new.
func TestMemoryOfWorstRecordings(t *testing.T) { //nolint:paralleltest // it measures memory
	if testkit.Race {
		t.Skip("with the race detector other things are allocated")
	}
	const figures, groups, people = maxElements, 10, 100_000
	size := int(reflect.TypeFor[model.CustomStat]().Size())
	for name, change := range map[string]func(s *model.Store, frame int){
		"figures": func(s *model.Store, frame int) {
			for i := range (maxHeldBytes - 1<<20) / (figures * size) {
				r := &model.Service{Code: model.TextOf(strconv.Itoa(i))}
				r.CustomStats = make([]model.CustomStat, figures)
				for k := range r.CustomStats {
					r.CustomStats[k].Key = strconv.Itoa(frame)
				}
				s.Services.Put(r)
			}
			s.Users.Put(&model.User{Username: model.TextOf("x"), Name: model.TextOf(incompressible(40_000))})
		},
		"texts": func(s *model.Store, frame int) {
			for i := range groups {
				r := &model.User{Username: model.TextOf(strconv.Itoa(i)), Skillsets: make([]string, maxElements)}
				for k := range r.Skillsets {
					r.Skillsets[k] = "g" + strconv.Itoa((frame*groups+i)*maxElements+k)
				}
				s.Users.Put(r)
			}
		},
		"people": func(s *model.Store, frame int) {
			for i := range people {
				s.Users.Put(&model.User{Username: model.TextOf(strconv.Itoa(i)), Surname: model.TextOf("x" + strconv.Itoa(frame*people+i))})
			}
		},
	} {
		frames := 2 // number of frames in a chunk
		if name == "texts" {
			frames = 6
		}
		path := worstFile(t, 2, frames, change)
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, f func() error) {
			var err error
			grown := testkit.HeapGrowth(func() { err = f() })
			t.Logf("%s, %s: the heap grows by %d MiB, %v", name, what, grown>>20, err)
			if grown > maxPeak {
				t.Errorf("%s, %s: the heap grows by %d MiB", name, what, grown>>20)
			}
			if err != nil && !errors.Is(err, errTooManyNames) && !errors.Is(err, ErrDamaged) { // the copy may be refused, because it is smaller and expands too much
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		for _, mode := range []model.NameMode{model.NamesFull, model.NamesInitials, model.NamesHidden} {
			check(string(mode), func() error {
				_, err := Export(t.Context(), r, morning, morning.Add(time.Hour), path+string(mode), NewScrubber(mode, Metadata{}))
				return err
			})
		}
		check("player", func() error {
			n := 0
			for s, err := range r.Snapshots(morning, morning.Add(time.Hour)) {
				if err != nil || s == nil {
					return err
				}
				n++
			}
			if n != 2*frames {
				return fmt.Errorf("%d snapshots", n)
			}
			return nil
		})
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStopsShareABudget prefetches a chunk whose large records all change: only the first stops
// keep them.
func TestStopsShareABudget(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it takes a minute with the race detector")
	}
	const stops = 3 // number of stops that fit into the budget
	size := int(reflect.TypeFor[model.CustomStat]().Size())
	path := worstFile(t, 1, 7, func(s *model.Store, frame int) {
		for i := range maxHeldBytes / stops / (maxElements * size) {
			r := &model.Service{Code: model.TextOf(strconv.Itoa(i)), CustomStats: make([]model.CustomStat, maxElements)}
			for k := range r.CustomStats {
				r.CustomStats[k].Key = strconv.Itoa(frame)
			}
			s.Services.Put(r)
		}
		s.Users.Put(&model.User{Username: model.TextOf("x"), Name: model.TextOf(incompressible(40_000))})
	})
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // read-only
	p := r.Player()
	s, err := p.Seek(morning)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	m := &chunkJob{chunk: r.chunks[0], grid: timeGrid{morning, checkpointInterval / 2}, shownSnapshot: s}
	m.run(newPrefetcher(p))
	if len(m.checkpoints) != stops || m.checkpointBytes > maxHeldBytes {
		t.Errorf("%d stops keep %d MiB", len(m.checkpoints), m.checkpointBytes>>20)
	}
}

// maxPeak is how much the heap may grow: four times the state of a chunk, with as much garbage.
const maxPeak = 8 * maxHeldBytes

// TestStateOfALargeFloor checks with a smaller floor that the largest supported floor, of 20,000 agents,
// takes at most half of what a chunk may hold.
func TestStateOfALargeFloor(t *testing.T) {
	t.Parallel()
	const scale, agents = 20, 1_000
	day := demo.NewPastDay(world.Options{Seed: 1, Agents: agents})
	users, records, words := 0, 0, 0
	for s, err := range day.Snapshots(t.Context(), day.Start(), 30*time.Minute) {
		if err != nil {
			t.Fatal(err)
		}
		f := newFrameEncoder()
		f.startChunk(s.At)
		d, _ := newFrameDecoder(currentSchema(tables()), model.NewStore())
		d.startChunk(s.At)
		if err := d.readFrame(f.encodeFrame(s, s.At)); err != nil {
			t.Fatal(err)
		}
		users, records, words = max(users, s.Users.Len()), max(records, d.heldBytes), max(words, d.textBytes)
	}
	t.Logf("%d agents: %d KiB of records, %d KiB of texts", users, records>>10, words>>10)
	if users < agents/2 || scale*records > maxHeldBytes/2 || scale*words > maxTextBytes/2 {
		t.Errorf("%d agents take %d bytes of records, %d of texts", users, records, words)
	}
}

// TestTooLargeFloorIsNotRecorded checks that a writer records nothing that could not be read again.
func TestTooLargeFloorIsNotRecorded(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	source := &model.SnapshotHolder{}
	w := NewWriter(Options{Dir: testkit.PrivateDir(t), Source: source})
	for i, n := range []int{1, maxHeldBytes} {
		s.Users.Put(&model.User{Username: model.TextOf("x"), Skillsets: make([]string, n/16+1)})
		source.Put(s.Publish(morning, model.Health{}))
		err := w.writeFrame(morning.Add(time.Duration(i) * 2 * time.Minute))
		if (err != nil) != (n > 1) {
			t.Errorf("%d groups: %v", n, err)
		}
		w.handleError(err)
	}
	if why := w.Trouble(); !strings.Contains(why, "a recording at most 80 MiB") || w.segment != nil {
		t.Errorf("trouble %q", why)
	}
	w.pausedUntil = time.Time{}
	files, err := segmentPaths(w.options.Dir)
	if err := w.writeFrame(morning.Add(time.Hour)); err == nil {
		t.Error("it is recorded")
	}
	if again, err2 := segmentPaths(w.options.Dir); err != nil || err2 != nil || len(again) != len(files) {
		t.Errorf("%d files, then %d, %v, %v", len(files), len(again), err, err2)
	}
}
