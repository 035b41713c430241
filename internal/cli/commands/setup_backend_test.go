package commands

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/ui/setup"
)

func newTestBackend(t *testing.T) *setupBackend {
	t.Helper()
	example, err := os.ReadFile("../../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	s := &cmdutil.Setup{
		Streams: cmdutil.Streams{Example: string(example)}, Options: func() config.Options { return config.Options{} },
		ConfigPath: filepath.Join(testkit.PrivateDir(t), "config.toml"),
	}
	return newSetupBackend(s)
}

func testAnswers(storage setup.Storage) setup.Answers {
	return setup.Answers{
		URL: "https://host.example/rtd", Method: config.AuthLogin, User: "anna", Secret: "typed password", HistoryURL: "https://host.example/datamodel",
		APIKey: "typed key", Target: 0.85, Wait: setup.UsualLimits(), Storage: storage, Names: map[string]string{"S1": "Sales"},
	}
}

// filesIn returns the names in a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestSetupStoresSecrets keeps the secrets in each of the four ways.
func TestSetupStoresSecrets(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		storage setup.Storage
		files   []string
		want    []string
		inClear bool
	}{
		"file":        {setup.InFile, []string{"api-key", "config.toml", "password"}, []string{"\npassword_file = \"password\"\n", "\napi_key_file = \"api-key\"\n"}, false},
		"keyring":     {setup.InKeyring, []string{"config.toml"}, []string{"\npassword_keyring = \"wallboard/anna@host.example\"\n", "\napi_key_keyring = \"wallboard/api-key@host.example\"\n"}, false},
		"environment": {setup.InEnvironment, []string{"config.toml"}, []string{"\npassword_env = \"WALLBOARD_PASSWORD\"\n", "\napi_key_env = \"WALLBOARD_API_KEY\"\n"}, false},
		"in clear":    {setup.InClear, []string{"config.toml"}, []string{"\npassword = \"typed password\"\n", "\napi_key = \"typed key\"\n"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestBackend(t)
			keyring := map[string]string{}
			b.storeInKeyring = func(place, value string) error { keyring[place] = value; return nil }
			if _, err := b.Write(testAnswers(tt.storage), setup.Result{Services: []string{"S1", "S2"}}); err != nil {
				t.Fatal(err)
			}
			if got := filesIn(t, filepath.Dir(b.path)); !slices.Equal(got, tt.files) {
				t.Errorf("the files are %q", got)
			}
			raw, err := os.ReadFile(b.path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range append(tt.want, "\nname = \"Sales\"\n", "\nservice_level_target = 0.85\n") {
				if !strings.Contains(string(raw), want) {
					t.Errorf("the configuration lacks %q", want)
				}
			}
			if strings.Contains(string(raw), "typed") != tt.inClear {
				t.Error("the secrets are not where they should be")
			}
			if len(keyring) > 0 != (tt.storage == setup.InKeyring) {
				t.Errorf("the keyring has %q", keyring)
			}
		})
	}
}

// TestSetupLeavesNothingBehind fails after the first secret was stored.
func TestSetupLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	if err := os.Mkdir(b.path, 0o700); err != nil { // the configuration cannot be written
		t.Fatal(err)
	}
	if _, err := b.Write(testAnswers(setup.InFile), setup.Result{}); err == nil {
		t.Error("a folder was replaced")
	}
	if got := filesIn(t, filepath.Dir(b.path)); !slices.Equal(got, []string{"config.toml"}) {
		t.Errorf("left are %q", got)
	}
	b = newTestBackend(t)
	b.storeInKeyring = func(string, string) error { return errors.New("locked") }
	if _, err := b.Write(testAnswers(setup.InKeyring), setup.Result{}); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("%v", err)
	}
	if got := filesIn(t, filepath.Dir(b.path)); len(got) > 0 {
		t.Errorf("left are %q", got)
	}
}

// TestSetupKeepsFiles never replaces a secret or a kept configuration of before.
func TestSetupKeepsFiles(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	for range 3 {
		if _, err := b.Write(testAnswers(setup.InFile), setup.Result{}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"api-key", "api-key-2", "api-key-3", "config.toml", "config.toml.old", "config.toml.old-2", "password", "password-2", "password-3",
	}
	if got := filesIn(t, filepath.Dir(b.path)); !slices.Equal(got, want) {
		t.Errorf("the files are %q", got)
	}
}

func TestSetupChecksAddresses(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	for address, want := range map[string]string{
		"https://host/rtd": "", "http://127.0.0.1:1/rtd": "", "http://host/rtd": "unencrypted", "ftp://host": "must begin with",
		"https://anna:pw@host/rtd": "contains a user name", "https://": "has no host",
	} {
		a := testAnswers(setup.InFile)
		a.URL = address
		if got := b.CheckAddress(setup.RealTime, a); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
