// Package serving is who comes to look at the boards of a server: whom the configuration
// lets in and what they may see, the record of their coming and going, and the commands
// that ask a server who looks. Knows no board.
package serving

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"wallboard/cli/command"
	"wallboard/config"
	"wallboard/internal/private"
	"wallboard/sshd"
)

// PublicKey says what is wrong with a public key of the configuration.
func PublicKey(line string) error {
	_, err := sshd.ParseKey(line)
	return err //nolint:wrapcheck // it is said of the key that it is about
}

// errNoUsers says what to do where nobody may look.
var errNoUsers = errors.New("nobody may look: name who may with a [[serve.user]] in the configuration; docs/serve.md says how")

// AccessOf is whom a configuration lets in. acting tells apart what those who act can
// do from what they could before.
func AccessOf(c *config.Config, acting int) (sshd.Access, error) {
	var a sshd.Access
	for i := range c.Serve.Users {
		u := &c.Serve.Users[i]
		account := sshd.Account{Name: u.Name, Sessions: u.MostSessions(), Admin: u.RoleName() == config.RoleAdmin, Rights: rightsOf(u)}
		if u.Acts() {
			account.Bound = boundTo(&u.REST, acting)
		}
		for _, line := range u.Keys {
			key, err := sshd.ParseKey(line)
			if err != nil { // a configuration that loaded has none
				return a, command.Usage(fmt.Errorf("a key of %q %w", u.Name, err))
			}
			account.Keys = append(account.Keys, key)
		}
		a.Accounts = append(a.Accounts, account)
	}
	if len(a.Accounts) == 0 {
		return a, command.Usage(errNoUsers)
	}
	if c.Serve.CAFile == "" {
		return a, nil
	}
	lines, err := c.Serve.Authorities()
	if err != nil {
		return a, command.Usage(fmt.Errorf("serve.trusted_ca_file: %w", err))
	}
	if found := private.Exposed(c.Serve.CAFile); len(found) > 0 {
		return a, command.Usage(fmt.Errorf("serve.trusted_ca_file: %w", found[0]))
	}
	for _, line := range lines {
		key, err := sshd.ParseKey(line)
		if err != nil {
			return a, command.Usage(fmt.Errorf("serve.trusted_ca_file: a line %w", err))
		}
		a.Authorities = append(a.Authorities, key)
	}
	return a, nil
}

// boundTo is what the session of somebody who acts is bound to: their own login, and
// the way to the platform.
func boundTo(l *config.Login, acting int) string {
	h := sha256.New()
	for _, s := range []string{l.Username, l.Password.Reveal(), l.AccessToken.Reveal()} {
		_, _ = fmt.Fprintf(h, "%q ", s) // it never fails
	}
	return fmt.Sprintf("%d %x", acting, h.Sum(nil))
}
