package feeds

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
)

// ways is which of those that the credentials allow is in use.
type ways struct {
	all     []way // the configured one first
	at      int   // the one in use
	proven  bool  // it brought data
	refused int   // in a row, of different ones
	missing []way // that a login gave nothing for
}

func newWays(mode AuthMode) ways {
	switch mode {
	case AuthCookie:
		return ways{all: []way{wayCookie, wayInit}}
	case AuthLogin, AuthTokenLogin:
		return ways{all: []way{waySession, wayInit, wayCookie}}
	case AuthToken:
	}
	return ways{all: []way{wayInit, wayCookie}}
}

// AuthBy is the mode that goes a way first which [model.Link.Way] names, for those
// who have an access token.
func AuthBy(name string) AuthMode {
	if way(name) == wayCookie {
		return AuthCookie
	}
	return AuthToken
}

func (w *ways) present() way { return w.all[w.at] }

// works notes that the present way brought data.
func (w *ways) works() { w.proven, w.refused, w.missing = true, 0, nil }

// next goes to another way after the present one was refused, and reports whether
// that was not refused yet.
func (w *ways) next() bool {
	w.at = (w.at + 1) % len(w.all)
	w.refused++
	w.proven = false
	return w.refused < len(w.all)
}

// lacks notes that a login gave nothing to go the present way with.
func (w *ways) lacks() {
	if !slices.Contains(w.missing, w.present()) {
		w.missing = append(w.missing, w.present())
	}
}

// again forgets what was refused: somebody has changed something.
func (w *ways) again() { w.refused, w.missing = 0, nil }

// other is the way in use where it is not the configured one.
func (w *ways) other() string {
	if w.at == 0 {
		return ""
	}
	return string(w.present())
}

// tried says which ways the platform refuses, and which could not be gone.
func (w *ways) tried() string {
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
