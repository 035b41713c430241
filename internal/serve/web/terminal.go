package web

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/websocket"

	"wallboard/internal/words"
)

//go:embed pages/terminal.js
var terminalScript []byte

// The files of xterm.js, a terminal for browsers (version 5.5.0, https://xtermjs.org).
var (
	//go:embed xterm/xterm.js
	xtermMinified string
	//go:embed xterm/LICENSE
	xtermLicence string
	//go:embed xterm/xterm.css
	xtermStyle []byte
)

// xtermScript returns the library with its license, which copies must contain.
func xtermScript() []byte { return []byte("/*!\n" + xtermLicence + "*/\n" + xtermMinified) }

// terminalSecurity is the Content-Security-Policy of the page with the terminal: the library puts styles
// into the page.
const terminalSecurity = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Limits of a terminal.
const (
	maxColumns, maxRows = 300, 100
	maxKeysBytes        = 1 << 10 // maximum length of a message with keys
)

// Terminal is a terminal in a browser.
type Terminal struct {
	In            io.Reader
	Out           io.WriteCloser
	Columns, Rows int
	Language      string // tag of the language
}

// showTerminal shows the page with the terminal.
func (s *Server) showTerminal(w http.ResponseWriter, r *http.Request, v Viewer, _ *Device) {
	if v.Wall {
		writeNotice(w, r, http.StatusNotFound, words.WebNoPage())
		return
	}
	renewCookie(w, r)
	w.Header().Set("Content-Security-Policy", terminalSecurity)
	writeTemplate(w, http.StatusOK, "terminal", map[string]any{"L": languageOf(r, v.Language)})
}

// openTerminal runs the board of a user on a terminal in the browser, over a WebSocket. The server sends
// the output of the board, and the browser the keys that are typed.
func (s *Server) openTerminal(w http.ResponseWriter, r *http.Request, v Viewer, d *Device) {
	columns, err1 := strconv.Atoi(r.URL.Query().Get("columns"))
	rows, err2 := strconv.Atoi(r.URL.Query().Get("rows"))
	if v.Wall || errors.Join(err1, err2) != nil || columns < 1 || rows < 1 {
		writeNotice(w, r, http.StatusNotFound, words.WebNoPage())
		return
	}
	page, ok := s.openPage(d, remoteOf(r))
	if !ok {
		http.Error(w, "Too many open pages.", http.StatusTooManyRequests)
		return
	}
	defer s.closePage(page)
	s.sockets.Add(1)
	defer s.sockets.Done()
	upgrader := websocket.Upgrader{HandshakeTimeout: sendTimeout} // it refuses foreign origins
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the library has answered
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	x := &terminalSocket{conn: conn, page: page}
	in, keys := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer cancel()
		x.readKeys(keys, s.options.ping)
	}()
	go func() {
		defer cancel()
		for tick := time.NewTicker(s.options.heartbeat); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				_ = conn.Close() // ends readKeys
				return
			case <-tick.C:
				if !s.isStillAdmitted(r, v) || conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(sendTimeout)) != nil {
					cancel()
				}
			}
		}
	}()
	t := Terminal{In: in, Out: x, Columns: min(columns, maxColumns), Rows: min(rows, maxRows), Language: languageOf(r, v.Language).Tag()}
	if err := s.options.Content.RunTerminal(ctx, v.Name, t); err != nil {
		s.options.Log.Debug("a terminal in a browser has ended", "user", v.Name, "error", err)
	}
	cancel()
	_ = in.Close() // ends a write of readKeys
	<-ended
}

// terminalSocket is the connection of a terminal. It implements [io.WriteCloser].
type terminalSocket struct {
	conn *websocket.Conn
	page *openPage
}

// Write sends output of the board.
func (x *terminalSocket) Write(b []byte) (int, error) {
	_ = x.conn.SetWriteDeadline(time.Now().Add(sendTimeout)) // never fails
	if err := x.conn.WriteMessage(websocket.BinaryMessage, b); err != nil {
		return 0, err
	}
	x.page.sent.Add(int64(len(b)))
	return len(b), nil
}

// Close implements [io.Closer].
func (x *terminalSocket) Close() error { return x.conn.Close() }

// readKeys passes on the keys that are typed, until the connection ends or the browser has answered no
// ping for twice the time ping.
func (x *terminalSocket) readKeys(keys *io.PipeWriter, ping time.Duration) {
	defer keys.Close() //nolint:errcheck // never fails
	x.conn.SetReadLimit(maxKeysBytes)
	extend := func(string) error { return x.conn.SetReadDeadline(time.Now().Add(2 * ping)) }
	_ = extend("") // never fails
	x.conn.SetPongHandler(extend)
	for {
		_, text, err := x.conn.ReadMessage()
		if err != nil {
			return
		}
		if _, err := keys.Write(text); err != nil {
			return
		}
	}
}
