package cluster

import (
	"encoding/json"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"wallboard/model"
	"wallboard/model/modeltest"
)

// tenth is how far two pictures are apart.
const tenth = time.Second / 10

// spent is the processor time of the whole program, the servers in it too.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPublish tells the pictures of a floor of 5,000 agents at 2,000 updates a
// second, ten a second and all there is once a minute, against a message per record to
// JetStream: one that is ready, and one that has to be written first, as the frames have.
// %core is of one core, the server's share included.
func BenchmarkPublish(b *testing.B) {
	const agents, updates = 5000, 2000
	s, err := server.NewServer(&server.Options{Port: server.RANDOM_PORT, Host: "127.0.0.1", NoLog: true, NoSigs: true, JetStream: true, StoreDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(patience) {
		b.Fatal("no server")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		b.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "one", Subjects: []string{"one"}, Storage: jetstream.MemoryStorage, MaxMsgs: 100_000}); err != nil {
		b.Fatal(err)
	}
	measure := func(name string, do func(s *model.Snapshot)) {
		b.Run(name, func(b *testing.B) {
			r := modeltest.NewBusy(agents, time.UnixMilli(1.8e12))
			do(r.Step(tenth, updates/10))
			var took time.Duration
			n := 0
			for b.Loop() {
				b.StopTimer()
				snap := r.Step(tenth, updates/10)
				b.StartTimer()
				began := spent(b)
				do(snap)
				took += spent(b) - began
				n++
			}
			b.ReportMetric(float64(took)/float64(n)/float64(updates/10), "cpu-ns/record")
			b.ReportMetric(100*float64(took)/float64(n)/float64(100*time.Millisecond), "%core")
		})
	}
	teller, err := newTeller()
	if err != nil {
		b.Fatal(err)
	}
	pictures, bytes, most := 0, 0, 0
	measure("frames", func(s *model.Snapshot) {
		pictures++
		before := bytes
		defer func() { most = max(most, bytes-before) }()
		frame, whole := teller.frameOf(s, s.At)
		err := teller.tell(message{node: "wb1", sent: s.At}, frame, whole, func(p []byte) error {
			bytes += len(p)
			return nc.Publish("frames", p)
		})
		if err == nil {
			err = nc.Flush()
		}
		if err != nil {
			b.Fatal(err)
		}
	})
	b.Logf("%d bytes a picture, %d for all there is", bytes/pictures, most)
	record := make([]byte, 120)
	measure("record-by-record/ready", func(*model.Snapshot) {
		for range updates / 10 {
			if _, err := js.PublishAsync("one", record); err != nil {
				b.Fatal(err)
			}
		}
		<-js.PublishAsyncComplete()
	})
	measure("record-by-record/as-JSON", func(s *model.Snapshot) {
		for _, r := range s.UserStats.Rows()[:updates/10] { // as many as have changed
			text, err := json.Marshal(r)
			if err == nil {
				_, err = js.PublishAsync("one", text)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		<-js.PublishAsyncComplete()
	})
}

// BenchmarkHear rebuilds the pictures of BenchmarkPublish, as a follower does.
func BenchmarkHear(b *testing.B) {
	const updates = 2000
	r := modeltest.NewBusy(5000, time.UnixMilli(1.8e12))
	teller, err := newTeller()
	if err != nil {
		b.Fatal(err)
	}
	hearer, err := newHearer()
	if err != nil {
		b.Fatal(err)
	}
	screen := newScreen()
	for b.Loop() {
		b.StopTimer()
		snap := r.Step(tenth, updates/10)
		frame, whole := teller.frameOf(snap, snap.At)
		var told []message
		if err := teller.tell(message{node: "wb1", sent: snap.At}, frame, whole, func(p []byte) error {
			m, err := parseMessage(append([]byte(nil), p...))
			told = append(told, m)
			return err
		}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for i := range told {
			schema, frame, whole, err := hearer.hear(&told[i])
			if err == nil && frame != nil {
				err = screen.take(schema, frame, whole, func(h model.Health) model.Health { return h })
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
