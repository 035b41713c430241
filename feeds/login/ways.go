package login

import (
	"slices"
	"strings"
)

// way is a way to present credentials to the service (document 2, section
// Authentication). Which of them a server takes on a WebSocket is not said, and
// servers differ.
type way string

// The ways, as they are named to people.
const (
	waySession way = "the session cookie"
	wayInit    way = "the access token in connection_init"
	wayCookie  way = "the access token in a cookie"

	// wayExchange is the session cookie of loginWithAccessToken, for those who are not
	// told to log in with their token.
	wayExchange way = "the session of loginWithAccessToken"
)

// session reports whether the way is a session with the platform.
func (w way) session() bool { return w == waySession || w == wayExchange }

// Ways is which of those that the credentials allow is in use.
type Ways struct {
	all     []way // the configured one first
	at      int   // the one in use
	proven  bool  // it brought data
	refused int   // in a row, of different ones
	missing []way // that a login gave nothing for
}

func newWays(mode Mode) Ways {
	switch mode {
	case ByCookie:
		return Ways{all: []way{wayCookie, wayInit, wayExchange}}
	case ByUser, ByTokenLogin:
		return Ways{all: []way{waySession, wayInit, wayCookie}}
	case ByToken:
	}
	return Ways{all: []way{wayInit, wayCookie, wayExchange}}
}

// ModeOf is the mode that goes a way first which [Ways.Other] names, for those
// who have an access token.
func ModeOf(name string) Mode {
	switch way(name) {
	case wayCookie:
		return ByCookie
	case wayExchange:
		return ByTokenLogin
	case waySession, wayInit:
	}
	return ByToken
}

func (w *Ways) present() way { return w.all[w.at] }

// Present names the way in use.
func (w *Ways) Present() string { return string(w.present()) }

// Exchanges reports whether the way in use is a login with the access token that was
// not asked for: what it says of the token says nothing about the other ways.
func (w *Ways) Exchanges() bool { return w.present() == wayExchange }

// Proven reports whether it brought data.
func (w *Ways) Proven() bool { return w.proven }

// Works notes that the present way brought data.
func (w *Ways) Works() { w.proven, w.refused, w.missing = true, 0, nil }

// Next goes to another way after the present one was refused, and reports whether
// that was not refused yet.
func (w *Ways) Next() bool {
	w.at = (w.at + 1) % len(w.all)
	w.refused++
	w.proven = false
	return w.refused < len(w.all)
}

// Lacks notes that a login gave nothing to go the present way with.
func (w *Ways) Lacks() {
	if !slices.Contains(w.missing, w.present()) {
		w.missing = append(w.missing, w.present())
	}
}

// Again forgets what was refused: somebody has changed something.
func (w *Ways) Again() { w.refused, w.missing = 0, nil }

// Other is the way in use where it is not the configured one.
func (w *Ways) Other() string {
	if w.at == 0 {
		return ""
	}
	return string(w.present())
}

// tried says which ways the platform refuses, and which could not be gone.
func (w *Ways) tried() string {
	var refused, missing []string
	for _, v := range w.all {
		if slices.Contains(w.missing, v) {
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
