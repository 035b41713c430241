package config

import (
	"wallboard/secret"

	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRedirects finds every key by which the secrets go to somebody else.
func TestRedirects(t *testing.T) {
	t.Parallel()
	all := func() Config {
		c := Default()
		c.RTD.URL, c.REST.URL, c.History.URL = "https://a.example/rtd", "https://a.example/rest", "https://a.example/data"
		return c
	}
	for name, tt := range map[string]struct {
		from, to func(c *Config)
		want     []Redirect
	}{
		"nothing": {nil, func(c *Config) { c.UI.Site, c.RTD.Username, c.RTD.Services = "x", "eve", []string{"S"} }, nil},
		"rtd": {nil, func(c *Config) { c.RTD.URL = "https://evil.example:8443/rtd" }, []Redirect{
			{"rtd.url", "https://a.example/rtd", "https://evil.example:8443/rtd", "evil.example:8443"},
		}},
		"the socket only": {nil, func(c *Config) { c.RTD.WSOverride = "wss://evil.example/rtd" }, []Redirect{
			{"rtd.ws_url", "wss://a.example/rtd", "wss://evil.example/rtd", "evil.example"},
		}},
		"rest": {nil, func(c *Config) { c.REST.URL = "https://evil.example/rest" }, []Redirect{
			{"rest.url", "https://a.example/rest", "https://evil.example/rest", "evil.example"},
		}},
		"rest that was not there": {func(c *Config) { c.REST.URL = "" }, nil, []Redirect{
			{"rest.url", "", "https://a.example/rest", "a.example"},
		}},
		"rest that is there no more": {nil, func(c *Config) { c.REST.URL = "" }, nil},
		"history": {nil, func(c *Config) { c.History.URL = "https://evil.example/data" }, []Redirect{
			{"history.url", "https://a.example/data", "https://evil.example/data", "evil.example"},
		}},
		"whoever answers": {nil, func(c *Config) { c.RTD.InsecureSkipVerify, c.History.InsecureSkipVerify = true, true }, []Redirect{
			{"rtd.insecure_skip_verify", "false", "true", "a.example"}, {"history.insecure_skip_verify", "false", "true", "a.example"},
		}},
		"another authority": {nil, func(c *Config) { c.REST.CAFile = "/evil.pem" }, []Redirect{
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
		if diff := cmp.Diff(tt.want, Redirects(&a, &b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNewHistoryIsNoRedirect adds [history]: its API key goes where it was meant to, unless
// it is a secret of another service.
func TestNewHistoryIsNoRedirect(t *testing.T) {
	t.Parallel()
	a := Default()
	a.RTD.URL, a.RTD.Password = "https://pbx.example.com/rtd", secret.New("the-password")
	b := a
	b.History.URL, b.History.APIKey = "https://pbx.example.com/datamodel", secret.New("the-key")
	if where := Redirects(&a, &b); len(where) > 0 {
		t.Errorf("%v", where)
	}
	stolen := b
	stolen.History.APIKey = a.RTD.Password
	if where := Redirects(&a, &stolen); len(where) != 1 || where[0].Key != "history.url" {
		t.Errorf("a password of another service: %v", where)
	}
	moved := b
	moved.History.URL = "https://elsewhere.example.com/datamodel"
	if where := Redirects(&b, &moved); len(where) != 1 {
		t.Errorf("another address: %v", where)
	}
}
