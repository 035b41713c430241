package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/control"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// actorEnv is the environment variable that makes the test binary a node at which users act. It contains
// an actor as JSON.
const actorEnv = "CLUSTER_ACTOR"

func TestMain(m *testing.M) {
	if text := os.Getenv(actorEnv); text != "" {
		if err := runActor(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // it is one here
		}
		return
	}
	testkit.UsePrivateMounts()
	os.Exit(m.Run()) //nolint:forbidigo // likewise
}

// actor describes a node in a process of its own, at which users act.
type actor struct {
	Node, Listen, Dir, Audit string
	Peers                    []string
	REST, User, Password     string
	Campaigns                []int
}

// actorTerm is the term of the locks of these nodes.
const actorTerm = 3 * time.Second

// Lines that an actor writes: before it sends an action, and after the outcome of an action is known.
const (
	sendLine  = "send"
	pressLine = "press"
)

// say writes one line to the test in a single write.
func say(what ...any) { _, _ = fmt.Fprintln(os.Stdout, what...) }

func runActor(text string) error {
	var a actor
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return err
	}
	p := &platform{agents: 1, every: time.Second}
	n, err := newNode(context.Background(), Options{
		Name: "milan", Node: a.Node, Version: "test", Platform: "wss://platform/rtd", Dir: a.Dir, Listen: a.Listen, Peers: a.Peers,
		MayLead: true, Lease: time.Second, Advertise: "127.0.0.1:1", Connect: p.connect, Logger: testLogger(), AuditFile: a.Audit, lockTerm: actorTerm,
	})
	if err != nil {
		return err
	}
	client, err := restclient.New(restclient.Options{URL: a.REST, Auth: restclient.AuthBasic, Username: a.User, Password: secret.New(a.Password)})
	if err != nil {
		return err
	}
	file, err := audit.Open(audit.Options{Path: a.Audit, MaxSize: 1 << 30})
	if err != nil {
		return err
	}
	service := control.ServiceOf(client)
	service.Campaigns = toldCampaigns{service.Campaigns}
	desk, err := control.New(control.Options{
		Service: service, Audit: file, Username: "supervisor",
		Lock: func(ctx context.Context, target string) (control.Lock, error) { return n.Shared.Lock(ctx, target) },
	})
	if err != nil {
		return err
	}
	for _, id := range a.Campaigns {
		go func() { // a user who starts and stops the campaign again and again
			for stop := false; ; stop = !stop {
				act := desk.Campaigns.StartCampaign
				if stop {
					act = desk.Campaigns.StopCampaign
				}
				r := act(context.Background(), resource.CampaignSwitch{ID: id})
				say(pressLine, r.Outcome, r.Text)
				time.Sleep(100 * time.Millisecond) //nolint:forbidigo // a person
			}
		}()
	}
	return n.Run(context.Background())
}

// toldCampaigns writes a line before it sends an action.
type toldCampaigns struct{ control.CampaignService }

func (c toldCampaigns) StartCampaign(ctx context.Context, id int, reset *bool) (bool, error) {
	say(sendLine, "campaign-start", id)
	return c.CampaignService.StartCampaign(ctx, id, reset)
}

func (c toldCampaigns) StopCampaign(ctx context.Context, id int, reset *bool) (bool, error) {
	say(sendLine, "campaign-stop", id)
	return c.CampaignService.StopCampaign(ctx, id, reset)
}

// counter is a middleware in front of the platform. It counts the actions that the platform executes at
// the same time.
type counter struct {
	mu     sync.Mutex
	inside map[string]int // number of running actions by campaign
	beside []string       // paths of actions that arrived while another action on the same campaign was running
	most   int            // maximum number of campaigns with running actions
}

// takes is the time that the platform takes for an action.
const takes = 20 * time.Millisecond

func (c *counter) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		campaign, acts := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:], r.Method != http.MethodGet
		if !acts {
			next.ServeHTTP(w, r)
			return
		}
		c.mu.Lock()
		if c.inside[campaign]++; c.inside[campaign] > 1 {
			c.beside = append(c.beside, r.URL.Path)
		}
		c.most = max(c.most, len(c.inside))
		c.mu.Unlock()
		next.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context()))) // the client may have disconnected
		time.Sleep(takes)                                                    //nolint:forbidigo // the platform
		c.mu.Lock()
		if c.inside[campaign]--; c.inside[campaign] == 0 {
			delete(c.inside, campaign)
		}
		c.mu.Unlock()
	})
}

// crew is three nodes in processes of their own, at each of which users act.
type crew struct {
	t       *testing.T
	actors  []actor
	running []*exec.Cmd
	cables  [][]*cable
	readers sync.WaitGroup

	mu       sync.Mutex
	presses  int
	outcomes map[string]int // number of attempts by outcome
	sent     map[string]int // number of sent actions by action and target
	acted    []int          // number of confirmed actions by node
}

func (f *crew) start(i int) {
	f.t.Helper()
	text, err := json.Marshal(f.actors[i])
	if err != nil {
		f.t.Fatal(err)
	}
	cmd := exec.CommandContext(f.t.Context(), os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), actorEnv+"="+string(text)), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.running[i] = cmd
	f.readers.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			f.read(i, lines.Text())
		}
	})
}

func (f *crew) read(i int, line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what, rest, _ := strings.Cut(line, " ")
	if what == sendLine {
		f.sent[rest]++
		return
	}
	f.presses++
	outcome, text, _ := strings.Cut(rest, " ")
	if outcome == resource.OutcomeConfirmed.String() {
		f.acted[i]++
	}
	for _, why := range []string{"is doing this at the moment", "the outcome is unknown", "cut off", "do not answer", "held up"} {
		if strings.Contains(text, why) {
			outcome = why
		}
	}
	f.outcomes[outcome]++
}

// kill ends a node as a power failure does.
func (f *crew) kill(i int) {
	_ = f.running[i].Process.Kill()
	_ = f.running[i].Wait()
}

// cut calls do for all cables between a node and the others, to cut or to mend them.
func (f *crew) cut(i int, do func(*cable)) {
	for j := range f.cables {
		if j != i {
			do(f.cables[i][j])
			do(f.cables[j][i])
		}
	}
}

// awaitActs waits until at least three more actions were confirmed at each of the nodes.
func (f *crew) awaitActs(what string, nodes ...int) {
	f.t.Helper()
	began := time.Now()
	defer func() { f.t.Logf("%s: after %v", what, time.Since(began).Round(10*time.Millisecond)) }()
	f.mu.Lock()
	before := slices.Clone(f.acted)
	f.mu.Unlock()
	await(f.t, what, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return !slices.ContainsFunc(nodes, func(i int) bool { return f.acted[i] < before[i]+3 })
	})
}

// carried returns the number of confirmed actions.
func (f *crew) carried() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range f.acted {
		n += one
	}
	return n
}

// TestManyActions lets users at three nodes in separate processes start and stop the same campaigns at
// the same time, while nodes are cut off, killed, or suspended for longer than the term of a lock. The
// platform must never execute two actions on a campaign at the same time, nor more actions than were
// sent, and the audit file of a node must contain each action. CLUSTER_ACTIONS is the minimum number of
// executed actions (1,000).
func TestManyActions(t *testing.T) {
	t.Parallel()
	inCluster(t)
	srv, _ := simulated(t, simulator.Options{World: world.Options{Seed: 3, Agents: 20, Campaigns: 20}})
	behind, err := url.Parse(srv.RESTURL())
	if err != nil {
		t.Fatal(err)
	}
	count := &counter{inside: make(map[string]int)}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = behind.Scheme, behind.Host
	}}
	front := httptest.NewServer(count.before(proxy))
	t.Cleanup(front.Close)
	f := newCrew(t, front.URL+behind.Path, srv.CampaignIDs())
	f.awaitActs("people act at all nodes", 0, 1, 2)
	want := rounds(t, "CLUSTER_ACTIONS", 1000)
	troubles := 0
	for ; troubles < 6 || f.carried() < want; troubles++ {
		i := troubles % 3
		others := slices.DeleteFunc([]int{0, 1, 2}, func(j int) bool { return j == i })
		switch troubles / 3 % 3 { // another kind of trouble after each node has had this one
		case 0:
			f.cut(i, (*cable).cut)
			f.awaitActs("people act without the node that is cut off", others...)
			time.Sleep(2 * actorTerm) //nolint:forbidigo // until its locks have ended
			f.cut(i, (*cable).mend)
		case 1:
			f.kill(i)
			f.awaitActs("people act without the node that was killed", others...)
			f.start(i)
		case 2:
			if err := f.running[i].Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			f.awaitActs("people act without the node that sleeps", others...)
			time.Sleep(2 * actorTerm) //nolint:forbidigo // until its locks have ended
			if err := f.running[i].Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
		}
		f.awaitActs("people act at all nodes again", 0, 1, 2)
	}
	for i := range f.actors {
		f.kill(i)
	}
	f.readers.Wait()
	await(t, "the platform has ended", func() bool { count.mu.Lock(); defer count.mu.Unlock(); return len(count.inside) == 0 })
	f.check(srv, count, troubles)
}

// newCrew starts the nodes of a crew.
func newCrew(t *testing.T, rest string, campaigns []int64) *crew {
	t.Helper()
	f := &crew{t: t, outcomes: make(map[string]int), sent: make(map[string]int), acted: make([]int, 3), running: make([]*exec.Cmd, 3)}
	dir, account := testkit.PrivateDir(t), webservice.DefaultAccount()
	addr, peers, cables := wired(t, 3)
	f.cables = cables
	for i := range addr {
		node := fmt.Sprint("wb", i+1)
		a := actor{
			Node: node, Listen: addr[i], Peers: peers[i], Dir: filepath.Join(dir, node, "js"), Audit: filepath.Join(dir, node, "audit.jsonl"),
			REST: rest, User: account.Username, Password: account.Password,
		}
		for _, id := range campaigns {
			a.Campaigns = append(a.Campaigns, int(id))
		}
		f.actors = append(f.actors, a)
	}
	for i := range f.actors {
		f.start(i)
	}
	t.Cleanup(func() {
		for i := range f.running {
			f.kill(i)
		}
	})
	return f
}

// check compares the executed actions with those that the nodes sent and with their audit files.
func (f *crew) check(srv *simulator.Server, count *counter, troubles int) {
	t := f.t
	t.Helper()
	carried := make(map[string]int)
	for _, e := range srv.REST().Executions() {
		carried[e.Operation+" "+e.Target]++
	}
	written := make(map[string]int)
	for _, a := range f.actors {
		for e, err := range audit.Read(a.Audit, audit.Filter{}) {
			var broken *audit.UnreadableLinesError
			if errors.Is(err, fs.ErrNotExist) { // no user has acted at this node
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
	total := 0
	for what, n := range carried {
		total += n
		if f.sent[what] < n {
			t.Errorf("%s: carried out %d times, sent %d times", what, n, f.sent[what])
		}
		if written[what] < n {
			t.Errorf("%s: carried out %d times, %d times in an audit file", what, n, written[what])
		}
	}
	t.Logf("%d presses in %d troubles: %d executed, on up to %d campaigns at once, %d together with another one on the same campaign", f.presses, troubles, total, count.most, len(count.beside))
	for _, what := range slices.Sorted(maps.Keys(f.outcomes)) {
		t.Logf("%7d %s", f.outcomes[what], what)
	}
	if len(count.beside) > 0 {
		t.Errorf("executed together with another action on the same campaign: %v", count.beside)
	}
	if total == 0 || f.outcomes["cut off"] == 0 || f.outcomes["is doing this at the moment"] == 0 {
		t.Error("no action was executed, or no action was refused for a lock or a cut")
	}
}

// TestCounterFindsBeside checks that the counter finds simultaneous actions on one campaign.
func TestCounterFindsBeside(t *testing.T) {
	t.Parallel()
	count := &counter{inside: make(map[string]int)}
	srv := httptest.NewServer(count.before(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	defer srv.Close()
	var all sync.WaitGroup
	var failed atomic.Bool
	for range 5 {
		all.Go(func() {
			resp, err := http.Post(srv.URL+"/campaign/start/7", "", nil) //nolint:noctx // in this process
			if err != nil {
				failed.Store(true)
				return
			}
			_ = resp.Body.Close()
		})
	}
	all.Wait()
	if failed.Load() || len(count.beside) == 0 {
		t.Errorf("found %v", count.beside)
	}
}
