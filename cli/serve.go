package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"wallboard/alert"
	"wallboard/cli/clustering"
	"wallboard/cli/command"
	"wallboard/config"
	"wallboard/hub"
	"wallboard/internal/output"
	"wallboard/internal/private"
	"wallboard/model"
	"wallboard/notify"
	"wallboard/sshd"
	"wallboard/together"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/paint"
)

func newServe(b *board) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Let people look at the board over SSH, on one connection to the platform",
		Long: "Serve connects to the platform once and shows the board to everybody whom a [[serve.user]] of the\n" +
			"configuration names, over SSH, with their key: ssh -p 2222 HOST. Nobody else is let in, and there is nothing\n" +
			"but the board: no command, no file, no forwarding. On the platform act those whose role says so.\n" +
			"Users that are changed in the file are let in or shown out at once. docs/serve.md says how to begin.",
		Example: "wallboard serve check\nwallboard serve\nssh -p 2222 127.0.0.1",
		Args:    command.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.serveBoards(cmd.Context()) },
	}
	b.notifyFlag(cmd.Flags())
	cmd.AddCommand(newServeCheck(b), newServeWho(b), newServeKick(b))
	return cmd
}

// publicKey says what is wrong with a public key of the configuration.
func publicKey(line string) error {
	_, err := sshd.ParseKey(line)
	return err //nolint:wrapcheck // it is said of the key that it is about
}

// errNoUsers says what to do where nobody may look.
var errNoUsers = errors.New("nobody may look: name who may with a [[serve.user]] in the configuration; docs/serve.md says how")

// accessOf is whom a configuration lets in. acting tells apart what those who act can
// do from what they could before.
func accessOf(c *config.Config, acting int) (sshd.Access, error) {
	var a sshd.Access
	for i := range c.Serve.Users {
		u := &c.Serve.Users[i]
		account := sshd.Account{Name: u.Name, Sessions: u.Sessions, Rights: rightsOf(u)}
		if u.Acts() {
			account.Bound = boundTo(&u.REST, acting)
		}
		for _, line := range u.Keys {
			key, err := sshd.ParseKey(line)
			if err != nil { // a configuration that loaded has none
				return a, command.Usage(fmt.Errorf("a key of %q %w", u.Name, err))
			}
			account.Keys = append(account.Keys, key)
		}
		a.Accounts = append(a.Accounts, account)
	}
	if len(a.Accounts) == 0 {
		return a, command.Usage(errNoUsers)
	}
	if c.Serve.CAFile == "" {
		return a, nil
	}
	text, err := os.ReadFile(c.Serve.CAFile)
	if err != nil {
		return a, command.Usage(fmt.Errorf("serve.trusted_ca_file: %w", err))
	}
	if found := private.Exposed(c.Serve.CAFile); len(found) > 0 {
		return a, command.Usage(fmt.Errorf("serve.trusted_ca_file: %w", found[0]))
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, err := sshd.ParseKey(line)
		if err != nil {
			return a, command.Usage(fmt.Errorf("serve.trusted_ca_file: a line %w", err))
		}
		a.Authorities = append(a.Authorities, key)
	}
	return a, nil
}

// boundTo is what the session of somebody who acts is bound to: their own login, and
// the way to the platform.
func boundTo(l *config.Login, acting int) string {
	h := sha256.New()
	for _, s := range []string{l.Username, l.Password.Reveal(), l.AccessToken.Reveal()} {
		_, _ = fmt.Fprintf(h, "%q ", s) // it never fails
	}
	return fmt.Sprintf("%d %x", acting, h.Sum(nil))
}

// served is a server and what it shows.
type served struct {
	board  *board
	hub    *hub.Hub
	office *office
	room   *together.Room
	strips *paint.Strips
	door   *sshd.Server
	// notifier tells people elsewhere; nil: nobody does.
	notifier *notify.Notifier
	past     *servedPast
	book     *visitors
	closers  []func() // the last one first
	log      *slog.Logger
	acting   int // how often what those who act can do has changed

	mu     sync.Mutex
	config *config.Config // the present one
}

func (s *served) present() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// engineMaker makes engines by a configuration.
func engineMaker(c *config.Config) func(model.Part) (*alert.Engine, error) {
	return func(part model.Part) (*alert.Engine, error) {
		c := partOf(c, part)
		return newEngine(c, c.Names())
	}
}

// serveBoards shows the board to whoever may look until the context ends.
func (b *board) serveBoards(ctx context.Context) error {
	h, err := b.openFeed()
	if err != nil {
		return err
	}
	return b.serveOn(ctx, h)
}

func (b *board) serveOn(ctx context.Context, h *followedFeed) error {
	c := h.config
	access, err := accessOf(c, 0)
	if err != nil {
		return err
	}
	key, made, err := sshd.HostKey(c.Serve.HostKeyPath())
	if err != nil {
		return err //nolint:wrapcheck // it says whose key it is
	}
	s := &served{board: b, config: c, log: h.log, room: together.New(nil), strips: paint.NewStrips()}
	defer s.close()
	if err := h.join(ctx, s.viewers); err != nil {
		return err
	}
	if node, is := h.shown.(*clustering.Feed); is {
		b.lock = node.Node.Common.Lock
	}
	if err := s.open(ctx, h); err != nil {
		return err
	}
	s.door = sshd.New(sshd.Options{HostKey: key, Access: access, MaxViewers: c.Serve.MaxViewers, Show: s.show, Log: h.log, Noted: s.book.note})
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Serve.Listen)
	if err != nil {
		return fmt.Errorf("listen for viewers: %w", err)
	}
	collectEarly()
	if made {
		h.log.Info("a host key was made", "file", c.Serve.HostKeyPath())
	}
	if _, err := fmt.Fprintf(b.Streams.Out, "the board is at %s, host key %s\n", l.Addr(), ssh.FingerprintSHA256(key.PublicKey())); err != nil {
		_ = l.Close()
		return output.Failed(err)
	}
	ctx, stop := h.run(ctx, &following{take: func(_ context.Context, c *config.Config, _ bool) error { return s.follow(c) }})
	defer stop()
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	beside.Go(func() { s.hub.Run(ctx) })
	beside.Go(func() { answerDesk(ctx, s.door, h.log) })
	beside.Go(func() { h.shareAlerts(ctx, s.hub) })
	if err := s.door.Serve(ctx, l); err != nil {
		return fmt.Errorf("serve the board: %w", err)
	}
	return endOf(ctx)
}

// viewers is how many look now.
func (s *served) viewers() int {
	if s.door == nil {
		return 0
	}
	return len(s.door.Sessions())
}

// open prepares what all who look share, until close.
func (s *served) open(ctx context.Context, h *followedFeed) (err error) {
	b, c := s.board, s.config
	if s.office, err = b.openOffice(ctx, c, h.shown.Latest, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, s.office.close)
	if s.past, err = openPast(c, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, s.past.close)
	if s.book, err = openVisitors(c, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, s.book.close)
	if b.notify {
		t, err := b.openTeller(ctx, c, h.feed, h.log)
		if err != nil {
			return err
		}
		s.closers = append(s.closers, t.stop)
		s.notifier = t.notifier
	}
	kept := b.openAlerts(c, h.log)
	s.closers = append(s.closers, kept.Stop)
	s.hub, err = hub.New(hub.Options{
		Source: h.shown, Engine: engineMaker(c), Names: c.Names(), Salt: time.Now().String(), Secrets: []string{c.RTD.Username, c.REST.Username},
		Begin: func(e *alert.Engine) { kept.Recall(e) }, Keep: kept.Keep, After: c.Serve.Escalate, Untaken: s.untaken,
	})
	return err //nolint:wrapcheck // it says so
}

// close lets go of all that, when nobody looks any more.
func (s *served) close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
}

// follow goes by a changed configuration: who may look, and by which rules. What a
// session looks like is that of its beginning.
func (s *served) follow(c *config.Config) error {
	if touches(config.Changed(s.present(), c), actingKeys()...) {
		if err := s.office.renew(s.board, c); err != nil {
			return err
		}
		s.acting++
	}
	if touches(config.Changed(s.present(), c), "history") {
		if err := s.past.follow(c, s.log); err != nil {
			return err
		}
	}
	access, err := accessOf(c, s.acting)
	if err != nil {
		return err
	}
	if err := s.hub.Follow(engineMaker(c), c.Names(), c.Serve.Escalate); err != nil {
		return err //nolint:wrapcheck // it says so
	}
	s.mu.Lock()
	s.config = c
	s.mu.Unlock()
	s.door.Allow(access)
	return nil
}

// spread is how long after the full second the last of the viewers is drawn.
const spread = 200 * time.Millisecond

// show shows the board to somebody.
func (s *served) show(ctx context.Context, x *sshd.Session) error {
	c := s.present()
	at := slices.IndexFunc(c.Serve.Users, func(u config.ServeUser) bool { return u.Name == x.Account.Name })
	if at < 0 {
		return nil // they are about to be shown out
	}
	u := c.Serve.Users[at]
	phase := rand.N(spread) //nolint:gosec // it keeps them apart, no more
	viewer, err := s.hub.Viewer(sightOf(&u), c.Serve.Every, phase)
	if err != nil {
		return err //nolint:wrapcheck // it says so
	}
	o, err := viewerOptions(c, &u, viewer, x.Env)
	if err != nil {
		return err
	}
	way, leave, err := s.office.sit(&u)
	if err != nil {
		return err
	}
	defer leave()
	seat := s.room.Enter(together.Guest{Name: u.Name, Wall: o.Kiosk != nil, Turns: u.Acts()})
	defer seat.Leave()
	o.Company.Seat = seat
	if u.RoleName() == config.RoleAdmin {
		o.Company.Door = doorkeeper{s.door}
	}
	part := u.Part()
	whole := part.All() && u.NameMode() == string(model.NamesFull)
	if whole { // of what was, nobody can take anything out
		o.History = s.past.reader()
	}
	if o.Controller = way; way != nil && whole {
		o.Deeds = deedsOf(c, s.log)
	}
	sizes := make(chan paint.Size, 1)
	go func() {
		for {
			select {
			case size := <-x.Resizes:
				select {
				case sizes <- paint.Size(size):
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	err = ui.Serve(ctx, o, paint.Viewer{
		In: x.In, Out: x.Out, Env: x.Env, Size: paint.Size(x.Size), Resizes: sizes, Every: c.Serve.Every, Phase: phase, Shared: s.strips,
	})
	if errors.Is(err, paint.ErrGone) || errors.Is(err, paint.ErrStuck) {
		s.log.Info("a viewer is gone", "user", u.Name, "why", err)
		return nil
	}
	return err //nolint:wrapcheck // it says so
}

// seen is what a viewer of the hub sees, as a board knows it: the situations are shared,
// too.
type seen struct{ *hub.Viewer }

// Situations implements [alerts.Shared].
func (s seen) Situations() alerts.Situations { return s.Viewer.Situations() }

var _ alerts.Shared = seen{}

// viewerOptions are the board of somebody who looks over SSH. It has no way to write a
// file here or to run a program.
func viewerOptions(c *config.Config, u *config.ServeUser, viewer *hub.Viewer, env []string) (ui.Options, error) {
	mine := *partOf(c, u.Part())
	mine.Kiosk.Enabled = u.RoleName() == config.RoleKiosk
	mine.Kiosk.Names = string(model.NamesFull) // they are hidden in the picture
	mine.Kiosk.Quit = ""
	if u.Theme != "" {
		mine.UI.Theme = u.Theme
	}
	if u.Page != "" {
		mine.UI.Page = u.Page
	}
	o, err := boardOptions(&mine, seen{viewer}, func(name string) string {
		for _, v := range env {
			if value, is := strings.CutPrefix(v, name+"="); is {
				return value
			}
		}
		return ""
	})
	if err != nil {
		return o, err
	}
	o.Source, o.User = viewer, u.Name
	return o, nil
}
