package admin

import (
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/words"
	"wallboard/ui/setup"
)

func newTestBackend(t *testing.T) *Backend {
	t.Helper()
	example, err := os.ReadFile("../../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	return NewBackend(filepath.Join(testkit.PrivateDir(t), "config.toml"), string(example), func() config.Options { return config.Options{} })
}

func testAnswers(storage setup.Storage) setup.Answers {
	return setup.Answers{
		URL: "https://host.example/rtd", Method: config.AuthLogin, User: "anna", Secret: "typed password", HistoryURL: "https://host.example/datamodel",
		APIKey: "typed key", Target: 0.85, Wait: setup.DefaultWaitLimits(), Storage: storage, Names: map[string]string{"S1": "Sales"},
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

// TestSetupStoresSecrets checks the four ways to store the secrets.
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
		"in clear":    {setup.InConfiguration, []string{"config.toml"}, []string{"\npassword = \"typed password\"\n", "\napi_key = \"typed key\"\n"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestBackend(t)
			keyring := fakeKeyring{}
			b.keyring = keyring
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

// TestSetupLeavesNothingBehind checks that a failure removes the secrets that have been stored already.
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
	b.keyring = lockedKeyring{}
	b.path = filepath.Join(filepath.Dir(b.path), "new", "folder", "config.toml")
	if _, err := b.Write(testAnswers(setup.InKeyring), setup.Result{}); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("%v", err)
	}
	if got := filesIn(t, filepath.Dir(filepath.Dir(filepath.Dir(b.path)))); len(got) > 0 {
		t.Errorf("left are %q", got)
	}
	b = newTestBackend(t)
	if err := os.Mkdir(b.path, 0o700); err != nil { // the configuration cannot be written after both secrets were stored
		t.Fatal(err)
	}
	keyring := fakeKeyring{"wallboard/anna@host.example": "of another configuration"}
	b.keyring = keyring
	if _, err := b.Write(testAnswers(setup.InKeyring), setup.Result{}); err == nil {
		t.Error("a folder was replaced")
	}
	if want := (fakeKeyring{"wallboard/anna@host.example": "of another configuration"}); !maps.Equal(keyring, want) {
		t.Errorf("the keyring has %q", keyring)
	}
}

// fakeKeyring holds secrets by their place.
type fakeKeyring map[string]string

func (k fakeKeyring) Find(place string) (string, error) { return k[place], nil }
func (k fakeKeyring) Store(place, value string) error   { k[place] = value; return nil }
func (k fakeKeyring) Remove(place string) error         { delete(k, place); return nil }

// lockedKeyring can be read, but not changed.
type lockedKeyring struct{ fakeKeyring }

func (lockedKeyring) Store(string, string) error { return errors.New("locked") }

// TestSetupKeepsSecretsInKeyring checks that secrets in the keyring are never replaced, and that an equal
// secret is not stored twice.
func TestSetupKeepsSecretsInKeyring(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	keyring := fakeKeyring{"wallboard/anna@host.example": "of another configuration"}
	b.keyring = keyring
	for range 2 {
		if _, err := b.Write(testAnswers(setup.InKeyring), setup.Result{}); err != nil {
			t.Fatal(err)
		}
	}
	want := fakeKeyring{
		"wallboard/anna@host.example": "of another configuration", "wallboard/anna@host.example-2": "typed password",
		"wallboard/api-key@host.example": "typed key",
	}
	if !maps.Equal(keyring, want) {
		t.Errorf("the keyring has %q", keyring)
	}
	if raw, err := os.ReadFile(b.path); err != nil || !strings.Contains(string(raw), "\npassword_keyring = \"wallboard/anna@host.example-2\"\n") {
		t.Errorf("the configuration names another place: %v", err)
	}
}

// TestInitLeavesNothingBehind checks that a failure removes the secret that has been stored already.
func TestInitLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	if err := os.Mkdir(b.path, 0o700); err != nil {
		t.Fatal(err)
	}
	i := &ConfigCreator{
		Options: b.options, Example: b.example, Output: b.path, Force: true, Auth: config.AuthLogin, URL: "https://host.example/rtd", User: "anna",
		SecretFile: "password", Secret: "typed password",
	}
	if _, err := i.Write(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot write the file") {
		t.Errorf("a folder was replaced: %v", err)
	}
	if got := filesIn(t, filepath.Dir(b.path)); !slices.Equal(got, []string{"config.toml"}) {
		t.Errorf("left are %q", got)
	}
}

// TestSetupTrustsEachService checks that the decision about the certificate of a service is written for
// this service only, and that it is needed for an unencrypted address.
func TestSetupTrustsEachService(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	a := testAnswers(setup.InFile)
	a.RESTURL = "https://host.example/platform"
	a.Trust[setup.RealTime].Insecure = true
	text, err := b.configText(&a, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	rest := text[strings.Index(text, "\n[rest]\n"):]
	if n := strings.Count(text, "\ninsecure_skip_verify = true\n"); n != 1 || strings.Contains(rest, "\ninsecure_skip_verify = true\n") {
		t.Errorf("any certificate is accepted %d times", n)
	}
	for s, address := range map[setup.Service]*string{setup.Configuration: &a.RESTURL, setup.Statistics: &a.HistoryURL} {
		https := *address
		*address = "http://host.example/x"
		if got := b.CheckAddress(s, a); !strings.Contains(got, "unencrypted") {
			t.Errorf("%s: %q", configSections()[s], got)
		}
		*address = https
	}
}

// TestSetupWritesNoOtherCampaigns checks that found campaigns are written only with a configuration
// service.
func TestSetupWritesNoOtherCampaigns(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	a, found := testAnswers(setup.InFile), setup.Result{Campaigns: []setup.Campaign{{ID: "7301", Name: "Renewals of A"}}}
	for _, address := range []string{"", "https://host.example/platform"} {
		a.RESTURL = address
		text, err := b.configText(&a, &found, nil)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "Renewals of A") != (address != "") || strings.Contains(text, "7301") != (address != "") {
			t.Errorf("with the configuration service %q the campaigns are wrong", address)
		}
	}
}

// TestSetupTellsCertificateProblems tries services with a certificate that the system does not trust. The
// reason contains a word that the guide recognizes, until any certificate is accepted. Wrong addresses of
// the other services do not matter.
func TestSetupTellsCertificateProblems(t *testing.T) {
	t.Parallel()
	for _, s := range []setup.Service{setup.RealTime, setup.Configuration, setup.Statistics} {
		t.Run(configSections()[s], func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			defer server.Close()
			b, a := newTestBackend(t), testAnswers(setup.InFile)
			a.APIKey = "key"
			a.URL, a.RESTURL, a.HistoryURL = server.URL+"/rtd", "ftp://wrong", "ftp://wrong"
			switch s {
			case setup.Configuration:
				a.RESTURL = server.URL + "/platform"
			case setup.Statistics:
				a.HistoryURL = server.URL + "/datamodel"
			case setup.RealTime:
			}
			try := func() setup.Result { return b.TestConnection(t.Context(), s, a, func(words.Text) {}) }
			if got := try(); !strings.Contains(got.Reason, "certificate") || got.Refused {
				t.Errorf("the reason is %q, the login is refused: %t", got.Reason, got.Refused)
			}
			a.Trust[s].Insecure = true
			if got := try(); got.Reason == "" || strings.Contains(got.Reason, "certificate") {
				t.Errorf("with any certificate the reason is %q", got.Reason)
			}
		})
	}
}

// TestSetupKeepsFiles checks that neither a secret nor an earlier configuration that was kept is
// replaced.
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
