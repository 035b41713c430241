package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zalando/go-keyring"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

// canary is the secret in every test. No message may contain it.
const canary = "hunter2-canary"

// minimal is a file without problems.
const minimal = `[rtd]
url = "https://pbx.example.com/rtd"
access_token = "` + canary + `"
`

// testOptions has one environment variable and one secret in the keyring.
func testOptions() Options {
	return Options{
		Themes: []string{"auto", "dark", "light"},
		Pages:  []string{"overview", "agents"},

		RESTOperations: []string{"dial", "message-history"},
		Getenv: func(name string) string {
			return map[string]string{"WALLBOARD_PASSWORD": canary, "WALLBOARD_API_KEY": canary}[name]
		},
		Keyring: func(service, user string) (string, error) {
			switch service + "/" + user {
			case "wallboard/supervisor":
				return canary, nil
			case "wallboard/broken":
				return "", errors.New("no D-Bus session")
			default:
				return "", keyring.ErrNotFound
			}
		},
	}
}

// write creates a file with a mode in dir and returns its path.
func write(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	return path
}

// problems loads a file and returns its problems, with DIR for the folder and RULES for the names of
// all built-in rules.
func problems(t *testing.T, path string, o Options) string {
	t.Helper()
	_, err := Load(path, o)
	if err == nil {
		return ""
	}
	var list Errors
	if !errors.As(err, &list) {
		t.Fatalf("error is a %T, want Errors", err)
	}
	if strings.Contains(err.Error(), canary) {
		t.Errorf("the secret stands in an error:\n%v", err)
	}
	var rules []string
	for _, r := range alert.DefaultRules() {
		if !slices.Contains(rules, r.Name) {
			rules = append(rules, r.Name)
		}
	}
	return strings.NewReplacer(filepath.Dir(path), "DIR", strings.Join(rules, ", "), "RULES").Replace(err.Error())
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path := write(t, dir, "config.toml", `
read_only = true
[rtd]
url = "https://pbx.example.com/rtd"
auth = "login"
username = "supervisor"
password_env = "WALLBOARD_PASSWORD"
access_token_file = "not needed, so not looked up"
subprotocol = "graphql-ws"
publish_interval = "250ms"
user_site = 3
services = ["SRV01", "SRV02"]
campaigns = [12, 13]
dialect.roots = { serviceStats = "onServiceStats" }
names = [{ kind = "service", code = "SRV01", name = "Sales IT" }]

[rest]
url = "https://pbx.example.com/platform"
access_token_env = "WALLBOARD_PASSWORD"
edition = "1.4.0"
timeout = "20s"
paths = { message-history = "/rest/found/out" }

[audit]
file = "actions.jsonl"
max_size = "512KiB"
keep = 3

[ui]
theme = "dark"
mouse = false
page = "agents"
service_level_target = 1

[log]
file = "board.log"
level = "debug"
`, 0o644)
	got, err := Load(path, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.RTD.URL = "https://pbx.example.com/rtd"
	want.RTD.Auth = AuthLogin
	want.RTD.Username = "supervisor"
	want.RTD.Password = secret.New(canary)
	want.RTD.PasswordEnv = "WALLBOARD_PASSWORD"
	want.RTD.AccessTokenFile = "not needed, so not looked up"
	want.RTD.Subprotocol = SubprotocolLegacyWS
	want.RTD.PublishInterval = 250 * time.Millisecond
	want.RTD.UserSite = 3
	want.RTD.Services = []string{"SRV01", "SRV02"}
	want.RTD.Campaigns = []int{12, 13}
	want.RTD.Dialect.Roots = map[string]string{"serviceStats": "onServiceStats"}
	want.RTD.Names = []Name{{Kind: "service", Code: "SRV01", Name: "Sales IT"}}
	want.ReadOnly = true
	want.REST.URL = "https://pbx.example.com/platform"
	want.REST.AccessToken = secret.New(canary)
	want.REST.AccessTokenEnv = "WALLBOARD_PASSWORD"
	want.REST.Edition = Edition140
	want.REST.Timeout = 20 * time.Second
	want.REST.Paths = map[string]string{"message-history": "/rest/found/out"}
	want.Audit = Audit{File: filepath.Join(dir, "actions.jsonl"), MaxSize: 512 << 10, Keep: 3}
	want.UI.Theme = "dark"
	want.UI.Mouse = false
	want.UI.Page = "agents"
	want.UI.ServiceLevelTarget = 1
	want.Log = Log{File: filepath.Join(dir, "board.log"), Level: "debug", MaxSize: 10 << 20, Keep: 5}
	if diff := cmp.Diff(want, *got, cmpopts.IgnoreUnexported(Config{}, Trust{}, Cluster{}, Serve{})); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestLoadMissingFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "config.toml")
	want := "DIR/config.toml: there is no configuration file; run `wallboard setup` in a terminal, or" +
		" `wallboard config init --url ADDRESS --user NAME`, to create one; `wallboard demo` needs none"
	for _, demo := range []bool{false, true} { // a file that the user names must exist, even for a demo
		if got := problems(t, path, Options{Demo: demo}); got != want {
			t.Errorf("demo %v:\ngot  %s\nwant %s", demo, got, want)
		}
	}
}

func TestLoadDirectory(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	got := problems(t, filepath.Join(dir, "."), testOptions())
	if !strings.Contains(got, "cannot be read: is a directory; name a readable file with --config") {
		t.Errorf("got %s", got)
	}
}

func TestLoadTooLarge(t *testing.T) {
	t.Parallel()
	path := write(t, testkit.PrivateDir(t), "config.toml", strings.Repeat("#\n", maxFileBytes), 0o600)
	got := problems(t, path, testOptions())
	if want := "DIR/config.toml: cannot be read: it is too large; name a readable file with --config"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestDemoNeedsNoPlatform(t *testing.T) {
	t.Parallel()
	path := write(t, testkit.PrivateDir(t), "config.toml", "[rtd]\nauth = \"login\"\npassword_env = \"NOT_SET\"\n[ui]\ntheme = \"dark\"\n", 0o644)
	o := testOptions()
	o.Demo = true
	c, err := Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.UI.Theme != "dark" {
		t.Errorf("theme %q, want dark", c.UI.Theme)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, tt := range problemCases() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := write(t, testkit.PrivateDir(t), "config.toml", tt.text, 0o600)
			want := strings.TrimSpace(tt.want)
			if diff := cmp.Diff(want, problems(t, path, testOptions())); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/all.golden")
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, testkit.PrivateDir(t), "config.toml", string(text), 0o644)
	if diff := cmp.Diff(string(want), problems(t, path, testOptions())+"\n"); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestCheckAfterFlags(t *testing.T) {
	t.Parallel()
	c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", minimal, 0o600), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(testOptions()); err != nil {
		t.Errorf("loaded configuration: %v", err)
	}
	c.UI.Theme = "drak"
	err = c.Check(testOptions())
	want := `ui.theme: "drak" is not allowed; did you mean "dark"? allowed: auto, dark, light`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestDefaultIsValid(t *testing.T) {
	t.Parallel()
	c := Default()
	if err := c.Check(Options{Demo: true}); err != nil {
		t.Error(err)
	}
}
