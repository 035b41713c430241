package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/operations"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
	"wallboard/model/resource"
)

func TestReadingCommands(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	for _, c := range []struct {
		args  string
		table string // in the output without --json
		one   bool   // the result is an object, not an array
	}{
		{"call list NOBODY", "", false},
		{"campaign list", "SERVICE", false},
		{"campaign list --page 1 --page-size 1", "SERVICE", false},
		{"campaign show 301", "serviceCode", true},
		{"list search", "NO ANSWER", false},
		{"list show 701", "noAnswerAttempts", true},
		{"run show 1", "campaignId", true},
		{"messages search --year 2026", "", false},
		{"messages templates --number 1", "NAME", false},
		{"messages templates --all", "NAME", false},
		{"messages search --all", "TEMPLATE", false},
		{"ticket search --page-size 5", "SUBJECT", false},
		{"ticket search --all", "SUBJECT", false},
		{"ticket agents", "SURNAME", false},
		{"ticket customers --index 0 --size 3", "SURNAME", false},
		{"chat show chat-2001", "MESSAGE", false},
		{"contact show 10000", "surname", true},
		{"auth version", "webapiVersion", true},
		{"auth login", "userPermissions", true},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			s := &scripts{t: t, srv: s.srv, config: s.config}
			args := strings.Fields(strings.Replace(c.args, "NOBODY", agents(t, s.srv)[0], 1))
			if code, out, errs := s.run("", args...); code != cmdutil.ExitOK || !strings.Contains(out, c.table) {
				t.Errorf("exit %d, want %q: %s%s", code, c.table, out, errs)
			}
			doc := s.json(cmdutil.ExitOK, "", args...)
			if first := doc.Result[0]; doc.Outcome != "confirmed" || (first == '{') != c.one || doc.Command != strings.Join(args[:2], " ") {
				t.Errorf("%+v", doc)
			}
		})
	}
	profile := fields(t, s.json(cmdutil.ExitOK, "", "auth", "login").Result)
	for _, secret := range []string{"sessionId", "accessToken", "supportAuthToken", "chatAuthToken"} {
		if _, ok := profile[secret]; ok {
			t.Errorf("%s stands in the profile", secret)
		}
	}
	for _, args := range []string{"auth check", "auth logout"} {
		if doc := s.json(cmdutil.ExitOK, "", strings.Fields(args)...); doc.Text == "" || doc.Outcome != "confirmed" {
			t.Errorf("%s: %+v", args, doc)
		}
	}
}

// agents returns the user names of the simulated agents.
func agents(t *testing.T, srv *simulator.Server) []string {
	t.Helper()
	var truth struct {
		Users []struct{ Username string }
	}
	if err := json.Unmarshal(srv.CurrentState(), &truth); err != nil || len(truth.Users) == 0 {
		t.Fatalf("no agents (%v)", err)
	}
	var names []string
	for _, u := range truth.Users {
		names = append(names, u.Username)
	}
	return names
}

func TestCallCommands(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	var call, agent string
	for _, agent = range agents(t, s.srv) { // until an agent has a phone and no call
		code, out, errs := s.run("", "call", "dial", "+390212345678", "--user", agent, "--json")
		if code == cmdutil.ExitOK {
			var doc document
			if err := json.Unmarshal([]byte(out), &doc); err != nil {
				t.Fatal(err)
			}
			call = doc.CallID
			break
		}
		if code != cmdutil.ExitFailed || !strings.Contains(errs, "wallboard: ") {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
	}
	if call == "" {
		t.Fatal("nobody could dial, or the id of the call is missing")
	}
	var calls []map[string]any
	if err := json.Unmarshal(s.json(cmdutil.ExitOK, "", "call", "list", agent).Result, &calls); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range calls {
		found = found || c["uniqueId"] == call
	}
	if !found {
		t.Errorf("call %s is not among %v", call, calls)
	}
	if doc := s.json(cmdutil.ExitOK, "", "call", "record", "start", agent, call); doc.File == "" {
		t.Errorf("%+v: no name of the recording", doc)
	}
	s.json(cmdutil.ExitOK, "", "call", "record", "stop", agent, call)
	if got := s.callToEnd(agent, agent); got != call {
		t.Errorf("the user is asked about call %q, not about %s", got, call)
	}
	s.json(cmdutil.ExitOK, "", "call", "hangup", "--call-id", call, "--user", agent, "--yes")
	for _, op := range []string{"dial", "recording-start", "recording-stop", "hangup"} {
		if n := s.executed(op); n != 1 {
			t.Errorf("%s was carried out %d times", op, n)
		}
	}
	code, out, errs := s.run("", "audit", "--since", "1h", "--action", "hangup")
	if code != cmdutil.ExitOK || !strings.Contains(out, "confirmed") || !strings.Contains(out, "supervisor") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	s.verifyAudit()
}

// verifyAudit verifies the audit file, which must not be empty, and then the file without its last line.
func (s *scripts) verifyAudit() {
	s.t.Helper()
	_, head, _ := s.run("", "audit", "head")
	if code, out, errs := s.run(head, "audit", "verify", "--heads", "-"); code != cmdutil.ExitOK || !strings.Contains(out, "1 stored hash found") {
		s.t.Errorf("intact: exit %d: %s%s", code, out, errs)
	}
	path := s.load().Audit.Path()
	whole, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	end := bytes.LastIndexByte(bytes.TrimSpace(whole), '\n') + 1
	if err := os.WriteFile(path, whole[:end], 0o600); err != nil {
		s.t.Fatal(err)
	}
	if code, out, _ := s.run(head, "audit", "verify", "--heads", "-"); code != cmdutil.ExitFailed || !strings.Contains(out, "head absent") {
		s.t.Errorf("cut: exit %d: %s", code, out)
	}
}

// callToEnd returns the ID of the call in the question before hanging up; "": the user's own call. The
// question must name the agent.
func (s *scripts) callToEnd(user, agent string) string {
	s.t.Helper()
	c := s.load()
	client, err := app.NewRESTClient(c, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	defer app.EndSession(client)
	named, words := operations.ResolveHangUp(s.t.Context(), client, operations.DefaultHangUp(s.t.Context(), c, client, resource.HangUp{Username: user}))
	if !strings.Contains(words, agent) || !strings.Contains(words, "+390212345678") {
		s.t.Errorf("the question is about %s", words)
	}
	return named.CallID
}

func TestDialerCommands(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	id := s.json(cmdutil.ExitOK, `{"name": "From file", "priority": 3, "somethingNew": [1, 2]}`,
		"campaign", "create", "--file", "-", "--name", "Spring", "--service-code", "SRV01", "--start-date", "2026-12-01").ID
	got := fields(t, s.json(cmdutil.ExitOK, "", "campaign", "show", id).Result)
	if got["name"] != "Spring" || got["priority"] != 3.0 || got["somethingNew"] == nil || got["startDate"] != "2026-12-01T00:00:00.000Z" {
		t.Errorf("the flags and the file made %v", got)
	}
	s.json(cmdutil.ExitOK, "", "campaign", "update", id, "--priority", "9")
	if after := fields(t, s.json(cmdutil.ExitOK, "", "campaign", "show", id).Result); after["priority"] != 9.0 || after["somethingNew"] == nil || after["name"] != "Spring" {
		t.Errorf("the update made %v", after)
	}
	s.json(cmdutil.ExitOK, "", "campaign", "stop", "301", "--yes")
	s.json(cmdutil.ExitOK, "", "campaign", "start", "301")
	s.json(cmdutil.ExitFailed, "", "campaign", "start", "999")

	list := s.json(cmdutil.ExitOK, "", "list", "create", "--name", "Callbacks", "--busy-attempts", "4").ID
	s.json(cmdutil.ExitOK, `{"busyAttempts": 5}`, "list", "update", list, "--file", "-")
	if got := fields(t, s.json(cmdutil.ExitOK, "", "list", "show", list).Result); got["busyAttempts"] != 5.0 || got["name"] != "Callbacks" {
		t.Errorf("the list is %v", got)
	}
	items := `[{"phoneNumber": "+390200000001"}, {"phoneNumber": "+390200000002", "data": ["b"]}]`
	s.json(cmdutil.ExitOK, items, "list", "add-items", "--file", "-", "--list-id", "701", "--campaign-id", "301")
	s.json(cmdutil.ExitOK, "", "list", "reset-items", "--yes")

	if doc := s.json(cmdutil.ExitOK, "", "run", "add", "--campaign-id", "301", "--name", "noon"); doc.Outcome != "confirmed" {
		t.Errorf("%+v", doc)
	}
	run := fields(t, s.json(cmdutil.ExitOK, "", "run", "show", "--campaign-id", "301", "--name", "noon").Result)
	runID := fmt.Sprint(run["id"])
	s.json(cmdutil.ExitOK, "", "run", "edit", runID, "--template", "welcome")
	if got := fields(t, s.json(cmdutil.ExitOK, "", "run", "show", runID).Result); got["template"] != "welcome" {
		t.Errorf("the run is %v", got)
	}
	for op, want := range map[string]int{
		"campaign-create": 1, "campaign-update": 1, "campaign-stop": 1, "campaign-start": 1, "list-create": 1,
		"list-update": 1, "items-add": 1, "items-reset": 1, "run-add": 1, "run-edit": 1,
	} {
		if n := s.executed(op); n != want {
			t.Errorf("%s was carried out %d times, want %d", op, n, want)
		}
	}
}

func TestContactAndSMSCommands(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	id := s.json(cmdutil.ExitOK, `{"numbers": [{"type": "FAX", "value": "+39021"}]}`, "contact", "create", "--file", "-",
		"--name", "Ada", "--surname", "Byron", "--vip", "--categories", "gold", "--categories", "poet").ID
	s.json(cmdutil.ExitOK, "", "contact", "update", id, "--city", "London", "--vip=false")
	got := fields(t, s.json(cmdutil.ExitOK, "", "contact", "show", id).Result)
	if got["city"] != "London" || got["vip"] != false || got["surname"] != "Byron" || len(got["categories"].([]any)) != 2 || got["numbers"] == nil {
		t.Errorf("the contact is %v", got)
	}
	s.json(cmdutil.ExitOK, "", "contact", "delete", id, "--yes")
	if doc := s.json(cmdutil.ExitFailed, "", "contact", "show", id); doc.Outcome != "rejected" || doc.Text == "" {
		t.Errorf("%+v", doc)
	}
	s.json(cmdutil.ExitOK, "", "sms", "send", "--phone-number", "\u202a+393331234５67\u202c", "--message", "hello", "--yes")
	if n := s.executed("sms-send"); n != 1 {
		t.Errorf("%d messages were sent", n)
	}
	if _, out, _ := s.run("", "audit", "--action", "sms-send"); !strings.Contains(out, "number +393331234567") {
		t.Errorf("the number is not normalised: %s", out)
	}
}

// TestHangUpOfOnesOwnCall checks that without a flag, hangup ends only the call of the logged-in user.
func TestHangUpOfOnesOwnCall(t *testing.T) {
	t.Parallel()
	plain := newScripts(t, nil)
	if code, _, errs := plain.run("", "call", "hangup"); code != cmdutil.ExitUsage || !strings.Contains(errs, "--yes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	// The simulated supervisor has no phone, which the command reports.
	doc := plain.json(cmdutil.ExitNotSent, "", "call", "hangup", "--yes")
	if !strings.Contains(doc.Text, "supervisor's call was not hung up") || plain.executed("hangup") != 0 {
		t.Errorf("%+v", doc)
	}

	// Agents who log in have a phone.
	names := agents(t, plain.srv)
	s := newScripts(t, func(o *simulator.Options) {
		for _, name := range names {
			o.Users = append(o.Users, webservice.Account{Username: name, Password: canaryPassword})
		}
	})
	standing := s.config
	for _, name := range names { // until an agent has a phone and no call
		text, err := os.ReadFile(standing)
		if err != nil {
			t.Fatal(err)
		}
		s.config = configFile(t, strings.ReplaceAll(string(text), `username = "supervisor"`, fmt.Sprintf("username = %q", name)))
		if code, _, _ := s.run("", "call", "dial", "+390212345678", "--json"); code != cmdutil.ExitOK {
			continue
		}
		if s.callToEnd("", name) == "" {
			t.Error("the question is about no call")
		}
		doc := s.json(cmdutil.ExitOK, "", "call", "hangup", "--yes")
		if doc.Text == "" || !strings.Contains(doc.Text, "was hung up") || s.executed("hangup") != 1 {
			t.Errorf("%+v", doc)
		}
		if left := s.json(cmdutil.ExitOK, "", "call", "list", name).Result; string(left) != "[]" {
			t.Errorf("calls that are left: %s", left)
		}
		return
	}
	t.Error("nobody could dial")
}
