package cli

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli/commands"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// TestFleetCheck checks live simulators together with a site without a server, one that accepts
// connections but never answers, and one that refuses the login.
func TestFleetCheck(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	site := func(name, url, more string) {
		text.WriteString("[[platform]]\nname = \"" + name + "\"\n[platform.rtd]\nurl = \"" + url + "\"\n" + more)
	}
	const token = "access_token = \"demo-token\"\n"
	site("Milan", smallSimulator(t), token)
	site("Rome", smallSimulator(t), token+"audit_interval = \"30s\"\n")
	site("Refusing", smallSimulator(t), "auth = \"login\"\nusername = \"supervisor\"\npassword = \"wrong\"\n")
	site("Dead", "http://"+testkit.FreeAddr(t)+"/rtd", token)
	slow, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0") // the system accepts connections to it, but nothing answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = slow.Close() })
	site("Slow", "http://"+slow.Addr().String()+"/rtd", token)
	dir := testkit.PrivateDir(t)
	text.WriteString("[record]\nenabled = false\ndir = \"" + filepath.Join(dir, "recordings") + "\"\n")
	path := configFile(t, text.String())

	code, out, errs := run(t, "fleet", "check", "--config", path, "--json", "--timeout", "20s")
	if code != 1 || !strings.Contains(errs, "3 of 5 sites fail") {
		t.Errorf("code %d: %s", code, errs)
	}
	checkFleetSites(t, out)

	// One line for each site, one for the cluster, and one for a recording that is not written.
	recorded := strings.Replace(text.String(), "enabled = false", "enabled = true", 1) +
		"[cluster]\nname = \"fleet\"\nnode = \"wb1\"\nlisten = \"127.0.0.1:6222\"\n" +
		"peers = [\"127.0.0.1:6222\", \"127.0.0.1:6223\", \"127.0.0.1:6224\"]\nsecret_file = \"secret\"\n"
	secret := filepath.Join(filepath.Dir(path), "secret")
	if err := errors.Join(os.WriteFile(secret, []byte(strings.Repeat("0123456789abcdef", 4)), 0o600), os.WriteFile(path, []byte(recorded), 0o600)); err != nil {
		t.Fatal(err)
	}
	code, out, _ = run(t, "fleet", "check", "--config", path, "--platform", "Milan")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != 1 || len(lines) != 3 || !strings.Contains(lines[1], "nothing is recorded") ||
		!strings.Contains(lines[2], "cluster fleet") || !strings.Contains(lines[2], "no node of this user answers") {
		t.Errorf("code %d: %s", code, out)
	}
}

// smallSimulator starts a simulator with ten agents and returns its address.
func smallSimulator(t *testing.T) string {
	t.Helper()
	s, err := commands.OpenSimulator(simulator.Options{World: world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.HTTPURL()
}

// checkFleetSites checks the sites of TestFleetCheck in the output with --json.
func checkFleetSites(t *testing.T, out string) {
	t.Helper()
	var sites []doctor.Site
	if err := json.Unmarshal([]byte(out), &sites); err != nil || len(sites) != 5 {
		t.Fatalf("%v: %s", err, out)
	}
	for i, want := range []struct {
		verdict doctor.Verdict
		summary string
	}{
		{doctor.VerdictOK, ""},
		{doctor.VerdictNote, "differs from most sites in rtd.audit_interval"},
		{doctor.VerdictFail, "login refused"},
		{doctor.VerdictFail, "connection refused"},
		{doctor.VerdictFail, "within 20s"},
	} {
		s := &sites[i]
		if strings.Contains(s.Summary(), "clock differs") { // on a busy machine the simulated clock lags
			t.Logf("%s: %s", s.Name, s.Summary())
			continue
		}
		if s.Verdict != want.verdict || !strings.Contains(s.Summary(), want.summary) || (want.summary == "") != (s.Summary() == "") {
			t.Errorf("%s is %s: %q, want %s: %q", s.Name, s.Verdict, s.Summary(), want.verdict, want.summary)
		}
	}
	if s := &sites[0]; s.Versions() == "" {
		t.Errorf("no version of %+v", s)
	} else if _, ok := s.Clock(); !ok {
		t.Errorf("no clock of %+v", s)
	}
}
