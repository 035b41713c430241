//go:build !nonatsserver

package cluster

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// rested returns the resident memory of this process in MB and its CPU time.
func rested(t *testing.T) (mb float64, cpu time.Duration) {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	var kb float64
	if _, err := fmt.Sscan(after, &kb); err != nil {
		t.Fatal(err)
	}
	return kb / 1024, testkit.ProcessCPUTime(t)
}

// TestIdleCost measures the memory and CPU time of three nodes that receive no snapshots: the server of
// each node, the lease, and the messages between nodes. It needs an otherwise idle machine.
func TestIdleCost(t *testing.T) { //nolint:paralleltest // it measures
	inCluster(t)
	before, _ := rested(t)
	peers := []string{testkit.FreeAddr(t), testkit.FreeAddr(t), testkit.FreeAddr(t)}
	s := newSite(t, len(peers), func(i int, o *Options) { o.Listen, o.Peers, o.Advertise = peers[i], peers, "" }) // direct connections, without cables
	s.settled()
	s.platform.still.Store(true)
	time.Sleep(10 * time.Second) //nolint:forbidigo // what is made at the start is made
	const long = 30 * time.Second
	after, began := rested(t)
	time.Sleep(long) //nolint:forbidigo // it measures
	_, ended := rested(t)
	mb, core := (after-before)/3, 100*float64(ended-began)/float64(long)/3
	t.Logf("each of three nodes: %.1f MB, %.2f %% of a core", mb, core)
	if mb > 15 || core > 0.5 {
		t.Error("the cost is above the limit for a server and the messages between nodes")
	}
}

// TestToldWithin measures the time from a snapshot of the leader's feed until a follower shows it, with
// ten snapshots per second.
func TestToldWithin(t *testing.T) { //nolint:paralleltest // it measures
	inCluster(t)
	for _, agents := range []int{60, 5000} {
		s := newSite(t, 3, nil)
		leader, _ := s.settled()
		s.platform.every, s.platform.agents = 100*time.Millisecond, agents
		await(t, "handed over", func() bool { return s.nodes[leader].stepDown() == nil })
		await(t, "another one leads", func() bool { now := s.leader(); return now >= 0 && now != leader })
		leader, _ = s.settled()
		for range len(s.platform.news) {
			<-s.platform.news
		}
		var all []time.Duration
		node := s.nodes[(leader+1)%3].Node
		came := make(map[int64]time.Time)
		for seq, until := uint64(0), time.Now().Add(20*time.Second); time.Now().Before(until); {
			p, err := node.Wait(t.Context(), seq)
			if err != nil {
				t.Fatal(err)
			}
			seq = p.Seq
			if n := newestCalls(p); came[n].IsZero() {
				came[n] = time.Now()
			}
		}
		for range len(s.platform.news) {
			if one := <-s.platform.news; !came[one.calls].IsZero() {
				all = append(all, came[one.calls].Sub(one.at))
			}
		}
		t.Logf("%d agents, %d pictures: %v at the median, %v at p99", agents, len(all), quantile(all, 0.5), quantile(all, 0.99))
		if len(all) < 100 || quantile(all, 0.99) > 20*time.Millisecond {
			t.Error("the goal is 20 ms at p99")
		}
		for i := range s.nodes {
			s.end(i)
		}
	}
}

// TestPublishCost measures the cost of publishing a simulated floor of 5,000 agents with 2,000 updates
// per second, including all figures that change with these updates. It needs an otherwise idle machine.
func TestPublishCost(t *testing.T) { //nolint:paralleltest // it measures
	inCluster(t)
	srv, connect := simulated(t, simulator.Options{World: world.Options{Seed: 5, Agents: 5000}, UpdatesPerSecond: 2000})
	feed, err := connect(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = feed.Run(ctx) }()
	await(t, "the whole floor", func() bool { s := feed.Latest(); return s != nil && isComplete(s) && s.UserStats.Len() > 5000 })
	var seen []*model.Snapshot
	for seq := uint64(0); len(seen) < 100; {
		s, err := feed.Wait(ctx, seq)
		if err != nil {
			t.Fatal(err)
		}
		seen, seq = append(seen, s), s.Seq
	}
	cancel()
	<-ended
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	p := newPublishing(t)
	p.tell(seen[:20])
	p.forget()
	p.tell(seen[20:])
	published, all := p.cheaper()
	apart := seen[len(seen)-1].At.Sub(seen[20].At) / time.Duration(p.pictures-1)
	t.Logf("%d pictures %v apart, of %d records and %d bytes: %.2f %% of a core at ten a second; publishing alone %.0f times, with the writing %.0f times cheaper than a message for each record",
		p.pictures, apart.Round(time.Millisecond), p.records/p.pictures, p.bytes/p.pictures, p.core(p.making+p.telling), published, all)
	if p.core(p.making+p.telling) > 1 || published < 25 {
		t.Error("the goal is 1 % of a core, and publishing 25 times cheaper")
	}
}
