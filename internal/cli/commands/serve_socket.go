package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/phrases"
	"wallboard/internal/serve/sshd"
	"wallboard/ui/viewers"
)

// serverSocket returns the socket on which a server answers commands of the same user.
func serverSocket() ControlSocket {
	return ControlSocket{Path: filepath.Join(xdg.StateHome, "wallboard", "serve.sock"), Timeout: 5 * time.Second, MaxQuestion: 1024}
}

// viewerSession is a session in the answer to `serve who`.
type viewerSession struct {
	User     string    `json:"user"`
	Rights   string    `json:"rights"`
	From     string    `json:"from"`
	Since    time.Time `json:"since"`
	Sent     int64     `json:"bytesSent"`
	Received int64     `json:"bytesReceived"`
	Drawing  float64   `json:"drawingSeconds"`
}

// serverAnswer is the server's answer to a command.
type serverAnswer struct {
	Viewers []viewerSession `json:"viewers,omitempty"`
	Ended   int             `json:"ended"`
	Unknown bool            `json:"unknown,omitempty"` // no such user
}

// SessionAdmin lists and ends sessions for an admin's board.
type SessionAdmin struct {
	Server *sshd.Server
	Visits *VisitLog // log of ended sessions
	Admin  string    // name of the admin
}

var _ viewers.Sessions = SessionAdmin{}

// List implements [viewers.Sessions].
func (d SessionAdmin) List() []viewers.Session {
	var out []viewers.Session
	for _, x := range viewerSessions(d.Server) {
		out = append(out, x.withRates(time.Now()))
	}
	return out
}

// viewerSessions returns all sessions.
func viewerSessions(server *sshd.Server) []viewerSession {
	var out []viewerSession
	for _, x := range server.Sessions() {
		out = append(out, viewerSession{x.Account.Name, x.Account.Rights, x.Remote, x.Since, x.Sent.Load(), x.Received.Load(), time.Duration(x.Busy.Load()).Seconds()})
	}
	return out
}

// withRates returns a session with its average rates.
func (x *viewerSession) withRates(now time.Time) viewers.Session {
	seconds := max(now.Sub(x.Since).Seconds(), 1)
	return viewers.Session{User: x.User, Rights: x.Rights, From: x.From, Since: x.Since, PerSecond: float64(x.Sent) / seconds, Core: x.Drawing / seconds}
}

// Kick implements [viewers.Sessions].
func (d SessionAdmin) Kick(name string) int {
	n := d.Server.Kick(name)
	d.Visits.AddKick(d.Admin, name, n)
	return n
}

// AnswerServerCommands answers the commands who and kick until ctx ends. Only the user that runs the
// server can connect. known reports whether a user is configured.
func AnswerServerCommands(ctx context.Context, server *sshd.Server, visits *VisitLog, known func(string) bool, log *slog.Logger) {
	d := serverSocket()
	if d.IsListening(ctx) {
		log.Warn("another server uses the command socket; serve who and serve kick do not reach this one", "at", d.Path)
		return
	}
	if err := d.Answer(ctx, func(_ context.Context, question string, out *json.Encoder) {
		_ = out.Encode(answerQuestion(SessionAdmin{Server: server, Visits: visits}, known, question))
	}); err != nil {
		log.Warn("the command socket is not available", "error", err)
	}
}

func answerQuestion(d SessionAdmin, known func(string) bool, question string) serverAnswer {
	var a serverAnswer
	switch command, user, _ := strings.Cut(question, " "); command {
	case "who":
		a.Viewers = viewerSessions(d.Server)
	case "kick":
		if a.Unknown = !known(user); !a.Unknown || len(sessionsOf(d.Server, user)) > 0 {
			a.Ended, a.Unknown = d.Kick(user), false
		}
	}
	return a
}

// sessionsOf returns the sessions of a user.
func sessionsOf(server *sshd.Server, user string) []viewerSession {
	return slices.DeleteFunc(viewerSessions(server), func(l viewerSession) bool { return l.User != user })
}

// errNoServer is the error if no server is running.
var errNoServer = errors.New("no server of this user answers: wallboard serve runs one")

// askServer sends a command to the server of this user.
func askServer(ctx context.Context, question string) (serverAnswer, error) {
	var a *serverAnswer
	err := AskSocket(ctx, serverSocket(), question, func(received *serverAnswer) error {
		a = received
		return nil
	})
	if err != nil || a == nil {
		return serverAnswer{}, errNoServer
	}
	return *a, nil
}

// Commands returns the subcommands of serve.
func Commands(set *cmdutil.Setup) []*cobra.Command {
	return []*cobra.Command{newServeCheck(set), newWho(set), newKick(set), newKnownHosts(set)}
}

func newServeCheck(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "List the users who may log in, and check [serve]", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := set.LoadAll(false)
			if err != nil {
				return err
			}
			access, err := AccessOf(c, 0)
			if err != nil {
				return err
			}
			key, _, err := sshd.HostKey(c.Serve.HostKeyPath())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(set.Streams.Out, "%s, host key %s\n", c.Serve.Listen, ssh.FingerprintSHA256(key.PublicKey()))
			for i := range c.Serve.Users {
				if err == nil {
					err = writeUser(set.Streams.Out, &c.Serve.Users[i], &access)
				}
			}
			return cmdutil.WriteError(err)
		},
	}
}

// writeUser writes a user's rights.
func writeUser(w io.Writer, u *config.ServeUser, access *sshd.Access) error {
	keys := phrases.Count(len(u.Keys), "key", "keys")
	if n := len(access.Authorities); n > 0 {
		keys += ", certificates of " + phrases.Count(n, "authority", "authorities")
	}
	silence := "may not silence what is critical"
	if u.CanSilence() {
		silence = "may silence everything"
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s, %s at once, %s\n  sees %s\n", u.Name, u.RoleName(), keys, phrases.Count(u.MaxSessions(), "session", "sessions"), silence, describeVisible(u))
	return err
}

func newWho(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "who", Short: "List the viewers: since when, from where, and their resource usage", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := askServer(cmd.Context(), "who")
			if err != nil {
				return err
			}
			if set.JSON {
				return cmdutil.WriteError(json.NewEncoder(set.Streams.Out).Encode(a))
			}
			now := time.Now()
			for _, v := range a.Viewers {
				if _, err := fmt.Fprintln(set.Streams.Out, v.withRates(now).Text(now)); err != nil {
					return cmdutil.WriteError(err)
				}
			}
			return nil
		},
	}
}

func newKick(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "kick USER", Short: "End the sessions of a viewer", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := askServer(cmd.Context(), "kick "+args[0])
			if err != nil {
				return err
			}
			if a.Unknown {
				return fmt.Errorf("there is no user %q in [serve]", args[0])
			}
			_, err = fmt.Fprintln(set.Streams.Out, phrases.Count(a.Ended, "session has", "sessions have"), "ended.")
			return cmdutil.WriteError(err)
		},
	}
}
