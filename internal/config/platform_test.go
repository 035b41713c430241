package config

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// twoPlatforms is a file without problems.
const twoPlatforms = `[[platform]]
name = "Milan"
[platform.rtd]
url = "https://milan.example.com/rtd"
access_token = "` + canary + `-milan"
services = ["SRV01"]
[platform.rest]
url = "https://milan.example.com/rest-base"
username = "anna"
password = "` + canary + `-rest"
[[platform]]
name = "Rome South"
rtd = { url = "https://rome.example.com/rtd", access_token = "` + canary + `-rome" }
[ui]
mouse = false
page = "Sites"
`

// TestPlatforms reads the tables of each platform and the shared settings.
func TestPlatforms(t *testing.T) {
	t.Parallel()
	path := write(t, testkit.PrivateDir(t), "config.toml", twoPlatforms, 0o600)
	c, err := Load(path, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	each := c.PlatformConfigs()
	if len(each) != 2 || !c.MultiPlatform() || !slices.Equal(c.PlatformNames(), []string{"Milan", "Rome South"}) {
		t.Fatalf("%d platforms, called %q", len(each), c.PlatformNames())
	}
	milan, rome := each[0], each[1]
	if milan.RTD.URL != "https://milan.example.com/rtd" || milan.RTD.AccessToken.Reveal() != canary+"-milan" || !slices.Equal(milan.RTD.Services, []string{"SRV01"}) {
		t.Errorf("the feed of the first: %+v", milan.RTD)
	}
	if rome.RTD.URL != "https://rome.example.com/rtd" || rome.RTD.AccessToken.Reveal() != canary+"-rome" || len(rome.RTD.Services) != 0 {
		t.Errorf("the feed of the second: %+v", rome.RTD)
	}
	if !milan.REST.IsConfigured() || rome.REST.IsConfigured() {
		t.Error("only the first can act")
	}
	for _, one := range each {
		if one.UI.Mouse || one.UI.Site != one.Platform {
			t.Errorf("%s: what holds for all: %+v", one.Platform, one.UI)
		}
	}
	checkKept(t, c, milan, rome)
}

// checkKept checks the data kept for several platforms.
func checkKept(t *testing.T, c, milan, rome *Config) {
	t.Helper()
	if a, b := milan.Record.Folder(), rome.Record.Folder(); a == b || filepath.Base(b) != "rome-south" {
		t.Errorf("recordings are in %s and %s", a, b)
	}
	var secrets []string
	for _, s := range c.Secrets() {
		secrets = append(secrets, s.Reveal())
	}
	for _, want := range []string{"-milan", "-rest", "-rome"} {
		if !slices.Contains(secrets, canary+want) {
			t.Errorf("%s%s is not known as a secret", canary, want)
		}
	}
	for i := range c.Platforms {
		if p := &c.Platforms[i]; p.RTD != nil || p.REST != nil {
			t.Errorf("the tables of %s, with their secrets, are kept", p.Name)
		}
	}
}

// TestOnePlatformOfSeveral selects a platform, ignoring case.
func TestOnePlatformOfSeveral(t *testing.T) {
	t.Parallel()
	path := write(t, testkit.PrivateDir(t), "config.toml", twoPlatforms, 0o600)
	o := testOptions()
	o.Platform = "rome south"
	c, err := Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.Platform != "Rome South" || c.RTD.URL != "https://rome.example.com/rtd" || c.MultiPlatform() || len(c.PlatformConfigs()) != 1 {
		t.Errorf("%q at %s", c.Platform, c.RTD.URL)
	}
	o.Platform = "Turin"
	if got := problems(t, path, o); !strings.Contains(got, `no platform is named "Turin"; --platform accepts: Milan, Rome South`) {
		t.Error(got)
	}
	alone := write(t, testkit.PrivateDir(t), "config.toml", minimal, 0o600)
	if got := problems(t, alone, o); !strings.Contains(got, "omit --platform") {
		t.Error(got)
	}
}

// TestPlatformInAnotherEncoding names a platform with a decomposed letter in the file, and with
// a composed one elsewhere.
func TestPlatformInAnotherEncoding(t *testing.T) {
	t.Parallel()
	text := "[[platform]]\nname = \"Zu\u0308rich\"\nrtd = { url = \"https://a/rtd\", access_token = \"t\" }\n" +
		"[[platform]]\nname = \"Rome\"\nrtd = { url = \"https://b/rtd\", access_token = \"t\" }\n" +
		"[[serve.user]]\nname = \"anna\"\nkeys = [\"ssh-ed25519 AAAA\"]\nplatforms = [\"ZÜRICH\"]\n"
	o := testOptions()
	o.Platform = "zu\u0308rich"
	c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", text, 0o600), o)
	if err != nil {
		t.Fatal(err)
	}
	if c.Platform != "Zürich" || !c.Serve.Users[0].CanSee("zu\u0308rich") || c.Serve.Users[0].CanSee("Zurich") {
		t.Errorf("%q, %q", c.Platform, c.Serve.Users[0].Platforms)
	}
}

// TestPlatformsOfACluster checks a cluster with several platforms.
func TestPlatformsOfACluster(t *testing.T) {
	t.Parallel()
	secret := write(t, t.TempDir(), "secret", strings.Repeat("x", 64), 0o600)
	text := "[[platform]]\nname = \"Milan\"\nrtd = { url = \"https://milan.example.com/rtd\", access_token = \"t\" }\n" +
		"[[platform]]\nname = \"Rome\"\nrtd = { url = \"https://rome.example.com/rtd\", access_token = \"t\" }\n" +
		"[cluster]\nname = \"c\"\nnode = \"wb1\"\nlisten = \"127.0.0.1:1\"\npeers = [\"127.0.0.1:1\", \"127.0.0.1:2\", \"127.0.0.1:3\"]\nsecret_file = " + strconv.Quote(secret) + "\n"
	c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", text, 0o600), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range c.PlatformConfigs() {
		if !one.Cluster.Enabled() || len(one.Cluster.Peers) != 3 || !slices.Equal(one.PlatformNames(), []string{"Milan", "Rome"}) {
			t.Errorf("%s: %+v, %v", one.Platform, one.Cluster, one.PlatformNames())
		}
	}
}

// TestPlatformProblems checks that problems are reported at their line.
func TestPlatformProblems(t *testing.T) {
	t.Parallel()
	const good = "[[platform]]\nname = \"Milan\"\nrtd = { url = \"https://milan.example.com/rtd\", access_token = \"t\" }\n"
	for name, tt := range map[string]struct{ text, want string }{
		"beside rtd":       {"[rtd]\nurl = \"https://a/rtd\"\n" + good, "DIR/config.toml:1: rtd: belongs to no platform although there is a [[platform]]"},
		"without a name":   {"[[platform]]\nrtd = { url = \"https://a/rtd\", access_token = \"t\" }\n", "config.toml:1: platform[0].name: is missing"},
		"a folder":         {good + "[[platform]]\nname = \"../x\"\n", "config.toml:5: platform[1].name: is not a valid platform name"},
		"twice":            {good + "[[platform]]\nname = \"MILAN\"\nrtd = { url = \"https://b/rtd\", access_token = \"t\" }\n", `platform[1].name: "MILAN" is the name of another platform, that at line 1`},
		"the same address": {good + "[[platform]]\nname = \"Rome\"\nrtd = { url = \"https://milan.example.com/rtd\", access_token = \"t\" }\n", `platform[1].rtd.url: is the address of "Milan"`},
		"without address":  {good + "[[platform]]\nname = \"Rome\"\n[platform.rtd]\naccess_token = \"t\"\n", "config.toml:6: platform[1].rtd.url: is missing"},
		"an unknown key":   {good + "[[platform]]\nname = \"Rome\"\n[platform.rtd]\nurl = \"https://b/rtd\"\naccess_token = \"t\"\nservice = [\"A\"]\n", "config.toml:9: platform[1].rtd.service: unknown key; did you mean"},
		"a wrong name":     {good + "[[platform]]\nname = \"Rome\"\n[platform.rtd]\nurl = \"https://b/rtd\"\naccess_token = \"t\"\n[[platform.rtd.names]]\nkind = \"x\"\n", "platform[1].rtd.names[0].kind: \"x\" is not allowed"},
		"no table":         {"platform = [1]\n", "platform[0]: must be a table, but is a whole number"},
		"a text":           {good + "[[platform]]\nname = \"Rome\"\nrtd = \"x\"\n", "platform[1].rtd: must be a table, but is a text"},
		"a stranger":       {good + "[[serve.user]]\nname = \"anna\"\nkeys = [\"ssh-ed25519 AAAA\"]\nplatforms = [\"Rome\"]\n", `serve.user[0].platforms[0]: "Rome" is not allowed; allowed: Milan`},
		"a login at both": {
			good + "rest = { url = \"https://a/rest\", username = \"s\", password = \"p\" }\n[[platform]]\nname = \"Rome\"\nrtd = { url = \"https://b/rtd\", access_token = \"t\" }\n" +
				"[[serve.user]]\nname = \"anna\"\nrole = \"act\"\nkeys = [\"ssh-ed25519 AAAA\"]\nrest = { username = \"anna\", password = \"p\" }\n",
			"serve.user[0].rest: is ambiguous: the user sees 2 platforms",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := problems(t, write(t, testkit.PrivateDir(t), "config.toml", tt.text, 0o600), testOptions())
			if !strings.Contains(got, tt.want) {
				t.Errorf("said:\n%s\nnot: %s", got, tt.want)
			}
			for i, line := range strings.Split(got, "\n") {
				if i > 0 && strings.Contains(got[:strings.Index(got, line)], line) {
					t.Errorf("said twice: %s", line)
				}
			}
		})
	}
}

// TestChangedPlatforms distinguishes a changed platform from a changed list of platforms.
func TestChangedPlatforms(t *testing.T) {
	t.Parallel()
	load := func(text string) *Config {
		c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", text, 0o600), testOptions())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := load(twoPlatforms), load(strings.Replace(twoPlatforms, "rome.example.com", "rome2.example.com", 1))
	changed := func(i int) []string {
		return slices.DeleteFunc(ChangedKeys(a.PlatformConfigs()[i], b.PlatformConfigs()[i]), func(key string) bool { return key == "record.dir" })
	}
	if got := changed(0); len(got) != 0 {
		t.Errorf("of Milan has changed: %v", got)
	}
	if got := changed(1); !slices.Equal(got, []string{"rtd.url"}) {
		t.Errorf("of Rome has changed: %v", got)
	}
	c := load(strings.Replace(twoPlatforms, `"Rome South"`, `"Rome"`, 1))
	if got := ChangedKeys(a, c); !slices.Contains(got, "platform") {
		t.Errorf("another name: %v", got)
	}
}
