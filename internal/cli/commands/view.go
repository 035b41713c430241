package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/words"
	uiterm "wallboard/ui/term"
)

type viewCommand struct {
	setup      *cmdutil.Setup
	port       string
	identities []string
	knownHosts string
	batch      bool
}

// ViewCommand returns `wallboard view`.
func ViewCommand(set *cmdutil.Setup) *cobra.Command {
	v := &viewCommand{setup: set}
	cmd := &cobra.Command{
		Use:   "view HOST...",
		Short: "Show the board of a wallboard serve over an unreliable connection",
		Long: "View shows the board of wallboard serve on another machine, like ssh. In addition it reconnects automatically, and\n" +
			"covers the screen if it receives nothing for three seconds, so that no old data stays on the screen. It verifies\n" +
			"the server with known_hosts and asks once about an unknown one. Keys come from ssh-agent and the default files in\n" +
			"~/.ssh, with certificates beside them.\n\n" +
			"With several servers, the nodes of a cluster, it uses the first that answers, and switches to the next within two\n" +
			"seconds if that one is silent. HOST may have a port: wb1.example.com:2222.",
		Example: "wallboard view board.example.com\nwallboard view board.example.com --port 22 --identity ~/.ssh/wall\nwallboard view wb1 wb2 wb3",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	home, _ := os.UserHomeDir()
	fs := cmd.Flags()
	fs.StringVarP(&v.port, "port", "p", "2222", "port of the server")
	fs.StringArrayVarP(&v.identities, "identity", "i", nil, "private key to log in with, instead of ssh-agent and ~/.ssh")
	fs.StringVar(&v.knownHosts, "known-hosts", filepath.Join(home, ".ssh", "known_hosts"), "known_hosts file with the keys of servers")
	fs.BoolVar(&v.batch, "batch", false, "never ask: refuse unknown servers")
	return cmd
}

// errNoTerminal means that the input or the output is not a terminal.
var errNoTerminal = errors.New("the board needs a terminal")

// errNoKeys means that the user has no SSH key for logging in.
var errNoKeys = errors.New("there is no key to log in with: ssh-keygen -t ed25519 makes one, --identity names one, ssh-add gives one to ssh-agent")

// defaultKeyFiles returns the names of the key files that ssh uses by default.
func defaultKeyFiles() []string { return []string{"id_ed25519", "id_ecdsa", "id_ed25519_sk", "id_rsa"} }

// loginKeys returns the keys for logging in: those of --identity or, without this flag, those of
// the SSH agent and of the default files. The returned function closes the connection to the agent.
func (v *viewCommand) loginKeys() ([]ssh.Signer, func(), error) {
	var out []ssh.Signer
	for _, file := range v.identities {
		key, err := sshterminal.LoadKey(file)
		if err != nil {
			return nil, nil, cmdutil.NewUsageError(err)
		}
		out = append(out, key)
	}
	if len(out) > 0 {
		return out, func() {}, nil
	}
	out, done := sshterminal.AgentKeys(os.Getenv("SSH_AUTH_SOCK"))
	home, _ := os.UserHomeDir()
	for _, name := range defaultKeyFiles() {
		if key, err := sshterminal.LoadKey(filepath.Join(home, ".ssh", name)); err == nil {
			out = append(out, key)
		}
	}
	if len(out) == 0 {
		done()
		return nil, nil, cmdutil.NewUsageError(errNoKeys)
	}
	return out, done, nil
}

// remoteEnv returns the environment variables that affect the look of the board, as NAME=VALUE.
func remoteEnv() []string {
	var out []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if name == "COLORTERM" || name == "NO_COLOR" || name == "LANG" || strings.HasPrefix(name, "LC_") {
			out = append(out, v)
		}
	}
	return out
}

// serverAddress returns host and port of a server in the form host:port. host may have the form of
// an argument of ssh, such as user@host. The default port is that of --port.
func (v *viewCommand) serverAddress(host string) string {
	host = strings.TrimPrefix(host[strings.LastIndex(host, "@")+1:], "ssh://") // without the user name, because the key identifies the user
	if name, port, err := net.SplitHostPort(host); err == nil && port != "" {
		return net.JoinHostPort(name, port)
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), v.port)
}

func (v *viewCommand) run(ctx context.Context, hosts []string) error {
	in, ok := cmdutil.TerminalOf(v.setup.Streams.In)
	if !ok || !v.setup.Streams.OnTerminal() {
		return errNoTerminal
	}
	_, done, err := v.loginKeys() // report missing keys before the board uses the screen
	if err != nil {
		return err
	}
	done()
	var addresses []string
	for _, host := range hosts {
		if address := v.serverAddress(host); !slices.Contains(addresses, address) {
			addresses = append(addresses, address)
		}
	}
	o := sshterminal.ClientOptions{
		Addresses: addresses, Keys: v.loginKeys, CheckHostKey: sshterminal.KnownHostsCallback(v.knownHosts),
		In: v.setup.Streams.In, Out: v.setup.Streams.Out, Term: os.Getenv("TERM"), Env: remoteEnv(),
		Size: func() (w, h int) {
			w, h, err := term.GetSize(in.Fd())
			if err != nil {
				return defaultWidth, defaultHeight
			}
			return w, h
		},
	}
	l := words.AvailableLanguages.ForLocale(os.Getenv)
	if !terminal.IsUnicodeLocale(os.Getenv) {
		l = l.ASCII()
	}
	o.CoverLines = func(since time.Time, reason string) []string {
		lines := []words.Text{words.KioskNoConnection(), words.BoardCoverSince(since.Format(time.TimeOnly))}
		if reason != "" {
			lines = append(lines, words.Name(reason), words.BoardCoverRetry())
		}
		return words.AllIn(append(lines, words.Text{}, words.BoardCoverQuit()), l)
	}
	if err := v.ensureTrusted(ctx, o); err != nil {
		return err
	}
	defer v.setup.Streams.RestoreOnQuit()()
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return fmt.Errorf("take over the terminal: %w", err)
	}
	defer term.Restore(in.Fd(), state) //nolint:errcheck // an error cannot be handled
	continued := make(chan os.Signal, 1)
	notifyOnContinue(continued)
	defer signal.Stop(continued)
	o.Redraw = continued
	out, release := uiterm.LimitOutput(ctx, o.Out)
	defer release()
	o.Out = out
	return sshterminal.RunClient(ctx, o)
}

// defaultWidth and defaultHeight are the size, in cells, of a terminal that does not report
// its size.
const defaultWidth, defaultHeight = 80, 24

// ensureTrusted asks the user whether to trust unknown servers, until at least one server is
// trusted. If a server is trusted already, it only warns about the untrusted servers and skips
// them: all servers show the same board, and a wall display could not answer a question.
func (v *viewCommand) ensureTrusted(ctx context.Context, o sshterminal.ClientOptions) error {
	for {
		untrusted, trusted := sshterminal.UntrustedServers(ctx, o)
		unknown := slices.IndexFunc(untrusted, func(e *sshterminal.HostError) bool { return !e.Changed })
		switch {
		case len(untrusted) == 0:
			return nil
		case !trusted && unknown >= 0 && !v.batch:
			if err := v.confirmHostKey(untrusted[unknown]); err != nil {
				return err
			}
			continue
		case len(untrusted) == len(o.Addresses):
			return untrusted[0]
		}
		for _, e := range untrusted {
			_, _ = fmt.Fprintln(v.setup.Streams.Err, "warning:", e) // continue with the trusted servers
		}
		return nil
	}
}

// confirmHostKey asks the user whether to trust an unknown server. If the answer is yes, it stores
// the server's key. Otherwise it returns an error.
func (v *viewCommand) confirmHostKey(e *sshterminal.HostError) error {
	if err := cmdutil.Printf(v.setup.Streams.Out, "%s.\nIs it the one that the server printed when it was started? Type yes to trust it from now on: ", e.Error()); err != nil {
		return err
	}
	line, err := bufio.NewReaderSize(v.setup.Streams.In, 16).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "yes" {
		return cmdutil.NewUsageError(errors.New("the server is not trusted"))
	}
	return sshterminal.AddKnownHost(e)
}
