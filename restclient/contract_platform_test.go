package restclient_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// platform is a simulated platform without traffic.
type platform struct {
	server   *simulator.Server
	network  *testkit.PipeListener
	edition  rest.Edition
	errors   rest.ErrorFormat
	operator *restclient.Client // prepares the state for a row

	agent, exten string // an agent who can be called
	clientless   string // an agent whose telephone has no client
	call, id     string // call and object of the prepared state
}

func newPlatform(t *testing.T, o simulator.Options) *platform {
	t.Helper()
	p := &platform{network: testkit.NewPipeListener(), edition: o.REST.Edition, errors: o.REST.Errors}
	if p.edition == "" {
		p.edition = rest.Edition140
	}
	o.Listener, o.Tick = p.network, time.Hour
	o.World = world.Options{Seed: 7, Services: 2, Groups: 2, Agents: 16, Operators: 1, Campaigns: 2, TrafficFactor: 0.3}
	var err error
	if p.server, err = simulator.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.server.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := p.server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.operator, _ = p.client(t, restclient.AuthBearer, "", nil)
	p.choose(t)
	return p
}

// choose selects the users of the rows.
func (p *platform) choose(t *testing.T) {
	t.Helper()
	var floor struct {
		UserStats []struct {
			Username, Channel, Status string
			LoggedProfileID           int
		}
	}
	if err := json.Unmarshal(p.server.CurrentState(), &floor); err != nil {
		t.Fatal(err)
	}
	for _, u := range floor.UserStats {
		switch {
		case u.Channel != "CALL":
		case u.LoggedProfileID%12 == 0:
			p.clientless = u.Username
		case u.Status == "READY":
			p.agent, p.exten = u.Username, strconv.Itoa(u.LoggedProfileID)
		}
	}
	if p.agent == "" || p.clientless == "" {
		t.Fatalf("agent %q, clientless %q", p.agent, p.clientless)
	}
}

// fill replaces the platform's values in a text.
func (p *platform) fill(text string) string {
	return strings.NewReplacer(
		"{agent}", p.agent, "{exten}", p.exten, "{clientless}", p.clientless,
		"{call}", p.call, "{id}", p.id, "{edition}", string(p.edition),
	).Replace(text)
}

// account returns an account of the simulator, or an unknown one.
func (p *platform) account(name string) webservice.Account {
	if name == "" {
		return webservice.DefaultAccount()
	}
	for _, a := range webservice.DefaultAccounts() {
		if a.Username == name {
			return a
		}
	}
	return webservice.Account{Username: name, Password: "wrong-password", Token: "wrong-token"}
}

// client returns a client and its wire.
func (p *platform) client(t *testing.T, mode restclient.AuthMode, as string, change func(*restclient.Options)) (*restclient.Client, *wire) {
	t.Helper()
	w, a := &wire{network: p.network}, p.account(as)
	o := restclient.Options{
		URL: p.server.RESTURL(), Auth: mode, Edition: restclient.Edition(p.edition), Version: string(p.edition),
		DialContext: w.DialContext,
	}
	if mode == restclient.AuthBearer {
		o.AccessToken = secret.New(a.Token)
	} else {
		o.Username, o.Password = a.Username, secret.New(a.Password)
	}
	if p.edition == rest.Edition140 {
		o.Paths = map[resource.Operation]string{resource.OpMessageHistory: rest.MessagesPath}
	}
	if change != nil {
		change(&o)
	}
	c, err := restclient.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, w
}

// logIn logs a client in and returns its session.
func logIn(t *testing.T, c *restclient.Client, w *wire) (session string) {
	t.Helper()
	if _, err := c.Session.Login(t.Context()); err != nil {
		t.Fatal(err)
	}
	return sessionIn(t, w.answers(t))
}

// sessionIn returns the session of the last login.
func sessionIn(t *testing.T, answers []answered) string {
	t.Helper()
	for _, a := range slices.Backward(answers) {
		var profile struct{ SessionID string }
		if json.Unmarshal(a.body, &profile) == nil && profile.SessionID != "" {
			return profile.SessionID
		}
	}
	t.Fatal("nobody logged in")
	return ""
}

// idle ends all calls of the agent.
func idle(t *testing.T, p *platform) {
	t.Helper()
	_, err := p.operator.Calls.HangUp(t.Context(), resource.HangUp{Username: p.agent})
	if err != nil && !errors.Is(err, restclient.ErrNotFound) && !errors.Is(err, restclient.ErrPathNotFound) {
		t.Fatal(err)
	}
}

// onCall puts the agent on a call that is neither recorded nor answered.
func onCall(t *testing.T, p *platform) {
	t.Helper()
	idle(t, p)
	var err error
	p.call, err = p.operator.Calls.Dial(t.Context(), resource.Dial{Number: "0612", Username: p.agent})
	if err != nil {
		t.Fatal(err)
	}
}

// onRecordedCall puts the agent on a recorded call.
func onRecordedCall(t *testing.T, p *platform) {
	t.Helper()
	onCall(t, p)
	if _, err := p.operator.Calls.StartRecording(t.Context(), resource.Recording{Username: p.agent, CallID: p.call}); err != nil {
		t.Fatal(err)
	}
}

// refuses returns a function for row.arrange that makes the platform refuse the next request, for
// conditions that the client itself checks.
func refuses(status int, exception string) func(*testing.T, *platform) {
	return func(_ *testing.T, p *platform) {
		var body string
		switch p.errors {
		case rest.ErrorsJSON:
			body = fmt.Sprintf(`{"exception":%q,"message":"id is required"}`, exception)
		case rest.ErrorsText:
			body = exception + ": id is required\n"
		case rest.ErrorsHTML:
			body = "<!doctype html><html><h1>Error</h1><p>" + exception + ": id is required</p></html>"
		case rest.ErrorsEmpty, rest.ErrorsFields, rest.ErrorsHostile:
		}
		p.server.Faults().REST.AnswerWithStatus(status, body, 1)
	}
}

// sent is a request as transmitted.
type sent struct {
	Line                                       string // method and path below the base path
	Accept, ContentType, Authorization, Cookie string
	Others                                     []string // names of all other headers
	Body                                       string
}

// expect returns the expected request of a row, without authentication.
func (p *platform) expect(r row, e route) sent {
	path := e.path
	if path == "?" {
		path = rest.MessagesPath
	}
	segments, ids := strings.Split(path, "/"), r.path
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i], ids = p.fill(ids[0]), ids[1:]
		}
	}
	want := sent{Line: e.method + " " + strings.Join(segments, "/"), Accept: "application/json", Body: p.fill(r.body)}
	if r.query != "" {
		want.Line += "?" + p.fill(r.query)
	}
	if r.body != "" {
		want.ContentType = "application/json"
	}
	return want
}

// prove adds the authentication of document 1.
func (s *sent) prove(e route, mode restclient.AuthMode, a webservice.Account, session string) {
	switch {
	case e.access == "open":
	case mode == restclient.AuthSession:
		s.Cookie = "JSESSIONID=" + session
	case mode == restclient.AuthBearer:
		s.Authorization = "Bearer " + a.Token
	case mode == restclient.AuthBasic:
		s.Authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(a.Username+":"+a.Password))
	}
}

// answered is an answer as transmitted.
type answered struct {
	status int
	cookie string // value of Set-Cookie
	body   []byte
}

// wire records the traffic of a client that sends one request at a time.
type wire struct {
	network *testkit.PipeListener

	mu      sync.Mutex // guards the fields below
	out, in bytes.Buffer
}

func (w *wire) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := w.network.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &tappedConn{conn, w}, nil
}

type tappedConn struct {
	net.Conn

	wire *wire
}

// Write records b before the server can answer it.
func (c *tappedConn) Write(b []byte) (int, error) {
	c.wire.mu.Lock()
	c.wire.out.Write(b)
	c.wire.mu.Unlock()
	return c.Conn.Write(b)
}

func (c *tappedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	c.wire.in.Write(b[:n])
	return n, err
}

func (w *wire) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out.Reset()
	w.in.Reset()
}

// received returns the number of received bytes.
func (w *wire) received() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.in.Len()
}

// requests returns the sent requests.
func (w *wire) requests(t *testing.T) []sent {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []sent
	for in := bufio.NewReader(bytes.NewReader(w.out.Bytes())); ; {
		r, err := http.ReadRequest(in)
		if errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		h := r.Header
		s := sent{
			Line: r.Method + " " + strings.TrimPrefix(r.RequestURI, "/platform"), Accept: h.Get("Accept"), ContentType: h.Get("Content-Type"),
			Authorization: h.Get("Authorization"), Cookie: h.Get("Cookie"), Body: string(body),
		}
		for _, name := range []string{"Accept", "Content-Type", "Authorization", "Cookie", "User-Agent", "Content-Length", "Connection"} {
			delete(h, name)
		}
		s.Others = slices.Sorted(maps.Keys(h))
		all = append(all, s)
	}
}

// answers returns the received answers.
func (w *wire) answers(t *testing.T) []answered {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []answered
	for in := bufio.NewReader(bytes.NewReader(w.in.Bytes())); ; {
		r, err := http.ReadResponse(in, nil)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			t.Fatal(err)
		}
		all = append(all, answered{r.StatusCode, r.Header.Get("Set-Cookie"), body})
	}
}

func (w *wire) statuses(t *testing.T) []int {
	t.Helper()
	var all []int
	for _, a := range w.answers(t) {
		all = append(all, a.status)
	}
	return all
}
