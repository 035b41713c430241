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

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/output"
	"wallboard/internal/serve/sshd"
	"wallboard/ui"
	"wallboard/ui/term"
)

func newServe(b *board) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the board over SSH, with one connection to the platform",
		Long: "Serve connects to the platform once and serves the board over SSH to the users in [[serve.user]], who log in with\n" +
			"their keys: ssh -p 2222 HOST. Sessions can only show the board: commands, files and forwarding are disabled.\n" +
			"Only users with the role act or admin can act on the platform. Changed users are admitted or disconnected at once.\n" +
			"docs/admin/serve.md explains how to begin.",
		Example: "wallboard serve check\nwallboard serve\nssh -p 2222 127.0.0.1",
		Args:    cmdutil.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.serveBoards(cmd.Context()) },
	}
	b.notifyFlag(cmd.Flags())
	cmd.AddCommand(commands.Commands(b.Setup)...)
	return cmd
}

// served is an SSH server for the boards of one or several platforms.
type served struct {
	board   *board
	floors  []*servedFloor
	teller  *alertNotifier // sends notifications; nil: none are sent
	strips  *term.RowCache
	door    *sshd.Server
	book    *commands.VisitLog
	closers []func() // called in reverse order
	log     *slog.Logger
	looking atomic.Int64 // number of viewers
	came    atomic.Uint64
	silence *commands.DeedLimits

	following sync.Mutex // held while a changed configuration is applied
	acting    int        // counts changes of what viewers can act on

	mu     sync.Mutex
	config *config.Config // current, for settings of all platforms
}

func (s *served) present() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// knows reports whether the configuration has a user with the name.
func (s *served) knows(name string) bool {
	return slices.ContainsFunc(s.present().Serve.Users, func(u config.ServeUser) bool { return u.Name == name })
}

// serveBoards serves the boards until ctx ends.
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
	access, err := commands.AccessOf(c, 0)
	if err != nil {
		return err
	}
	key, made, err := sshd.HostKey(c.Serve.HostKeyPath())
	if err != nil {
		return err
	}
	b.hostKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	s := &served{board: b, config: c, log: log, strips: term.NewRowCache(), silence: commands.NewSilencers()}
	defer s.close()
	if s.book, err = commands.OpenVisitors(c, log); err != nil {
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
		log.Info("host key created", "file", c.Serve.HostKeyPath())
	}
	if _, err := fmt.Fprintf(b.Streams.Out, "the board is at %s, host key %s\n", l.Addr(), ssh.FingerprintSHA256(key.PublicKey())); err != nil {
		_ = l.Close()
		return output.WriteError(err)
	}
	ctx, stop := s.run(ctx)
	defer stop()
	if err := s.door.Serve(ctx, l); err != nil {
		return fmt.Errorf("serve the board: %w", err)
	}
	return causeOfEnd(ctx)
}

// run runs the feeds and the server's background tasks. The returned context ends with the
// first feed that ends. stop ends all and waits.
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
	beside.Go(func() { commands.AnswerDesk(ctx, s.door, s.book, s.knows, s.log) })
	beside.Go(func() { collectAsNeeded(ctx) })
	return ctx, func() {
		cancel()
		beside.Wait()
		for _, end := range slices.Backward(stops) {
			end()
		}
	}
}

// serveNeedsStart returns the keys that need a restart of the server.
func serveNeedsStart() []string {
	return []string{"record", "cluster", "platform", "serve.listen", "serve.host_key_file", "serve.max_viewers"}
}

// viewers returns the number of sessions.
func (s *served) viewers() int {
	if s.door == nil {
		return 0
	}
	return len(s.door.Sessions())
}

// close releases the parts after the last session has ended.
func (s *served) close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
}

// follow applies a changed configuration of a platform: users and rules. The look of a
// session changes only at the next login.
func (s *served) follow(f *servedFloor, c *config.Config, elsewhere bool) error {
	s.following.Lock()
	defer s.following.Unlock()
	acting := s.acting
	if f.actsAnew(c) {
		acting++
	}
	access, err := commands.AccessOf(c, acting)
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

// spread is the period after the full second in which viewers are drawn.
const spread = 200 * time.Millisecond

// phaseOf returns the offset after the full second for the frames of the nth session. Steps
// of the golden section keep the sessions evenly distributed, whichever of them end.
func phaseOf(n uint64) time.Duration {
	const golden = 0x9e3779b97f4a7c15 // of 2^64
	return time.Duration(golden * n >> 32 * uint64(spread) >> 32)
}

// drawingTimeLeft returns how long live boards are still being drawn, 0 if no frame is due. Work
// for replays during that time would delay them.
func drawingTimeLeft(now time.Time) time.Duration {
	const (
		before = 50 * time.Millisecond // lead time for work that has started
		after  = 30 * time.Millisecond // for the last frames
	)
	if in := now.Add(before).Sub(now.Add(before).Truncate(time.Second)); in < before+spread+after {
		return before + spread + after - in
	}
	return 0
}

// show runs the board of a session.
func (s *served) show(ctx context.Context, x *sshd.Session) error {
	c := s.present()
	at := slices.IndexFunc(c.Serve.Users, func(u config.ServeUser) bool { return u.Name == x.Account.Name })
	if at < 0 {
		return nil // the user was removed; the session is about to end
	}
	u := c.Serve.Users[at]
	s.looking.Add(1)
	defer s.left()
	o, leave, err := s.boards(&u, x)
	defer leave()
	if err != nil {
		return err
	}
	sizes := make(chan term.Size, 1)
	go func() {
		for {
			select {
			case size := <-x.Resizes:
				select {
				case sizes <- term.Size(size):
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	err = ui.Serve(ctx, o, term.Viewer{
		In: x.In, Out: x.Out, Env: x.Env, Size: term.Size(x.Size), Resizes: sizes, Interval: c.Serve.Every, Phase: phaseOf(s.came.Add(1)), Shared: s.strips, DrawTime: &x.Busy,
	})
	if errors.Is(err, term.ErrClosed) || errors.Is(err, term.ErrStuck) {
		s.log.Info("viewer disconnected", "user", u.Name, "why", err)
		return nil
	}
	return err
}

// left counts a session out. After the last one the rendering caches are cleared.
func (s *served) left() {
	if s.looking.Add(-1) > 0 {
		return
	}
	s.strips.Forget()
	for _, f := range s.floors {
		f.alike.Forget()
	}
}

// boards returns the options of the platforms that a user may see, the first with the
// others in Beside. leave releases them.
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
			one.OtherViewers.Sessions = commands.SessionAdmin{Door: s.door, Book: s.book, By: u.Name}
			one.ProblemText = firstText(f.feed.trouble, one.ProblemText)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return o, leave, errors.New("the user may see none of the platforms")
	}
	all[0].OtherPlatforms = all[1:]
	return all[0], leave, nil
}

// viewerOptions returns the options of a board over SSH. It can neither write files on the
// server nor run programs.
func viewerOptions(c *config.Config, u *config.ServeUser, viewer *hub.Viewer, env []string) (ui.Options, error) {
	mine := *commands.Restrict(c, u.Part())
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
	o, err := boardOptions(&mine, hubEngine{viewer}, func(name string) string {
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
