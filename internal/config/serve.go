package config

import (
	"cmp"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
)

// Serve configures access to the board over SSH: `wallboard serve`. See docs/admin/serve.md.
type Serve struct {
	Listen         string        `toml:"listen"`          // Address to listen on.
	HostKeyFile    string        `toml:"host_key_file"`   // SSH host key, created at the first start; "": wallboard/host_ed25519 in $XDG_STATE_HOME.
	CAFile         string        `toml:"trusted_ca_file"` // Public keys of certificate authorities, one per line; their certificates log in the user named as principal; "": none.
	MaxViewers     int           `toml:"max_viewers"`     // Maximum number of simultaneous viewers.
	UpdateInterval time.Duration `toml:"every"`           // Shortest time between two updates of a viewer's screen, 100ms to 10s.
	EscalateAfter  time.Duration `toml:"escalate_after"`  // After how long all viewers and, with --notify, [[notify]] hear of an unclaimed critical situation; 0: never.
	Web            Web           `toml:"web"`
	Users          []ServeUser   `toml:"user"`

	authorities authorities
}

// authorities holds the lines of trusted_ca_file as of the time when the configuration was read.
type authorities struct {
	lines []string
	err   error
}

// maxAuthoritiesBytes limits the size of trusted_ca_file, in bytes.
const maxAuthoritiesBytes = 1 << 20

// Authorities returns the lines of trusted_ca_file, one public key per line. If the file could not
// be read, it returns an error.
func (s *Serve) Authorities() ([]string, error) { return s.authorities.lines, s.authorities.err }

// loadAuthorities reads trusted_ca_file if it is set. It skips empty lines and comments.
func (s *Serve) loadAuthorities() {
	if s.CAFile == "" {
		return
	}
	text, err := readText(s.CAFile, maxAuthoritiesBytes)
	if err != nil {
		s.authorities.err = err
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			s.authorities.lines = append(s.authorities.lines, line)
		}
	}
}

func (a *authorities) isSame(b *authorities) bool {
	return slices.Equal(a.lines, b.lines) && (a.err == nil) == (b.err == nil)
}

// ServeUser is a user who may log in over SSH.
type ServeUser struct {
	Name            string   `toml:"name"`        // User name.
	Keys            []string `toml:"keys"`        // Public keys, in the format of authorized_keys; empty: login only with a certificate.
	Role            string   `toml:"role"`        // view, act (also everything that [rest] allows), admin (also end sessions of others) or kiosk (an unattended wall, see [kiosk]); "": view.
	ConfiguredNames string   `toml:"names"`       // How agents are named: full, initials or hidden; "": full, for a kiosk hidden.
	Services        []string `toml:"services"`    // Codes of the services that the user sees, with the agents who serve them; empty: all.
	Groups          []string `toml:"groups"`      // Codes of the groups that the user sees, with their members; empty: all.
	Sites           []int    `toml:"sites"`       // Sites whose people the user sees; empty: all.
	Page            string   `toml:"page"`        // Page to show at the start; "": as ui.page.
	Pages           []string `toml:"pages"`       // Pages of the user, for a kiosk the pages to rotate; Situations and Feed are added if missing. Empty: all, for a kiosk kiosk.pages.
	Theme           string   `toml:"theme"`       // Theme; "": as ui.theme.
	Language        string   `toml:"language"`    // Language; "": as ui.language, which as "auto" is that of the user's terminal.
	Platforms       []string `toml:"platforms"`   // Names of the platforms that the user sees, if there are several; empty: all.
	Sessions        int      `toml:"sessions"`    // Maximum number of simultaneous sessions; 0: 20.
	Web             bool     `toml:"web"`         // May also open the board in a browser, with a link of `wallboard serve link NAME`; see [serve.web]. A browser can never act.
	SilenceAllowed  *bool    `toml:"may_silence"` // May snooze critical alerts and all alerts at once; not set: with the roles act and admin.
	REST            Login    `toml:"rest"`
}

// Roles of SSH users.
const (
	RoleView  = "view"
	RoleAct   = "act"
	RoleAdmin = "admin"
	RoleKiosk = "kiosk"
)

// Limits of [serve].
const (
	maxViewers        = 5000
	maxServeUsers     = 1000
	minUpdateInterval = 100 * time.Millisecond
	maxUpdateInterval = 10 * time.Second

	minEscalation = 10 * time.Second
	maxEscalation = 12 * time.Hour
)

func defaultServe() Serve {
	return Serve{Listen: "127.0.0.1:2222", MaxViewers: 500, UpdateInterval: time.Second, Web: Web{WallSize: "160x45"}}
}

// HostKeyPath returns the path of the host key.
func (s *Serve) HostKeyPath() string {
	if s.HostKeyFile != "" {
		return s.HostKeyFile
	}
	return filepath.Join(xdg.StateHome, "wallboard", "host_ed25519")
}

// RoleName returns the role of the user, or the default role if none is set.
func (u *ServeUser) RoleName() string {
	if u.Role == "" {
		return RoleView
	}
	return u.Role
}

// CanAct reports whether the user may act on the platform.
func (u *ServeUser) CanAct() bool { return u.RoleName() == RoleAct || u.RoleName() == RoleAdmin }

// defaultSessions is the default maximum number of sessions of a user.
const defaultSessions = 20

// MaxSessions returns the maximum number of sessions that the user may have at a time.
func (u *ServeUser) MaxSessions() int {
	if u.Sessions > 0 {
		return u.Sessions
	}
	return defaultSessions
}

// CanSilence reports whether the user may snooze critical alerts or all alerts at once.
func (u *ServeUser) CanSilence() bool {
	if u.SilenceAllowed != nil {
		return *u.SilenceAllowed
	}
	return u.CanAct()
}

// Part returns the part of the floor that the user may see.
func (u *ServeUser) Part() model.FloorPart {
	p := model.FloorPart{Services: u.Services, Groups: u.Groups}
	for _, n := range u.Sites {
		p.Sites = append(p.Sites, int64(n))
	}
	return p
}

// NameMode returns the name mode for the user: "full", "initials" or "hidden".
func (u *ServeUser) NameMode() string {
	switch {
	case u.ConfiguredNames != "":
		return u.ConfiguredNames
	case u.RoleName() == RoleKiosk:
		return "hidden"
	}
	return "full"
}

// CanSee reports whether the user may see the platform with the given name.
func (u *ServeUser) CanSee(platform string) bool {
	return len(u.Platforms) == 0 || slices.ContainsFunc(u.Platforms, func(name string) bool { return textnorm.SameName(name, platform) })
}

func (s *Serve) check(r *report, rest *REST, platforms []string, o Options) {
	if _, port, err := net.SplitHostPort(s.Listen); err != nil || !isPort(port) {
		r.add("serve.listen", quoteValue(s.Listen)+" is not an address", `write it like "127.0.0.1:2222" or ":2222"`)
	}
	checkInt(r, "serve.max_viewers", s.MaxViewers, 1, maxViewers)
	checkRange(r, "serve.every", s.UpdateInterval, minUpdateInterval, maxUpdateInterval)
	if s.EscalateAfter != 0 {
		checkRange(r, "serve.escalate_after", s.EscalateAfter, minEscalation, maxEscalation)
	}
	s.Web.check(r)
	if len(s.Users) > maxServeUsers {
		r.add(elementKey("serve.user", maxServeUsers), "is over the maximum number", "allowed: "+strconv.Itoa(maxServeUsers))
		return
	}
	owner := make(map[string]string) // user name by key
	for i := range s.Users {
		u, path := &s.Users[i], elementKey("serve.user", i)
		u.check(r, path, rest, o)
		u.checkPlatforms(r, path, platforms)
		if slices.ContainsFunc(s.Users[:i], func(b ServeUser) bool { return b.Name == u.Name }) {
			r.add(joinKey(path, "name"), quoteValue(u.Name)+" is used twice", "write one [[serve.user]] per user with all their keys")
		}
		if len(u.Keys) == 0 && s.CAFile == "" && !u.Web {
			r.add(joinKey(path, "keys"), "are missing", quoteValue(u.Name)+" cannot log in without a key; add one, or set trusted_ca_file")
		}
		for j, key := range u.Keys {
			fields := append(strings.Fields(key), "", "")
			id := fields[0] + " " + fields[1]
			keyPath := elementKey(joinKey(path, "keys"), j)
			if other, isDuplicate := owner[id]; isDuplicate {
				r.add(keyPath, "is already the key of "+quoteValue(other), "a key identifies a user: each key belongs to one user")
			}
			owner[id] = u.Name
			if o.CheckPublicKey != nil {
				if err := o.CheckPublicKey(key); err != nil {
					r.add(keyPath, err.Error(), `copy the line of the public key file:"ssh-ed25519 AAAA… anna@desk"`)
				}
			}
		}
	}
}

func (u *ServeUser) hasPage(page string) bool {
	return len(u.Pages) == 0 || containsPage(u.Pages, page) || u.RoleName() != RoleKiosk && containsPage(alwaysAddedPages, page)
}

func (u *ServeUser) check(r *report, path string, rest *REST, o Options) {
	if u.Name == "" {
		r.add(joinKey(path, "name"), "is missing", "every [[serve.user]] needs a name")
	}
	checkPrintable(r, joinKey(path, "name"), u.Name)
	checkOneOf(r, joinKey(path, "role"), u.RoleName(), []string{RoleView, RoleAct, RoleAdmin, RoleKiosk})
	checkOneOf(r, joinKey(path, "names"), u.NameMode(), []string{"full", "initials", "hidden"})
	checkPageList(r, joinKey(path, "pages"), u.Pages, o)
	if u.Page != "" && checkPageName(r, joinKey(path, "page"), u.Page, o) && !u.hasPage(u.Page) {
		r.add(joinKey(path, "page"), quoteValue(u.Page)+" is not one of the user's pages", "allowed: one of pages or, if pages is empty, any page of the board")
	}
	if u.Theme != "" && len(o.Themes) > 0 {
		checkOneOf(r, joinKey(path, "theme"), u.Theme, o.Themes)
	}
	checkOneOf(r, joinKey(path, "language"), cmp.Or(u.Language, "auto"), append([]string{"auto"}, words.AvailableLanguages.Tags()...))
	if u.Sessions < 0 {
		r.add(joinKey(path, "sessions"), "is negative", "allowed: a number, or 0 for "+strconv.Itoa(defaultSessions))
	}
	checkCodes(r, joinKey(path, "services"), u.Services)
	checkCodes(r, joinKey(path, "groups"), u.Groups)
	for i, n := range u.Sites {
		if n < 1 || slices.Contains(u.Sites[:i], n) {
			r.add(elementKey(joinKey(path, "sites"), i), strconv.Itoa(n)+" is not positive or is listed twice", "allowed: the number of a site, once")
		}
	}
	u.checkCanAct(r, path, rest, o)
}

// checkCanAct adds a problem if the role of the user does not fit the user's login or the part of
// the floor that the user may see.
func (u *ServeUser) checkCanAct(r *report, path string, rest *REST, o Options) {
	hasOwnLogin, part := u.REST != Login{}, u.Part()
	switch {
	case u.CanAct() && !rest.IsConfigured() && !o.Demo && r.platformPath == "": // with several platforms, some may lack [rest]
		r.add(joinKey(path, "role"), quoteValue(u.Role)+" can do nothing without [rest]", `write [rest], or role = "view"`)
	case u.CanAct() && u.NameMode() != "full":
		r.add(joinKey(path, "names"), quoteValue(u.NameMode())+" hides the target of an action", `remove it, or write role = "view"`)
	case u.CanAct() && !hasOwnLogin && !part.IsWholeFloor():
		r.add(joinKey(path, "role"), quoteValue(u.Role)+" may do everything that the login of [rest] may do, not only on a part of the floor",
			"set a separate login in [serve.user.rest], so that the platform checks the permissions")
	case hasOwnLogin && !u.CanAct():
		r.add(joinKey(path, "rest"), "has no effect for a user who cannot act", `remove it, or write role = "act"`)
	case hasOwnLogin && rest.needsPassword(&u.REST) && u.REST.Username == "" && !o.Demo:
		r.add(joinKey(joinKey(path, "rest"), "username"), "is missing", `rest.auth = "`+rest.Auth+`" needs it`)
	}
	checkPrintable(r, joinKey(joinKey(path, "rest"), "username"), u.REST.Username)
}

// checkPlatforms adds a problem for each platform of the user that does not exist.
func (u *ServeUser) checkPlatforms(r *report, path string, platforms []string) {
	if len(platforms) == 0 && len(u.Platforms) > 0 {
		r.add(joinKey(path, "platforms"), "lists platforms although there is no [[platform]]", "remove it")
		return
	}
	for i, name := range u.Platforms {
		isName := func(other string) bool { return textnorm.SameName(other, name) }
		if elementPath := elementKey(joinKey(path, "platforms"), i); !slices.ContainsFunc(platforms, isName) {
			checkOneOf(r, elementPath, name, platforms)
		}
	}
	visible := 0
	for _, name := range platforms {
		if u.CanSee(name) {
			visible++
		}
	}
	if hasOwnLogin := u.REST != (Login{}); hasOwnLogin && visible > 1 {
		r.add(joinKey(path, "rest"), "is ambiguous: the user sees "+strconv.Itoa(visible)+" platforms", "restrict the user to one: platforms = [...]")
	}
}

// resolveSecrets resolves the secrets of users with their own login for [rest].
func (s *Serve) resolveSecrets(r *report, rest *REST, file configFile, o Options) {
	for i := range s.Users {
		u, section := &s.Users[i], elementKey("serve.user", i)+".rest"
		if (u.REST == Login{}) {
			continue
		}
		needsPassword := rest.needsPassword(&u.REST)
		u.REST.passwordSources(section).resolveIfNeeded(r, file, o, "", needsPassword)
		u.REST.accessTokenSources(section).resolveIfNeeded(r, file, o, "", !needsPassword)
	}
}

func isPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n <= 65535
}
