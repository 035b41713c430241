package operations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	testkit.RunInHome(m)
}

// scripts is a frozen simulated platform over real sockets, with a configuration for the
// commands.
type scripts struct {
	t      *testing.T
	srv    *simulator.Server
	config string
}

func newScripts(t *testing.T, change func(*simulator.Options)) *scripts {
	t.Helper()
	o := simulator.Options{
		Speed: 10,
		World: world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 8, Operators: 1, Campaigns: 1},
	}
	if change != nil {
		change(&o)
	}
	srv, err := commands.OpenSimulator(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	srv.Pause()
	text := commands.SimulatorConfig(srv, &o) + fmt.Sprintf("[audit]\nfile = %q\n", filepath.Join(testkit.PrivateDir(t), "audit.jsonl"))
	return &scripts{t: t, srv: srv, config: configFile(t, text)}
}

// configFile writes a configuration with mode 0600.
func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(testkit.PrivateDir(t), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command with a text on standard input.
func (s *scripts) run(stdin string, args ...string) (code int, out, errs string) {
	s.t.Helper()
	var o, e bytes.Buffer
	code = cli.Run(s.t.Context(), append(args, "--config", s.config), cmdutil.Streams{In: strings.NewReader(stdin), Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// document is the JSON output of a command.
type document struct {
	Outcome string          `json:"outcome"`
	Text    string          `json:"text"`
	IDs     []string        `json:"ids"`
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
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		s.t.Fatalf("%v: not one document (%v): %s", args, err, out)
	}
	return doc
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
