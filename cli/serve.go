package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"wallboard/cli/command"
	"wallboard/cli/serving"
	"wallboard/config"
	"wallboard/hub"
	"wallboard/internal/output"
	"wallboard/sshd"
	"wallboard/ui"
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
	cmd.AddCommand(serving.Commands(b.Setup)...)
	return cmd
}

// served is a server and what it shows: the boards of one or several platforms.
type served struct {
	board   *board
	floors  []*servedFloor
	teller  *teller // tells people elsewhere about alerts; nil: nobody does
	strips  *paint.Strips
	door    *sshd.Server
	book    *serving.Visitors
	closers []func() // the last one first
	log     *slog.Logger
	looking atomic.Int64 // how many do
	came    atomic.Uint64
	silence *serving.Silencers

	following sync.Mutex // held by the platform that goes by a changed configuration
	acting    int        // how often what those who act can do has changed

	mu     sync.Mutex
	config *config.Config // the present one, of which what holds for all platforms is meant
}

func (s *served) present() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// knows reports whether the configuration names a user.
func (s *served) knows(name string) bool {
	return slices.ContainsFunc(s.present().Serve.Users, func(u config.ServeUser) bool { return u.Name == name })
}

// serveBoards shows the boards to whoever may look until the context ends.
func (b *board) serveBoards(ctx context.Context) error {
	defer b.hup.serve()()
	all, err := b.openFeeds()
	if err != nil {
		return err
	}
	return b.serveOn(ctx, all...)
}

func (b *board) serveOn(ctx context.Context, all ...*followedFeed) error {
	c, log := all[0].config, all[0].log
	access, err := serving.AccessOf(c, 0)
	if err != nil {
		return err
	}
	key, made, err := sshd.HostKey(c.Serve.HostKeyPath())
	if err != nil {
		return err //nolint:wrapcheck // it says whose key it is
	}
	b.hostKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	s := &served{board: b, config: c, log: log, strips: paint.NewStrips(), silence: serving.NewSilencers()}
	defer s.close()
	if s.book, err = serving.OpenVisitors(c, log); err != nil {
		return err
	}
	s.closers = append(s.closers, s.book.Close)
	for _, h := range all {
		if err := s.open(ctx, h); err != nil {
			return err
		}
	}
	if err := s.tell(ctx); err != nil {
		return err
	}
	s.door = sshd.New(sshd.Options{HostKey: key, Access: access, MaxViewers: c.Serve.MaxViewers, Show: s.show, Log: log, Noted: s.book.Note})
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Serve.Listen)
	if err != nil {
		return fmt.Errorf("listen for viewers: %w", err)
	}
	collectEarly()
	if made {
		log.Info("a host key was made", "file", c.Serve.HostKeyPath())
	}
	if _, err := fmt.Fprintf(b.Streams.Out, "the board is at %s, host key %s\n", l.Addr(), ssh.FingerprintSHA256(key.PublicKey())); err != nil {
		_ = l.Close()
		return output.Failed(err)
	}
	ctx, stop := s.run(ctx)
	defer stop()
	if err := s.door.Serve(ctx, l); err != nil {
		return fmt.Errorf("serve the board: %w", err)
	}
	return endOf(ctx)
}

// run runs the feeds, and what looks after all platforms, beside the caller. The context
// that it returns ends with the first feed that ends; stop ends all and waits.
func (s *served) run(ctx context.Context) (running context.Context, stop func()) {
	var stops []func()
	for _, f := range s.floors {
		var end func()
		ctx, end = f.feed.run(ctx, &following{
			take:    func(_ context.Context, c *config.Config, elsewhere bool) error { return s.follow(f, c, elsewhere) },
			refused: func() bool { return f.refused() || s.teller != nil && s.teller.refused() }, needsStart: serveNeedsStart(), needs: s.teller.needs,
		})
		stops = append(stops, end)
	}
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	for _, f := range s.floors {
		beside.Go(func() { f.hub.Run(ctx) })
		beside.Go(func() { f.feed.shareAlerts(ctx, f.hub) })
	}
	beside.Go(func() { serving.AnswerDesk(ctx, s.door, s.book, s.knows, s.log) })
	beside.Go(func() { collectAsNeeded(ctx) })
	return ctx, func() {
		cancel()
		beside.Wait()
		for _, end := range slices.Backward(stops) {
			end()
		}
	}
}

// serveNeedsStart are the keys that a server does not follow.
func serveNeedsStart() []string {
	return []string{"record", "cluster", "platform", "serve.listen", "serve.host_key_file", "serve.max_viewers"}
}

// viewers is how many look now.
func (s *served) viewers() int {
	if s.door == nil {
		return 0
	}
	return len(s.door.Sessions())
}

// close lets go of all that, when nobody looks any more.
func (s *served) close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
}

// follow goes by a changed configuration of a platform: who may look, and by which rules.
// What a session looks like is that of its beginning.
func (s *served) follow(f *servedFloor, c *config.Config, elsewhere bool) error {
	s.following.Lock()
	defer s.following.Unlock()
	acting := s.acting
	if f.actsAnew(c) {
		acting++
	}
	access, err := serving.AccessOf(c, acting)
	if err != nil {
		return err
	}
	if err := f.follow(s.board, c, elsewhere); err != nil {
		return err
	}
	if s.teller != nil {
		if err := s.teller.follow(c, f.feed.asked); err != nil {
			return err
		}
	}
	s.acting = acting
	s.mu.Lock()
	s.config = c
	s.mu.Unlock()
	s.door.Allow(access)
	return nil
}

// spread is how long after the full second the last of the viewers is drawn.
const spread = 200 * time.Millisecond

// phaseOf is how long after the full second the frames of the nth who came are due: one
// after the other in steps of the golden section, which keeps those who look evenly apart,
// whoever of them goes.
func phaseOf(n uint64) time.Duration {
	const golden = 0x9e3779b97f4a7c15 // of 2^64
	return time.Duration(golden * n >> 32 * uint64(spread) >> 32)
}

// untilDrawn is how long it is until those who look at what is are drawn, 0 for as long as
// no frame of theirs is due: what is done for others then would make them late.
func untilDrawn(now time.Time) time.Duration {
	const (
		before = 50 * time.Millisecond // what has begun is to be over by then
		after  = 30 * time.Millisecond // for the last frames
	)
	if in := now.Add(before).Sub(now.Add(before).Truncate(time.Second)); in < before+spread+after {
		return before + spread + after - in
	}
	return 0
}

// show shows the board to somebody.
func (s *served) show(ctx context.Context, x *sshd.Session) error {
	c := s.present()
	at := slices.IndexFunc(c.Serve.Users, func(u config.ServeUser) bool { return u.Name == x.Account.Name })
	if at < 0 {
		return nil // they are about to be shown out
	}
	u := c.Serve.Users[at]
	s.looking.Add(1)
	defer s.left()
	o, leave, err := s.boards(&u, x)
	defer leave()
	if err != nil {
		return err
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
		In: x.In, Out: x.Out, Env: x.Env, Size: paint.Size(x.Size), Resizes: sizes, Every: c.Serve.Every, Phase: phaseOf(s.came.Add(1)), Shared: s.strips, Busy: &x.Busy,
	})
	if errors.Is(err, paint.ErrGone) || errors.Is(err, paint.ErrStuck) {
		s.log.Info("a viewer is gone", "user", u.Name, "why", err)
		return nil
	}
	return err //nolint:wrapcheck // it says so
}

// left notes that somebody does not look any more. After the last one nothing is kept of
// what they were shown.
func (s *served) left() {
	if s.looking.Add(-1) > 0 {
		return
	}
	s.strips.Forget()
	for _, f := range s.floors {
		f.alike.Forget()
	}
}

// boards are those of the platforms that somebody may see, the first with the others beside
// it, until they leave.
func (s *served) boards(u *config.ServeUser, x *sshd.Session) (o ui.Options, leave func(), err error) {
	var leaves []func()
	leave = func() {
		for _, one := range leaves {
			one()
		}
	}
	var all []ui.Options
	for _, f := range s.floors {
		if !u.Sees(f.present().Platform) {
			continue
		}
		one, up, err := f.seat(u, x)
		if err != nil {
			return o, leave, err
		}
		leaves = append(leaves, up)
		one.Recorder = s.silence.Recorder(f.present(), u, s.log)
		if u.RoleName() == config.RoleAdmin {
			one.Company.Door = serving.Doorkeeper{Door: s.door, Book: s.book, By: u.Name}
			one.Trouble = firstOf(f.feed.trouble, one.Trouble)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return o, leave, errors.New("there is no platform that they may see")
	}
	all[0].Beside = all[1:]
	return all[0], leave, nil
}

// viewerOptions are the board of somebody who looks over SSH. It has no way to write a
// file here or to run a program.
func viewerOptions(c *config.Config, u *config.ServeUser, viewer *hub.Viewer, env []string) (ui.Options, error) {
	mine := *serving.PartOf(c, u.Part())
	mine.Kiosk.Enabled = u.RoleName() == config.RoleKiosk
	mine.Kiosk.Quit = ""
	if u.Theme != "" {
		mine.UI.Theme = u.Theme
	}
	if u.Page != "" {
		mine.UI.Page = u.Page
	}
	switch {
	case len(u.Pages) == 0:
	case mine.Kiosk.Enabled:
		mine.Kiosk.Pages = u.Pages
	default:
		mine.Pages = c.PagesNamed(u.Pages, ui.Pages())
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
