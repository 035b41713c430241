package graphql

import (
	"slices"
	"strings"
)

// credentialWay is a way to present credentials to the service (document 2, section
// Authentication). Document 2 does not say which ways a server accepts on a WebSocket. Servers
// differ in that.
type credentialWay string

// Names of the ways, as displayed.
const (
	waySession        credentialWay = "the session cookie"
	wayConnectionInit credentialWay = "the access token in connection_init"
	wayCookie         credentialWay = "the access token in a cookie"

	// wayTokenLogin presents the session cookie that loginWithAccessToken returns. This way is tried
	// automatically, even if the mode does not require a login.
	wayTokenLogin credentialWay = "the session of loginWithAccessToken"
)

// usesSession reports whether the way presents a session cookie.
func (w credentialWay) usesSession() bool { return w == waySession || w == wayTokenLogin }

// CredentialWays tracks in which way to present the credentials next.
type CredentialWays struct {
	ways         []credentialWay // all ways for the mode in the order in which they are tried; the configured way is first
	current      int             // index of the current way
	proven       bool            // the current way has delivered data
	refusedCount int             // number of ways in a row that were refused
	missingWays  []credentialWay // ways for which a login did not return the credentials
}

func newWays(mode LoginMode) CredentialWays {
	switch mode {
	case ModeCookie:
		return CredentialWays{ways: []credentialWay{wayCookie, wayConnectionInit, wayTokenLogin}}
	case ModeLogin, ModeTokenLogin:
		return CredentialWays{ways: []credentialWay{waySession, wayConnectionInit, wayCookie}}
	case ModeToken:
	}
	return CredentialWays{ways: []credentialWay{wayConnectionInit, wayCookie, wayTokenLogin}}
}

// LoginModeForWay returns the mode that presents an access token first in the way with the given
// name. name is a result of [CredentialWays.FallbackName].
func LoginModeForWay(name string) LoginMode {
	switch credentialWay(name) {
	case wayCookie:
		return ModeCookie
	case wayTokenLogin:
		return ModeTokenLogin
	case waySession, wayConnectionInit:
	}
	return ModeToken
}

func (w *CredentialWays) currentWay() credentialWay { return w.ways[w.current] }

// CurrentName returns the name of the current way.
func (w *CredentialWays) CurrentName() string { return string(w.currentWay()) }

// IsTokenLogin reports whether the current way logs in automatically with the access token. If the
// platform refuses that login, the other ways may still work.
func (w *CredentialWays) IsTokenLogin() bool { return w.currentWay() == wayTokenLogin }

// IsProven reports whether the current way has delivered data.
func (w *CredentialWays) IsProven() bool { return w.proven }

// MarkProven records that the current way has delivered data.
func (w *CredentialWays) MarkProven() { w.proven, w.refusedCount, w.missingWays = true, 0, nil }

// SwitchToNext switches to the next way because the current way was refused. It returns false if
// all ways have now been refused in a row.
func (w *CredentialWays) SwitchToNext() bool {
	w.current = (w.current + 1) % len(w.ways)
	w.refusedCount++
	w.proven = false
	return w.refusedCount < len(w.ways)
}

// MarkMissing records that a login did not return the credentials for the current way.
func (w *CredentialWays) MarkMissing() {
	if !slices.Contains(w.missingWays, w.currentWay()) {
		w.missingWays = append(w.missingWays, w.currentWay())
	}
}

// ResetRefusals forgets which ways were refused, for instance because a user asks for a retry.
func (w *CredentialWays) ResetRefusals() { w.refusedCount, w.missingWays = 0, nil }

// FallbackName returns the name of the current way, or "" for the configured way.
func (w *CredentialWays) FallbackName() string {
	if w.current == 0 {
		return ""
	}
	return string(w.currentWay())
}

// refusalText lists, for display, the ways that the platform refused and the ways for which a login
// did not return the credentials.
func (w *CredentialWays) refusalText() string {
	var refused, missing []string
	for _, v := range w.ways {
		if slices.Contains(w.missingWays, v) {
			missing = append(missing, string(v))
		} else {
			refused = append(refused, string(v))
		}
	}
	text := "refuses " + strings.Join(refused, " and ")
	if len(missing) > 0 {
		text += ", and the login gives nothing for " + strings.Join(missing, " and ")
	}
	return text
}
