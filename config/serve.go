package config

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/model"
)

// Serve lets people look at the board over SSH: `wallboard serve`. See docs/serve.md.
type Serve struct {
	Listen      string        `toml:"listen"`          // Address to listen on.
	HostKeyFile string        `toml:"host_key_file"`   // The key that the server shows who it is with, made on the first start; "" is wallboard/host_ed25519 in $XDG_STATE_HOME, a relative name is beside the configuration file.
	CAFile      string        `toml:"trusted_ca_file"` // Public keys, a line each, whose certificates let in the user that they name as principal; "" is none.
	MaxViewers  int           `toml:"max_viewers"`     // How many may look at once.
	Every       time.Duration `toml:"every"`           // How often a viewer gets what has changed, 100ms to 10s.
	Escalate    time.Duration `toml:"escalate_after"`  // How long a critical situation may be nobody's before everybody who may see it is told, and [[notify]] with --notify; 0 is for ever.
	Users       []ServeUser   `toml:"user"`

	authorities authorities
}

// authorities are the lines of the file of CAFile, as they were when the configuration was
// read.
type authorities struct {
	lines []string
	err   error
}

// mostAuthorities is how long the file of CAFile may be, in bytes.
const mostAuthorities = 1 << 20

// Authorities returns the keys of the file of CAFile, a line each, or why it cannot be
// read.
func (s *Serve) Authorities() ([]string, error) { return s.authorities.lines, s.authorities.err }

// loadAuthorities reads the file of CAFile.
func (s *Serve) loadAuthorities() {
	if s.CAFile == "" {
		return
	}
	f, err := os.Open(s.CAFile)
	if err != nil {
		s.authorities.err = err
		return
	}
	defer f.Close() //nolint:errcheck // only read from
	text, err := readAtMost(f, mostAuthorities)
	if err != nil {
		s.authorities.err = err
		return
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			s.authorities.lines = append(s.authorities.lines, line)
		}
	}
}

// sameAs reports whether two files have the same keys.
func (a *authorities) sameAs(b *authorities) bool {
	return slices.Equal(a.lines, b.lines) && (a.err == nil) == (b.err == nil)
}

// ServeUser is somebody who may look.
type ServeUser struct {
	Name      string   `toml:"name"`        // Who it is.
	Keys      []string `toml:"keys"`        // Public keys, as authorized_keys has them; none: with a certificate only.
	Role      string   `toml:"role"`        // view (look at everything), act (do what [rest] allows, too), admin (see and end the sessions of others, too) or kiosk (a wall that nobody operates, as [kiosk] says); "" is view.
	Names     string   `toml:"names"`       // How agents are named: full, initials, hidden; "" is full, and hidden for a kiosk.
	Services  []string `toml:"services"`    // Codes of the services that they see, with who serves them; empty: all.
	Groups    []string `toml:"groups"`      // Codes of the groups that they see, with who is in them; empty: all.
	Sites     []int    `toml:"sites"`       // Sites whose people they see; empty: all.
	Page      string   `toml:"page"`        // Page to start with; "" is that of ui.page.
	Pages     []string `toml:"pages"`       // Names of the pages that they have, in this order, with Situations and Feed after them if they are not among them; of a kiosk those that it shows in turn; empty: all, and of a kiosk those of kiosk.pages.
	Theme     string   `toml:"theme"`       // As ui.theme; "" is that.
	Platforms []string `toml:"platforms"`   // Of several platforms, the names of those that they see; empty: all.
	Sessions  int      `toml:"sessions"`    // How many at once; 0 is 20.
	Silence   *bool    `toml:"may_silence"` // Whether they may snooze critical alerts and everything at once; not set: act and admin may.
	REST      Login    `toml:"rest"`
}

// The roles of those who look over SSH.
const (
	RoleView  = "view"
	RoleAct   = "act"
	RoleAdmin = "admin"
	RoleKiosk = "kiosk"
)

// The bounds of [serve].
const (
	mostViewers    = 5000
	mostServeUsers = 1000
	fastestServe   = 100 * time.Millisecond
	slowestServe   = 10 * time.Second

	soonestEscalation = 10 * time.Second
	latestEscalation  = 12 * time.Hour
)

func defaultServe() Serve {
	return Serve{Listen: "127.0.0.1:2222", MaxViewers: 500, Every: time.Second}
}

// HostKeyPath returns the file of the host key.
func (s *Serve) HostKeyPath() string {
	if s.HostKeyFile != "" {
		return s.HostKeyFile
	}
	return filepath.Join(xdg.StateHome, "wallboard", "host_ed25519")
}

// RoleName is what somebody may do.
func (u *ServeUser) RoleName() string {
	if u.Role == "" {
		return RoleView
	}
	return u.Role
}

// Acts reports whether somebody may act on the platform.
func (u *ServeUser) Acts() bool { return u.RoleName() == RoleAct || u.RoleName() == RoleAdmin }

// usualSessions is how many sessions somebody may have for whom no number is set.
const usualSessions = 20

// MostSessions is how many sessions somebody may have at once.
func (u *ServeUser) MostSessions() int {
	if u.Sessions > 0 {
		return u.Sessions
	}
	return usualSessions
}

// MaySilence reports whether somebody may snooze critical alerts and everything at once.
func (u *ServeUser) MaySilence() bool {
	if u.Silence != nil {
		return *u.Silence
	}
	return u.Acts()
}

// Part is which part of the floor somebody may see.
func (u *ServeUser) Part() model.Part {
	p := model.Part{Services: u.Services, Groups: u.Groups}
	for _, n := range u.Sites {
		p.Sites = append(p.Sites, int64(n))
	}
	return p
}

// NameMode is how agents are named for somebody.
func (u *ServeUser) NameMode() string {
	switch {
	case u.Names != "":
		return u.Names
	case u.RoleName() == RoleKiosk:
		return "hidden"
	}
	return "full"
}

// Sees reports whether somebody may see a platform of several.
func (u *ServeUser) Sees(platform string) bool {
	return len(u.Platforms) == 0 || slices.ContainsFunc(u.Platforms, func(name string) bool { return strings.EqualFold(name, platform) })
}

func (s *Serve) check(r *report, rest *REST, platforms []string, o Options) {
	if _, port, err := net.SplitHostPort(s.Listen); err != nil || !isPort(port) {
		r.add("serve.listen", quoted(s.Listen)+" is no address", `write it like "127.0.0.1:2222" or ":2222"`)
	}
	count(r, "serve.max_viewers", s.MaxViewers, 1, mostViewers)
	within(r, "serve.every", s.Every, fastestServe, slowestServe)
	if s.Escalate != 0 {
		within(r, "serve.escalate_after", s.Escalate, soonestEscalation, latestEscalation)
	}
	if len(s.Users) > mostServeUsers {
		r.add(element("serve.user", mostServeUsers), "is one too many", "allowed: "+strconv.Itoa(mostServeUsers))
		return
	}
	owner := make(map[string]string) // of a key
	for i := range s.Users {
		u, path := &s.Users[i], element("serve.user", i)
		u.check(r, path, rest, o)
		u.checkPlatforms(r, path, platforms)
		if slices.ContainsFunc(s.Users[:i], func(b ServeUser) bool { return b.Name == u.Name }) {
			r.add(join(path, "name"), quoted(u.Name)+" stands there twice", "give each user one [[serve.user]] with all their keys")
		}
		if len(u.Keys) == 0 && s.CAFile == "" {
			r.add(join(path, "keys"), "are missing", "nobody can come in as "+quoted(u.Name)+" without a key; or name trusted_ca_file")
		}
		for j, key := range u.Keys {
			fields := append(strings.Fields(key), "", "")
			id := fields[0] + " " + fields[1]
			at := element(join(path, "keys"), j)
			if whose, twice := owner[id]; twice {
				r.add(at, "is the key of "+quoted(whose)+" already", "a key says who somebody is: each belongs to one user")
			}
			owner[id] = u.Name
			if o.PublicKey != nil {
				if err := o.PublicKey(key); err != nil {
					r.add(at, err.Error(), `write it as the file of the public key has it: "ssh-ed25519 AAAA… anna@desk"`)
				}
			}
		}
	}
}

// has reports whether a page is one that they have, as far as pages says.
func (u *ServeUser) has(page string) bool {
	return len(u.Pages) == 0 || hasPage(u.Pages, page) || u.RoleName() != RoleKiosk && hasPage(alwaysPages, page)
}

func (u *ServeUser) check(r *report, path string, rest *REST, o Options) {
	if u.Name == "" {
		r.add(join(path, "name"), "is missing", "every [[serve.user]] needs a name, by which they are known")
	}
	noControl(r, join(path, "name"), u.Name)
	oneOf(r, join(path, "role"), u.RoleName(), []string{RoleView, RoleAct, RoleAdmin, RoleKiosk})
	oneOf(r, join(path, "names"), u.NameMode(), []string{"full", "initials", "hidden"})
	arePages(r, join(path, "pages"), u.Pages, o)
	if u.Page != "" && isPage(r, join(path, "page"), u.Page, o) && !u.has(u.Page) {
		r.add(join(path, "page"), quoted(u.Page)+" is not among their pages", "allowed: one of pages; without any, each page of the board")
	}
	if u.Theme != "" && len(o.Themes) > 0 {
		oneOf(r, join(path, "theme"), u.Theme, o.Themes)
	}
	if u.Sessions < 0 {
		r.add(join(path, "sessions"), "is negative", "allowed: a number, or 0 for "+strconv.Itoa(usualSessions))
	}
	checkCodes(r, join(path, "services"), u.Services)
	checkCodes(r, join(path, "groups"), u.Groups)
	for i, n := range u.Sites {
		if n < 1 || slices.Contains(u.Sites[:i], n) {
			r.add(element(join(path, "sites"), i), strconv.Itoa(n)+" is not positive or stands there twice", "allowed: the number of a site, once")
		}
	}
	u.checkActs(r, path, rest, o)
}

// checkActs holds what somebody may do against what they are given for it.
func (u *ServeUser) checkActs(r *report, path string, rest *REST, o Options) {
	own, part := u.REST != Login{}, u.Part()
	switch {
	case u.Acts() && !rest.Given() && !o.Demo && r.under == "": // of several, some may only be looked at
		r.add(join(path, "role"), quoted(u.Role)+" can do nothing without [rest]", `write [rest], or role = "view"`)
	case u.Acts() && u.NameMode() != "full":
		r.add(join(path, "names"), quoted(u.NameMode())+" hides whom an action would be for", `take it out, or write role = "view"`)
	case u.Acts() && !own && !part.All():
		r.add(join(path, "role"), quoted(u.Role)+" is for everything that the login of [rest] may do, not for a part of the floor",
			"give them a login of their own in [serve.user.rest], so that the platform decides")
	case own && !u.Acts():
		r.add(join(path, "rest"), "is of no use to who cannot act", `take it out, or write role = "act"`)
	case own && rest.needsPassword(&u.REST) && u.REST.Username == "" && !o.Demo:
		r.add(join(join(path, "rest"), "username"), "is missing", `rest.auth = "`+rest.Auth+`" needs it`)
	}
	noControl(r, join(join(path, "rest"), "username"), u.REST.Username)
}

// checkPlatforms holds what somebody may see against the platforms that there are.
func (u *ServeUser) checkPlatforms(r *report, path string, platforms []string) {
	if len(platforms) == 0 && len(u.Platforms) > 0 {
		r.add(join(path, "platforms"), "name some of several platforms, and there is no [[platform]]", "take them out")
		return
	}
	for i, name := range u.Platforms {
		is := func(other string) bool { return strings.EqualFold(other, name) }
		if at := element(join(path, "platforms"), i); !slices.ContainsFunc(platforms, is) {
			oneOf(r, at, name, platforms)
		}
	}
	sees := 0
	for _, name := range platforms {
		if u.Sees(name) {
			sees++
		}
	}
	if own := u.REST != (Login{}); own && sees > 1 {
		r.add(join(path, "rest"), "is a login at which of "+strconv.Itoa(sees)+" platforms?", "give them one platform: platforms = [...]")
	}
}

// resolveSecrets finds the secrets of those who act with a login of their own.
func (s *Serve) resolveSecrets(r *report, rest *REST, from origin, o Options) {
	for i := range s.Users {
		u, section := &s.Users[i], element("serve.user", i)+".rest"
		if (u.REST == Login{}) {
			continue
		}
		byPassword := rest.needsPassword(&u.REST)
		u.REST.password(section).settle(r, from, o, "", byPassword)
		u.REST.accessToken(section).settle(r, from, o, "", !byPassword)
	}
}

func isPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n <= 65535
}
