package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
)

// example returns the embedded example configuration.
func example(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// initialize runs config init.
func initialize(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = Run(t.Context(), append([]string{"config", "init"}, args...),
		cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Example: example(t)})
	return code, out.String()
}

// TestInitWritesWhatDrivesABoard creates a configuration for a simulated platform and runs a board with
// it.
func TestInitWritesWhatDrivesABoard(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	dir := testkit.PrivateDir(t)
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(canaryPassword), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "new", "config.toml")
	key := filepath.Join(dir, "api-key")
	if err := os.WriteFile(key, []byte(simulator.DefaultAPIKey), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--url", s.srv.HTTPURL(), "--rest-url", s.srv.RESTURL(), "--history-url", s.srv.StatURL(), "--api-key-file", key,
		"--user", webservice.DefaultAccount().Username, "--secret-file", secret, "--output", path,
	}
	code, said := initialize(t, args...)
	if code != cmdutil.ExitOK || !strings.Contains(said, "services and") || strings.Contains(said, canaryPassword) {
		t.Fatalf("code %d: %s", code, said)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), canaryPassword) {
		t.Error("the password stands in the configuration")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	for _, want := range []string{
		"#campaigns = [1", "#code = \"SRV01\"", "#code = \"GRP01\"", "\nkind = \"campaign\"\n", "#rule = \"longest wait\"\n#scope = \"service\"\n#warning = \"30s\"\n#critical = \"1m\"",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file lacks %q", want)
		}
	}
	c, err := config.Load(path, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.RTD.Campaigns)+len(c.Thresholds)+len(c.Alerts)+len(c.KPIs)+len(c.Builtin) != 0 {
		t.Errorf("in force are %v, %v, %v, %v, %v", c.RTD.Campaigns, c.Thresholds, c.Alerts, c.KPIs, c.Builtin)
	}
	if c.History.URL != s.srv.StatURL() || c.History.APIKey.Reveal() != simulator.DefaultAPIKey || len(c.History.Names)+len(c.History.Groups) != 0 {
		t.Errorf("the history is %+v", c.History)
	}
	s.config = path
	// The configuration names no campaigns: the service of [rest] lists them.
	if code, out, errs := s.run("", "dump"); code != cmdutil.ExitOK || !strings.Contains(out, "SRV01") || !strings.Contains(out, `"campaignId"`) {
		t.Errorf("dump ends with %d: %s", code, errs)
	}

	checkOverwrites(t, args)
}

// checkOverwrites checks that config init replaces an existing file only with --force.
func checkOverwrites(t *testing.T, args []string) {
	t.Helper()
	if code, said := initialize(t, args...); code != cmdutil.ExitUsage || !strings.Contains(said, "--force") {
		t.Errorf("over a file: %d, %s", code, said)
	}
	if code, said := initialize(t, append(args, "--force", "--for", "0")...); code != cmdutil.ExitOK {
		t.Errorf("with --force: %d, %s", code, said)
	}
}

func TestInitWithoutAPlatform(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "config.toml")
	if code, said := initialize(t, "--output", path); code != cmdutil.ExitOK || !strings.Contains(said, "Fill in [rtd]") {
		t.Fatalf("code %d: %s", code, said)
	}
	if _, err := config.Load(path, config.Options{Demo: true}); err != nil {
		t.Error(err)
	}
}

// TestInitChecksWhatCheckChecks runs config check on each configuration that config init writes.
func TestInitChecksWhatCheckChecks(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]os.FileMode{"a place of ours": 0o755, "a place that others can change": 0o777} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(testkit.PrivateDir(t), "home")
			if err := os.Mkdir(home, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(home, mode); err != nil { // independent of the umask
				t.Fatal(err)
			}
			path := filepath.Join(home, "wallboard", "config.toml")
			args := []string{"--url", "https://127.0.0.1:1/rtd", "--rest-url", "https://127.0.0.1:1/", "--user", "anna", "--secret-env", "PATH", "--for", "0"}
			code, said := initialize(t, append(args, "--output", path)...)
			if mode == 0o777 {
				if want := "home can be changed by others (mode 0777); run `chmod go-w "; code != cmdutil.ExitUsage || !strings.Contains(said, want) {
					t.Errorf("code %d: %s", code, said)
				}
				if _, err := os.Stat(path); err == nil {
					t.Error("the file was written")
				}
				return
			}
			if code != cmdutil.ExitOK {
				t.Fatalf("code %d: %s", code, said)
			}
			var out bytes.Buffer
			if code := Run(t.Context(), []string{"config", "check", "--config", path}, cmdutil.Streams{Out: &out, Err: &out}); code != cmdutil.ExitOK {
				t.Errorf("check: code %d: %s", code, out.String())
			}
		})
	}
}

func TestInitSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "config.toml")
	for name, tt := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no secret":            {[]string{"--url", "https://host/rtd", "--secret-file", ""}, cmdutil.ExitUsage, "there is no secret"},
		"two secrets":          {[]string{"--url", "https://host/rtd", "--secret-file", "x", "--secret-env", "X"}, cmdutil.ExitUsage, "not both"},
		"no url":               {[]string{"--rest-url", "https://host/"}, cmdutil.ExitUsage, "need --url"},
		"no url but a history": {[]string{"--history-url", "https://host/"}, cmdutil.ExitUsage, "need --url"},
		"no API key": {
			[]string{"--url", "https://host/rtd", "--history-url", "https://host/datamodel", "--user", "anna", "--secret-env", "PATH", "--for", "0"},
			cmdutil.ExitUsage, "WALLBOARD_API_KEY is not set",
		},
		"bad url": {[]string{"--url", "ftp://host", "--user", "anna", "--secret-env", "PATH"}, cmdutil.ExitUsage, "rtd.url"},
		"nobody there": {
			[]string{"--url", "http://127.0.0.1:1/rtd", "--user", "anna", "--secret-env", "PATH", "--for", "300ms"},
			cmdutil.ExitFailed, "nothing was written",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, said := initialize(t, append(tt.args, "--output", path)...)
			if code != tt.code || !strings.Contains(said, tt.want) {
				t.Errorf("code %d: %s", code, said)
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("a file was written")
			}
		})
	}
}
