package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/words"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	oldBrowser   = "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/47.0.2526.80 Safari/537.36"
	newerBrowser = "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/48.0.2564.71 Safari/537.36"
	otherBrowser = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
)

// floor is a content for tests. The users are anna and the walls hall and yard.
type floor struct {
	mu      sync.Mutex
	gone    map[string]bool
	page    *Page
	stopped bool // no more pictures are drawn
	noPage  bool // there is no page to show
	drawn   int
	taken   []string // situations that were taken over
}

func (f *floor) Viewer(name string) (Viewer, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	isUser := name == "anna" || name == "hall" || name == "yard"
	return Viewer{Name: name, Wall: name != "anna"}, isUser && !f.gone[name]
}

func (f *floor) Picture(_ context.Context, user string) (*Picture, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drawn++
	at := time.Now()
	if f.stopped {
		at = at.Add(-time.Minute)
	}
	return NewPicture([]byte(fmt.Sprintf("picture of %s %d", user, f.drawn/3)), at), nil
}

func (f *floor) Page(context.Context, string, *words.Language) (*Page, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noPage {
		return nil, errors.New("no page")
	}
	return f.page, nil
}

func (f *floor) PageAt(_ context.Context, _ string, clock time.Time, _ *words.Language) (*Page, error) {
	return NewPage("Then", []byte("<h1>at "+clock.Format("15:04")+"</h1>")), nil
}

func (f *floor) TakeOver(_ context.Context, user string, number int, situation string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if situation == "ended" {
		return words.NewError(words.AlertsEnded(), nil)
	}
	f.taken = append(f.taken, fmt.Sprint(user, " ", number, " ", situation))
	return nil
}

func (f *floor) RunTerminal(ctx context.Context, user string, t Terminal) error {
	if _, err := fmt.Fprintf(t.Out, "%s %dx%d %s", user, t.Columns, t.Rows, t.Language); err != nil {
		return err
	}
	go func() { _, _ = io.Copy(t.Out, t.In) }()
	<-ctx.Done()
	return ctx.Err()
}

// server is a running server.
type server struct {
	t       *testing.T
	base    string
	addr    string
	access  *Access
	content *floor
	log     *logBuffer
	roots   *x509.CertPool
	web     *Server
}

// logBuffer is a log that goroutines write.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func serve(t *testing.T, change ...func(*Options)) *server {
	t.Helper()
	dir := testkit.PrivateDir(t)
	pair, _, err := netconn.SelfSignedCertificate(filepath.Join(dir, "web.pem"), []string{"board.example.com"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	access, err := OpenAccess(filepath.Join(dir, "access.json"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, addr: l.Addr().String(), access: access, content: &floor{gone: make(map[string]bool), page: NewPage("Floor", []byte("<h1>Nothing needs action now</h1>"))}, log: new(logBuffer), roots: x509.NewCertPool()}
	_, port, _ := net.SplitHostPort(s.addr)
	s.base = "https://board.example.com:" + port
	s.roots.AddCert(pair.Leaf)
	o := Options{
		Certificate: func() *tls.Certificate { return pair }, Access: access, Content: s.content, MaxEvents: 300, heartbeat: 20 * time.Millisecond,
		Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, edit := range change {
		edit(&o)
	}
	s.web = New(o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.web.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server ended: %v", err)
		}
	})
	return s
}

// browser is a browser with its own cookies.
type browser struct {
	*http.Client
	s         *server
	userAgent string
	header    http.Header
}

func (s *server) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, s.addr)
		},
	}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &browser{
		Client: &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		s:      s, userAgent: oldBrowser, header: make(http.Header),
	}
}

// answer is the answer to a request.
type answer struct {
	*http.Response
	body string
}

func (b *browser) request(method, path string) *http.Request {
	b.s.t.Helper()
	r, err := http.NewRequestWithContext(b.s.t.Context(), method, b.s.base+path, nil)
	if err != nil {
		b.s.t.Fatal(err)
	}
	r.Header = b.header.Clone()
	r.Header.Set("User-Agent", b.userAgent)
	if method == http.MethodPost && r.Header.Get("Origin") == "" {
		r.Header.Set("Origin", b.s.base)
	}
	return r
}

func (b *browser) do(r *http.Request) answer {
	b.s.t.Helper()
	res, err := b.Do(r)
	if err != nil {
		b.s.t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read completely
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.s.t.Fatal(err)
	}
	return answer{res, string(body)}
}

func (b *browser) get(path string) answer {
	b.s.t.Helper()
	return b.do(b.request(http.MethodGet, path))
}

func (b *browser) post(path string) answer {
	b.s.t.Helper()
	return b.do(b.request(http.MethodPost, path))
}

// open returns the body of an answer that does not end.
func (b *browser) open(path string) (io.ReadCloser, int) {
	b.s.t.Helper()
	res, err := b.Do(b.request(http.MethodGet, path))
	if err != nil {
		b.s.t.Fatal(err)
	}
	b.s.t.Cleanup(func() { _ = res.Body.Close() })
	return res.Body, res.StatusCode
}

// linked returns a browser that has followed a link of a user, and the secret of the link.
func (s *server) linked(user string) (*browser, string) {
	s.t.Helper()
	secret, err := s.access.NewLink(user)
	if err != nil {
		s.t.Fatal(err)
	}
	b := s.browser()
	b.enter(secret)
	return b, secret
}

// enter follows a link and presses its button.
func (b *browser) enter(secret string) answer {
	b.s.t.Helper()
	if a := b.get("/link/" + secret); a.StatusCode != http.StatusOK || a.Header.Get("Refresh") != "0; url=/enter" {
		b.s.t.Fatalf("a link: %d, refresh %q", a.StatusCode, a.Header.Get("Refresh"))
	}
	if a := b.get("/enter"); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "<button>") {
		b.s.t.Fatalf("the page with the button: %d", a.StatusCode)
	}
	return b.post("/enter")
}

// secret returns the secret in the browser's cookie.
func (b *browser) secret() string {
	for _, c := range b.Jar.Cookies(b.request(http.MethodGet, "/").URL) {
		if c.Name == deviceCookie {
			return c.Value
		}
	}
	return ""
}

// TestLink checks that a link works once, that only the button uses it up, and that the browser then
// has access.
func TestLink(t *testing.T) { //nolint:gocyclo // one story
	t.Parallel()
	s := serve(t)
	secret, err := s.access.NewLink("anna")
	if err != nil {
		t.Fatal(err)
	}
	scanner := s.browser()
	if a := scanner.get("/link/" + secret); a.StatusCode != http.StatusOK || strings.Contains(a.body, secret) || a.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("a program that opens links: %d %s", a.StatusCode, a.body)
	}
	b := s.browser()
	if a := b.get("/"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a link: %d", a.StatusCode)
	}
	a := b.enter(secret)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
		t.Errorf("the button: %d, to %q", a.StatusCode, a.Header.Get("Location"))
	}
	for _, c := range a.Cookies() {
		if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("the cookie %s is %v", c.Name, c)
		}
	}
	if a := b.get("/"); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "<h1>Nothing needs action now</h1>") {
		t.Errorf("the page: %d %s", a.StatusCode, a.body)
	}
	if a := b.get("/link/" + secret); a.StatusCode != http.StatusSeeOther {
		t.Errorf("the same browser with its link: %d", a.StatusCode)
	}
	for _, other := range []*browser{scanner, s.browser()} {
		if a := other.get("/link/" + secret); a.StatusCode != http.StatusNotFound {
			t.Errorf("the link for another browser: %d", a.StatusCode)
		}
		if a := other.post("/enter"); a.StatusCode != http.StatusNotFound {
			t.Errorf("the button for another browser: %d", a.StatusCode)
		}
	}
	if text, err := os.ReadFile(s.access.path); err != nil || strings.Contains(string(text), secret) || strings.Contains(string(text), b.secret()) {
		t.Errorf("the file contains a secret: %v", err)
	}
	if info, err := os.Stat(s.access.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
}

// TestNoSecretIsLogged checks that the log contains no secrets.
func TestNoSecretIsLogged(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b, link := s.linked("anna")
	b.get("/")
	b.get("/link/guess-that-is-wrong")
	b.get("/at/15:04")
	thief := s.browser()
	thief.userAgent = otherBrowser
	thief.header.Set("Cookie", deviceCookie+"="+b.secret())
	thief.get("/")
	b.post("/leave")
	log := s.log.String()
	for _, secret := range []string{link, b.secret(), thief.header.Get("Cookie"), "guess-that-is-wrong"} {
		if secret != "" && strings.Contains(log, secret) {
			t.Errorf("the log contains %q:\n%s", secret, log)
		}
	}
	for _, want := range []string{"browser admitted", "browser refused", "browser removed", "may be stolen"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not contain %q:\n%s", want, log)
		}
	}
}

// TestStolenCookie checks that another browser cannot use a cookie, but an updated version of the same
// browser can.
func TestStolenCookie(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b, _ := s.linked("anna")
	for agent, want := range map[string]int{oldBrowser: http.StatusOK, newerBrowser: http.StatusOK, otherBrowser: http.StatusUnauthorized, "": http.StatusUnauthorized} {
		b.userAgent = agent
		if a := b.get("/"); a.StatusCode != want {
			t.Errorf("%q: %d, want %d", agent, a.StatusCode, want)
		}
	}
}

// TestRemoved checks that a removed device or user loses access, also on an open page.
func TestRemoved(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna, _ := s.linked("anna")
	hall, _ := s.linked("hall")
	events, _ := anna.open("/events")
	wall, _ := hall.open("/wall/hall")
	if n, err := s.access.Remove("anna"); n != 1 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	s.content.mu.Lock()
	s.content.gone["hall"] = true
	s.content.mu.Unlock()
	for _, open := range []io.Reader{events, wall} { // the pages end
		if _, err := io.ReadAll(open); err != nil {
			t.Errorf("an open page: %v", err)
		}
	}
	if a := anna.get("/"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("a removed device: %d", a.StatusCode)
	}
	if a := hall.get("/wall/hall"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("a device of a removed user: %d", a.StatusCode)
	}
	if a := anna.post("/leave"); a.StatusCode != http.StatusOK {
		t.Errorf("leaving: %d", a.StatusCode)
	}
}

// TestEndSessions checks that an administrator can end a user's open pages, and that the user can open
// them again.
func TestEndSessions(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna, _ := s.linked("anna")
	hall, _ := s.linked("hall")
	events, _ := anna.open("/events")
	wall, _ := hall.open("/wall/hall")
	readUntil(t, events, "event: ", 1)
	readUntil(t, wall, "<img ", 1)
	if n := s.web.EndSessionsOf("anna"); n != 1 {
		t.Errorf("%d sessions of anna have ended, want 1", n)
	}
	if n := s.web.EndSessionsOf("hall") + s.web.EndSessionsOf("nobody"); n != 1 {
		t.Errorf("%d sessions have ended, want that of the wall", n)
	}
	for _, open := range []io.Reader{events, wall} { // the pages end
		if _, err := io.ReadAll(open); err != nil {
			t.Errorf("an open page: %v", err)
		}
	}
	for path, b := range map[string]*browser{"/": anna, "/events": anna, "/wall/hall": hall} {
		if a := b.get(path); a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, `action="/again"`) {
			t.Errorf("%s after the end: %d\n%s", path, a.StatusCode, a.body)
		}
	}
	if a := hall.post("/again"); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/wall/hall" {
		t.Errorf("the wall again: %d, %q", a.StatusCode, a.Header.Get("Location"))
	}
	if _, status := hall.open("/wall/hall"); status != http.StatusOK {
		t.Errorf("the wall again: %d", status)
	}
	if a := anna.get("/"); a.StatusCode != http.StatusForbidden {
		t.Errorf("the page of another user: %d", a.StatusCode)
	}
	if a := s.browser().post("/again"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("a browser without access: %d", a.StatusCode)
	}
	if a := anna.post("/leave"); a.StatusCode != http.StatusOK || s.web.EndSessionsOf("nobody") != 0 || len(s.web.endedDevices) > 0 {
		t.Errorf("%d removed devices are remembered (%d)", len(s.web.endedDevices), a.StatusCode)
	}
}

// TestWall checks the page and the picture of a wall.
func TestWall(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hall, _ := s.linked("hall")
	if a := hall.get("/"); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/wall/hall" {
		t.Errorf("the start page of a wall: %d, %q", a.StatusCode, a.Header.Get("Location"))
	}
	open, status := hall.open("/wall/hall")
	text := readUntil(t, open, "<img ", 3)
	if status != http.StatusOK || strings.Contains(text, "<script") || strings.Count(text, "<p>") < 3 || !strings.Contains(text, `src="/wall/hall/picture.png?`) || !strings.Contains(text, "this picture is from ") {
		t.Errorf("%d\n%s", status, text)
	}
	a := hall.get("/wall/hall/picture.png")
	if a.StatusCode != http.StatusOK || !strings.HasPrefix(a.body, "picture of hall") || a.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the picture: %d %q", a.StatusCode, a.body)
	}
	for _, path := range []string{"/wall/yard", "/wall/yard/picture.png", "/wall/anna", "/wall/", "/wall/hall/other"} {
		if a := hall.get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	s.content.mu.Lock()
	s.content.stopped = true
	s.content.mu.Unlock()
	later, _ := hall.open("/wall/hall")
	readUntil(t, later, "<p>No picture yet.", 1)
	if a := hall.get("/wall/hall/picture.png"); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("an old picture: %d", a.StatusCode)
	}
}

// TestSamePicture checks that a client that has a picture does not get it again.
func TestSamePicture(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hall, _ := s.linked("hall")
	for range 10 { // a new picture may be drawn in between
		a := hall.get("/wall/hall/picture.png")
		r := hall.request(http.MethodGet, "/wall/hall/picture.png")
		r.Header.Set("If-None-Match", a.Header.Get("ETag"))
		if again := hall.do(r); again.StatusCode == http.StatusNotModified && again.body == "" {
			return
		}
	}
	t.Error("the same picture is sent again")
}

// readUntil reads until a text has occurred n times.
func readUntil(t *testing.T, r io.Reader, want string, n int) string {
	t.Helper()
	var text strings.Builder
	for b := make([]byte, 4096); ; {
		k, err := r.Read(b)
		text.Write(b[:k])
		if strings.Count(text.String(), want) >= n {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%v after\n%s", err, text.String())
		}
	}
}

// TestEvents checks that a page is sent when it changes, and a sign of life otherwise.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b, _ := s.linked("anna")
	open, status := b.open("/events")
	text := readUntil(t, open, "\n\n", 2)
	if status != http.StatusOK || !strings.HasPrefix(text, "event: main\ndata: \"\\u003ch1\\u003eNothing") || !strings.Contains(text, "event: beat\n") {
		t.Errorf("%d %q", status, text)
	}
	s.content.mu.Lock()
	s.content.page = NewPage("Floor", []byte("<h1>1 critical</h1>"))
	s.content.mu.Unlock()
	readUntil(t, open, "1 critical", 1)
	for range maxEventsPerDevice - 1 {
		if _, status := b.open("/events"); status != http.StatusOK {
			t.Errorf("another stream: %d", status)
		}
	}
	if _, status := b.open("/events"); status != http.StatusTooManyRequests {
		t.Errorf("too many streams: %d", status)
	}
}

// TestNoPage checks that a page gets no sign of life while the server has nothing to show.
func TestNoPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.content.noPage = true
	b, _ := s.linked("anna")
	open, _ := b.open("/events")
	if text := readUntil(t, open, ":\n\n", 3*minPageBeats); strings.Contains(text, "beat") {
		t.Errorf("a sign of life: %q", text)
	}
}

// lostConn is a connection of a client that can lose its network.
type lostConn struct {
	net.Conn
	isLost atomic.Bool
	closed func() // called when the server closes the lost connection
}

func (c *lostConn) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		if !c.isLost.Load() {
			return n, err
		}
		if err != nil {
			c.closed()
			return 0, err
		}
	}
}

func (c *lostConn) Write(b []byte) (int, error) {
	if c.isLost.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
}

// TestLostNetwork checks that a page ends when its client has lost the network without closing the
// connection, as a phone does.
func TestLostNetwork(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.ping = time.Second })
	b, _ := s.linked("anna")
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	lost := &lostConn{Conn: c, closed: sync.OnceFunc(func() { close(closed) })}
	b.Transport = &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12},
		DialContext: func(context.Context, string, string) (net.Conn, error) { return lost, nil },
	}
	res, err := b.Do(b.request(http.MethodGet, "/events"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // does not end
	readUntil(t, res.Body, "beat", 2)
	if res.ProtoMajor != 2 || s.web.unknownConns.Len() > 1 { // one unknown connection may be that of the link
		t.Errorf("%s, %d connections count as unknown", res.Proto, s.web.unknownConns.Len())
	}
	lost.isLost.Store(true)
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("the server keeps the page of a client that is gone")
	}
}

// form returns a function that puts a form into a request.
func form(values string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(values)), int64(len(values))
	}
}

// socketOf returns a function that turns a request into one for a WebSocket, from a site.
func socketOf(origin string) func(*http.Request) {
	return func(r *http.Request) {
		for name, value := range map[string]string{"Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-Websocket-Version": "13", "Sec-Websocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} {
			r.Header.Set(name, value)
		}
	}
}

// expiredLink returns the secret of a link that has expired.
func (s *server) expiredLink() string {
	s.t.Helper()
	secret, err := s.access.NewLink("anna")
	if err == nil {
		err = s.access.updateFile(func(d *accessData) error {
			d.Links[len(d.Links)-1].Expires = time.Now().Add(-time.Second)
			return nil
		})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

// TestHostile sends requests that a server must refuse, or answer without harm. Meanwhile an open wall
// must not be affected.
func TestHostile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b, used := s.linked("anna")
	expired := s.expiredLink()
	hall, _ := s.linked("hall")
	wall, _ := hall.open("/wall/hall")
	attacks := 0
	for _, test := range []struct {
		name, method, path string
		edit               func(*http.Request)
		want               int
	}{
		{"own page", "GET", "/", func(*http.Request) {}, 200},
		{"foreign host", "GET", "/", func(r *http.Request) { r.Host = "evil.example.com" }, 421},
		{"no host", "GET", "/", func(r *http.Request) { r.Host = "." }, 421},
		{"address as host", "GET", "/", func(r *http.Request) {
			r.Host = s.addr
			r.Header.Set("Cookie", deviceCookie+"="+b.secret())
		}, 200},
		{"foreign address as host", "GET", "/", func(r *http.Request) { r.Host = "192.0.2.1" }, 421},
		{"foreign origin", "GET", "/main", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, 403},
		{"hidden origin", "GET", "/events", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"picture on another site", "GET", "/wall/hall/picture.png", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "no-cors")
		}, 403},
		{"frame on another site", "GET", "/", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403},
		{"link on another site", "GET", "/", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 200},
		{"form on another site", "POST", "/leave", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, 403},
		{"form of a hidden origin", "POST", "/leave", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"form without origin", "POST", "/leave", func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"form to a page", "POST", "/", func(*http.Request) {}, 405},
		{"other method", "DELETE", "/", func(*http.Request) {}, 405},
		{"method to write", "PUT", "/main", func(*http.Request) {}, 405},
		{"path upwards", "GET", "/style.css/../../etc/passwd", func(*http.Request) {}, 307},
		{"hidden path upwards", "GET", "/%2e%2e%2fetc/passwd", func(*http.Request) {}, 404},
		{"time with markup", "GET", "/at/%3Cscript%3E", func(*http.Request) {}, 404},
		{"long time", "GET", "/at/" + strings.Repeat("9", 4000), func(*http.Request) {}, 404},
		{"huge header", "GET", "/", func(r *http.Request) { r.Header.Set("X-Fill", strings.Repeat("x", 20<<10)) }, 431},
		{"take-over without origin", "POST", "/take-over?floor=1&situation=x", func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"take-over from another site", "POST", "/take-over?floor=1&situation=x", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, 403},
		{"take-over from a subdomain", "POST", "/take-over?floor=1&situation=x", func(r *http.Request) { r.Header.Set("Origin", "https://x.board.example.com") }, 403},
		{"take-over from the same name without TLS", "POST", "/take-over?floor=1&situation=x", func(r *http.Request) { r.Header.Set("Origin", strings.Replace(s.base, "https", "http", 1)) }, 403},
		{"take-over by a link", "GET", "/take-over?floor=1&situation=x", func(*http.Request) {}, 405},
		{"take-over in the address", "POST", "/take-over?floor=1&situation=x", func(*http.Request) {}, 404},
		{"take-over of no floor", "POST", "/take-over", form("floor=x&situation=x"), 404},
		{"take-over of a large form", "POST", "/take-over", form("floor=1&situation=" + strings.Repeat("x", 2*maxBodyBytes)), 404},
		{"take-over of what has ended", "POST", "/take-over", form("floor=1&situation=ended"), 409},
		{"take-over with a method override", "GET", "/take-over?_method=POST&floor=1&situation=x", func(r *http.Request) { r.Header.Set("X-HTTP-Method-Override", "POST") }, 405},
		{"socket of another site", "GET", "/terminal/socket?columns=80&rows=24", socketOf("https://evil.example.com"), 403},
		{"socket without a size", "GET", "/terminal/socket", func(*http.Request) {}, 404},
		{"socket with a negative size", "GET", "/terminal/socket?columns=-1&rows=-1", func(*http.Request) {}, 404},
		{"socket without an upgrade", "GET", "/terminal/socket?columns=80&rows=24", func(*http.Request) {}, 400},
		{"picture of another wall", "GET", "/wall/hall/picture.png", func(*http.Request) {}, 404},
		{"wall with markup", "GET", "/wall/%3Cimg%20src=x%3E", func(*http.Request) {}, 404},
		{"wall with a line break", "GET", "/wall/hall%0d%0aSet-Cookie:%20x=y", func(*http.Request) {}, 404},
		{"redirection to another site", "GET", "/at?t=//evil.example.com", func(*http.Request) {}, 303},
		{"redirection with a line break", "GET", "/at?t=14:05%0d%0aX-Evil:%20yes", func(*http.Request) {}, 303},
		{"path of another site", "GET", "//evil.example.com/", func(*http.Request) {}, 307},
		{"backslashes", "GET", "/%5c%5cevil.example.com", func(*http.Request) {}, 404},
		{"host with markup", "GET", "/", func(r *http.Request) { r.Host = "<script>" }, 421},
		{"host of a subdomain", "GET", "/", func(r *http.Request) { r.Host = "x.board.example.com" }, 421},
		{"forwarded host", "GET", "/nowhere", func(r *http.Request) { r.Header.Set("X-Forwarded-Host", "evil.example.com") }, 404},
		{"two thousand languages", "GET", "/", func(r *http.Request) { r.Header.Set("Accept-Language", strings.Repeat("x,", 2000)) }, 200},
		{"language with a path", "GET", "/", func(r *http.Request) { r.Header.Set("Accept-Language", "../../etc/passwd") }, 200},
		{"ranges of bytes", "GET", "/style.css", func(r *http.Request) { r.Header.Set("Range", "bytes="+strings.Repeat("0-1,", 1000)+"0-1") }, 206},
		{"compressed body", "POST", "/leave", func(r *http.Request) {
			r.Header.Set("Content-Encoding", "gzip")
			r.Header.Set("Origin", "https://evil.example.com")
		}, 403},
		{"tracing", "TRACE", "/", func(*http.Request) {}, 405},
		{"options", "OPTIONS", "/", func(*http.Request) {}, 405},
		{"method with any name", "HACK", "/", func(*http.Request) {}, 405},
		{"cookie in the address", "GET", "/?" + deviceCookie + "=x", func(r *http.Request) { r.Header.Set("Cookie", "x=y") }, 401},
		{"cookie of a link", "GET", "/", func(r *http.Request) { r.Header.Set("Cookie", linkCookie+"=x") }, 401},
		{"hash of a cookie", "GET", "/", func(r *http.Request) { r.Header.Set("Cookie", deviceCookie+"="+hashOf(b.secret())) }, 401},
		{"cookie without its prefix", "GET", "/", func(r *http.Request) { r.Header.Set("Cookie", "wallboard="+b.secret()) }, 401},
		{"cookie in another browser", "GET", "/", func(r *http.Request) {
			r.Header.Set("Cookie", deviceCookie+"="+b.secret())
			r.Header.Set("User-Agent", otherBrowser)
		}, 401},
		{"link that was used", "GET", "/link/" + used, func(r *http.Request) { r.Header.Set("Cookie", "x=y") }, 404},
		{"link that has expired", "GET", "/link/" + expired, func(*http.Request) {}, 404},
		{"button again", "POST", "/enter", func(r *http.Request) { r.Header.Set("Cookie", linkCookie+"="+used) }, 404},
		{"two cookies", "GET", "/", func(r *http.Request) { r.Header.Set("Cookie", deviceCookie+"=x; "+deviceCookie+"=y") }, 401},
		{"empty cookie", "GET", "/", func(r *http.Request) { r.Header.Set("Cookie", deviceCookie+"=") }, 401},
		{"cookie of 4 kB", "GET", "/", func(r *http.Request) { r.Header.Set("Cookie", deviceCookie+"="+strings.Repeat("x", 4<<10)) }, 401},
		{"link with a zero byte", "GET", "/link/%00", func(*http.Request) {}, 404},
		{"long link", "GET", "/link/" + strings.Repeat("x", 4000), func(*http.Request) {}, 404},
	} {
		attacks++
		t.Run(test.name, func(t *testing.T) {
			readUntil(t, wall, "</p>", 1)
			s.web.failures.Reset()
			r := b.request(test.method, test.path)
			test.edit(r)
			client := *b.Client
			if r.Header.Get("Cookie") != "" {
				client.Jar = nil
			}
			res, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body) // what has arrived
			_ = res.Body.Close()
			if res.StatusCode != test.want {
				t.Errorf("%d, want %d", res.StatusCode, test.want)
			}
			if strings.Contains(string(body), "<script>") || strings.Contains(string(body)+fmt.Sprint(res.Header), "//evil.example.com") || res.Header.Get("X-Evil") != "" {
				t.Errorf("the answer repeats the request: %s", body)
			}
		})
	}
	if a := b.get("/"); a.StatusCode != http.StatusOK || attacks < 50 {
		t.Errorf("after %d attacks, the browser has lost its access: %d", attacks, a.StatusCode)
	}
	if len(s.content.taken) > 0 {
		t.Errorf("an attack has taken over %q", s.content.taken)
	}
}

// TestTakeOver sends the request of the button that takes over an alert.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna, _ := s.linked("anna")
	hall, _ := s.linked("hall")
	take := func(b *browser) answer {
		r := b.request(http.MethodPost, "/take-over")
		form("floor=1&situation=service+A+1")(r)
		return b.do(r)
	}
	if a := take(anna); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
		t.Errorf("the button: %d", a.StatusCode)
	}
	if a := take(hall); a.StatusCode != http.StatusNotFound {
		t.Errorf("a wall: %d", a.StatusCode)
	}
	if fmt.Sprint(s.content.taken) != "[anna 1 service A 1]" {
		t.Errorf("taken over: %q", s.content.taken)
	}
}

// TestTerminal sends a key to a terminal in a browser, lists the terminal, and ends it.
func TestTerminal(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna, _ := s.linked("anna")
	if a := anna.get("/terminal"); a.StatusCode != http.StatusOK || strings.Contains(a.body, "<script>") || !strings.Contains(a.Header.Get("Content-Security-Policy"), "script-src 'self';") {
		t.Errorf("the page: %d, policy %q", a.StatusCode, a.Header.Get("Content-Security-Policy"))
	}
	if a := anna.get("/xterm.js"); !strings.Contains(a.body, "The xterm.js authors") || !strings.Contains(a.body, "Permission is hereby granted") || len(a.body) > 300_000 {
		t.Errorf("the library has %d bytes, or no licence", len(a.body))
	}
	header := anna.request(http.MethodGet, "/").Header
	header.Set("Cookie", deviceCookie+"="+anna.secret())
	header.Set("Origin", s.base)
	dialer := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12}, NetDialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.addr)
	}}
	c, res, err := dialer.DialContext(t.Context(), strings.Replace(s.base, "https", "wss", 1)+"/terminal/socket?columns=9999&rows=24", header)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // of a test
	defer c.Close()        //nolint:errcheck // of a test
	if err := c.WriteMessage(websocket.TextMessage, []byte("key")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 2 {
		_, text, err := c.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	if open := s.web.Sessions(); fmt.Sprint(got) != "[anna 300x24 en key]" || len(open) != 1 || open[0].User != "anna" || open[0].Sent == 0 {
		t.Errorf("%q, sessions %+v", got, open)
	}
	if _, err := s.access.Remove("anna"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.ReadMessage(); err == nil { // the server closes the connection
		t.Error("the terminal of a removed device goes on")
	}
}

// TestLanguages checks the pages in each language.
func TestLanguages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	stranger := s.browser()
	anna, _ := s.linked("anna")
	for accepted, want := range map[string][2]string{
		"de-CH,de;q=0.9,en;q=0.8": {"de", "Bitten Sie Ihre Administration"}, "fr": {"fr", "Demandez un lien"}, "xx, it;q=0.5": {"it", "Chieda un link"},
		"es-MX": {"es", "Pida un enlace"}, "": {"en", "Ask your administrator"}, "tlh": {"en", "Ask your administrator"},
	} {
		s.web.failures.Reset()
		stranger.header.Set("Accept-Language", accepted)
		anna.header.Set("Accept-Language", accepted)
		if a := stranger.get("/"); !strings.Contains(a.body, `<html lang="`+want[0]+`">`) || !strings.Contains(a.body, want[1]) {
			t.Errorf("%q:\n%s", accepted, a.body)
		}
		if a := anna.get("/"); !strings.Contains(a.body, `<html lang="`+want[0]+`">`) || want[0] != "en" && strings.Contains(a.body, "Pause updates") {
			t.Errorf("%q:\n%s", accepted, a.body)
		}
	}
}

// TestSecurityHeaders checks the headers that protect all pages.
func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b, _ := s.linked("anna")
	for _, path := range []string{"/", "/main", "/at/15:04", "/link/x", "/nowhere", "/style.css"} {
		h := b.get(path).Header
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if h.Get("X-Frame-Options") != "DENY" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, h)
		}
	}
	hall, _ := s.linked("hall")
	res, err := hall.Do(hall.request(http.MethodGet, "/wall/hall"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // does not end
	policy := res.Header.Get("Content-Security-Policy")
	if strings.Contains(policy, "script-src") || !strings.Contains(policy, "style-src 'sha256-") {
		t.Errorf("the policy of a wall: %q", policy)
	}
	if text := readUntil(t, res.Body, "<body>", 1); !strings.Contains(text, "<style>"+wallStyle+"</style>") {
		t.Errorf("the style is not the one of the policy:\n%s", text)
	}
}

// TestGuesses checks that a client that guesses secrets is stopped, while browsers with access are not.
func TestGuesses(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b, link := s.linked("anna")
	guesser := s.browser()
	refused := 0
	for i := range 100 {
		if guesser.get(fmt.Sprintf("/link/GUESS%d", i)).StatusCode == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 100-failureBurst-2 {
		t.Errorf("%d of 100 guesses are refused", refused)
	}
	guesser.header.Set("Cookie", deviceCookie+"=guess")
	if a := guesser.get("/"); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a guessed cookie: %d", a.StatusCode)
	}
	if a := b.get("/"); a.StatusCode != http.StatusOK {
		t.Errorf("a browser with access, at the same address: %d", a.StatusCode)
	}
	if a := b.get("/link/" + link); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a browser with access that starts with its link: %d", a.StatusCode)
	}
	s.web.failures.Reset()
	guesser.header.Set("Cookie", linkCookie+"=guess")
	for range failureBurst + 1 {
		guesser.get("/enter")
	}
	if a := guesser.get("/enter"); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a guessed link in a cookie: %d", a.StatusCode)
	}
	if n := strings.Count(s.log.String(), "browser refused"); n > 2*failureBurst+4 {
		t.Errorf("%d lines in the log", n)
	}
}

// TestSlowClients checks that connections that do nothing do not keep others out.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hall, _ := s.linked("hall")
	open, _ := hall.open("/wall/hall")
	readUntil(t, open, "</p>", 2)
	silent, halfTLS := 0, []byte{0x16, 0x03, 0x01}
	for i := range maxUnknownPerHost + 50 {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() //nolint:errcheck // of a test
		if i%2 == 0 {
			if _, err := c.Write(halfTLS); err != nil && !errors.Is(err, net.ErrClosed) {
				continue // closed to make room
			}
		}
		silent++
	}
	if n := s.web.unknownConns.Len(); n > maxUnknownConns {
		t.Errorf("%d connections wait", n)
	}
	readUntil(t, open, "</p>", 2) // the open wall continues
	t.Logf("%d silent connections", silent)
}

// TestPartialRequest checks that the server closes the connection of a request that does not end.
func TestPartialRequest(t *testing.T) {
	t.Parallel()
	const timeout = 500 * time.Millisecond
	s := serve(t, func(o *Options) { o.headerTimeout = timeout })
	c, err := (&tls.Dialer{Config: &tls.Config{RootCAs: s.roots, ServerName: "board.example.com", MinVersion: tls.VersionTLS12}}).DialContext(t.Context(), "tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // of a test
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: board.exa"); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	text, _ := io.ReadAll(c) // until the server closes it
	if took := time.Since(start); took < timeout/2 || strings.Contains(string(text), "200 OK") {
		t.Errorf("closed after %v with %q", took, text)
	}
}

// TestManyWalls opens 200 walls on 200 devices, each with a connection of its own, and keeps them open.
func TestManyWalls(t *testing.T) {
	t.Parallel()
	const walls = 200
	s := serve(t)
	if err := s.access.updateFile(func(d *accessData) error {
		for i := range walls {
			d.Devices = append(d.Devices, Device{Hash: hashOf(fmt.Sprint("device", i)), User: "hall", Since: time.Now(), Browser: browserOf(oldBrowser)})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range walls {
		b := s.browser()
		b.header.Set("Cookie", fmt.Sprint(deviceCookie, "=device", i))
		open, status := b.open("/wall/hall") // one after the other, because handshakes on a busy machine take long
		all.Go(func() {
			text := make([]byte, 8<<10)
			n, err := io.ReadAtLeast(open, text, len(wallStyle)+300)
			if err != nil || status != http.StatusOK || !strings.Contains(string(text[:n]), "<img ") {
				t.Errorf("a wall: %d, %v", status, err)
			}
		})
	}
	all.Wait()
}

// TestTemplates executes all templates and checks that texts are escaped.
func TestTemplates(t *testing.T) {
	t.Parallel()
	const markup = `"><script>alert(1)</script>`
	for name, data := range map[string]map[string]any{
		"notice": {"Text": words.Name(markup), "Linked": true},
		"enter":  {"User": markup},
		"page":   {"Title": markup, "Live": true},
		"wall":   {"Name": markup},
	} {
		data["L"] = (*words.Language)(nil)
		if text := renderTemplate(name, data); strings.Contains(text, "<script>") || strings.Contains(text, `""`) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if text := pictureTag(nil, markup, &Picture{ETag: markup}, markup, markup); strings.Contains(text, "<script>") || strings.Contains(text, `""`) {
		t.Errorf("a picture:\n%s", text)
	}
	if lines := bytes.Count(script, []byte("\n")); lines > 200 {
		t.Errorf("the script has %d lines", lines)
	}
}
