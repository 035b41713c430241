package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
)

// clearLine is the key that empties an input line.
const clearLine = "\x15"

// TestGuidedStart starts the program without a configuration, on platforms of several dialects, and
// answers the questions up to the live board. The first password is wrong.
func TestGuidedStart(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*simulator.Options){
		"as documented": nil,
		"renamed": func(o *simulator.Options) {
			o.World.Seed = 7
			o.Switches.RenamedRoots, o.Switches.DateForm, o.Switches.Numbers = true, rtd.DateElapsed, rtd.NumbersString
		},
		"legacy protocol": func(o *simulator.Options) {
			o.World.Seed = 9
			o.Switches.Subprotocols, o.Switches.NullKeys, o.Switches.NoIntrospection = []string{"graphql-ws"}, rtd.NullKeysAbsent, true
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, change)
			dir := testkit.PrivateDir(t)
			x := newTerminal(t, dir, "--reduced-motion") // no command: the guided start
			x.shows("Language", "Deutsch")
			x.press(enter)
			x.shows("What do you want to see?")
			x.press("2")
			x.shows("Address of the real-time service")
			x.press(clearLine + s.srv.HTTPURL() + enter)
			x.shows("How do you log in there?")
			x.press(enter)
			x.shows("User name")
			x.press(webservice.DefaultAccount().Username + enter)
			x.shows("It is tried immediately")
			x.press("not the password" + enter)
			x.shows("The login was refused", "1 Change the password")
			x.press("1")
			x.shows("It is tried immediately")
			x.press(clearLine + canaryPassword + enter)
			x.shows("Configuration service (optional)")
			x.press(clearLine + s.srv.RESTURL() + enter)
			x.shows("Statistical data service (optional)")
			x.press(clearLine + s.srv.StatURL() + enter)
			x.shows("API key of the statistical data service")
			x.press(simulator.DefaultAPIKey + enter)
			x.shows("Connected", "Found: ", "1 campaign")
			x.press(enter)
			x.shows("Service names", "SRV01")
			x.press("Hotline" + enter)
			x.shows("Service level target")
			x.press("4")
			x.shows("Longest wait for a caller")
			x.press("1")
			x.shows("Where to keep the password?")
			path := filepath.Join(dir, "wallboard", "config.toml")
			if _, err := os.Stat(path); err == nil {
				t.Error("the configuration was written before the last question")
			}
			x.press("1")
			x.shows("Write the configuration", path)
			x.press("1")
			x.shows("LIVE", "Hotline")
			x.press("q")
			x.leaves()
			checkWritten(t, dir, path)
			if strings.Contains(x.output.String(), canaryPassword) {
				t.Error("the password was on the screen")
			}
			s.config = path
			if code, out, errs := s.run("", "config", "check"); code != 0 {
				t.Errorf("config check: %d, %s%s", code, out, errs)
			}
		})
	}
}

// checkWritten checks the files that the guided start has written.
func checkWritten(t *testing.T, dir, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nservice_level_target = 0.90\n", "\nname = \"Hotline\"\n", "\nrule = \"longest wait\"\nscope = \"service\"\nwarning = \"20s\"\ncritical = \"40s\"\n",
		"\npassword_file = \"password\"\n", "\napi_key_file = \"api-key\"\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the configuration lacks %q", want)
		}
	}
	if strings.Contains(string(text), canaryPassword) {
		t.Error("the password is in the configuration")
	}
	for _, file := range []string{path, filepath.Join(dir, "wallboard", "password"), filepath.Join(dir, "wallboard", "api-key")} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
}

// TestSetupKeepsAnOldConfiguration replaces an existing configuration and stores the password in the new
// one. The old configuration is kept.
func TestSetupKeepsAnOldConfiguration(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	dir := testkit.PrivateDir(t)
	path := filepath.Join(dir, "wall.toml")
	const old = "read_only = true\n"
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t, dir, "setup", "--config", path)
	x.shows("There is a configuration already", path)
	x.press("2")
	x.shows("Language")
	x.press(enter)
	x.shows("What do you want to see?")
	x.press("2")
	x.shows("Address of")
	x.press(clearLine + s.srv.HTTPURL() + enter)
	x.shows("How do you log in there?")
	x.press("2")
	x.shows("Access token")
	x.press(canaryToken + enter)
	x.shows("Configuration service (optional)")
	x.press(clearLine + enter)
	x.shows("Statistical data service (optional)")
	x.press(clearLine + enter)
	x.shows("Found: ")
	x.press(enter)
	x.shows("Service names")
	x.press(enter)
	x.shows("Service level target")
	x.press(enter)
	x.shows("Longest wait for a caller")
	x.press(enter)
	x.shows("Where to keep the access token?")
	x.press("4")
	x.shows("kept beside it")
	x.press("2")
	x.shows("Written", "wall.toml.old is the previous", "wall.toml is the configuration.")
	x.press(enter)
	x.waitForEnd()
	if kept, err := os.ReadFile(path + ".old"); err != nil || string(kept) != old {
		t.Errorf("kept is %q, %v", kept, err)
	}
	s.config = path
	if code, _, errs := s.run("", "dump", "--for", "1m"); code != 0 {
		t.Errorf("dump: %d, %s", code, errs)
	}
}

// TestSetupEndsWithoutATrace ends the guided start with ctrl+c while a password is typed.
func TestSetupEndsWithoutATrace(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	x := newTerminal(t, dir, "setup")
	x.shows("Language")
	x.press(enter)
	x.shows("What do you want to see?")
	x.press("2")
	x.shows("Address of")
	x.press(clearLine + "https://127.0.0.1:1/rtd" + enter)
	x.shows("How do you log in there?")
	x.press(enter)
	x.shows("User name")
	x.press("anna" + enter)
	x.shows("It is tried immediately")
	x.press(canaryPassword + ctrlC)
	x.waitForEnd()
	if !strings.Contains(x.output.String(), "Nothing was written.") {
		t.Errorf("the program ended with %v: %s", x.err, x.errs.String())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left are %v, %v", files, err)
	}
}

// TestSetupNeedsATerminal checks that the guided start without a terminal says what to do instead.
func TestSetupNeedsATerminal(t *testing.T) {
	t.Parallel()
	s := &scripts{t: t, config: filepath.Join(testkit.PrivateDir(t), "config.toml")}
	if code, _, errs := s.run("", "setup"); code != 2 || !strings.Contains(errs, "config init --url") {
		t.Errorf("code %d: %s", code, errs)
	}
}
