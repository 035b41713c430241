package config

import (
	"net"
	"strconv"

	"wallboard/internal/lib/secret"
)

// Marks configures a service on this machine where programs set marks on the charts: POST /mark
// with text, at and until as JSON or a form, and the header "Authorization: Bearer TOKEN".
type Marks struct {
	Listen       string      `toml:"listen"`        // Loopback address, "127.0.0.1:9126"; "": no service.
	Token        secret.Text `toml:"token"`         // Token of the requests, 16 characters or more; only in a configuration file with mode 0600.
	TokenEnv     string      `toml:"token_env"`     // Environment variable that holds the token.
	TokenFile    string      `toml:"token_file"`    // File that holds the token on one line, as for password_file.
	TokenKeyring string      `toml:"token_keyring"` // Token in the keyring of the operating system, as "service/user".
}

// Calendar is an iCalendar file whose events become marks on the charts when they begin.
type Calendar struct {
	File string `toml:"file"` // Path of the .ics file. It is read again when it changes.
}

const (
	maxCalendars   = 20
	minTokenLength = 16
)

func (c *Marks) tokenSources() secretSources {
	return secretSources{"marks.token", &c.Token, c.TokenEnv, c.TokenFile, c.TokenKeyring}
}

// checkMarks adds the problems of [marks] and of the [[calendar]] blocks.
func (c *Config) checkMarks(r *report) {
	if m := &c.Marks; m.Listen != "" {
		host, port, err := net.SplitHostPort(m.Listen)
		n, numeric := strconv.Atoi(port)
		ip := net.ParseIP(host)
		if err != nil || numeric != nil || n < 1 || n > 65535 || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			r.add("marks.listen", quoteValue(m.Listen)+" is not a loopback address with a port", `write it like "127.0.0.1:9126"`)
		}
	}
	for i := range c.Calendars {
		path := elementKey("calendar", i)
		checkCount(r, path, i, maxCalendars)
		if c.Calendars[i].File == "" {
			r.add(joinKey(path, "file"), "is missing", `write it like file = "campaigns.ics"`)
		}
	}
}

// resolveMarks resolves the token of [marks] and the paths of the calendars.
func (c *Config) resolveMarks(r *report, file configFile, o Options) {
	m := &c.Marks
	o.Demo = false // the demo also accepts marks and needs the token
	m.tokenSources().resolveIfNeeded(r, file, o, "", m.Listen != "")
	if n := len(m.Token.Reveal()); n > 0 && n < minTokenLength {
		r.add("marks.token", "is too short", "use 16 characters or more, for example from: openssl rand -hex 16")
	}
	for i := range c.Calendars {
		if f := &c.Calendars[i]; f.File != "" {
			f.File = pathInDir(file.dir, f.File)
		}
	}
}
