package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
)

// twoFloors returns a folder with recordings of two platforms.
func twoFloors(t *testing.T) (folder string) {
	t.Helper()
	folder = filepath.Join(testkit.PrivateDir(t), "rec")
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	taped(t, folder, "here/rtd", from, 0)
	taped(t, folder, "there/rtd", from.Add(3*time.Hour), 0)
	return folder
}

// TestPlatformsAreNotMixed runs every command on a folder of two platforms: it uses the
// configured or named one, else it asks.
func TestPlatformsAreNotMixed(t *testing.T) {
	t.Parallel()
	folder := twoFloors(t)
	own := func(url string) string {
		return configFile(t, fmt.Sprintf("[rtd]\nurl = %q\naccess_token = \"x\"\n[record]\ndir = %q\n[history]\ntime_zone = \"UTC\"\n", url, folder))
	}
	here, elsewhere, none := own("https://here/rtd"), own("https://elsewhere/rtd"), configFile(t, fmt.Sprintf("[record]\ndir = %q\n", folder))
	both := configFile(t, `[[platform]]
name = "A"
[platform.rtd]
url = "https://here/rtd"
access_token = "x"
[[platform]]
name = "B"
[platform.rtd]
url = "https://there/rtd"
access_token = "x"
`)
	const asks = "holds recordings of several platforms; name one with --of: here/rtd (1 file), there/rtd (1 file)"
	commands := func(args ...string) [][]string {
		to := func(name string) string { return filepath.Join(testkit.PrivateDir(t), name) }
		var all [][]string
		for _, c := range [][]string{
			{"record", "info"},
			{"record", "cat", "--every", "10m"},
			{"record", "cut", "--out", to("a.wbr")},
			{"record", "export", "--out", to("a.wbr")},
			{"record", "cast", "--from", "5m", "--speed", "600", "--out", to("a.cast")},
			{"alerts", "report"},
			{"alerts", "try"},
			{"history", "intervals"},
		} {
			c = append(c, args...)
			if i := slices.Index(c, "--config"); c[1] == "try" && i > 0 {
				c[i] = "--base" // of this command, --config is the configuration with the rules to try
			}
			all = append(all, c)
		}
		return all
	}
	for _, c := range append(commands(folder, "--config", none), commands(folder, "--config", elsewhere)...) {
		if code, out, errs := run(t, c...); code != 2 || !strings.Contains(errs, asks) {
			t.Errorf("%v: %d, does not ask for one:\n%.500s%s", c, code, out, errs)
		}
	}
	for _, c := range commands("--config", none) { // the configured folder; the configuration has no platform
		if code, _, errs := run(t, c...); code != 2 || !strings.Contains(errs, asks) {
			t.Errorf("%v: %d, %s", c, code, errs)
		}
	}
	for _, c := range append(append(commands(folder, "--config", here), commands("--config", here)...), commands(folder, "--of", "here/rtd", "--config", none)...) {
		if code, out, errs := run(t, c...); code != 0 || strings.Contains(out, "11:30") {
			t.Errorf("%v: %d, of the other one:\n%.500s%s", c, code, out, errs)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"record", "info", folder, "--config", here}, "of here/rtd, the platform of the configuration; left out: there/rtd (1 file)"},
		{[]string{"record", "info", folder, "--config", both}, asks},
		{[]string{"record", "info", folder, "--config", both, "--platform", "B"}, "of there/rtd, the platform of the configuration"},
		{[]string{"record", "info", folder, "--of", "nowhere"}, "has no recording of nowhere, only of here/rtd (1 file), there/rtd (1 file)"},
		{[]string{"record", "info", "--config", elsewhere}, "are not those of the configured platform elsewhere/rtd"},
		{[]string{"play", folder, "--config", none}, asks},
	} {
		if _, _, errs := run(t, c.args...); !strings.Contains(errs, c.want) {
			t.Errorf("%v: want %q:\n%s", c.args, c.want, errs)
		}
	}
	if code, out, errs := run(t, "record", "ls", folder); code != 0 || !containsAll(out, []string{"PLATFORM", "here/rtd", "there/rtd"}) {
		t.Errorf("ls: %d\n%s%s", code, out, errs)
	}
}

// TestOfWhichPlatform checks which files, period and parts are used of a folder with two platforms.
func TestOfWhichPlatform(t *testing.T) {
	t.Parallel()
	folder := twoFloors(t)
	for of, hour := range map[string]int{"here/rtd": 8, "there/rtd": 11} {
		part := filepath.Join(testkit.PrivateDir(t), "part.wbr")
		if code, _, errs := run(t, "record", "cut", folder, "--of", of, "--out", part); code != 0 {
			t.Fatal(errs)
		}
		for _, args := range [][]string{{"record", "info", folder, "--of", of, "--json"}, {"record", "info", part, "--json"}} {
			var in record.Info
			if _, out, errs := run(t, args...); json.Unmarshal([]byte(out), &in) != nil || in.About.Platform != of || in.Files != 1 || in.First.UTC().Hour() != hour || in.Last.UTC().Hour() > hour+2 {
				t.Errorf("%v: %s%s", args, out, errs)
			}
		}
	}
}

// TestOpenedAgainItIsOfTheSamePlatform checks that a backtest ignores another platform that was recorded
// later.
func TestOpenedAgainItIsOfTheSamePlatform(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(testkit.PrivateDir(t), "rec")
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	taped(t, folder, "here/rtd", from, 0)
	r, err := new(cmdutil.RecordingSelection).OpenWithConfig(cmdutil.Streams{}, new(config.Config), []string{folder})
	if err != nil {
		t.Fatal(err)
	}
	again := r.Reopener()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	taped(t, folder, "there/rtd", from.Add(3*time.Hour), 0)
	r, err = again()
	if err != nil {
		t.Fatal(err)
	}
	if in := r.Info(); in.Files != 1 || in.About.Platform != "here/rtd" {
		t.Errorf("%d files, of %s", in.Files, in.About.Platform)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
