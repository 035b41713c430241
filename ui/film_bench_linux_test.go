package ui

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/ui/replay"
)

// BenchmarkRewind jumps within 24 recorded hours on a 200x60 board with agents: to random
// instants, and by steps of ten seconds, four per second or with the key held. It measures
// from the key to the frame. The goals on an idle machine with 5,000 agents are 150 and 30
// ms in 99 of 100 cases; cpu-ms is the CPU time in between. It fails if the median exceeds
// the goal, or, from a hundred cases on, if one in a hundred exceeds it in CPU time, so
// that the result also holds on a busy machine.
func BenchmarkRewind(b *testing.B) {
	const step = 30 * time.Millisecond
	for agents, anywhere := range map[int]time.Duration{60: 30 * time.Millisecond, 5000: 150 * time.Millisecond} {
		floor := world.Options{
			Seed: 1, Agents: agents, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC),
		}
		path, err := record.WriteSnapshots(testkit.PrivateDir(b), record.Metadata{Names: "full"}, demo.NewPastDay(floor).Snapshots(b.Context(), floor.Start.Add(-6*time.Minute), time.Second))
		if err != nil {
			b.Fatal(err)
		}
		for name, w := range map[string]walk{
			"step": {10 * time.Second, time.Second / 4, step}, "back": {-10 * time.Second, time.Second / 4, step},
			"held": {10 * time.Second, 0, 0}, "held-back": {-10 * time.Second, 0, 0},
		} {
			b.Run(fmt.Sprintf("%d/%s", agents, name), func(b *testing.B) { rewindOften(b, path, w) })
		}
		if err := extendRecording(path, 24*time.Hour); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d/anywhere", agents), func(b *testing.B) { rewindOften(b, path, walk{most: anywhere}) })
	}
}

// walk describes a series of jumps. step is the distance of a jump, or 0 for random instants. rest is the
// pause after each jump. most is the goal for the median, or 0 if there is none.
type walk struct{ step, rest, most time.Duration }

func rewindOften(b *testing.B, path string, by walk) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r, err := record.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	in := r.Info()
	if by.step == 0 && in.Last.Sub(in.First) < 23*time.Hour {
		b.Fatalf("a recording of %v", in.Last.Sub(in.First))
	}
	film := r.Replay(in.First, 0, nil)
	defer film.Close() //nolint:errcheck // only read from
	m := New(Options{Archive: replay.Archive{Replayed: film}, Context: b.Context(), Display: Display{Location: time.UTC}, Navigation: Navigation{StartPage: "Agents"}})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	rng := rand.New(rand.NewPCG(1, 1))
	anywhere := func() time.Time { return in.First.Add(time.Duration(rng.Int64N(int64(in.Last.Sub(in.First))))) }
	to := func(at time.Time) {
		m.shownFloor.replay.Jump(at)
		m.Update(snapshotMsg{Snapshot: film.Latest()})
		if len(m.Frame()) < 1000 {
			b.Fatalf("the frame is %q", m.Frame())
		}
	}
	stay := func() { // the past is evaluated, because the viewer has stayed at the instant for a moment
		if err := m.shownFloor.replay.EvaluatePast(b.Context(), func(msg tea.Msg) { m.Update(msg) }); err != nil {
			b.Fatal(err)
		}
	}
	to(anywhere())
	b.ResetTimer()
	var took, used []time.Duration
	for b.Loop() {
		at := anywhere()
		if by.step != 0 {
			b.StopTimer()
			at = film.At().Add(by.step)
			if at.After(in.Last) || at.Before(in.First) || len(took) == 0 {
				at = in.First
				if by.step < 0 {
					at = in.Last
				}
				to(at)
				stay()
				at = at.Add(by.step)
			}
			time.Sleep(by.rest) //nolint:forbidigo // a person's
			b.StartTimer()
		}
		begin, busy := time.Now(), processor()
		to(at)
		took, used = append(took, time.Since(begin)), append(used, processor()-busy)
		if b.StopTimer(); m.shownFloor.replay.DrawsBeforeEvaluating() {
			m.Update(evaluateMsg{}) // the frame is drawn before the evaluation
		}
		b.StartTimer()
	}
	slices.Sort(took)
	slices.Sort(used)
	by.check(b, took, used)
	for unit, of := range map[string][]time.Duration{"ms": took, "cpu-ms": used} {
		for _, share := range []int{50, 99} {
			d := rank(of, share)
			b.ReportMetric(float64(d.Microseconds())/1000, fmt.Sprintf("p%d-%s", share, unit))
		}
	}
}

// rank returns a percentile of sorted times.
func rank(of []time.Duration, share int) time.Duration { return of[min(len(of)*share/100, len(of)-1)] }

// check fails if the goal is exceeded.
func (w walk) check(b *testing.B, took, used []time.Duration) {
	b.Helper()
	if w.most == 0 {
		return
	}
	most := time.Duration(float64(w.most) * testkit.GoalFactor())
	if d := rank(took, 50); d > most {
		b.Errorf("half of the frames take longer than %v, of %v", d, most)
	}
	if d := rank(used, 99); len(used) >= 100 && d > most {
		b.Errorf("one frame in a hundred takes %v of a processor, of %v", d, most)
	}
}

// processor returns the CPU time of this goroutine's thread.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Sizes, in bytes, at the end of a segment file: the header of the block with the footer, and
// the trailer.
const (
	blockPrefix = 9
	trailer     = 8
)

// chunk is the entry of a chunk in the footer of a segment file.
type chunk struct {
	Offset int64     `json:"offset"`
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Frames int       `json:"frames"`
}

// extendRecording repeats the chunks of a segment file with later times until the recorded period is at
// least as long as length.
func extendRecording(path string, length time.Duration) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := binary.LittleEndian.Uint64(b[len(b)-trailer:])
	var foot struct {
		Chunks []chunk       `json:"chunks"`
		Marks  []record.Mark `json:"marks"`
	}
	if err := json.Unmarshal(b[at+blockPrefix:len(b)-trailer], &foot); err != nil {
		return fmt.Errorf("stretch: %w", err)
	}
	once := foot.Chunks
	round := once[len(once)-1].Last.Add(time.Second).Sub(once[0].First)
	body := slices.Clone(b[once[0].Offset:at])
	b = b[:at]
	for by := round; by < length; by += round {
		for _, c := range once {
			c.First, c.Last = c.First.Add(by), c.Last.Add(by)
			c.Offset += int64(len(b)) - once[0].Offset
			foot.Chunks = append(foot.Chunks, c)
		}
		b = append(b, body...)
	}
	at = uint64(len(b))
	text, err := json.Marshal(foot)
	if err != nil {
		return fmt.Errorf("stretch: %w", err)
	}
	b = append(b, 'F')
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
	b = binary.LittleEndian.AppendUint64(append(b, text...), at)
	return os.WriteFile(path, b, 0o600)
}
