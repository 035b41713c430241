package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
	"wallboard/model/contact"
)

// Limits of a [MarkServer].
const (
	maxMarkBody        = 4 << 10
	maxMarkHeader      = 8 << 10
	maxMarkConnections = 16
	markTimeout        = 5 * time.Second
	markInterval       = 2 * time.Second // minimum average time between two requests
	markBurst          = 20
	maxMarkAge         = 7 * 24 * time.Hour
	maxMarkLead        = 24 * time.Hour // how far in the future a mark may be
)

// MarkServerOptions configures a [MarkServer].
type MarkServerOptions struct {
	Listen string                                                     // loopback address with a port
	Token  secret.Text                                                // token that every request must contain
	Write  func(text string, at, until time.Time) (model.Note, error) // stores a mark
	Now    func() time.Time                                           // nil: time.Now
	Log    *slog.Logger
}

// MarkServer accepts marks from other programs on this machine over HTTP. A request is POST /mark with
// the fields text, at and until, as JSON or as a form.
type MarkServer struct {
	options   MarkServerOptions
	limiter   *rate.Limiter
	server    *http.Server
	address   string
	goroutine sync.WaitGroup
}

// ServeMarks starts a server. It returns an error if it cannot listen on the address, if other machines
// can reach the address, or if the token is empty.
func ServeMarks(o MarkServerOptions) (*MarkServer, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := checkListen(o.Listen); err != nil {
		return nil, err
	}
	if o.Token.IsZero() {
		return nil, errors.New("marks.listen needs a token: set marks.token_file")
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for marks: %w", err)
	}
	s := &MarkServer{options: o, limiter: rate.NewLimiter(rate.Every(markInterval), markBurst), address: listener.Addr().String()}
	s.server = &http.Server{
		Handler: s, ReadTimeout: markTimeout, WriteTimeout: 2 * markTimeout, IdleTimeout: markTimeout, MaxHeaderBytes: maxMarkHeader,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	s.goroutine.Go(func() { _ = s.server.Serve(limitConnections(listener)) })
	return s, nil
}

// checkListen returns an error if address is not a loopback address with a port.
func checkListen(address string) error {
	host, port, err := net.SplitHostPort(address)
	if n, numeric := strconv.Atoi(port); err != nil || numeric != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q is not an address with a port", address)
	}
	if !isLoopback(host) {
		return fmt.Errorf("%q can be reached by other machines", address)
	}
	return nil
}

// Stop closes the server and waits until its main goroutine has ended.
func (s *MarkServer) Stop() {
	_ = s.server.Close() // clients can repeat an interrupted request
	s.goroutine.Wait()
}

// Address returns the address on which the server listens.
func (s *MarkServer) Address() string { return s.address }

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// limitConnections returns a listener that closes connections beyond maxMarkConnections.
func limitConnections(l net.Listener) net.Listener {
	places := make(chan struct{}, maxMarkConnections)
	return &netconn.Listener{Listener: l, Admit: func(net.Conn) (release func(), ok bool) {
		select {
		case places <- struct{}{}:
			return sync.OnceFunc(func() { <-places }), true
		default:
			return nil, false
		}
	}}
}

// requestError describes a refused request: the HTTP status and a text for the client.
type requestError struct {
	status int
	text   string
}

// Error implements error.
func (e *requestError) Error() string { return e.text }

func refuse(status int, text string) error { return &requestError{status, text} }

// ServeHTTP implements [http.Handler].
func (s *MarkServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	note, err := s.writeMark(r)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if err != nil {
		status := http.StatusInternalServerError
		if refused, ok := errors.AsType[*requestError](err); ok {
			status = refused.status
		} else {
			s.options.Log.Warn("a mark cannot be written", "error", err)
			err = errors.New("the mark cannot be written; the log of the board has the reason")
		}
		switch status {
		case http.StatusTooManyRequests:
			w.Header().Set("Retry-After", strconv.Itoa(int(markInterval/time.Second)))
		case http.StatusMethodNotAllowed:
			w.Header().Set("Allow", http.MethodPost)
		case http.StatusUnauthorized:
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(&note) // an error means that the client is gone
}

// writeMark checks a request and stores its mark. It returns the mark as a note.
func (s *MarkServer) writeMark(r *http.Request) (note model.Note, err error) {
	now := s.options.Now()
	switch {
	case isForeignMark(r):
		return note, refuse(http.StatusForbidden, "only requests to a loopback address and not from a web page are accepted")
	case r.URL.Path != "/mark":
		return note, refuse(http.StatusNotFound, "unknown path: use /mark")
	case r.Method != http.MethodPost:
		return note, refuse(http.StatusMethodNotAllowed, "use POST")
	case !s.limiter.AllowN(now, 1):
		return note, refuse(http.StatusTooManyRequests, "too many marks: try again later")
	case !s.isAuthorized(r):
		return note, refuse(http.StatusUnauthorized, "the header Authorization needs the token: Bearer TOKEN")
	}
	m, err := readMark(r)
	if err != nil {
		return note, err
	}
	at, until, err := m.times(now)
	if err != nil {
		return note, err
	}
	if model.CleanText(strings.TrimSpace(textnorm.NormalizeLine(m.Text)), 1) == "" {
		return note, refuse(http.StatusBadRequest, "text is missing")
	}
	if note, err = s.options.Write(m.Text, at, until); err != nil {
		return note, err
	}
	s.options.Log.Info("mark received", "text", note.Text, "at", note.At)
	return note, nil
}

// isForeignMark reports whether a request names a host other than this machine or comes from a web page
// of another host.
func isForeignMark(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !isLoopback(host) {
		return true
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}

// isAuthorized reports whether a request contains the token. It compares hashes, so the time of the
// comparison reveals nothing about the token.
func (s *MarkServer) isAuthorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(s.options.Token.Reveal()))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// markRequest holds the fields of a request.
type markRequest struct {
	Text  string `json:"text"`
	At    string `json:"at"`    // RFC 3339, a time of today (10:02), or how long ago (5m); "": now
	Until string `json:"until"` // RFC 3339 or a time of day; "": a mark without an end
}

// readMark reads the fields from the body of a request.
func readMark(r *http.Request) (m markRequest, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	r.Body = http.MaxBytesReader(nil, r.Body, maxMarkBody)
	switch kind {
	case "application/json":
		decoder := json.NewDecoder(r.Body)
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&m)
		if err == nil && decoder.More() {
			err = errors.New("more than one value")
		}
	case "application/x-www-form-urlencoded":
		if err = r.ParseForm(); err == nil {
			for key := range r.PostForm {
				if key != "text" && key != "at" && key != "until" {
					err = fmt.Errorf("unknown field %q", key)
				}
			}
			m = markRequest{r.PostForm.Get("text"), r.PostForm.Get("at"), r.PostForm.Get("until")}
		}
	default:
		return m, refuse(http.StatusUnsupportedMediaType, "send application/json or application/x-www-form-urlencoded")
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return m, refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("a mark has at most %d bytes", tooLarge.Limit))
	}
	if err != nil {
		return m, refuse(http.StatusBadRequest, "the fields are text, at and until: "+err.Error())
	}
	return m, nil
}

// times returns the beginning and the end of a mark.
func (m *markRequest) times(now time.Time) (at, until time.Time, err error) {
	at = now
	if m.At != "" {
		if at, err = time.Parse(time.RFC3339, m.At); err != nil {
			var ok bool
			if at, ok = contact.ParseTimeAgo(m.At, now); !ok {
				return at, until, refuse(http.StatusBadRequest, fmt.Sprintf("at %q: want a time such as 2026-12-24T10:02:00+01:00, a time of today (10:02) or how long ago (5m)", m.At))
			}
		}
	}
	if m.Until != "" {
		if until, err = time.Parse(time.RFC3339, m.Until); err != nil {
			var ok bool
			if until, ok = contact.NextTimeOfDay(m.Until, now); !ok {
				return at, until, refuse(http.StatusBadRequest, fmt.Sprintf("until %q: want a time such as 2026-12-24T15:00:00+01:00, or a time of day (15:00)", m.Until))
			}
		}
	}
	switch {
	case now.Sub(at) > maxMarkAge || at.Sub(now) > maxMarkLead:
		return at, until, refuse(http.StatusBadRequest, "at must be within the last 7 days or the next 24 hours")
	case !until.IsZero() && (!until.After(at) || until.Sub(at) > model.MaxNoteSpan):
		return at, until, refuse(http.StatusBadRequest, "until must be after at, by at most 7 days")
	}
	return at, until, nil
}
