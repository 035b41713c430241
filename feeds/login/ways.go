package login

import (
	"slices"
	"strings"
)

// way is a way to present credentials to the service (document 2, section Authentication). Document
// 2 does not say which ways a server accepts on a WebSocket, and servers differ.
type way string

// The names of the ways, as displayed.
const (
	waySession way = "the session cookie"
	wayInit    way = "the access token in connection_init"
	wayCookie  way = "the access token in a cookie"

	// wayExchange presents the session cookie that loginWithAccessToken returns. It is tried
	// automatically although the mode does not require a login.
	wayExchange way = "the session of loginWithAccessToken"
)

// usesSession reports whether a session cookie is presented.
func (w way) usesSession() bool { return w == waySession || w == wayExchange }

// Ways tracks which way of presenting the credentials to use next.
type Ways struct {
	ordered      []way // all ways for the mode in the order in which they are tried, the configured one first
	current      int   // index of the current way
	proven       bool  // the current way has delivered data
	refusedCount int   // number of ways in a row that were refused
	missing      []way // ways for which a login returned nothing
}

func newWays(mode Mode) Ways {
	switch mode {
	case ByCookie:
		return Ways{ordered: []way{wayCookie, wayInit, wayExchange}}
	case ByUser, ByTokenLogin:
		return Ways{ordered: []way{waySession, wayInit, wayCookie}}
	case ByToken:
	}
	return Ways{ordered: []way{wayInit, wayCookie, wayExchange}}
}

// ModeForWay returns the mode that presents an access token first in the way with the given name.
// name is a result of [Ways.FallbackName].
func ModeForWay(name string) Mode {
	switch way(name) {
	case wayCookie:
		return ByCookie
	case wayExchange:
		return ByTokenLogin
	case waySession, wayInit:
	}
	return ByToken
}

func (w *Ways) currentWay() way { return w.ordered[w.current] }

// CurrentName returns the name of the way that is tried.
func (w *Ways) CurrentName() string { return string(w.currentWay()) }

// IsTokenLogin reports whether the current way is an automatic login with the access token. A
// refusal of that login says nothing about the other ways.
func (w *Ways) IsTokenLogin() bool { return w.currentWay() == wayExchange }

// IsProven reports whether the current way has delivered data.
func (w *Ways) IsProven() bool { return w.proven }

// MarkProven records that the current way delivered data.
func (w *Ways) MarkProven() { w.proven, w.refusedCount, w.missing = true, 0, nil }

// SwitchToNext switches to the next way, because the current one was refused. It returns false if
// all ways have been refused in a row.
func (w *Ways) SwitchToNext() bool {
	w.current = (w.current + 1) % len(w.ordered)
	w.refusedCount++
	w.proven = false
	return w.refusedCount < len(w.ordered)
}

// MarkMissing records that a login returned nothing that the current way could present.
func (w *Ways) MarkMissing() {
	if !slices.Contains(w.missing, w.currentWay()) {
		w.missing = append(w.missing, w.currentWay())
	}
}

// ResetRefusals forgets which ways were refused, for instance because the configuration changed.
func (w *Ways) ResetRefusals() { w.refusedCount, w.missing = 0, nil }

// FallbackName returns the name of the current way, or "" if the current way is the configured one.
func (w *Ways) FallbackName() string {
	if w.current == 0 {
		return ""
	}
	return string(w.currentWay())
}

// refusalText lists, for display, which ways the platform refused and for which ways the login
// returned nothing.
func (w *Ways) refusalText() string {
	var refused, missing []string
	for _, v := range w.ordered {
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
