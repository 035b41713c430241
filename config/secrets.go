package config

import (
	"net/url"
	"slices"
	"strings"

	"wallboard/secret"
)

// SecretFiles returns the files that secrets of any platform are looked up in, whether
// there are such files or not: a secret that is renewed changes one of them.
func (c *Config) SecretFiles() []string { return slices.Clone(c.secrets) }

// Secrets returns every secret that the configuration holds, so that they can
// be taken out of what is logged. Of a webhook they are its address, what
// stands behind its host, and its header with and without the name.
func (c *Config) Secrets() []secret.Text {
	out := []secret.Text{c.RTD.Password, c.RTD.AccessToken, c.REST.Password, c.REST.AccessToken, c.History.APIKey}
	for i := range c.Serve.Users {
		out = append(out, c.Serve.Users[i].REST.Password, c.Serve.Users[i].REST.AccessToken)
	}
	for _, one := range c.each {
		if one != c {
			out = append(out, one.Secrets()...)
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
