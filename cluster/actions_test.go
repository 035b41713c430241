package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/audit"
	"wallboard/control"
	"wallboard/model/resource"
	"wallboard/restclient"
	"wallboard/secret"
	"wallboard/simulator"
	"wallboard/simulator/accounts"
	"wallboard/simulator/world"
)

// pressed counts what the desks of all nodes send to the platform.
type pressed struct {
	inside   map[int]*atomic.Int64 // requests under way, by campaign
	requests atomic.Int64
	beside   atomic.Int64 // requests while another one was under way for the same campaign
	locked   sync.Map     // who has the lock of a target: a counter
	twice    atomic.Int64 // times that two had it
}

// lock is the lock of a node, counted where it is one: a node without a majority has
// none, and warns.
func (p *pressed) lock(c *Common) func(context.Context, string) (func(), string, error) {
	return func(ctx context.Context, target string) (func(), string, error) {
		release, warning, err := c.Lock(ctx, target)
		if err != nil || warning != "" {
			return release, warning, err
		}
		x, _ := p.locked.LoadOrStore(target, new(atomic.Int64))
		n := x.(*atomic.Int64)
		if n.Add(1) > 1 {
			p.twice.Add(1)
		}
		return func() { n.Add(-1); release() }, "", nil
	}
}

// watchedCampaigns sends what a node does through a count.
type watchedCampaigns struct {
	control.CampaignService
	all *pressed
}

func (w *watchedCampaigns) StartCampaign(ctx context.Context, id int, reset *bool) (bool, error) {
	defer w.enter(id)()
	return w.CampaignService.StartCampaign(ctx, id, reset)
}

func (w *watchedCampaigns) StopCampaign(ctx context.Context, id int, reset *bool) (bool, error) {
	defer w.enter(id)()
	return w.CampaignService.StopCampaign(ctx, id, reset)
}

func (w *watchedCampaigns) enter(id int) (leave func()) {
	w.all.requests.Add(1)
	if w.all.inside[id].Add(1) > 1 {
		w.all.beside.Add(1)
	}
	return func() { w.all.inside[id].Add(-1) }
}

// actor is a viewer's way to act at a node. A new life of the node has another one.
type actor struct {
	desk *control.Desk
	file *audit.Log
}

// press stops a campaign or starts it, as a person who waits a moment when it is refused.
func (a *actor) press(ctx context.Context, campaign int, stop bool) resource.Outcome {
	act := a.desk.Campaigns.StartCampaign
	if stop {
		act = a.desk.Campaigns.StopCampaign
	}
	r := act(ctx, resource.CampaignSwitch{ID: campaign})
	if r.Outcome == resource.NotSent {
		time.Sleep(25 * time.Millisecond) //nolint:forbidigo // a person
	}
	return r.Outcome
}

// TestManyActions has people at all three nodes start and stop the same campaigns at the
// same time, while nodes are cut off and killed: no two ever have the lock of a campaign,
// no more requests come than were sent once each, and each that the platform carried out
// is in the audit file of the node that sent it. A node without a majority has no lock,
// and looks again instead.
// CLUSTER_ACTIONS is how many (1,000).
func TestManyActions(t *testing.T) {
	t.Parallel()
	inCluster(t)
	srv, connect := simulated(t, simulator.Options{World: world.Options{Seed: 3, Agents: 20, Campaigns: 20}})
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprint("node", i), "audit.jsonl") }
	s := newSite(t, 3, func(i int, o *Options) { o.Connect, o.AuditFile = connect, path(i) })
	live := func() {
		await(t, "one leads", func() bool { return s.leader() >= 0 })
		for _, m := range s.nodes {
			await(t, m.o.Node+" takes part", func() bool { return m.Latest().Health.Live() && m.Status().Role != Alone && m.Common.together() != nil })
		}
	}
	live()
	all := &pressed{inside: make(map[int]*atomic.Int64)}
	campaigns := srv.Campaigns()
	for _, id := range campaigns {
		all.inside[int(id)] = new(atomic.Int64)
	}
	account := accounts.Default()
	var mu sync.RWMutex // held by who acts: a node is killed between two actions of ours, not of the others'
	actors := make([]*actor, len(s.nodes))
	begin := func(i int) {
		client, err := restclient.New(restclient.Options{URL: srv.RESTURL(), Auth: restclient.AuthBasic, Username: account.Username, Password: secret.New(account.Password)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		file, err := audit.Open(audit.Options{Path: path(i), MaxSize: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		c := s.nodes[i].Common
		service := control.ServiceOf(client)
		service.Campaigns = &watchedCampaigns{service.Campaigns, all}
		desk, err := control.New(control.Options{Service: service, Audit: file, Username: "supervisor", Lock: all.lock(c)})
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		actors[i] = &actor{desk, file}
	}
	for i := range s.nodes {
		begin(i)
	}
	want := int64(rounds(t, "CLUSTER_ACTIONS", 1000))
	var presses atomic.Int64
	var outcomes [4]atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	var people sync.WaitGroup
	for i := range s.nodes {
		for _, id := range campaigns {
			people.Go(func() {
				for n := 0; presses.Add(1) <= want && ctx.Err() == nil; n++ {
					mu.RLock()
					a := actors[i]
					mu.RUnlock()
					outcomes[a.press(ctx, int(id), n%2 == 0)].Add(1)
				}
			})
		}
	}
	acted := func(share int64) func() bool {
		return func() bool { return presses.Load() >= want*share/8 }
	}
	troubles := 0
	for share := int64(1); share <= 6; share++ {
		await(t, "people act", acted(share))
		i := int(share) % len(s.nodes)
		if lead := s.leader(); share%2 == 0 && lead >= 0 {
			i = lead
		}
		s.cutOff(i)
		troubles++
		before := presses.Load()
		await(t, "people act without a node", func() bool { return presses.Load() > min(before+want/20, want) })
		if share%2 == 0 { // it was no cut: the machine is gone, and comes back
			s.end(i)
			s.mend()
			s.start(i)
			begin(i)
		} else {
			s.mend()
		}
		live()
	}
	people.Wait()
	stop()
	t.Logf("%d presses in %d troubles: %d confirmed, %d refused because somebody else acts or nothing could be asked, %d unclear; %d requests, %d beside one of a node without a majority",
		min(presses.Load(), want), troubles, outcomes[resource.Confirmed].Load(), outcomes[resource.NotSent].Load(), outcomes[resource.Unknown].Load(), all.requests.Load(), all.beside.Load())
	if n := all.twice.Load(); n > 0 {
		t.Errorf("%d times two had the lock of a campaign", n)
	}
	if outcomes[resource.Confirmed].Load() == 0 || outcomes[resource.NotSent].Load() == 0 {
		t.Error("nothing was done, or nobody was ever refused")
	}
	checkAudited(t, srv, path, len(s.nodes), all.requests.Load())
}

// checkAudited holds the audit files of all nodes against what the platform carried out.
func checkAudited(t *testing.T, srv *simulator.Server, path func(int) string, nodes int, requests int64) {
	t.Helper()
	carried := make(map[string]int)
	sent := int64(0)
	for _, e := range srv.REST().Executions() {
		carried[e.Operation+" "+e.Target]++
		sent++
	}
	if sent > requests {
		t.Errorf("the platform carried out %d requests, the nodes sent %d", sent, requests)
	}
	written := make(map[string]int)
	for i := range nodes {
		for e, err := range audit.Read(path(i), audit.Filter{}) {
			var broken *audit.BrokenError
			if errors.Is(err, fs.ErrNotExist) { // nobody got to act there
				continue
			}
			if err != nil && !errors.As(err, &broken) {
				t.Fatal(err)
			}
			var id int
			if _, err := fmt.Sscanf(e.Target, "campaign %d", &id); err == nil {
				written[e.Action+" "+strconv.Itoa(id)]++
			}
		}
	}
	for what, n := range carried {
		if written[what] < n {
			t.Errorf("%s: carried out %d times, %d times in an audit file", what, n, written[what])
		}
	}
	if len(carried) == 0 {
		t.Error("the platform carried nothing out")
	}
}
