package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// newBusy returns a busy floor in the morning.
func newBusy(agents int) *busyFloor { return newBusyFloor(agents, morning) }

// second advances the floor by a second, in which a tenth of the agents change.
func second(b *busyFloor, agents int) *model.Snapshot {
	return b.Advance(time.Second, max(1, agents/10))
}

// BenchmarkWrite writes a frame per second and compares the size with a compressed JSON
// snapshot.
func BenchmarkWrite(b *testing.B) {
	for _, agents := range []int{60, 5000} {
		b.Run(fmt.Sprintf("frames/%d", agents), func(b *testing.B) {
			f := newBusy(agents)
			s, err := newSegment(io.Discard, Metadata{}, f.At, newFrameEncoder())
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				b.StopTimer()
				snap := second(f, agents)
				b.StartTimer()
				if err := s.writeFrame(snap, f.At, n%60 == 0); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(s.size)/float64(n)*3600/1e6, "MB/h")
		})
		b.Run(fmt.Sprintf("json-gzip/%d", agents), func(b *testing.B) {
			f := newBusy(agents)
			var out bytes.Buffer
			z := gzip.NewWriter(&out)
			n := 0
			for b.Loop() {
				b.StopTimer()
				snap := second(f, agents)
				b.StartTimer()
				text, err := json.Marshal(snap)
				if err != nil {
					b.Fatal(err)
				}
				z.Reset(&out)
				_, _ = z.Write(text)
				_ = z.Close()
				n++
			}
			b.ReportMetric(float64(out.Len())/float64(n)*3600/1e6, "MB/h")
		})
	}
}

// BenchmarkSeek seeks random times of an hour and reads the next frame.
func BenchmarkSeek(b *testing.B) {
	for _, agents := range []int{60, 5000} {
		path := filepath.Join(testkit.PrivateDir(b), "a.wbr")
		out, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		f := newBusy(agents)
		s, err := newSegment(out, Metadata{}, f.At, newFrameEncoder())
		if err != nil {
			b.Fatal(err)
		}
		const seconds = 600
		for i := range seconds {
			if err := s.writeFrame(second(f, agents), f.At, i%60 == 0); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.close(); err != nil {
			b.Fatal(err)
		}
		_ = out.Close()
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		b.Run(fmt.Sprintf("anywhere/%d", agents), func(b *testing.B) {
			p := r.Player()
			for b.Loop() {
				if _, err := p.Seek(morning.Add(time.Duration(rng.IntN(seconds)+1) * time.Second)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("next/%d", agents), func(b *testing.B) {
			p := r.Player()
			for b.Loop() {
				s, err := p.Next()
				if err != nil {
					b.Fatal(err)
				}
				if s == nil {
					p = r.Player()
				}
			}
		})
		_ = r.Close()
	}
}
