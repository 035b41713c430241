package web

import (
	"net"
	"net/http"
	"net/netip"
	"time"

	"wallboard/internal/lib/netconn"
)

// Cookies. The prefix makes browsers refuse them without TLS, and from any other host.
const (
	deviceCookie = "__Host-wallboard"      // the secret of a device
	linkCookie   = "__Host-wallboard-link" // the secret of a link, between opening it and the button

	deviceCookieLifetime = 400 * 24 * time.Hour // the longest that browsers allow; renewed by each page
	linkCookieLifetime   = 10 * time.Minute
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

// isOwnHost reports whether the header Host names this server: by a name in the certificate, or by the
// IP address at which the connection arrived. A foreign name there is that of another site, whose
// pages could then read what this server answers.
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

// viewer returns the user and the device of a request. ok is false if the browser has not been admitted.
func (s *Server) viewer(r *http.Request) (v Viewer, d Device, ok bool) {
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
	if release, isAdmitted := r.Context().Value(releaseKey{}).(func()); isAdmitted {
		release()
	}
	s.noteNetwork(&d, remote)
	return v, d, true
}

// noteNetwork logs when a device appears in another network.
func (s *Server) noteNetwork(d *Device, remote string) {
	network := netconn.CountedNetwork(remote)
	s.mu.Lock()
	before := s.seenAt[d.Hash]
	if len(s.seenAt) > maxDevices {
		clear(s.seenAt)
	}
	s.seenAt[d.Hash] = network
	s.mu.Unlock()
	if before != "" && before != network {
		s.options.Log.Info("browser has changed its network", "user", d.User, "from", remote, "before", before)
	}
}

// openStream counts an event stream of a device. ok is false if there are too many.
func (s *Server) openStream(d *Device) (closeStream func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams[d.Hash] >= maxEventsPerDevice || s.open >= s.options.MaxEvents {
		return nil, false
	}
	s.streams[d.Hash]++
	s.open++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		if s.streams[d.Hash]--; s.streams[d.Hash] == 0 {
			delete(s.streams, d.Hash)
		}
	}, true
}
