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

	"wallboard/internal/alert/phrases"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/controlsocket"
	"wallboard/internal/report/output"
	"wallboard/internal/serve/sshd"
	"wallboard/ui/viewers"
)

// serverDesk returns the socket on which a server answers commands of the same user.
func serverDesk() controlsocket.Socket {
	return controlsocket.Socket{Path: filepath.Join(xdg.StateHome, "wallboard", "serve.sock"), Timeout: 5 * time.Second, MaxQuestion: 1024}
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

// answer is the server's answer to a command.
type answer struct {
	Lookers []viewerSession `json:"viewers,omitempty"`
	Ended   int             `json:"ended"`
	Unknown bool            `json:"unknown,omitempty"` // no such user
}

// SessionAdmin lists and ends sessions for an admin's board.
type SessionAdmin struct {
	Door *sshd.Server
	Book *VisitLog // log of ended sessions
	By   string    // name of the admin
}

var _ viewers.Sessions = SessionAdmin{}

// List implements [viewers.Sessions].
func (d SessionAdmin) List() []viewers.Session {
	var out []viewers.Session
	for _, x := range viewerSessions(d.Door) {
		out = append(out, x.costs(time.Now()))
	}
	return out
}

// viewerSessions returns all sessions.
func viewerSessions(door *sshd.Server) []viewerSession {
	var out []viewerSession
	for _, x := range door.Sessions() {
		out = append(out, viewerSession{x.Account.Name, x.Account.Rights, x.Remote, x.Since, x.Sent.Load(), x.Received.Load(), time.Duration(x.Busy.Load()).Seconds()})
	}
	return out
}

// costs returns a session with its average rates.
func (x *viewerSession) costs(now time.Time) viewers.Session {
	seconds := max(now.Sub(x.Since).Seconds(), 1)
	return viewers.Session{User: x.User, Rights: x.Rights, From: x.From, Since: x.Since, PerSecond: float64(x.Sent) / seconds, Core: x.Drawing / seconds}
}

// Kick implements [viewers.Sessions].
func (d SessionAdmin) Kick(name string) int {
	n := d.Door.Kick(name)
	d.Book.NoteKick(d.By, name, n)
	return n
}

// AnswerDesk answers the commands who and kick until ctx ends. Only the user that runs the
// server can connect. known reports whether a user is configured.
func AnswerDesk(ctx context.Context, door *sshd.Server, book *VisitLog, known func(string) bool, log *slog.Logger) {
	d := serverDesk()
	if d.IsListening(ctx) {
		log.Warn("another server uses the command socket; serve who and serve kick do not reach this one", "at", d.Path)
		return
	}
	if err := d.Answer(ctx, func(_ context.Context, question string, out *json.Encoder) {
		_ = out.Encode(answered(SessionAdmin{Door: door, Book: book}, known, question))
	}); err != nil {
		log.Warn("the command socket is not available", "error", err)
	}
}

func answered(d SessionAdmin, known func(string) bool, question string) answer {
	var a answer
	switch what, who, _ := strings.Cut(question, " "); what {
	case "who":
		a.Lookers = viewerSessions(d.Door)
	case "kick":
		if a.Unknown = !known(who); !a.Unknown || len(sessionsOf(d.Door, who)) > 0 {
			a.Ended, a.Unknown = d.Kick(who), false
		}
	}
	return a
}

// sessionsOf returns the sessions of a user.
func sessionsOf(door *sshd.Server, user string) []viewerSession {
	return slices.DeleteFunc(viewerSessions(door), func(l viewerSession) bool { return l.User != user })
}

// errNoServer is the error if no server is running.
var errNoServer = errors.New("no server of this user answers: wallboard serve runs one")

// askServer sends a command to the server of this user.
func askServer(ctx context.Context, question string) (answer, error) {
	var a *answer
	err := controlsocket.Ask(ctx, serverDesk(), question, func(said *answer) error {
		a = said
		return nil
	})
	if err != nil || a == nil {
		return answer{}, errNoServer
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
			c, err := set.LoadEach(false)
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
					err = tellUser(set.Streams.Out, &c.Serve.Users[i], &access)
				}
			}
			return output.WriteError(err)
		},
	}
}

// tellUser writes a user's rights.
func tellUser(w io.Writer, u *config.ServeUser, access *sshd.Access) error {
	keys := phrases.Count(len(u.Keys), "key", "keys")
	if n := len(access.Authorities); n > 0 {
		keys += ", certificates of " + phrases.Count(n, "authority", "authorities")
	}
	silence := "may not silence what is critical"
	if u.MaySilence() {
		silence = "may silence everything"
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s, %s at once, %s\n  sees %s\n", u.Name, u.RoleName(), keys, phrases.Count(u.MaxSessions(), "session", "sessions"), silence, seenBy(u))
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
				return output.WriteError(json.NewEncoder(set.Streams.Out).Encode(a))
			}
			now := time.Now()
			for _, v := range a.Lookers {
				if _, err := fmt.Fprintln(set.Streams.Out, v.costs(now).Text(now)); err != nil {
					return output.WriteError(err)
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
			return output.WriteError(err)
		},
	}
}
