package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/serve/sshterminal"
	"wallboard/ui/boarddialogs"
)

// serverSocket returns the socket on which a server answers commands of its user.
func serverSocket() netconn.ControlSocket {
	return netconn.ControlSocket{Path: filepath.Join(xdg.StateHome, "wallboard", "serve.sock"), Timeout: 5 * time.Second, MaxQuestion: 1024}
}

// ViewerSession is a session in the answer to the command "serve who".
type ViewerSession struct {
	User           string    `json:"user"`
	Rights         string    `json:"rights"`
	From           string    `json:"from"`
	Since          time.Time `json:"since"`
	SentBytes      int64     `json:"bytesSent"`
	ReceivedBytes  int64     `json:"bytesReceived"`
	DrawingSeconds float64   `json:"drawingSeconds"`
}

// ServerAnswer is the server's answer to a command.
type ServerAnswer struct {
	Viewers       []ViewerSession `json:"viewers,omitempty"`
	EndedSessions int             `json:"ended"`
	UnknownUser   bool            `json:"unknown,omitempty"` // the configuration has no such user
}

// sessionAdmin lists and ends sessions for an admin.
type sessionAdmin struct {
	boards *BoardServer
	admin  string // name of the admin; "": the user who runs the server
}

var _ boarddialogs.ViewerSessions = sessionAdmin{}

// List implements [boarddialogs.ViewerSessions].
func (d sessionAdmin) List() []boarddialogs.ViewerSession {
	var out []boarddialogs.ViewerSession
	for _, x := range d.boards.sessionList() {
		out = append(out, x.WithRates(time.Now()))
	}
	return out
}

// viewerSessions returns the sessions over SSH.
func viewerSessions(server *sshterminal.Server) []ViewerSession {
	var out []ViewerSession
	for _, x := range server.Sessions() {
		out = append(out, ViewerSession{x.Account.Name, x.Account.Rights, x.Remote, x.Since, x.Sent.Load(), x.Received.Load(), time.Duration(x.DrawNanos.Load()).Seconds()})
	}
	return out
}

// WithRates returns the session with its average rates since login.
func (x *ViewerSession) WithRates(now time.Time) boarddialogs.ViewerSession {
	seconds := max(now.Sub(x.Since).Seconds(), 1)
	return boarddialogs.ViewerSession{User: x.User, Rights: x.Rights, Address: x.From, Since: x.Since, BytesPerSecond: float64(x.SentBytes) / seconds, CoreShare: x.DrawingSeconds / seconds}
}

// EndSessionsOf ends the sessions of a user and returns their number. It implements [boarddialogs.ViewerSessions].
func (d sessionAdmin) EndSessionsOf(name string) int {
	n := d.boards.server.EndSessionsOf(name)
	if b := d.boards.browserSessions.Load(); b != nil {
		n += b.EndSessionsOf(name)
	}
	d.boards.visits.AddSessionEnd(d.admin, name, n)
	return n
}

// answerServerCommands answers the commands who and kick on the server's socket until ctx ends.
// Only the user who runs the server can connect to the socket.
func answerServerCommands(ctx context.Context, admin sessionAdmin, log *slog.Logger) {
	d := serverSocket()
	if d.IsListening(ctx) {
		log.Warn("another server uses the command socket; serve who and serve kick do not reach this one", "at", d.Path)
		return
	}
	if err := d.AnswerQuestions(ctx, func(_ context.Context, question string, out *json.Encoder) {
		_ = out.Encode(answerQuestion(admin, question))
	}); err != nil {
		log.Warn("the command socket is not available", "error", err)
	}
}

func answerQuestion(d sessionAdmin, question string) ServerAnswer {
	var a ServerAnswer
	switch command, user, _ := strings.Cut(question, " "); command {
	case "who":
		a.Viewers = d.boards.sessionList()
	case "kick":
		isOpen := slices.ContainsFunc(d.boards.sessionList(), func(x ViewerSession) bool { return x.User == user })
		if a.UnknownUser = !isOpen && !d.boards.hasUser(user); !a.UnknownUser {
			a.EndedSessions = d.EndSessionsOf(user)
		}
	}
	return a
}

// errNoServer means that no server of this user answers.
var errNoServer = errors.New("no server of this user answers: wallboard serve runs one")

// AskServer sends a command to the server of this user and returns the answer.
func AskServer(ctx context.Context, question string) (ServerAnswer, error) {
	var a *ServerAnswer
	err := netconn.AskSocket(ctx, serverSocket(), question, func(received *ServerAnswer) error {
		a = received
		return nil
	})
	if err != nil || a == nil {
		return ServerAnswer{}, errNoServer
	}
	return *a, nil
}
