package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// writeDropIns writes a configuration file and files in conf.d, and returns the path of the former.
func writeDropIns(t *testing.T, text string, dropIns map[string]string) string {
	t.Helper()
	dir := testkit.PrivateDir(t)
	if err := os.Mkdir(filepath.Join(dir, "conf.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range dropIns {
		write(t, filepath.Join(dir, "conf.d"), name, text, 0o600)
	}
	return write(t, dir, "config.toml", text, 0o600)
}

const threeThresholds = `[[threshold]]
kpi = "longestWait"
warning = "30s"
[[threshold]]
kpi = "abandonRate"
warning = "5%"
`

// TestDropIns merges files in the order of their names: they add platforms, change a platform, and
// replace common values.
func TestDropIns(t *testing.T) {
	t.Parallel()
	c, err := Load(writeDropIns(t, twoPlatforms+threeThresholds, map[string]string{
		"10-turin.toml": "[[platform]]\nname = \"Turin\"\n[platform.rtd]\nurl = \"https://turin.example.com/rtd\"\naccess_token = \"" + canary + "\"\n" +
			"[[platform.threshold]]\nkpi = \"longestWait\"\nwarning = \"90s\"\n[[platform.hours]]\nclose = \"20:00\"\n",
		"20-milan.toml": "[[platform]]\nname = \"MILAN\"\nthreshold = []\n[platform.rtd]\nservices = [\"SRV02\", \"SRV03\"]\n[ui]\nrefresh = \"2s\"\n",
		"30-last.toml":  "[ui]\nrefresh = \"3s\"\n",
		".hidden.toml":  "[", "note.txt": "[",
	}), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if got := c.PlatformNames(); !slices.Equal(got, []string{"Milan", "Rome South", "Turin"}) {
		t.Fatalf("the platforms are %q", got)
	}
	if n := len(c.Files()); n != 4 {
		t.Errorf("%d files: %q", n, c.Files())
	}
	each := c.PlatformConfigs()
	milan, rome, turin := each[0], each[1], each[2]
	if !slices.Equal(milan.RTD.Services, []string{"SRV02", "SRV03"}) || milan.RTD.URL != "https://milan.example.com/rtd" {
		t.Errorf("Milan's feed is %q of %q", milan.RTD.Services, milan.RTD.URL)
	}
	for i, want := range []int{0, 2, 1} {
		if got := len(each[i].Thresholds); got != want {
			t.Errorf("%s has %d thresholds, want %d", each[i].Platform, got, want)
		}
		if each[i].UI.Refresh != 3*time.Second || each[i].UI.Mouse {
			t.Errorf("%s: the common values are %+v", each[i].Platform, each[i].UI)
		}
	}
	if len(rome.Hours) != 0 || len(turin.Hours) != 1 || turin.Thresholds[0].Warning.Value == rome.Thresholds[0].Warning.Value {
		t.Errorf("Turin has %v and %v", turin.Hours, turin.Thresholds)
	}
	if file, line := c.Place("platform[0].rtd.services"); filepath.Base(file) != "20-milan.toml" || line != 5 {
		t.Errorf("Milan's services are at %s:%d", file, line)
	}
	if file, line := c.Place("platform[0].rtd.url"); filepath.Base(file) != "config.toml" || line != 4 {
		t.Errorf("Milan's address is at %s:%d", file, line)
	}
}

// TestDropInProblems checks that problems name the file and the line.
func TestDropInProblems(t *testing.T) {
	t.Parallel()
	good := "[[platform]]\nname = \"Turin\"\nrtd = { url = \"https://turin.example.com/rtd\", access_token = \"t\" }\n"
	for name, c := range map[string]struct{ dropIns, want string }{
		"syntax":          {"\n[ui]\ntheme = dark\n", `conf.d/a.toml:3: ui.theme: has no value`},
		"unknown key":     {"[[platform]]\nname = \"Milan\"\ncolour = \"red\"\n", `conf.d/a.toml:3: platform[0].colour: unknown key`},
		"in new platform": {good + "[[platform.threshold]]\nkpi = \"longestWait\"\nwarning = true\n", `conf.d/a.toml:6: platform[2].threshold[0].warning: must be`},
		"in old platform": {"[[platform]]\nname = \"Milan\"\n[[platform.hours]]\nclose = \"25:00\"\n", `conf.d/a.toml:4: platform[0].hours[0].close: "25:00" is not a closing time`},
		"wrong value":     {"[ui]\nrefresh = 7\n", `conf.d/a.toml:2: ui.refresh: must be a duration`},
		"no list":         {"platform = 1\n", `conf.d/a.toml:1: platform: must be an array of tables`},
		"blocks":          {"[[platform]]\nname = \"Milan\"\nhours = 3\n", `conf.d/a.toml:3: platform[0].hours: must be an array of tables, but is a whole number`},
		"twice in a file": {good + good, `conf.d/a.toml:5: platform[3].name: "Turin" is the name of another platform, that at line 1`},
		"same address":    {"[[platform]]\nname = \"X\"\nrtd = { url = \"https://rome.example.com/rtd\", access_token = \"t\" }\n", `conf.d/a.toml:3: platform[2].rtd.url: is the address of "Rome South"`},
		"in the main":     {"[ui]\nrefresh = \"2s\"\n", `config.toml:16: ui.page: "Nowhere"`},
		"same page":       {"[[page]]\nbuiltin = \"Agents\"\n[[page]]\nbuiltin = \"Agents\"\n", `conf.d/a.toml:3: page[1]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := twoPlatforms
			if name == "in the main" {
				main = strings.Replace(main, `"Sites"`, `"Nowhere"`, 1)
			}
			path := writeDropIns(t, main, map[string]string{"a.toml": c.dropIns})
			_, err := Load(path, testOptions())
			if err == nil || !strings.Contains(err.Error(), filepath.Join(filepath.Dir(path), c.want)) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestDropInsAreSafe checks that a file in conf.d that others can change is refused, that one that
// others can read may hold no secret, and that one that cannot be read is an error.
func TestDropInsAreSafe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"writable": {"[ui]\nrefresh = \"2s\"\n", 0o666, "conf.d/a.toml: is not safe from other users"},
		"secret":   {"[[platform]]\nname = \"Milan\"\n[platform.rtd]\naccess_token = \"" + canary + "\"\n", 0o644, "conf.d/a.toml:4: platform[0].rtd.access_token: is in a file that"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := writeDropIns(t, twoPlatforms, map[string]string{"a.toml": c.text})
			if err := os.Chmod(filepath.Join(filepath.Dir(path), "conf.d", "a.toml"), c.mode); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(path, testOptions()); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), canary) {
				t.Errorf("%v", err)
			}
		})
	}
	path := writeDropIns(t, twoPlatforms, nil)
	if err := os.Symlink("missing", filepath.Join(filepath.Dir(path), "conf.d", "a.toml")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, testOptions()); err == nil || !strings.Contains(err.Error(), "a.toml: cannot be read") {
		t.Errorf("%v", err)
	}
}
