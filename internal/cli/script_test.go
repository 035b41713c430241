package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
)

// The secrets of the platform in these tests. They must not appear in any output.
const (
	canaryPassword = "hunter2-canary-password"
	canaryToken    = "hunter2-canary-token"
)

// scripts is a frozen simulated platform over real sockets, with a configuration for the
// commands.
type scripts struct {
	t      *testing.T
	srv    *simulator.Server
	config string
	log    string // path of the log
}

func newScripts(t *testing.T, change func(*simulator.Options), extra ...string) *scripts {
	t.Helper()
	so := small()
	account := webservice.DefaultAccount()
	account.Password, account.Token = canaryPassword, canaryToken
	so.Users = []webservice.Account{account}
	if change != nil {
		change(&so)
	}
	srv, err := commands.OpenSimulator(so)
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	srv.Pause()
	dir := testkit.PrivateDir(t)
	text := strings.Join(extra, "\n") + commands.SimulatorConfig(srv, &so) +
		fmt.Sprintf("[rtd.dialect.units]\ntotalTime = \"s\"\n"+ // the unit cannot be detected on a frozen platform
			"[audit]\nfile = %q\n[log]\nfile = %q\nlevel = \"debug\"\n", filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "log"))
	text = strings.NewReplacer(`"wallboard" #`, `"`+canaryPassword+`" #`, `"demo-token" #`, `"`+canaryToken+`" #`).Replace(text)
	return &scripts{t: t, srv: srv, config: configFile(t, text), log: filepath.Join(dir, "log")}
}

// run runs a command with a text on standard input.
func (s *scripts) run(stdin string, args ...string) (code int, out, errs string) {
	s.t.Helper()
	var o, e bytes.Buffer
	code = Run(s.t.Context(), append(args, "--config", s.config), cmdutil.Streams{In: strings.NewReader(stdin), Out: &o, Err: &e})
	for _, secret := range []string{canaryPassword, canaryToken} {
		if strings.Contains(o.String()+e.String(), secret) {
			s.t.Errorf("%v: %s stands in the output", args, secret)
		}
	}
	return code, o.String(), e.String()
}

// document is the JSON output of a command.
type document struct {
	Command string          `json:"command"`
	Outcome string          `json:"outcome"`
	Text    string          `json:"text"`
	Warning string          `json:"warning"`
	CallID  string          `json:"callId"`
	File    string          `json:"fileName"`
	ID      string          `json:"id"`
	IDs     []string        `json:"ids"`
	Total   *int            `json:"total"`
	Result  json.RawMessage `json:"result"`
}

// json runs a command with --json, checks the exit code, and returns the document.
func (s *scripts) json(code int, stdin string, args ...string) document {
	s.t.Helper()
	got, out, errs := s.run(stdin, append(args, "--json")...)
	if got != code {
		s.t.Fatalf("%v: exit %d, want %d: %s%s", args, got, code, out, errs)
	}
	var doc document
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil || dec.More() {
		s.t.Fatalf("%v: not one document (%v): %s", args, err, out)
	}
	return doc
}

// fields returns the members of a JSON object.
func fields(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

// without removes the line of a key from the configuration.
func (s *scripts) without(key string) {
	s.t.Helper()
	text, err := os.ReadFile(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	before, line, _ := strings.Cut(string(text), "\n"+key+" =")
	_, after, _ := strings.Cut(line, "\n")
	s.config = configFile(s.t, before+"\n"+after)
}

// executed counts the executed requests of an operation.
func (s *scripts) executed(operation string) int {
	n := 0
	for _, e := range s.srv.REST().Executions() {
		if e.Operation == operation {
			n++
		}
	}
	return n
}

// TestExitCodesByOutcome lets a text message end in every way.
func TestExitCodesByOutcome(t *testing.T) {
	t.Parallel()
	send := []string{"sms", "send", "--phone-number", "+393331234567", "--message", "hello", "--yes"}
	for _, c := range []struct {
		name    string
		prepare func(*scripts)
		code    int
		outcome string
		sent    int
	}{
		{"confirmed", func(*scripts) {}, cmdutil.ExitOK, "confirmed", 1},
		{"rejected", func(s *scripts) { s.srv.Faults().REST.AnswerWithStatus(570, "", 1) }, cmdutil.ExitFailed, "rejected", 0},
		{"not sent", func(s *scripts) { _ = s.srv.Close() }, cmdutil.ExitNotSent, "not sent", 0},
		{"unknown", func(s *scripts) {
			s.without("message-history") // without the history, the outcome cannot be looked up
			s.srv.Faults().REST.CutResponse(0)
		}, cmdutil.ExitUnknown, "unknown", 1},
		{"looked up", func(s *scripts) { s.srv.Faults().REST.CutResponse(0) }, cmdutil.ExitOK, "confirmed", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, func(o *simulator.Options) { o.REST.SMSInHistory = true })
			s.srv.Faults().REST.OnlyRequests("POST /rest/sms/send")
			c.prepare(s)
			if doc := s.json(c.code, "", send...); doc.Outcome != c.outcome || doc.Text == "" {
				t.Errorf("%+v", doc)
			}
			if n := s.executed("sms-send"); n != c.sent {
				t.Errorf("%d messages were sent", n)
			}
			var entries []map[string]any
			doc := s.json(cmdutil.ExitOK, "", "audit", "--outcome", strings.ReplaceAll(c.outcome, " ", "-"))
			if err := json.Unmarshal(doc.Result, &entries); err != nil || len(entries) != 1 || entries[0]["action"] != "sms-send" {
				t.Errorf("the audit file has %s", doc.Result)
			}
		})
	}
}

// TestRefusedBeforeAnythingIsSent checks errors in the command line and the configuration.
func TestRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	locked := newScripts(t, nil, "read_only = true\n")
	for _, c := range []struct {
		name string
		on   *scripts
		args string
		want string
	}{
		{"hang up without --yes", s, "call hangup --call-id 1", "--yes"},
		{"stop without --yes", s, "campaign stop 301", "--yes"},
		{"delete without --yes", s, "contact delete 10000", "--yes"},
		{"reset without --yes", s, "list reset-items", "--yes"},
		{"message without --yes", s, "sms send --phone-number 1 --message x", "--yes"},
		{"statistics without --yes", s, "campaign start 301 --reset-stats", "--yes"},
		{"flag read-only", s, "--read-only campaign start 301", "leave --read-only out"},
		{"file read-only", locked, "campaign start 301", "read_only = true"},
		{"no number", s, "call dial", "NUMBER is missing"},
		{"an empty number", s, "call dial", "NUMBER is missing"},
		{"a flag's value after a blank", s, "contact update 1 --vip maybe", `unexpected argument "maybe"`},
		{"an escape sequence", s, "contact update 1 --name a\x1b[31m", "control characters"},
		{"not an id", s, "campaign start spring", `"spring" is not an id`},
		{"nothing to create", s, "contact create", "nothing is given"},
		{"not JSON", s, "contact create --file -", "not valid JSON"},
		{"no file", s, "contact create --file /nowhere.json", "no such file"},
		{"not a number", s, "campaign update 301 --priority high", "whole number"},
		{"run without a name", s, "run show", "--campaign-id"},
		{"not a time", s, "audit --since yesterday", "how long ago"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			on := &scripts{t: t, srv: c.on.srv, config: c.on.config}
			code, out, errs := on.run("{", strings.Fields(c.args)...)
			if code != cmdutil.ExitUsage || !strings.Contains(errs, c.want) || out != "" {
				t.Errorf("exit %d, want %q: %s%s", code, c.want, out, errs)
			}
		})
	}
	t.Cleanup(func() {
		if n := len(s.srv.REST().Executions()) + len(locked.srv.REST().Executions()); n != 0 {
			t.Errorf("%d requests were carried out", n)
		}
	})
}

func TestNoConfigurationService(t *testing.T) {
	t.Parallel()
	path := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n")
	code, _, errs := run(t, "campaign", "list", "--config", path)
	if code != cmdutil.ExitUsage || !strings.Contains(errs, "there is no [rest] in the configuration") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestSessionsEnd checks that a command leaves no session behind.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	s.json(cmdutil.ExitOK, "", "campaign", "list")
	log, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), `msg="rest request" operation=logout`) {
		t.Errorf("the session was not ended: %s", log)
	}
	for _, secret := range []string{canaryPassword, canaryToken} {
		if strings.Contains(string(log), secret) {
			t.Error("a secret stands in the log")
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, out, errs := run(t, "completion", shell); code != cmdutil.ExitOK || !strings.Contains(out, "wallboard") {
			t.Errorf("%s: exit %d: %s", shell, code, errs)
		}
	}
	if code, out, _ := run(t, "__complete", "campaign", "st"); code != cmdutil.ExitOK || !strings.Contains(out, "start") || !strings.Contains(out, "stop") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ := run(t, "__complete", "campaign", "start", ""); code != cmdutil.ExitOK || strings.Contains(out, "config.toml") || !strings.Contains(out, ":4") {
		t.Errorf("an id is completed with files: %s", out)
	}
}

// TestScriptsNeedNoRealTimeService checks that a command for the configuration service needs no other
// service.
func TestScriptsNeedNoRealTimeService(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "[rest]")
	s.config = configFile(t, "[rest]"+rest)
	if code, _, errs := s.run("", "campaign", "list"); code != cmdutil.ExitOK {
		t.Errorf("campaign list ends with %d: %s", code, errs)
	}
	if code, _, errs := s.run("", "dump"); code != cmdutil.ExitUsage || !strings.Contains(errs, "rtd.url") {
		t.Errorf("dump ends with %d: %s", code, errs)
	}
}
