package webboards

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/serve/web"
	"wallboard/model"
)

// moving is a platform whose figures change twice a second.
type moving struct {
	still

	mu   sync.Mutex
	next chan struct{} // closed when there is a new snapshot
}

func newMoving(t *testing.T, services, agents int) *moving {
	t.Helper()
	store := model.NewStore()
	m := &moving{next: make(chan struct{})}
	health := newPlatform(3).Health
	publish := func(tick int) {
		now := time.Now()
		for i := range agents {
			user := fmt.Sprintf("agent%03d", i)
			state := []model.UserStatus{model.Ready, model.Busy, model.NotReady}[(i+tick/4)%3]
			figures := model.AgentFigures{Channel: model.Call, Status: state, UserSite: model.IntOf(1), TimeInState: model.InstantOf(now.Add(-time.Duration(i+tick%60) * time.Second))}
			service := []string{fmt.Sprintf("SRV%02d", i%services)}
			store.Users.Put(&model.User{Username: model.TextOf(user), Name: model.TextOf("Anna"), Surname: model.TextOf(user), Services: service, Skillsets: []string{"G1"}})
			store.UserStats.Put(&model.UserStat{AgentFigures: figures, Username: model.TextOf(user), Name: model.TextOf("Anna"), Surname: model.TextOf(user)})
		}
		for i := range services {
			n := int64((i + tick) % 9)
			store.Services.Put(&model.Service{
				Code: model.TextOf(fmt.Sprintf("SRV%02d", i)), Channel: model.Call,
				ChannelStats: model.ServiceCalls{
					QueuedCalls: model.IntOf(n), MaxTimeCallOnQueue: model.IntOf(20 * n), ReceivedCalls: model.IntOf(int64(100 + tick)),
					AnsweredCalls: model.IntOf(int64(90 + tick)), AnsweredCallsUnderSpeedLimit: model.IntOf(int64(70 + tick)), HangupCalls: model.IntOf(3),
				},
			})
		}
		for i := range health.Subscriptions {
			health.Subscriptions[i].LastData, health.Subscriptions[i].VerifiedAt = now, now
		}
		health.Link.LastFrame = now
		m.mu.Lock()
		defer m.mu.Unlock()
		m.Snapshot = store.Publish(now, health)
		close(m.next)
		m.next = make(chan struct{})
	}
	publish(0)
	ctx, cancel := context.WithCancel(t.Context())
	var publishing sync.WaitGroup
	publishing.Go(func() {
		for tick, beat := 1, time.NewTicker(500*time.Millisecond); ; tick++ {
			select {
			case <-ctx.Done():
				beat.Stop()
				return
			case <-beat.C:
				publish(tick)
			}
		}
	})
	t.Cleanup(func() { cancel(); publishing.Wait() })
	return m
}

func (m *moving) Latest() *model.Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Snapshot
}

func (m *moving) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		m.mu.Lock()
		s, next := m.Snapshot, m.next
		m.mu.Unlock()
		if s.Seq > after {
			return s, nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

var _ app.Source = (*moving)(nil)

// loadUsers are the users of the walls and phones of [TestLoad]: they see different floors in different
// languages.
func loadUsers() []config.ServeUser {
	return []config.ServeUser{
		{Name: "hall", Web: true, Role: config.RoleKiosk, Pages: []string{"Overview"}},
		{Name: "yard", Web: true, Role: config.RoleKiosk, Pages: []string{"Agents"}},
		{Name: "anna", Web: true},
		{Name: "ben", Web: true, ConfiguredNames: "initials", Language: "de"},
	}
}

// TestLoad measures the cost of walls and phones. WEB_LOAD is the number of each. docs/admin/web.md
// contains the figures for 200. The costs are checked only if WEB_LOAD is set.
func TestLoad(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var adjusting sync.WaitGroup
	adjusting.Go(func() { powersave.AdjustServerGC(ctx) }) // as the server does
	defer func() { cancel(); adjusting.Wait() }()
	n, full := 3, false
	if text := os.Getenv("WEB_LOAD"); text != "" {
		n, _ = strconv.Atoi(text)
		full = true
	}
	c := config.Default()
	c.Audit.File = filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	c.Serve.Users = loadUsers()
	c.Serve.Web.Listen, c.Serve.Web.Hosts = "127.0.0.1:0", []string{"127.0.0.1"}
	env, log := &app.Environment{Simulated: true}, slog.New(slog.DiscardHandler)
	s := app.NewBoardServer(env, &c, log)
	defer s.Close()
	source := newMoving(t, 12, 150)
	if err := s.AddPlatform(func(o app.PlatformOptions) (*app.Platform, error) {
		o.IsObserver = true
		return env.OpenWithSource(t.Context(), &c, source, log, o)
	}); err != nil {
		t.Fatal(err)
	}
	addr := ""
	stop, err := Start(t.Context(), s, func(sshterminal.Event) {}, log, func(at net.Addr) error { addr = at.String(); return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	links := newLinks(t, n, c.Serve.Web.AccessPath())
	window := time.Second
	if full {
		window = 20 * time.Second
		<-time.After(3 * time.Second)
	}
	cpuBefore, memoryBefore := cost(t, window)
	clients := startClients(t, addr, links)
	if full {
		<-time.After(15 * time.Second) // until all boards run, and the memory of the handshakes is free
	}
	cpu, memory := cost(t, window)
	got := clients.end(t)
	t.Logf("%d walls and %d phones: %.1f %% of a core before, %.1f %% with them; %d MB before, %d MB with them; received: %+v", n, n, 100*cpuBefore, 100*cpu, memoryBefore>>20, memory>>20, got)
	if got.Failed > 0 || got.Pictures < n || got.Events < n {
		t.Errorf("the clients have received %+v", got)
	}
	if full && (cpu-cpuBefore > 0.10 || memory-memoryBefore > 150<<20) {
		t.Error("want at most 10 % of a core and 150 MB more")
	}
}

// newLinks returns links of n walls and n phones.
func newLinks(t *testing.T, n int, path string) (links []string) {
	t.Helper()
	access, err := web.OpenAccess(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * n {
		secret, err := access.NewLink(loadUsers()[i%4].Name)
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, secret)
	}
	return links
}

// cost returns the share of a core that this process uses during window, and its memory in bytes at the
// end.
func cost(t *testing.T, window time.Duration) (cpu float64, memory int) {
	t.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	start, before := time.Now(), used()
	<-time.After(window)
	cpu = float64(used()-before) / float64(time.Since(start))
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
	kilobytes, _ := strconv.Atoi(string(match[1]))
	return cpu, kilobytes << 10
}

// received counts what the clients have received.
type received struct{ Pictures, Events, Failed int }

// clients is a process with all clients.
type clients struct {
	cmd  *exec.Cmd
	out  *bytes.Buffer
	in   io.Closer
	read chan struct{} // closed when out holds all output
}

// startClients starts the clients in a separate process, so that this process has only the cost of the
// server, and waits until all are connected.
func startClients(t *testing.T, addr string, links []string) *clients {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLoadClients$", "-test.v")
	cmd.Env = append(os.Environ(), "WEB_LOAD_ADDRESS="+addr, "WEB_LOAD_LINKS="+strings.Join(links, " "))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &clients{cmd, new(bytes.Buffer), in, make(chan struct{})}
	lines := bufio.NewReader(pipe)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the clients: %v", err)
		}
		if strings.Contains(line, "connected") {
			break
		}
	}
	go func() {
		defer close(c.read)
		_, _ = io.Copy(c.out, lines)
	}()
	return c
}

// end ends the clients, and returns what they have received.
func (c *clients) end(t *testing.T) (r received) {
	t.Helper()
	_ = c.in.Close()
	<-c.read // Wait closes the pipe
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("the clients: %v\n%s", err, c.out)
	}
	_, text, _ := strings.Cut(c.out.String(), "received: ")
	if err := json.Unmarshal([]byte(strings.SplitN(text, "\n", 2)[0]), &r); err != nil {
		t.Errorf("the clients: %v\n%s", err, c.out)
	}
	return r
}

// TestLoadClients is the process with the clients of [TestLoad].
func TestLoadClients(t *testing.T) {
	addr := os.Getenv("WEB_LOAD_ADDRESS")
	if addr == "" {
		t.Skip("only for TestLoad")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var pictures, events, failed atomic.Int64
	var all, connected sync.WaitGroup
	for i, link := range strings.Fields(os.Getenv("WEB_LOAD_LINKS")) {
		client := newLoadClient(t)
		for _, step := range []string{"GET /link/" + link, "GET /enter", "POST /enter"} {
			method, path, _ := strings.Cut(step, " ")
			if res, err := client.send(ctx, method, addr, path); err == nil {
				_ = res.Body.Close()
			}
		}
		path, count := "/events", &events
		if isWall := i%4 < 2; isWall {
			path, count = wallOf(i), nil
		}
		connected.Add(1)
		all.Go(func() {
			res, err := client.send(ctx, http.MethodGet, addr, path)
			connected.Done()
			if err != nil || res.StatusCode != http.StatusOK {
				failed.Add(1)
				return
			}
			defer res.Body.Close() //nolint:errcheck // of a test
			follow(res.Body, func(src string) {
				if count != nil {
					count.Add(1)
					return
				}
				picture, err := client.send(ctx, http.MethodGet, addr, src)
				if err != nil {
					return
				}
				if n, _ := io.Copy(io.Discard, picture.Body); n > 1000 {
					pictures.Add(1)
				}
				_ = picture.Body.Close()
			})
		})
	}
	connected.Wait()
	_, _ = io.WriteString(os.Stdout, "connected\n")
	_, _ = io.Copy(io.Discard, os.Stdin)                                                            // until TestLoad ends
	text, _ := json.Marshal(received{int(pictures.Load()), int(events.Load()), int(failed.Load())}) //nolint:errchkjson // numbers
	_, _ = fmt.Fprintf(os.Stdout, "received: %s\n", text)
	cancel()
	all.Wait()
}

func wallOf(i int) string { return "/wall/" + loadUsers()[i%4].Name }

// follow calls got for each event of a page, or for each picture with its address.
func follow(body io.Reader, got func(src string)) {
	for lines := bufio.NewReader(body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		if _, rest, is := strings.Cut(line, `<img src="`); is {
			src, _, _ := strings.Cut(rest, `"`)
			got(src)
		} else if strings.HasPrefix(line, "event: ") {
			got("")
		}
	}
}

// loadClient is a browser with one connection.
type loadClient struct{ *http.Client }

func newLoadClient(t *testing.T) loadClient {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return loadClient{&http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (c loadClient) send(ctx context.Context, method, addr, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, "https://"+addr+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Origin", "https://"+addr)
	return c.Do(r)
}
