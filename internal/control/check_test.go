package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/control"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// actionsEnv sets the number of actions of TestActionsAgainstThePlatform.
const actionsEnv = "CONTROL_ACTIONS"

// TestActionsAgainstThePlatform cuts requests and answers at random bytes and simulates other faults: no
// action is executed twice, no executed action is reported as rejected or not sent, no other is reported
// as confirmed, and unknown outcomes are reported as unknown.
func TestActionsAgainstThePlatform(t *testing.T) {
	t.Parallel()
	actions := 20_000
	if testing.Short() || testkit.Race {
		actions = 2_000
	}
	if text := os.Getenv(actionsEnv); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		actions = n
	}
	const perPlatform = 500
	var tally tally
	t.Run("platforms", func(t *testing.T) {
		for seed := range (actions + perPlatform - 1) / perPlatform {
			t.Run(strconv.Itoa(seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { checkPlatform(t, uint64(seed), min(perPlatform, actions), &tally) })
			})
		}
	})
	t.Log(tally.String())
	for o := resource.OutcomeUnknown; o <= resource.OutcomeNotSent; o++ {
		if tally.outcomes[o].Load() == 0 {
			t.Errorf("no action ended as %v: the check does not reach it", o)
		}
	}
	if tally.rescued.Load() == 0 {
		t.Error("no lost answer was found out")
	}
}

// tally counts the outcomes of actions.
type tally struct {
	actions, rescued, lost atomic.Int64
	outcomes               [4]atomic.Int64
}

func (c *tally) String() string {
	s := fmt.Sprintf("%d actions", c.actions.Load())
	for o := resource.OutcomeUnknown; o <= resource.OutcomeNotSent; o++ {
		s += fmt.Sprintf(", %d %v", c.outcomes[o].Load(), o)
	}
	return s + fmt.Sprintf("; %d lost answers found out, %d carried out and left unknown", c.rescued.Load(), c.lost.Load())
}

// floor is a platform, a client that uses it through a faulty network, and a client that sees
// its real state.
type floor struct {
	t     *testing.T
	rng   *rand.Rand
	srv   *simulator.Server
	desk  *control.ActionClient
	plain *restclient.Client
	users []string
	sent  *wire
	file  *paired
	tally *tally
}

func checkPlatform(t *testing.T, seed uint64, actions int, count *tally) {
	mode := []restclient.AuthMode{restclient.AuthSession, restclient.AuthBearer, restclient.AuthBasic}[seed%3]
	f, stop := newFloor(t, seed, mode)
	defer stop()
	f.tally = count
	if seed%4 == 0 {
		f.srv.Resume() // calls begin and end by themselves
	}
	for n := range actions {
		f.step(t.Context(), n)
	}
	if f.file.open != 0 {
		t.Errorf("%d intents without an outcome", f.file.open)
	}
}

// newFloor returns a floor without traffic. It must be called in a synctest bubble.
func newFloor(t *testing.T, seed uint64, mode restclient.AuthMode) (f *floor, stop func()) {
	t.Helper()
	network := testkit.NewPipeListener()
	srv, err := simulator.New(simulator.Options{
		Listener: network, Tick: 5 * time.Second,
		World: world.Options{
			Seed: int64(seed), Services: 3, Groups: 3, Agents: 30, Operators: -1, Campaigns: 2,
			Start: world.OpeningTime(time.Now()),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := srv.Start(ctx); err != nil {
		t.Fatal(err)
	}
	srv.Pause()
	sent := &wire{}
	client := func(mode restclient.AuthMode, dial func(context.Context, string, string) (net.Conn, error)) *restclient.Client {
		account := webservice.DefaultAccount()
		c, err := restclient.New(restclient.Options{
			URL: srv.RESTURL(), Auth: mode, Username: account.Username, Password: secret.New(account.Password),
			AccessToken: secret.New(account.Token), DialContext: dial,
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	acting := client(mode, func(ctx context.Context, kind, address string) (net.Conn, error) {
		c, err := network.Dial(ctx, kind, address)
		return &watched{c, sent}, err
	})
	f = &floor{
		t: t, rng: rand.New(rand.NewPCG(seed, 1)), srv: srv, plain: client(restclient.AuthBasic, network.Dial),
		users: usersOf(t, srv), file: &paired{}, sent: sent,
	}
	f.desk, err = control.New(control.Options{Service: control.ServiceOf(acting), Audit: f.file, Username: "supervisor"})
	if err != nil {
		t.Fatal(err)
	}
	return f, func() {
		f.plain.Close()
		acting.Close()
		cancel()
		_ = srv.Close() // errors no longer matter
	}
}

// wire counts the requests for calls that were started.
type wire struct {
	mu    sync.Mutex
	count int
}

// take returns the number of requests since the previous take.
func (w *wire) take() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { w.count = 0 }()
	return w.count
}

// watched is a connection whose requests are counted.
type watched struct {
	net.Conn
	wire *wire
}

func (c *watched) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("POST /platform/rest/phone/call/")) {
		c.wire.mu.Lock()
		c.wire.count++
		c.wire.mu.Unlock()
	}
	return c.Conn.Write(b)
}

// paired is an audit log that only counts intents without an outcome.
type paired struct{ open int }

func (p *paired) Begin(audit.Intent) (func(audit.Result) error, error) {
	p.open++
	return func(audit.Result) error { p.open--; return nil }, nil
}

func usersOf(t *testing.T, srv *simulator.Server) (names []string) {
	t.Helper()
	var truth struct {
		UserStats []struct{ Username, Channel string }
	}
	if err := json.Unmarshal(srv.CurrentState(), &truth); err != nil {
		t.Fatal(err)
	}
	for _, u := range truth.UserStats {
		if u.Channel == "CALL" {
			names = append(names, u.Username)
		}
	}
	if len(names) == 0 {
		t.Fatal("nobody is logged in")
	}
	return names
}

// calls returns the actual calls of a user.
func (f *floor) calls(ctx context.Context, user string) []resource.Call {
	f.srv.Faults().REST.OnlyRequests("none")
	calls, err := f.plain.Calls.ServiceCalls(ctx, user, false)
	if err != nil {
		f.t.Fatal(err)
	}
	return calls
}

// step performs one action and checks its report.
func (f *floor) step(ctx context.Context, n int) {
	user := f.users[f.rng.IntN(len(f.users))]
	var call resource.Call
	if calls := f.calls(ctx, user); len(calls) > 0 {
		call = calls[0]
	}
	before := len(f.srv.REST().Executions())
	most := 1 // maximum number of requests
	if f.trouble() {
		most++ // the first request may be answered with 401
	}
	start := time.Now()
	op, report := f.act(ctx, n, user, call)
	took := time.Since(start)
	f.srv.Faults().REST.OnlyRequests("none")
	if op == "hangup" || op == "recording-stop" {
		most++ // the request may be repeated after a lookup
	}
	if n := f.sent.take(); n > most || n == 0 && report.Outcome == resource.OutcomeUnknown {
		f.t.Errorf("%s for %s was sent %d times: %v %q", op, user, n, report.Outcome, report.Text.In(nil))
	}
	var done []rest.Execution
	for _, e := range f.srv.REST().Executions()[before:] {
		if e.Operation == op {
			done = append(done, e)
		}
	}
	f.tally.actions.Add(1)
	f.tally.outcomes[report.Outcome].Add(1)
	f.judge(ctx, op, user, call, report, done, took)
}

// trouble prepares a fault at some byte of one of the next requests. It returns whether a
// new login is needed.
func (f *floor) trouble() (loggedOut bool) {
	faults := f.srv.Faults()
	faults.REST.OnlyRequests([]string{"POST /rest/phone", "POST /rest/phone", "POST /rest/phone", ""}[f.rng.IntN(4)])
	switch f.rng.IntN(8) {
	case 0, 1:
		faults.REST.CutRequest(f.rng.IntN(500))
	case 2, 3:
		faults.REST.CutResponse(f.rng.IntN(250))
	case 4:
		faults.REST.AnswerWithStatus([]int{500, 502, 503, 504}[f.rng.IntN(4)], "", 1)
	case 5:
		if f.rng.IntN(10) == 0 {
			<-time.After(time.Minute) // the client waits between two logins
			faults.ExpireSession()
			faults.AllowToken(webservice.DefaultAccount().Token)
			return true
		}
	}
	return false
}

func (f *floor) act(ctx context.Context, n int, user string, call resource.Call) (op string, r words.ActionReport) {
	order := resource.HangUp{CallID: call.UniqueID, Username: user}
	recording := resource.Recording{Username: user, CallID: call.UniqueID}
	switch roll := f.rng.IntN(10); {
	case call.UniqueID == "" && roll > 0, roll == 9:
		yes := f.rng.IntN(3) == 0
		number := fmt.Sprintf("06%07d", n)
		if ends := []string{world.NumberInvalid, world.NumberFails, world.NumberUnrecorded, world.NumberNoAnswer}; f.rng.IntN(4) == 0 {
			number += ends[f.rng.IntN(len(ends))]
		}
		return "dial", f.desk.Calls.Dial(ctx, resource.Dial{Number: number, Username: user, RecordCall: &yes})
	case roll < 2:
		return "hangup", f.desk.Calls.HangUp(ctx, resource.HangUp{Username: user})
	case roll < 5:
		return "hangup", f.desk.Calls.HangUp(ctx, order)
	case roll < 7:
		return "recording-start", f.desk.Calls.StartRecording(ctx, recording)
	}
	return "recording-stop", f.desk.Calls.StopRecording(ctx, recording)
}

// judge compares a report with what was executed.
func (f *floor) judge(ctx context.Context, op, user string, call resource.Call, r words.ActionReport, done []rest.Execution, took time.Duration) {
	wrong := func(what string) {
		f.t.Errorf("%s for %s %s: %v %q (warning %q), but carried out: %+v", op, user, what, r.Outcome, r.Text.In(nil), r.Warning.In(nil), done)
	}
	if len(done) > 1 {
		wrong("was carried out twice")
	}
	switch r.Outcome {
	case resource.OutcomeConfirmed:
		if len(done) == 0 && !f.soAnyway(ctx, op, user, call) {
			wrong("was not carried out")
		}
		if op == "dial" && len(done) == 1 && r.CallID != done[0].CallID {
			wrong("is taken for call " + r.CallID)
		}
		if op == "dial" && len(done) == 1 && done[0].Status == 580 && r.Warning.In(nil) == "" {
			wrong("is not being recorded, and nobody says so")
		}
		if len(done) == 1 && took >= time.Second {
			f.tally.rescued.Add(1) // the outcome was looked up
		}
	case resource.OutcomeRejected, resource.OutcomeNotSent:
		if len(done) > 0 {
			wrong("was carried out")
		}
	case resource.OutcomeUnknown:
		if !strings.Contains(r.Text.In(nil), "unclear") {
			wrong("does not say that it is unclear")
		}
		if len(done) > 0 {
			f.tally.lost.Add(1)
		}
	}
}

// soAnyway reports whether the state is as the action would have made it: the call is over,
// or is no longer recorded.
func (f *floor) soAnyway(ctx context.Context, op, user string, call resource.Call) bool {
	i := slices.IndexFunc(f.calls(ctx, user), func(c resource.Call) bool { return c.UniqueID == call.UniqueID })
	switch op {
	case "hangup":
		return i < 0
	case "recording-stop":
		return i < 0 || f.calls(ctx, user)[i].RecFileName == ""
	}
	return false
}
