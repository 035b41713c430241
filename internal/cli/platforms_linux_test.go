//go:build linux

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
)

// someSites runs simulated platforms on which only the dialer calls, and returns a
// configuration for all of them.
func someSites(t *testing.T, dir string, names ...string) (config string, srv []*simulator.Server) {
	t.Helper()
	var text strings.Builder
	for _, name := range names {
		o := simulator.Options{Speed: 60}
		o.World = world.Options{Seed: 7, Services: 12, Groups: 10, Agents: 60, Operators: 4, Campaigns: 5, Sites: 2, TrafficFactor: 0.000001}
		s, err := commands.OpenSimulator(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		srv = append(srv, s)
		own := strings.NewReplacer("[[rtd", "[[platform.rtd", "\n[rtd", "\n[platform.rtd", "\n[rest", "\n[platform.rest", "\n[history", "\n[platform.history")
		text.WriteString("[[platform]]\nname = " + strconv.Quote(name) + own.Replace(strings.Replace(commands.SimulatorConfig(s, &o), "#", "\n#", 1)) +
			"[platform.rtd.dialect.units]\ntotalTime = \"s\"\nmaxTimeCallOnQueue = \"s\"\naverageTimeOnQueue = \"s\"\n\"timeInHold.time\" = \"s\"\n")
	}
	text.WriteString("[audit]\nfile = " + strconv.Quote(filepath.Join(dir, "audit.jsonl")) + "\n[log]\nfile = " + strconv.Quote(filepath.Join(dir, "log")) + "\n")
	return configFile(t, text.String()), srv
}

// TestTwoPlatforms runs a board on two platforms: both are live, actions go to the platform in front, and
// the audit log names this platform.
func TestTwoPlatforms(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	config, srv := someSites(t, dir, "Milan", "Rome")
	x := newTerminal(t, dir, "--config", config)
	x.shows("Milan · ", "LIVE")
	x.press(":sites", enter)
	x.until("two platforms that are live", func(screen string) bool {
		live := 0
		for line := range strings.Lines(screen) {
			if strings.Contains(line, "● LIVE") && (strings.Contains(line, "1 Milan") || strings.Contains(line, "2  Rome")) {
				live++
			}
		}
		return live == 2
	})
	x.press("d")
	x.shows("Open a platform first")
	x.press("j", enter) // selects Rome
	x.shows(" Rome · ", "Overview")

	const agent = "Berg Ingrid" // an agent who is ready and has a phone, on both platforms
	x.press("4/", agent, enter)
	x.row(agent, "Ready")
	x.press("d")
	x.shows("Dial for "+agent, "Number")
	x.press("333"+world.NumberTalks, ctrlS)
	x.row(agent, "▷", "✓")
	x.answered()
	if a, b := len(srv[0].REST().Executions()), len(srv[1].REST().Executions()); a != 0 || b != 1 {
		t.Errorf("Milan carried out %d, Rome %d", a, b)
	}
	x.press(esc, `\`)
	x.shows(" Milan · ", "LIVE")
	x.press("q")
	x.leaves()
	var where []string
	for e, err := range audit.Read(filepath.Join(dir, "audit.jsonl"), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		where = append(where, e.Action+" "+e.Platform)
	}
	if !slices.Equal(where, []string{"dial " + srv[1].HTTPURL()}) {
		t.Errorf("the record of actions has %v", where)
	}
}

// TestOneOfSeveral checks that commands for one platform require --platform.
func TestOneOfSeveral(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	config, srv := someSites(t, dir, "Milan", "Rome")
	for _, args := range [][]string{{"status"}, {"campaign", "stop", "305", "--yes"}, {"dump"}} {
		code, _, errs := run(t, append(args, "--config", config)...)
		if code != cmdutil.ExitUsage || !strings.Contains(errs, "--platform: Milan, Rome") {
			t.Errorf("%v: %d, %s", args, code, errs)
		}
	}
	if code, out, errs := run(t, "config", "check", "--config", config); code != 0 {
		t.Errorf("check: %d, %s%s", code, out, errs)
	}
	code, out, errs := run(t, "campaign", "stop", "305", "--yes", "--platform", "rome", "--config", config)
	if a, b := len(srv[0].REST().Executions()), len(srv[1].REST().Executions()); code != 0 || a != 0 || b != 1 {
		t.Errorf("stop of Rome: %d, %s%s; Milan carried out %d, Rome %d", code, out, errs, a, b)
	}
	for platform, want := range map[string]string{"": srv[1].HTTPURL(), "Rome": "campaign 305", "Milan": ""} {
		args := []string{"audit", "--config", config}
		if platform != "" {
			args = append(args, "--platform", platform)
		}
		code, out, errs := run(t, args...)
		if code != cmdutil.ExitOK || !strings.Contains(out, want) || strings.Contains(out, "campaign 305") != (want != "") {
			t.Errorf("audit of %q: %d, %s%s", platform, code, out, errs)
		}
	}
	if code, _, errs := run(t, "dump", "--platform", "Turin", "--config", config); code != cmdutil.ExitUsage || !strings.Contains(errs, `no platform is named "Turin"`) {
		t.Errorf("dump of none: %d, %s", code, errs)
	}
}

// TestTellOfSeveral checks that metrics, notifications and text mode name each platform,
// and that SMS are sent through the platform concerned.
func TestTellOfSeveral(t *testing.T) {
	t.Parallel()
	told := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct{ Event, Platform, Text, ID string }
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		id, _, _ := strings.Cut(m.ID, "/")
		told <- strings.Join([]string{m.Event, m.Platform, id, m.Text}, "|")
	}))
	defer hook.Close()
	config, srv := someSites(t, testkit.PrivateDir(t), "Milan", "Rome")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, config, string(text)+alwaysAlert("trouble", "critical")+
		"[[notify]]\nname = \"chat\"\nwebhook = \""+hook.URL+"\"\ndefault = true\n[[notify]]\nname = \"phone\"\nsms = [\"+390471000000\"]\ndefault = true\n")
	ctx, cancel := context.WithCancel(t.Context())
	url, ended := make(addressOf, 1), make(chan int, 2)
	var errs [2]bytes.Buffer
	for i, args := range [][]string{{"notify"}, {"metrics", "--addr", "127.0.0.1:0"}} {
		go func() {
			ended <- Run(ctx, append(args, "--config", config), cmdutil.Streams{In: strings.NewReader(""), Out: url, Err: &errs[i]})
		}()
	}
	got := []string{<-told, <-told}
	slices.Sort(got)
	if want := []string{
		"begin|Milan|Milan|critical: Milan: The floor: Trouble of The floor", "begin|Rome|Rome|critical: Rome: The floor: Trouble of The floor",
	}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
	sent := func(s *simulator.Server) (n int) {
		for _, e := range s.REST().Executions() {
			if e.Operation == "sms-send" {
				n++
			}
		}
		return n
	}
	for late := time.Now().Add(patienceOfTests); sent(srv[0]) != 1 || sent(srv[1]) != 1; <-time.After(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("Milan sent %d SMS, Rome %d", sent(srv[0]), sent(srv[1]))
		}
	}
	tellsOfSeveral(t, config)
	floors := readyOf(t, <-url)
	if _, milan := floors["Milan"]; !milan || len(floors) != 2 {
		t.Errorf("figures of %v", floors)
	}
	cancel()
	for range 2 {
		if code := <-ended; code != cmdutil.ExitOK {
			t.Errorf("exit %d: %s%s", code, &errs[0], &errs[1])
		}
	}
}

// tellsOfSeveral asks a board in text mode about both platforms and about one of them. It asks again if a
// platform has no figures, which happens on a machine that was busy for seconds.
func tellsOfSeveral(t *testing.T, config string) {
	t.Helper()
	in, typed := io.Pipe()
	var out, said sink
	ended := make(chan int, 1)
	go func() {
		ended <- Run(t.Context(), []string{"--plain", "--every", "0", "--config", config}, cmdutil.Streams{In: in, Out: &out, Err: &said})
		_ = in.Close()
	}()
	late := time.Now().Add(patienceOfTests)
	until := func(done func() bool) {
		t.Helper()
		for ; !done(); <-time.After(10 * time.Millisecond) {
			if time.Now().After(late) {
				t.Fatalf("--plain says %s%s", &out, &said)
			}
		}
	}
	count := func(text string) int { return strings.Count(out.String(), text) }
	until(func() bool { return count("Milan: 12 services") > 0 && count("Rome: 12 services") > 0 }) // wait for the first summaries
	for _, c := range []struct {
		command     string
		milan, rome int
	}{{"status", 1, 1}, {"rome status", 0, 1}} {
		until(func() bool {
			milan, rome, helps := count("Milan: 12 services"), count("Rome: 12 services"), count(words.SpeakHelp().In(nil))
			if _, err := io.WriteString(typed, c.command+"\nhelp\n"); err != nil {
				t.Fatal(err)
			}
			until(func() bool { return count(words.SpeakHelp().In(nil)) > helps })
			milan, rome = count("Milan: 12 services")-milan, count("Rome: 12 services")-rome
			if milan > c.milan || rome > c.rome {
				t.Errorf("%s: %d lines about Milan and %d about Rome, want %d and %d, in %s", c.command, milan, rome, c.milan, c.rome, &out)
				return true
			}
			return milan == c.milan && rome == c.rome
		})
	}
	if _, err := io.WriteString(typed, "quit\n"); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code != cmdutil.ExitOK || count("Goodbye.") != 1 {
		t.Errorf("--plain: %d, %s%s", code, &out, &said)
	}
}

// readyOf returns the ready agents of two platforms from the metrics. It tries again after an error of
// the connection.
func readyOf(t *testing.T, at string) map[string]float64 {
	t.Helper()
	floors := make(map[string]float64)
	for late := time.Now().Add(patienceOfTests); len(floors) < 2 && time.Now().Before(late); <-time.After(50 * time.Millisecond) {
		_, body, _, err := tryRequest(t.Context(), http.MethodGet, at)
		if err != nil {
			continue // a busy machine may cut the connection
		}
		for _, m := range parseExposition(t, body) {
			if m.labels["platform"] == "" {
				t.Fatalf("of which platform is %v?", m)
			}
			if m.name == "wallboard_floor_ready_agents" && m.labels["channel"] == "CALL" {
				floors[m.labels["platform"]] = m.value
			}
		}
	}
	return floors
}

// TestServeTwoPlatforms runs a server of two platforms for a user of both, a user of one,
// and a kiosk.
func TestServeTwoPlatforms(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	config, srv := someSites(t, dir, "Milan", "Rome")
	anna, bruno, hall := sshKey(t), sshKey(t), sshKey(t)
	x := serveTo(t, &scripts{t: t, srv: srv[0], config: config}, serveUser("anna", anna, "role = \"act\""), serveUser("bruno", bruno, "platforms = [\"rome\"]"), serveUser("hall", hall, "role = \"kiosk\""))
	w := look(t, x.addr, hall, 120, 30)
	w.shows("Milan", "LIVE", "next: ")
	w.press("\x1b[D") // left of the first page of a platform is the last page of the other
	w.shows("Rome", "LIVE", "next: Milan")
	b := look(t, x.addr, bruno, 120, 40)
	b.shows(" Rome · ", "LIVE")
	if strings.Contains(b.text(), "Milan") || strings.Contains(b.text(), "Sites") {
		t.Errorf("a viewer of one platform sees another one:\n%s", b.text())
	}
	a := look(t, x.addr, anna, 120, 40)
	a.shows(" Milan · ", "LIVE")
	a.press("\x1bOQ") // f2
	a.shows("1 Milan")
	a.shows("2  Rome")
	a.press("j\r")
	a.shows(" Rome · ", "7 Now")
	const agent = "Berg Ingrid"
	a.press("4/" + agent + "\r")
	a.shows("▌", agent)
	a.press("d")
	a.shows("Dial for "+agent, "Number")
	a.press("333" + world.NumberTalks + ctrlS)
	a.until("the feed does not confirm the call", func(screen string) bool {
		row := regexp.MustCompile("(?m)^.*▌.*" + agent + ".*$").FindString(screen)
		return strings.Contains(row, "✓")
	})
	if m, r := len(srv[0].REST().Executions()), len(srv[1].REST().Executions()); m != 0 || r != 1 {
		t.Errorf("Milan carried out %d, Rome %d", m, r)
	}
	x.end()
	var dials []string
	for e, err := range audit.Read(filepath.Join(dir, "audit.jsonl"), audit.Filter{Action: "dial"}) {
		if err != nil {
			t.Fatal(err)
		}
		dials = append(dials, e.Person+" "+e.Platform)
	}
	if !slices.Equal(dials, []string{"anna " + srv[1].HTTPURL()}) {
		t.Errorf("the record of actions has %v", dials)
	}
}

// TestPlatformsFollowTheFile checks that both platforms follow a changed file, and that a
// change of the platforms needs a restart.
func TestPlatformsFollowTheFile(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	config, _ := someSites(t, dir, "Milan", "Rome")
	x := newTerminal(t, dir, "--config", config)
	x.shows("Milan · ", "LIVE")
	before, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, config, string(before)+"[[page]]\nname = \"Ours\"\nbuiltin = \"Services\"\n")
	x.shows("The changed configuration is now in use", "Ours", "Sites")
	x.press(`\`)
	x.shows(" Rome · ", "Ours", "Sites")
	rewrite(t, config, strings.Replace(string(before), `"Rome"`, `"Turin"`, 1))
	x.shows(`no platform is named "Rome"`)
	x.press(`\`)
	x.shows(" Milan · ", "LIVE") // the board continues
	x.press("q")
	x.leaves()
}
