package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"wallboard/internal/lib/netconn"
)

// Cookies. The prefix makes browsers refuse them without TLS, and from any other host.
const (
	deviceCookie = "__Host-wallboard"      // the secret of a device
	linkCookie   = "__Host-wallboard-link" // the secret of a link, between opening it and the button

	linkCookieLifetime = 10 * time.Minute
)

func setCookie(w http.ResponseWriter, name, value string, lifetime time.Duration) {
	c := &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: int(lifetime.Seconds()), Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// remoteOf returns the IP address of the client.
func remoteOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// isOwnHost reports whether the header Host names this server: by a name in the certificate, or by the IP
// address at which the connection arrived. A foreign name there belongs to another site, whose pages
// could then read the answers of this server.
func (s *Server) isOwnHost(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host == "" {
		return false
	}
	if ip, err := netip.ParseAddr(trimBrackets(host)); err == nil {
		local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if !ok {
			return false
		}
		at, err := netip.ParseAddrPort(local.String())
		if err == nil && at.Addr().Unmap().WithZone("") == ip.Unmap() {
			return true
		}
	}
	leaf := s.options.Certificate().Leaf
	return leaf != nil && leaf.VerifyHostname(host) == nil
}

func trimBrackets(host string) string {
	if n := len(host); n > 2 && host[0] == '[' && host[n-1] == ']' {
		return host[1 : n-1]
	}
	return host
}

// isForeign reports whether another site caused a request, other than by a link to a page.
func isForeign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "https://"+r.Host {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if r.Method == http.MethodPost {
		return r.Header.Get("Origin") == "" && site != "same-origin"
	}
	isLink := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	return (site == "cross-site" || site == "same-site") && !isLink
}

// comesFromLink reports whether the user has followed a link on another site, so that the browser did
// not send the cookie.
func comesFromLink(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}

// authenticate returns the user and the device of a request. ok is false if either has no access.
func (s *Server) authenticate(r *http.Request) (v Viewer, d Device, ok bool) {
	c, err := r.Cookie(deviceCookie)
	if err != nil {
		return v, d, false
	}
	remote := remoteOf(r)
	if d, ok = s.options.Access.device(c.Value); !ok {
		if s.failures.Allows(remote) {
			s.failures.Count(remote)
			s.event(Event{Kind: eventRefused, Remote: remote, Reason: "unknown or removed device"})
		}
		return v, d, false
	}
	if browserOf(r.UserAgent()) != d.Browser {
		if s.failures.Allows(remote) {
			s.failures.Count(remote)
			s.event(Event{Kind: eventRefused, User: d.User, Remote: remote, Reason: "another browser has sent the cookie of a device: it may be stolen"})
		}
		return v, d, false
	}
	if v, ok = s.options.Content.Viewer(d.User); !ok {
		return v, d, false
	}
	if release, isAdmitted := r.Context().Value(releaseContextKey{}).(func()); isAdmitted {
		release()
	}
	s.logNewNetwork(&d, remote)
	s.options.Access.recordUse(d)
	return v, d, true
}

// logNewNetwork logs when a device appears in another network.
func (s *Server) logNewNetwork(d *Device, remote string) {
	network := netconn.CountedNetwork(remote)
	s.mu.Lock()
	before := s.lastNetworks[d.Hash]
	if len(s.lastNetworks) > maxDevices {
		clear(s.lastNetworks)
	}
	s.lastNetworks[d.Hash] = network
	s.mu.Unlock()
	if before != "" && before != network {
		s.options.Log.Info("browser has changed its network", "user", d.User, "from", remote, "before", before)
	}
}

// Session is an open page of a browser.
type Session struct {
	User, Remote string
	Since        time.Time
	Sent         int64 // bytes before compression and encryption, without pictures
}

// openPage is an open page of a device.
type openPage struct {
	user, device, remote string
	since                time.Time
	sent                 atomic.Int64
}

// Sessions returns the open pages, in the order of their beginnings.
func (s *Server) Sessions() []Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Session, 0, len(s.openPages))
	for p := range s.openPages {
		out = append(out, Session{p.user, p.remote, p.since, p.sent.Load()})
	}
	slices.SortFunc(out, func(a, b Session) int { return a.Since.Compare(b.Since) })
	return out
}

// EndSessionsOf ends the open pages of a user and returns their number. The browsers of the user show the board
// again when a button is pressed.
func (s *Server) EndSessionsOf(user string) (n int) {
	devices := s.options.Access.Devices() // may wait for the file
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := make(map[string]bool) // drops devices that were removed
	for _, d := range devices {
		if d.User == user || s.endedDevices[d.Hash] {
			ended[d.Hash] = true
		}
	}
	s.endedDevices = ended
	for p := range s.openPages {
		if p.user == user {
			n++
		}
	}
	return n
}

// isEnded reports whether an administrator has ended the sessions of a device.
func (s *Server) isEnded(d *Device) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.endedDevices[d.Hash]
}

// openPage notes that a device opens a page. ok is false if there are too many.
func (s *Server) openPage(d *Device, remote string) (p *openPage, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ofDevice := 0
	for p := range s.openPages {
		if p.device == d.Hash {
			ofDevice++
		}
	}
	if ofDevice >= maxEventsPerDevice || len(s.openPages) >= s.options.MaxEvents {
		return nil, false
	}
	p = &openPage{user: d.User, device: d.Hash, remote: remote, since: s.options.Now()}
	s.openPages[p] = true
	return p, true
}

// closePage notes that a page was closed.
func (s *Server) closePage(p *openPage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.openPages, p)
}
