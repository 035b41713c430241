package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/rtd"
)

// run runs a command.
func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Run(t.Context(), args, cmdutil.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return code, o.String(), e.String()
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

func TestExitCodes(t *testing.T) {
	t.Parallel()
	good := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n")
	bad := configFile(t, "[rtd]\nurl = 7\ncolour = \"red\"\n")
	path := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[rest]\nurl = \"http://127.0.0.1:1\"\n"+
		"access_token = \"x\"\n[rest.paths]\ncampaign-start = \"/rest/start\"\n")
	pages := configFile(t, "[[page]]\nbuiltin = \"Agents\"\n")
	for _, c := range []struct {
		name string
		args []string
		code int
		want string // part of the output
	}{
		{"version", []string{"version"}, cmdutil.ExitOK, "wallboard "},
		{"good configuration", []string{"config", "check", "--config", good}, cmdutil.ExitOK, ": ok"},
		{"pages alone", []string{"config", "check", "--config", pages}, cmdutil.ExitUsage, "rtd.url"},
		{"pages alone, for the demo", []string{"config", "check", "--demo", "--config", pages}, cmdutil.ExitOK, ": ok"},
		{"bad configuration", []string{"config", "check", "--config", bad}, cmdutil.ExitUsage, "colour"},
		{"board on a bad configuration", []string{"--config", bad}, cmdutil.ExitUsage, "rtd.url"},
		{"board without a terminal", []string{"--config", good}, cmdutil.ExitFailed, "needs a terminal"},
		{"demo without a terminal", []string{"demo", "--config", good}, cmdutil.ExitFailed, "needs a terminal"},
		{"dump on a bad configuration", []string{"dump", "--config", bad}, cmdutil.ExitUsage, "colour"},
		{"no such file", []string{"dump", "--config", bad + ".none"}, cmdutil.ExitUsage, "no configuration file"},
		{"unknown flag", []string{"--colour"}, cmdutil.ExitUsage, "colour"},
		{"unknown command", []string{"dance"}, cmdutil.ExitUsage, "dance"},
		{"argument too many", []string{"version", "now"}, cmdutil.ExitUsage, "now"},
		{"bad switch", []string{"simulator", "--numbers", "roman"}, cmdutil.ExitUsage, "roman"},
		{"dump for no time", []string{"dump", "--config", good, "--for", "0"}, cmdutil.ExitUsage, "--for"},
		{"unknown subcommand", []string{"config", "dance"}, cmdutil.ExitUsage, "dance"},
		{"bad edition", []string{"simulator", "--edition", "2"}, cmdutil.ExitUsage, "edition"},
		{"bad path of an operation", []string{"config", "check", "--config", path}, cmdutil.ExitUsage, "{id}"},
		{"too many agents", []string{"demo", "--agents", "99999"}, cmdutil.ExitUsage, "--agents 99999: want 1 to 25000"},
		{"no speed", []string{"simulator", "--speed", "0", "--tick", "0s"}, cmdutil.ExitUsage, "--tick 0s"},
		{"address in use", []string{"simulator", "--addr", "192.0.2.1:1"}, cmdutil.ExitFailed, "simulator: "},
		{"nobody there", []string{"dump", "--config", good, "--for", "300ms"}, cmdutil.ExitFailed, "connection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := run(t, c.args...)
			if code != c.code || !strings.Contains(out+errs, c.want) {
				t.Errorf("exit %d, want %d with %q\nout %s\nerr %s", code, c.code, c.want, out, errs)
			}
			if c.code != cmdutil.ExitOK && c.name != "nobody there" && out != "" {
				t.Errorf("an error was printed to standard output: %s", out)
			}
		})
	}
}

// TestDumpOverLoopback runs the commands over real sockets with the configuration that the
// platform prints.
func TestDumpOverLoopback(t *testing.T) {
	t.Parallel()
	srv, err := commands.OpenSimulator(small())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := srv.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test is over
	so := small()
	path := configFile(t, commands.SimulatorConfig(srv, &so)+"[rtd.dialect.units]\ntotalTime = \"s\"\n") // units of a paused simulator cannot be detected
	if code, _, errs := run(t, "config", "check", "--config", path); code != cmdutil.ExitOK {
		t.Fatalf("the simulator's configuration is wrong: %s", errs)
	}
	srv.Pause()
	code, out, errs := run(t, "dump", "--config", path, "--for", "8s")
	if code != cmdutil.ExitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	got := decode(t, []byte(out))
	for k, want := range decode(t, srv.CurrentState()) {
		a, b := marshal(t, normal(want, k, false)), marshal(t, normal(got[k], k, false))
		if a != b {
			t.Errorf("%s: platform %.300s\nboard %.300s", k, a, b)
		}
	}
	code, out, errs = run(t, "dump", "--config", path, "--follow", "--for", "10s")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != cmdutil.ExitOK || len(lines) < 2 {
		t.Errorf("exit %d, %d lines: %s", code, len(lines), errs)
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("not a line of JSON: %.100s", l)
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestUnicodeLocale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", true},
		{"", "", "en_US.UTF-8", true},
		{"", "", "C", false},
		{"", "C.utf8", "C", true},
		{"POSIX", "C.utf8", "en_US.UTF-8", false},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_CTYPE": c.ctype, "LANG": c.lang}
		if got := terminal.IsUnicodeLocale(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestDemoKeepsTheScreensConfiguration(t *testing.T) {
	t.Parallel()
	so := small()
	so.Switches = rtd.Switches{RenamedRoots: true, NoIntrospection: true}
	srv, err := commands.OpenSimulator(so)
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test is over
	c := config.Default()
	c.RTD.URL, c.UI.Site, c.UI.ASCII = "https://real.example/rtd", "Milan", true
	admin.UseSimulator(&c, srv, &so, "")
	if c.RTD.URL != srv.HTTPURL() || c.UI.Site != "Milan" || !c.UI.ASCII {
		t.Errorf("%+v", c)
	}
	if c.RTD.Dialect.Roots["users"] != "onUsersChanged" || len(c.RTD.Names) == 0 {
		t.Errorf("roots %v, %d names", c.RTD.Dialect.Roots, len(c.RTD.Names))
	}
	if o, err := app.UIOptions(&c, engineFor(t, &c)); err != nil || o.Display.Theme.Name == "" || o.Display.LightTheme.Name == "" || o.Names.NameOf("service", "SRV01") == "SRV01" {
		t.Errorf("%+v, %v", o, err)
	}
	if time.Duration(c.RTD.PublishInterval) <= 0 {
		t.Error("no publish interval")
	}
}

// TestStandardLogIsSilent checks that net/http cannot log a server's unsolicited responses
// to the terminal.
func TestStandardLogIsSilent(t *testing.T) {
	t.Parallel()
	if code := Run(t.Context(), []string{"--version"}, cmdutil.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}); code != cmdutil.ExitOK {
		t.Fatalf("exit %d", code)
	}
	if log.Writer() != io.Discard {
		t.Error("the standard log goes to the terminal")
	}
}

// TestReducedMotionIsTheConfigurationsFlash checks that the flag overrides the
// configuration.
func TestReducedMotionIsTheConfigurationsFlash(t *testing.T) {
	t.Parallel()
	path := configFile(t, "[ui]\nflash = true\n")
	for _, still := range []bool{false, true} {
		s := cmdutil.Setup{ConfigPath: path, ReducedMotion: still, Options: loadOptions}
		c, err := s.Load(true)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := app.UIOptions(c, engineFor(t, c)); err != nil || o.Display.Flash == still {
			t.Errorf("with --reduced-motion=%v the board flashes: %v (%v)", still, o.Display.Flash, err)
		}
	}
}
