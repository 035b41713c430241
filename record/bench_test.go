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

	"wallboard/model"
)

// busy is a floor on which a share of the agents changes every second as agents
// do: a state that begins, a counter that grows.
type busy struct {
	rng   *rand.Rand
	store *model.Store
	at    time.Time
	n     int
}

func newBusy(agents int) *busy {
	b := &busy{rand.New(rand.NewPCG(1, 2)), model.NewStore(), morning, agents}
	for i := range agents {
		name := model.TextOf(fmt.Sprintf("agent.%05d", i))
		b.store.Users.Put(&model.User{Username: name, Name: model.TextOf("Anna"), Surname: model.TextOf(fmt.Sprint("Rossi ", i)), Skillsets: []string{"A", "B"}})
		b.put(i)
	}
	for i := range 12 {
		b.store.Services.Put(&model.Service{Code: model.TextOf(fmt.Sprint("S", i)), Channel: model.Call})
	}
	return b
}

func (b *busy) put(i int) {
	key := model.UserStatKey{Username: fmt.Sprintf("agent.%05d", i), Channel: model.Call}
	r := model.UserStat{}
	if old := b.store.UserStats.Get(key); old != nil {
		r = *old
	} else {
		r.Username, r.Channel = model.TextOf(key.Username), model.Call
	}
	r.ActivityCode = model.TextOf([]string{"PAUSE", "LUNCH", "MEETING", "__EMPTY__"}[b.rng.IntN(4)])
	r.TimeInState = model.InstantOf(b.at)
	r.NumberCallFromService = model.IntOf(r.NumberCallFromService.Or(0) + 1)
	r.NumberCallFromServiceAnswered = model.IntOf(r.NumberCallFromServiceAnswered.Or(0) + int64(b.rng.IntN(2)))
	b.store.UserStats.Put(&r)
}

func (b *busy) step() *model.Snapshot {
	b.at = b.at.Add(time.Second)
	for range max(1, b.n/10) {
		b.put(b.rng.IntN(b.n))
	}
	s := &model.Service{Code: model.TextOf("S1"), Channel: model.Call}
	s.ChannelStats.ReceivedCalls = model.IntOf(b.at.Unix() - morning.Unix())
	b.store.Services.Put(s)
	return b.store.Publish(b.at, model.Health{Link: model.Link{State: model.LinkUp, LastFrame: b.at}})
}

// BenchmarkWrite writes a frame of each second, against what a compressed picture
// in JSON takes.
func BenchmarkWrite(b *testing.B) {
	for _, agents := range []int{60, 5000} {
		b.Run(fmt.Sprintf("frames/%d", agents), func(b *testing.B) {
			f := newBusy(agents)
			s, err := newSegment(io.Discard, About{}, f.at, newFramer())
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				b.StopTimer()
				snap := f.step()
				b.StartTimer()
				if err := s.frame(snap, f.at, n%60 == 0); err != nil {
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
				snap := f.step()
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

// BenchmarkSeek brings any instant of an hour back, and the next frame.
func BenchmarkSeek(b *testing.B) {
	for _, agents := range []int{60, 5000} {
		path := filepath.Join(b.TempDir(), "a.wbr")
		out, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		f := newBusy(agents)
		s, err := newSegment(out, About{}, f.at, newFramer())
		if err != nil {
			b.Fatal(err)
		}
		const seconds = 600
		for i := range seconds {
			if err := s.frame(f.step(), f.at, i%60 == 0); err != nil {
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
