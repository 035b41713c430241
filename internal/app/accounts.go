package app

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/serve/sshterminal"
)

// CheckPublicKey returns an error unless line is a public key that [sshterminal.ParseKey] accepts.
func CheckPublicKey(line string) error {
	_, err := sshterminal.ParseKey(line)
	return err
}

// errNoUsers is the error for a configuration without [[serve.user]].
var errNoUsers = errors.New("no users are configured: add a [[serve.user]] to the configuration; see wallboard docs serve")

// AccessOf returns the accounts of a configuration. actionVersion is a number that increases when
// the connection for actions changes. An increase ends the sessions of all users who may act.
func AccessOf(c *config.Config, actionVersion int) (sshterminal.Access, error) {
	var a sshterminal.Access
	for i := range c.Serve.Users {
		u := &c.Serve.Users[i]
		account := sshterminal.Account{Name: u.Name, MaxSessions: u.MaxSessions(), Admin: u.RoleName() == config.RoleAdmin, Rights: describeRights(u)}
		if u.CanAct() {
			account.HiddenRights = loginHash(&u.REST, actionVersion)
		}
		for _, line := range u.Keys {
			key, err := sshterminal.ParseKey(line)
			if err != nil { // cannot happen: the configuration was checked when it was loaded
				return a, ConfigError{fmt.Errorf("a key of %q %w", u.Name, err)}
			}
			account.Keys = append(account.Keys, key)
		}
		a.Accounts = append(a.Accounts, account)
	}
	if len(a.Accounts) == 0 {
		return a, ConfigError{errNoUsers}
	}
	if c.Serve.CAFile == "" {
		return a, nil
	}
	lines, err := c.Serve.Authorities()
	if err != nil {
		return a, ConfigError{fmt.Errorf("serve.trusted_ca_file: %w", err)}
	}
	if found := securefile.FindExposures(c.Serve.CAFile); len(found) > 0 {
		return a, ConfigError{fmt.Errorf("serve.trusted_ca_file: %w", found[0])}
	}
	for _, line := range lines {
		key, err := sshterminal.ParseKey(line)
		if err != nil {
			return a, ConfigError{fmt.Errorf("serve.trusted_ca_file: a line %w", err)}
		}
		a.Authorities = append(a.Authorities, key)
	}
	return a, nil
}

// loginHash returns actionVersion and a hash of the user's own login. A change of the result ends
// the sessions of the user if the user may act.
func loginHash(l *config.Login, actionVersion int) string {
	h := sha256.New()
	for _, s := range []string{l.Username, l.Password.Reveal(), l.AccessToken.Reveal()} {
		_, _ = fmt.Fprintf(h, "%q ", s) // writing to a hash never fails
	}
	return fmt.Sprintf("%d %x", actionVersion, h.Sum(nil))
}

// describeRights returns a description of everything that a user may see and do. The description
// changes exactly when the rights of the user change.
func describeRights(u *config.ServeUser) string {
	rights := []string{u.RoleName(), u.NameMode()}
	if u.SilenceAllowed != nil {
		rights = append(rights, map[bool]string{true: "may silence everything", false: "may not silence everything"}[*u.SilenceAllowed])
	}
	first := len(rights)
	for kind, codes := range map[string][]string{"services": u.Services, "groups": u.Groups} {
		if len(codes) > 0 {
			rights = append(rights, kind+" "+strings.Join(codes, " "))
		}
	}
	slices.Sort(rights[first:])
	if len(u.Platforms) > 0 {
		rights = append(rights, "platforms "+strings.Join(u.Platforms, " "))
	}
	if len(u.Sites) > 0 {
		rights = append(rights, "sites "+strings.Trim(fmt.Sprint(u.Sites), "[]"))
	}
	return strings.Join(rights, ", ")
}
