package config

import (
	"net/url"
	"slices"
	"strings"

	"wallboard/internal/lib/secret"
)

// SecretFiles returns the paths at which secrets and certificates of all platforms are looked up. A
// file may be missing. If it is created later, it may contain a new secret.
func (c *Config) SecretFiles() []string { return slices.Clone(c.loaded.secretFiles) }

// Secrets returns all secrets of the configuration, so that logs can mask them. The secrets of a
// webhook are its address, the part of the address after the host, and its header, with and without
// the header's name.
func (c *Config) Secrets() []secret.Text {
	out := []secret.Text{c.RTD.Password, c.RTD.AccessToken, c.REST.Password, c.REST.AccessToken, c.History.APIKey, c.Marks.Token}
	for i := range c.Serve.Users {
		out = append(out, c.Serve.Users[i].REST.Password, c.Serve.Users[i].REST.AccessToken)
	}
	for _, platform := range c.loaded.perPlatform {
		if platform != c {
			out = append(out, platform.Secrets()...)
		}
	}
	for i := range c.Notify {
		n := &c.Notify[i]
		out = append(out, n.Webhook, n.Header, n.SMTPPassword)
		if u, err := url.Parse(n.Webhook.Reveal()); err == nil && len(u.Path) > 1 {
			out = append(out, secret.New(u.RequestURI()))
		}
		if _, value, ok := strings.Cut(n.Header.Reveal(), ":"); ok {
			value = strings.TrimSpace(value)
			_, token, _ := strings.Cut(value, " ") // as in "Bearer token"
			out = append(out, secret.New(value), secret.New(strings.TrimSpace(token)))
		}
	}
	return out
}
