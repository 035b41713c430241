package web

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/words"
)

// handler returns the handler of all requests.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /link/{secret}", s.openLink)
	mux.HandleFunc("GET /enter", s.showEnterButton)
	mux.HandleFunc("POST /enter", s.admitBrowser)
	mux.HandleFunc("POST /leave", s.removeDevice)
	mux.HandleFunc("POST /again", s.showAgain)
	mux.HandleFunc("GET /{$}", s.requireAccess(s.showPage))
	mux.HandleFunc("GET /main", s.requireAccess(s.showMain))
	mux.HandleFunc("GET /events", s.requireAccess(s.sendEvents))
	mux.HandleFunc("GET /at", s.requireAccess(s.redirectToTime))
	mux.HandleFunc("GET /at/{time}", s.requireAccess(s.showPageAt))
	mux.HandleFunc("POST /take-over", s.requireAccess(s.takeOver))
	mux.HandleFunc("GET /terminal", s.requireAccess(s.showTerminal))
	mux.HandleFunc("GET /terminal/socket", s.requireAccess(s.openTerminal))
	mux.HandleFunc("GET /wall/{name}", s.requireWall(s.showWall))
	mux.HandleFunc("GET /wall/{name}/picture.png", s.requireWall(s.sendPicture))
	mux.HandleFunc("GET /style.css", sendFile(styleSheet, "text/css; charset=utf-8"))
	mux.HandleFunc("GET /script.js", sendFile(script, "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /terminal.js", sendFile(terminalScript, "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /xterm.js", sendFile(xtermScript(), "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /xterm.css", sendFile(xtermStyle, "text/css; charset=utf-8"))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		switch {
		case !s.isOwnHost(r):
			http.Error(w, "This server has another name: see serve.web.hosts.", http.StatusMisdirectedRequest)
		case isForeign(r):
			http.Error(w, "Another site may not use this server.", http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// pageSecurity is the Content-Security-Policy of pages, and the basis of all others.
const pageSecurity = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// setHeaders sets the headers of all answers.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", pageSecurity)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // with no-referrer, browsers hide the origin of forms
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Cookie, Accept-Language")
}

// viewerHandler answers the request of a user.
type viewerHandler func(w http.ResponseWriter, r *http.Request, v Viewer, d *Device)

// requireAccess returns a handler that refuses browsers that no link has admitted or that were ended.
func (s *Server) requireAccess(serve viewerHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, d, ok := s.authenticate(r)
		switch {
		case ok && s.isEnded(&d):
			writeNotice(w, r, http.StatusForbidden, words.WebEnded())
		case ok:
			serve(w, r, v, &d)
		case comesFromLink(r): // the next request has the cookie
			w.Header().Set("Refresh", "0; url="+r.URL.EscapedPath())
			writeNotice(w, r, http.StatusOK, words.WebMoment())
		case !s.failures.Allows(remoteOf(r)):
			writeNotice(w, r, http.StatusTooManyRequests, words.WebTooMany())
		default:
			writeNotice(w, r, http.StatusUnauthorized, words.WebNoDevice())
		}
	}
}

// requireWall returns a handler for the wall that the path names. Users can see only their own wall.
func (s *Server) requireWall(serve viewerHandler) http.HandlerFunc {
	return s.requireAccess(func(w http.ResponseWriter, r *http.Request, v Viewer, d *Device) {
		if !v.Wall || r.PathValue("name") != v.Name {
			writeNotice(w, r, http.StatusNotFound, words.WebNoWall())
			return
		}
		serve(w, r, v, d)
	})
}

// openLink takes the secret of a link out of the address. The link is used up only by the button on the
// next page, because mail servers and messengers open links, too.
func (s *Server) openLink(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the address of this page is secret
	remote, secret := remoteOf(r), r.PathValue("secret")
	mayTry := s.failures.Allows(remote)
	if mayTry {
		if _, ok := s.options.Access.linkUser(secret); ok {
			setCookie(w, linkCookie, secret, linkCookieLifetime)
			w.Header().Set("Refresh", "0; url=/enter") // not a redirection, after which browsers would not send the cookie
			writeNotice(w, r, http.StatusOK, words.WebMoment())
			return
		}
	}
	if v, d, ok := s.authenticate(r); ok && d.Link == hashOf(secret) { // a browser that starts with the link every day
		http.Redirect(w, r, homePath(v), http.StatusSeeOther) //nolint:gosec // the target is a path of this server
		return
	}
	if !mayTry {
		writeNotice(w, r, http.StatusTooManyRequests, words.WebTooMany())
		return
	}
	s.refuseLink(w, r)
}

// refuseLink refuses a link that cannot be used.
func (s *Server) refuseLink(w http.ResponseWriter, r *http.Request) {
	remote := remoteOf(r)
	s.failures.Count(remote)
	s.event(Event{Kind: eventRefused, Remote: remote, Reason: errLinkUnknown.Error()})
	writeNotice(w, r, http.StatusNotFound, words.WebLinkUsed())
}

// linkCookieOf returns the cookie with the link of a request, or nil after it has refused the request.
func (s *Server) linkCookieOf(w http.ResponseWriter, r *http.Request) *http.Cookie {
	c, err := r.Cookie(linkCookie)
	switch {
	case !s.failures.Allows(remoteOf(r)):
		writeNotice(w, r, http.StatusTooManyRequests, words.WebTooMany())
		return nil
	case err != nil:
		writeNotice(w, r, http.StatusNotFound, words.WebLinkUsed())
		return nil
	}
	return c
}

// showEnterButton shows the button that uses up a link.
func (s *Server) showEnterButton(w http.ResponseWriter, r *http.Request) {
	c := s.linkCookieOf(w, r)
	if c == nil {
		return
	}
	user, ok := s.options.Access.linkUser(c.Value)
	if !ok {
		s.refuseLink(w, r)
		return
	}
	v, _ := s.options.Content.Viewer(user)
	writeTemplate(w, http.StatusOK, "enter", map[string]any{"L": languageOf(r, v.Language), "User": user})
}

// admitBrowser uses up a link and admits the browser.
func (s *Server) admitBrowser(w http.ResponseWriter, r *http.Request) {
	remote := remoteOf(r)
	c := s.linkCookieOf(w, r)
	if c == nil {
		return
	}
	setCookie(w, linkCookie, "", 0)
	user, secret, err := s.options.Access.redeemLink(c.Value, r.UserAgent())
	if err != nil {
		if errors.Is(err, errLinkUnknown) {
			s.refuseLink(w, r)
			return
		}
		s.options.Log.Error("cannot admit a browser", "from", remote, "error", err)
		writeNotice(w, r, http.StatusServiceUnavailable, words.WebNotNow())
		return
	}
	v, ok := s.options.Content.Viewer(user)
	if !ok {
		writeNotice(w, r, http.StatusForbidden, words.WebNoDevice())
		return
	}
	s.event(Event{Kind: eventLogin, User: user, Remote: remote})
	setCookie(w, deviceCookie, secret, deviceLifetime)
	http.Redirect(w, r, homePath(v), http.StatusSeeOther)
}

// removeDevice removes the access of the browser.
func (s *Server) removeDevice(w http.ResponseWriter, r *http.Request) {
	if _, d, ok := s.authenticate(r); ok {
		if err := s.options.Access.remove(d); err != nil {
			s.options.Log.Warn("cannot remove a device", "user", d.User, "error", err)
			writeNotice(w, r, http.StatusServiceUnavailable, words.WebNotNow())
			return
		}
		s.event(Event{Kind: eventLogout, User: d.User, Remote: remoteOf(r)})
	}
	setCookie(w, deviceCookie, "", 0)
	writeNotice(w, r, http.StatusOK, words.WebLeft())
}

// showAgain shows the board again on a device whose sessions an administrator has ended.
func (s *Server) showAgain(w http.ResponseWriter, r *http.Request) {
	v, d, ok := s.authenticate(r)
	if !ok {
		writeNotice(w, r, http.StatusUnauthorized, words.WebNoDevice())
		return
	}
	s.mu.Lock()
	delete(s.endedDevices, d.Hash)
	s.mu.Unlock()
	http.Redirect(w, r, homePath(v), http.StatusSeeOther) //nolint:gosec // the target is a path of this server
}

// homePath returns the path of the page of a user.
func homePath(v Viewer) string {
	if v.Wall {
		return wallPath(v.Name)
	}
	return "/"
}

// renewCookie sends the cookie of a device again, so that it lasts as long as the device is used.
func renewCookie(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(deviceCookie); err == nil {
		setCookie(w, deviceCookie, c.Value, deviceLifetime)
	}
}

// showPage shows the current page of a user.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request, v Viewer, _ *Device) {
	if v.Wall {
		http.Redirect(w, r, homePath(v), http.StatusSeeOther) //nolint:gosec // the target is a path of this server
		return
	}
	l := languageOf(r, v.Language)
	page, err := s.options.Content.Page(r.Context(), v.Name, l)
	if err != nil {
		s.writeUnavailable(w, r, err)
		return
	}
	renewCookie(w, r)
	writePage(w, page, true, l)
}

// showMain sends the element main of the current page.
func (s *Server) showMain(w http.ResponseWriter, r *http.Request, v Viewer, _ *Device) {
	page, err := s.options.Content.Page(r.Context(), v.Name, languageOf(r, v.Language))
	if err != nil {
		s.writeUnavailable(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page.Main) //nolint:gosec // html/template escapes it; the client may have gone
}

// redirectToTime redirects the form that asks for an earlier time.
func (s *Server) redirectToTime(w http.ResponseWriter, r *http.Request, _ Viewer, _ *Device) {
	at := r.URL.Query().Get("t")
	if _, err := time.Parse("15:04", at); err != nil {
		at = ""
	}
	http.Redirect(w, r, "/"+strings.TrimSuffix("at/"+at, "at/"), http.StatusSeeOther) //nolint:gosec // at is a time of day, or empty
}

// showPageAt shows the page of a user about an earlier time.
func (s *Server) showPageAt(w http.ResponseWriter, r *http.Request, v Viewer, _ *Device) {
	clock, err := time.Parse("15:04", r.PathValue("time"))
	if err != nil || v.Wall {
		writeNotice(w, r, http.StatusNotFound, words.WebNoPage())
		return
	}
	l := languageOf(r, v.Language)
	page, err := s.options.Content.PageAt(r.Context(), v.Name, clock, l)
	if err != nil {
		s.writeUnavailable(w, r, err)
		return
	}
	writePage(w, page, false, l)
}

// takeOver takes a situation over. It is the only request that changes what others see; [isForeign]
// protects it against forms of other sites.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request, v Viewer, _ *Device) {
	floor, err := strconv.Atoi(r.PostFormValue("floor"))
	if err != nil || v.Wall {
		writeNotice(w, r, http.StatusNotFound, words.WebNoPage())
		return
	}
	if err := s.options.Content.TakeOver(r.Context(), v.Name, floor, r.PostFormValue("situation")); err != nil {
		writeNotice(w, r, http.StatusConflict, words.AlertsNotTaken(words.TextOf(err)))
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// writeUnavailable says that there is nothing to show now.
func (s *Server) writeUnavailable(w http.ResponseWriter, r *http.Request, err error) {
	s.options.Log.Debug("nothing to show in a browser", "error", err)
	w.Header().Set("Retry-After", "5")
	w.Header().Set("Refresh", "5")
	writeNotice(w, r, http.StatusServiceUnavailable, words.WebNotNow())
}

// Pace of events. A page shows that it is old if no event has come for 3.5 s.
const (
	heartbeatInterval = time.Second
	minPageBeats      = 2 // shortest time between two pages, in beats
	sendTimeout       = 10 * time.Second
)

// sendEvents sends the page whenever it has changed, and a sign of life every second.
func (s *Server) sendEvents(w http.ResponseWriter, r *http.Request, v Viewer, d *Device) {
	stream, ok := s.newStream(w, r, d)
	if !ok {
		http.Error(w, "Too many open pages.", http.StatusTooManyRequests)
		return
	}
	defer stream.close()
	w.Header().Set("Content-Type", "text/event-stream")
	var sent *Page
	isCurrent, l := false, languageOf(r, v.Language)
	for beat := 0; ; beat++ {
		changed := ""
		if beat%minPageBeats == 0 {
			page, err := s.options.Content.Page(r.Context(), v.Name, l)
			if isCurrent = err == nil; isCurrent && (sent == nil || sent.event != page.event) {
				sent, changed = page, page.event
			}
		}
		event := ":\n\n" // without a sign of life, the page soon says that it is old
		if isCurrent {
			event = cmp.Or(changed, "event: beat\ndata:\n\n")
		}
		if !stream.send(event) || !stream.wait() || !s.isStillAdmitted(r, v) {
			return
		}
	}
}
