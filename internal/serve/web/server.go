// Package web serves boards to browsers over HTTPS: a picture for walls, and pages of text for desks
// and phones. No request of a browser can act on the platform: the only ones that change anything admit
// or remove the browser itself, or take a situation over.
//
// A link of [Access.NewLink] admits one browser, which then identifies itself with a cookie. The
// package gets what a viewer sees from [Content], which applies the viewer's masks. No secret appears
// in a log, and no address is logged but that of the client.
//
// A [MarkServer] accepts marks of other programs on the same machine, over HTTP. It answers a request
// after the mark is stored. A mark that is posted twice is stored twice.
//
// [Server.Serve] runs the goroutines of [http.Server], which all end with its context. [ServeMarks]
// starts one goroutine, and another one for each connection; [MarkServer.Stop] ends the first and
// closes the connections.
package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/words"
)

// Limits of connections and requests.
const (
	headerTimeout      = 5 * time.Second
	readTimeout        = 10 * time.Second
	writeTimeout       = 15 * time.Second
	idleTimeout        = 90 * time.Second
	shutdownTimeout    = 3 * time.Second
	maxHeaderBytes     = 8 << 10
	maxBodyBytes       = 1 << 10
	maxStreams         = 32               // requests of one HTTP/2 connection at the same time
	maxUnknownConns    = 512              // connections that have not shown a valid cookie yet
	maxUnknownPerHost  = 256              // such connections from one network: all walls of a site may connect at once
	maxEventsPerDevice = 6                // open pages of one device
	pingInterval       = 15 * time.Second // how long an HTTP/2 client may be silent, and then how long its answer may take
	failureBurst       = 10               // refused links and cookies that a network may have at once
	failuresPerSecond  = 0.2              // refused links and cookies that a network regains per second
)

// Viewer is a user who may open the board with a browser.
type Viewer struct {
	Name     string
	Wall     bool   // the user is a wall, which sees a picture; the others see pages of text
	Language string // tag of the language, or "auto" for that of the browser
	Rights   string // identifies what the user may see; a change ends what is open
}

// Picture is the picture of a wall.
type Picture struct {
	PNG     []byte
	ETag    string    // identifies the content, in quotes
	DrawnAt time.Time // in the time zone of the board
}

// NewPicture returns a picture.
func NewPicture(png []byte, drawnAt time.Time) *Picture {
	return &Picture{PNG: png, ETag: entityTag(png), DrawnAt: drawnAt}
}

// Page is the text that a user sees. Users who see the same share it.
type Page struct {
	Title string
	Main  []byte // HTML of the element main

	event string // the page as an event for its viewers
}

// NewPage returns a page.
func NewPage(title string, main []byte) *Page {
	text, err := json.Marshal(string(main))
	if err != nil {
		panic("web: " + err.Error()) // a string can always be encoded
	}
	return &Page{Title: title, Main: main, event: "event: main\ndata: " + string(text) + "\n\n"}
}

// Content provides what users may see. It is safe for concurrent use. If there is nothing to show, its
// methods return an error, which is logged but not shown to the user.
type Content interface {
	// Viewer returns the user with the given name, according to the current configuration. ok is false
	// if the user does not exist or may not use a browser.
	Viewer(name string) (v Viewer, ok bool)
	// Picture returns the current picture of a wall.
	Picture(ctx context.Context, user string) (*Picture, error)
	// Page returns the current page of a user in a language.
	Page(ctx context.Context, user string, l *words.Language) (*Page, error)
	// PageAt returns the page of a user about an earlier time of day. For a time that is at most a minute
	// ahead, it returns the current page.
	PageAt(ctx context.Context, user string, clock time.Time, l *words.Language) (*Page, error)
	// TakeOver takes a situation over for a user. floor is the number of the floor on the page, from 1.
	// The error is shown to the user.
	TakeOver(ctx context.Context, user string, floor int, situation string) error
	// RunTerminal runs the board of a user on a terminal until ctx ends. The board cannot change anything.
	RunTerminal(ctx context.Context, user string, t Terminal) error
}

// Kinds of events.
const (
	eventLogin   = "login"
	eventLogout  = "logout"
	eventRefused = "refused"
)

// Event is the admission, the removal or a refusal of a browser.
type Event struct {
	Kind   string // login, logout, refused
	User   string
	Remote string
	Reason string
}

// Options configures a server.
type Options struct {
	// Certificate returns the current certificate. The names in it are the ones that the header Host
	// may contain.
	Certificate func() *tls.Certificate
	Access      *Access
	Content     Content
	MaxEvents   int          // maximum number of open pages
	Log         *slog.Logger // nil: no log
	OnEvent     func(Event)  // nil: events are only logged
	Now         func() time.Time

	heartbeat, headerTimeout, ping time.Duration // for tests; 0: heartbeatInterval, headerTimeout and pingInterval
}

// Server is a web server for boards. It is safe for concurrent use.
type Server struct {
	options      Options
	http         *http.Server
	failures     *netconn.Failures
	unknownConns *netconn.Limiter
	sockets      sync.WaitGroup // handlers of WebSockets, which the library does not wait for

	mu           sync.Mutex
	openPages    map[*openPage]bool
	lastNetworks map[string]string // network from which a device was last seen
	endedDevices map[string]bool   // devices whose sessions an administrator has ended
}

// New returns a server. It accepts no connections until [Server.Serve] is called.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.heartbeat, o.headerTimeout, o.ping = cmp.Or(o.heartbeat, heartbeatInterval), cmp.Or(o.headerTimeout, headerTimeout), cmp.Or(o.ping, pingInterval)
	s := &Server{
		options: o, failures: netconn.NewFailures(failureBurst, failuresPerSecond, o.Now), unknownConns: netconn.NewLimiter(maxUnknownPerHost, maxUnknownConns),
		openPages: make(map[*openPage]bool), lastNetworks: make(map[string]string), endedDevices: make(map[string]bool),
	}
	s.http = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: o.headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: o.ping, PingTimeout: o.ping},
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), ConnContext: connContext,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return o.Certificate(), nil }},
	}
	return s
}

// Serve accepts connections until ctx ends. It returns an error only if the listener fails before.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		if s.http.Shutdown(late) != nil {
			_ = s.http.Close() // requests that do not end
		}
	})
	s.http.BaseContext = func(net.Listener) context.Context { return ctx }
	defer s.sockets.Wait()
	err := s.http.ServeTLS(&netconn.Listener{Listener: l, Admit: s.admit}, "", "")
	if !stop() {
		<-ended
	}
	if errors.Is(err, http.ErrServerClosed) || ctx.Err() != nil {
		return nil // the server was ended
	}
	return fmt.Errorf("serve browsers: %w", err)
}

// admit reserves a place for a new connection. The place is free again when a request on the
// connection shows a valid cookie, or at the end of the connection.
func (s *Server) admit(c net.Conn) (release func(), ok bool) {
	return s.unknownConns.Add(c, c.RemoteAddr().String())
}

// releaseContextKey is the context key of the function that releases the place of a connection.
type releaseContextKey struct{}

// connContext adds the function that releases the place of a connection to its context.
func connContext(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if admitted, ok := c.(interface{ Release() }); ok {
		return context.WithValue(ctx, releaseContextKey{}, admitted.Release)
	}
	return ctx
}

// event writes an event to the log and passes it on.
func (s *Server) event(e Event) {
	switch e.Kind {
	case eventLogin:
		s.options.Log.Info("browser admitted", "user", e.User, "from", e.Remote)
	case eventLogout:
		s.options.Log.Info("browser removed", "user", e.User, "from", e.Remote)
	default:
		s.options.Log.Info("browser refused", "user", e.User, "from", e.Remote, "why", e.Reason)
	}
	if s.options.OnEvent != nil {
		s.options.OnEvent(e)
	}
}
