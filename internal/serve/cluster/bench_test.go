//go:build !nonatsserver

package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// tenth is the time between two snapshots.
const tenth = time.Second / 10

// publishing measures the cost of sending ten snapshots per second as frames. It compares this with one
// JetStream message for each changed record. The cost is the CPU time of the process, including the NATS
// server.
type publishing struct {
	tb     testing.TB
	nc     *nats.Conn
	js     jetstream.JetStream
	teller *frameSender

	before   *model.Snapshot
	pictures int
	records  int           // number of changed records
	bytes    int           // size of all frames
	making   time.Duration // CPU time to build the frames
	telling  time.Duration // CPU time to publish the frames
	ready    time.Duration // CPU time to publish a message for each record, without the encoding
	written  time.Duration // CPU time to encode each record as JSON and publish it
}

func newPublishing(tb testing.TB) *publishing {
	tb.Helper()
	s, err := server.NewServer(&server.Options{Port: server.RANDOM_PORT, Host: "127.0.0.1", NoLog: true, NoSigs: true, JetStream: true, StoreDir: testkit.PrivateDir(tb)})
	if err != nil {
		tb.Fatal(err)
	}
	s.Start()
	tb.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(patience) {
		tb.Fatal("no server")
	}
	p := &publishing{tb: tb}
	if p.nc, err = nats.Connect("", nats.InProcessServer(s)); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.nc.Close)
	if p.js, err = jetstream.New(p.nc); err != nil {
		tb.Fatal(err)
	}
	if _, err := p.js.CreateStream(tb.Context(), jetstream.StreamConfig{Name: "one", Subjects: []string{"one"}, Storage: jetstream.MemoryStorage, MaxMsgs: 100_000}); err != nil {
		tb.Fatal(err)
	}
	if p.teller, err = newFrameSender(); err != nil {
		tb.Fatal(err)
	}
	return p
}

// spend adds the CPU time of do to on.
func (p *publishing) spend(on *time.Duration, do func() error) {
	p.tb.Helper()
	began := testkit.ProcessCPUTime(p.tb)
	if err := do(); err != nil {
		p.tb.Fatal(err)
	}
	*on += testkit.ProcessCPUTime(p.tb) - began
}

// tell publishes the snapshots as frames, then as messages of constant size, and then as JSON messages.
func (p *publishing) tell(pictures []*model.Snapshot) {
	p.tb.Helper()
	var frames [][]byte
	var records []any
	for _, s := range pictures {
		if p.before != nil {
			records = append(records, changedOf(p.before, s)...)
		}
		p.before = s
	}
	p.spend(&p.making, func() (err error) {
		for _, s := range pictures {
			frame, whole := p.teller.encodeFrame(s, s.At)
			err = errors.Join(err, p.teller.sendFrame(message{node: "wb1", sent: s.At}, frame, whole, func(b []byte) error {
				frames = append(frames, slices.Clone(b))
				return nil
			}))
		}
		return err
	})
	p.spend(&p.telling, func() (err error) {
		for _, b := range frames {
			p.bytes += len(b)
			err = errors.Join(err, p.nc.Publish("frames", b), p.nc.Flush())
		}
		return err
	})
	some := make([]byte, 120) // approximate size of an encoded record
	p.spend(&p.ready, func() error { return p.each(records, func(any) ([]byte, error) { return some, nil }) })
	p.spend(&p.written, func() error { return p.each(records, json.Marshal) })
	p.pictures += len(pictures)
	p.records += len(records)
}

// each publishes a message for each record and waits until all are stored.
func (p *publishing) each(records []any, write func(any) ([]byte, error)) error {
	for _, r := range records {
		text, err := write(r)
		if err == nil {
			_, err = p.js.PublishAsync("one", text)
		}
		if err != nil {
			return err
		}
	}
	<-p.js.PublishAsyncComplete()
	return nil
}

// forget resets the measurements, but keeps the last snapshot.
func (p *publishing) forget() {
	*p = publishing{tb: p.tb, nc: p.nc, js: p.js, teller: p.teller, before: p.before}
}

// core returns the share of one core in percent, for a CPU time d that all snapshots took.
func (p *publishing) core(d time.Duration) float64 {
	return 100 * float64(d) / (float64(p.pictures) * float64(tenth))
}

// cheaper returns how many times cheaper frames are than a message for each record: for publishing alone,
// and for encoding and publishing.
func (p *publishing) cheaper() (published, all float64) {
	return float64(p.ready) / float64(p.telling), float64(p.written) / float64(p.making+p.telling)
}

// changedOf returns the records that differ from those of the previous snapshot.
func changedOf(before, now *model.Snapshot) (changed []any) {
	return slices.Concat(
		others(before.Users, now.Users), others(before.UserStats, now.UserStats), others(before.Profiles, now.Profiles),
		others(before.Services, now.Services), others(before.Groups, now.Groups), others(before.Campaigns, now.Campaigns),
		others(before.Attendants, now.Attendants), others(before.Operators, now.Operators), others(before.OperatorProfiles, now.OperatorProfiles),
	)
}

func others[K comparable, T any, R interface {
	*T
	Key() K
}](before, now *model.Table[K, T]) (changed []any) {
	for r := range now.All() {
		if before.Get(R(r).Key()) != r {
			changed = append(changed, r)
		}
	}
	return changed
}

// changingAgents is a floor on which agents change at random. All runs have the same changes.
type changingAgents struct {
	store *model.Store
	now   time.Time
	n     int
	rng   *rand.Rand
}

func newChangingAgents(n int, now time.Time) *changingAgents {
	a := &changingAgents{store: model.NewStore(), now: now, n: n, rng: rand.New(rand.NewPCG(1, 2))}
	for i := range n {
		a.change(i)
	}
	return a
}

// change gives an agent a new state, and one more call.
func (a *changingAgents) change(i int) {
	k := model.UserStatKey{Username: fmt.Sprintf("agent.%05d", i), Channel: model.Call}
	r := model.UserStat{}
	if old := a.store.UserStats.Get(k); old != nil {
		r = *old
	}
	r.Username, r.Channel, r.TimeInState = model.TextOf(k.Username), k.Channel, model.InstantOf(a.now)
	r.ActivityCode = model.TextOf([]string{"PAUSE", "LUNCH", "MEETING", "__EMPTY__"}[a.rng.IntN(4)])
	r.NumberCallFromService = model.IntOf(r.NumberCallFromService.Or(0) + 1)
	r.NumberCallFromServiceAnswered = model.IntOf(r.NumberCallFromServiceAnswered.Or(0) + int64(a.rng.IntN(2)))
	a.store.UserStats.Put(&r)
}

// tenth returns the snapshot a tenth of a second later, with the given number of changes.
func (a *changingAgents) tenth(changes int) *model.Snapshot {
	a.now = a.now.Add(tenth)
	for range changes {
		a.change(a.rng.IntN(a.n))
	}
	return a.store.Publish(a.now, model.Health{Link: model.Link{State: model.LinkUp, LastFrame: a.now}})
}

// BenchmarkPublish publishes one second of a floor of 5,000 agents with 2,000 updates per second, each of
// which changes three figures of a record: as ten frames, and as a JetStream message for each changed
// record. %core is the share of one core. x-published compares publishing alone, and x-all also the
// encoding, with records as JSON. TestPublishCost does the same with snapshots of the simulator, in which
// more figures change.
func BenchmarkPublish(b *testing.B) {
	const agents, updates = 5000, 2000
	r := newChangingAgents(agents, time.UnixMilli(1.8e12))
	p := newPublishing(b)
	second := func() (pictures []*model.Snapshot) {
		for range time.Second / tenth {
			pictures = append(pictures, r.tenth(updates/10))
		}
		return pictures
	}
	p.tell(second()) // the first full state
	p.tell(second())
	p.forget()
	for b.Loop() {
		b.StopTimer()
		pictures := second()
		b.StartTimer()
		p.tell(pictures)
	}
	published, all := p.cheaper()
	b.ReportMetric(p.core(p.making+p.telling), "%core")
	b.ReportMetric(published, "x-published")
	b.ReportMetric(all, "x-all")
	b.ReportMetric(float64(p.bytes)/float64(p.pictures), "bytes/picture")
}

// BenchmarkHear rebuilds the snapshots of BenchmarkPublish as a follower does.
func BenchmarkHear(b *testing.B) {
	const updates = 2000
	r := newChangingAgents(5000, time.UnixMilli(1.8e12))
	teller, err := newFrameSender()
	if err != nil {
		b.Fatal(err)
	}
	hearer, err := newFrameReceiver()
	if err != nil {
		b.Fatal(err)
	}
	screen := newSnapshotPublisher()
	for b.Loop() {
		b.StopTimer()
		snap := r.tenth(updates / 10)
		frame, whole := teller.encodeFrame(snap, snap.At)
		var told []message
		if err := teller.sendFrame(message{node: "wb1", sent: snap.At}, frame, whole, func(p []byte) error {
			m, err := parseMessage(append([]byte(nil), p...))
			told = append(told, m)
			return err
		}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for i := range told {
			schema, frame, whole, err := hearer.addPiece(&told[i])
			if err == nil && frame != nil {
				err = screen.showFrame(schema, frame, whole, func(h model.Health) model.Health { return h })
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
