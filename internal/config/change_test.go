package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/secret"
)

// TestRedirects checks every key that could send secrets to another server.
func TestRedirects(t *testing.T) {
	t.Parallel()
	all := func() Config {
		c := Default()
		c.RTD.URL, c.REST.URL, c.History.URL = "https://a.example/rtd", "https://a.example/rest", "https://a.example/data"
		return c
	}
	for name, tt := range map[string]struct {
		from, to func(c *Config)
		want     []ServerChange
	}{
		"nothing": {nil, func(c *Config) { c.UI.Site, c.RTD.Username, c.RTD.Services = "x", "eve", []string{"S"} }, nil},
		"rtd": {nil, func(c *Config) { c.RTD.URL = "https://evil.example:8443/rtd" }, []ServerChange{
			{"rtd.url", "https://a.example/rtd", "https://evil.example:8443/rtd", "evil.example:8443"},
		}},
		"the socket only": {nil, func(c *Config) { c.RTD.WSOverride = "wss://evil.example/rtd" }, []ServerChange{
			{"rtd.ws_url", "wss://a.example/rtd", "wss://evil.example/rtd", "evil.example"},
		}},
		"rest": {nil, func(c *Config) { c.REST.URL = "https://evil.example/rest" }, []ServerChange{
			{"rest.url", "https://a.example/rest", "https://evil.example/rest", "evil.example"},
		}},
		"rest that was not there": {func(c *Config) { c.REST.URL = "" }, nil, []ServerChange{
			{"rest.url", "", "https://a.example/rest", "a.example"},
		}},
		"rest that is there no more": {nil, func(c *Config) { c.REST.URL = "" }, nil},
		"history": {nil, func(c *Config) { c.History.URL = "https://evil.example/data" }, []ServerChange{
			{"history.url", "https://a.example/data", "https://evil.example/data", "evil.example"},
		}},
		"whoever answers": {nil, func(c *Config) { c.RTD.InsecureSkipVerify, c.History.InsecureSkipVerify = true, true }, []ServerChange{
			{"rtd.insecure_skip_verify", "false", "true", "a.example"}, {"history.insecure_skip_verify", "false", "true", "a.example"},
		}},
		"another authority": {nil, func(c *Config) { c.REST.CAFile = "/evil.pem" }, []ServerChange{
			{"rest.ca_file", "", "/evil.pem", "a.example"},
		}},
	} {
		a, b := all(), all()
		if tt.from != nil {
			tt.from(&a)
		}
		if tt.to != nil {
			tt.to(&b)
		}
		if diff := cmp.Diff(tt.want, ServerChanges(&a, &b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNewHistoryIsNoRedirect adds [history]: its API key is only a redirect if it is a
// secret of another service.
func TestNewHistoryIsNoRedirect(t *testing.T) {
	t.Parallel()
	a := Default()
	a.RTD.URL, a.RTD.Password = "https://pbx.example.com/rtd", secret.New("the-password")
	b := a
	b.History.URL, b.History.APIKey = "https://pbx.example.com/datamodel", secret.New("the-key")
	if where := ServerChanges(&a, &b); len(where) > 0 {
		t.Errorf("%v", where)
	}
	stolen := b
	stolen.History.APIKey = a.RTD.Password
	if where := ServerChanges(&a, &stolen); len(where) != 1 || where[0].Key != "history.url" {
		t.Errorf("a password of another service: %v", where)
	}
	moved := b
	moved.History.URL = "https://elsewhere.example.com/datamodel"
	if where := ServerChanges(&b, &moved); len(where) != 1 {
		t.Errorf("another address: %v", where)
	}
}

// TestChangedAuthorities detects a key removed from trusted_ca_file although no key of the
// configuration changed.
func TestChangedAuthorities(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ca.pub")
	read := func(text string) *Config {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := Default()
		c.Serve.CAFile = file
		c.Serve.loadAuthorities()
		return &c
	}
	both := read("# ours\nssh-ed25519 AAAA a\n\nssh-ed25519 BBBB b\n")
	if lines, err := both.Serve.Authorities(); err != nil || len(lines) != 2 {
		t.Errorf("%q, %v", lines, err)
	}
	for text, want := range map[string][]string{
		"ssh-ed25519 AAAA a\nssh-ed25519 BBBB b\n":           nil,
		"\ufeffssh-ed25519 AAAA a\r\nssh-ed25519 BBBB b\r\n": nil,
		"ssh-ed25519 AAAA a\n":                               {"serve.trusted_ca_file"},
		"":                                                   {"serve.trusted_ca_file"},
	} {
		if diff := cmp.Diff(want, ChangedKeys(both, read(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	gone := Default()
	gone.Serve.CAFile = file
	gone.Serve.loadAuthorities()
	if keys := ChangedKeys(both, &gone); len(keys) != 1 {
		t.Errorf("the file is gone: %q has changed", keys)
	}
}
