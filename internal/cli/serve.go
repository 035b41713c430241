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

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/serve/sshd"
	"wallboard/ui"
	"wallboard/ui/term"
)

func newServe(b *commandSetup) *cobra.Command {
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

// boardServer is an SSH server for the boards of one or several platforms.
type boardServer struct {
	board        *commandSetup
	platforms    []*servedPlatform
	notifier     *alertNotifier // sends notifications; nil: none are sent
	rows         *term.RowCache
	server       *sshd.Server
	visits       *commands.VisitLog
	closers      []func() // called in reverse order
	log          *slog.Logger
	viewerCount  atomic.Int64 // number of viewers
	sessionCount atomic.Uint64
	limits       *commands.ActionLimits

	applying      sync.Mutex // held while a changed configuration is applied
	actionVersion int        // counts changes of what viewers can act on

	mu     sync.Mutex
	config *config.Config // current, for settings of all platforms
}

func (s *boardServer) currentConfig() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// hasUser reports whether the configuration has a user with the name.
func (s *boardServer) hasUser(name string) bool {
	return slices.ContainsFunc(s.currentConfig().Serve.Users, func(u config.ServeUser) bool { return u.Name == name })
}

// serveBoards serves the boards until ctx ends.
func (b *commandSetup) serveBoards(ctx context.Context) error {
	defer b.hangups.markService()()
	platforms, err := b.openFeeds()
	if err != nil {
		return err
	}
	return b.serveOn(ctx, platforms...)
}

func (b *commandSetup) serveOn(ctx context.Context, platforms ...*followedFeed) error {
	c, log := platforms[0].config, platforms[0].log
	access, err := commands.AccessOf(c, 0)
	if err != nil {
		return err
	}
	key, created, err := sshd.HostKey(c.Serve.HostKeyPath())
	if err != nil {
		return err
	}
	b.hostKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	s := &boardServer{board: b, config: c, log: log, rows: term.NewRowCache(), limits: commands.NewActionLimits()}
	defer s.close()
	if s.visits, err = commands.OpenVisitLog(c, log); err != nil {
		return err
	}
	s.closers = append(s.closers, s.visits.Close)
	for _, h := range platforms {
		if err := s.openPlatform(ctx, h); err != nil {
			return err
		}
	}
	if err := s.startNotifier(ctx); err != nil {
		return err
	}
	s.server = sshd.New(sshd.Options{HostKey: key, Access: access, MaxViewers: c.Serve.MaxViewers, RunSession: s.runSession, Log: log, OnEvent: s.visits.Add})
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Serve.Listen)
	if err != nil {
		return fmt.Errorf("listen for viewers: %w", err)
	}
	app.CollectEarly(app.ServerGCPercent)
	if created {
		log.Info("host key created", "file", c.Serve.HostKeyPath())
	}
	if _, err := fmt.Fprintf(b.Streams.Out, "the board is at %s, host key %s\n", l.Addr(), ssh.FingerprintSHA256(key.PublicKey())); err != nil {
		_ = l.Close()
		return cmdutil.WriteError(err)
	}
	ctx, stop := s.run(ctx)
	defer stop()
	if err := s.server.Serve(ctx, l); err != nil {
		return fmt.Errorf("serve the board: %w", err)
	}
	return causeOfEnd(ctx)
}

// run runs the feeds and the server's background tasks. The returned context ends with the
// first feed that ends. stop ends all and waits.
func (s *boardServer) run(ctx context.Context) (running context.Context, stop func()) {
	var stops []func()
	for _, f := range s.platforms {
		var end func()
		ctx, end = f.feed.run(ctx, &configFollower{
			apply: func(_ context.Context, c *config.Config, platformChanged bool) error {
				return s.applyConfig(f, c, platformChanged)
			},
			isRefused: func() bool { return f.isRefused() || s.notifier != nil && s.notifier.isRefused() }, restartKeys: serverRestartKeys(), otherProblems: s.notifier.pendingText,
		})
		stops = append(stops, end)
	}
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	for _, f := range s.platforms {
		background.Go(func() { f.Hub.Run(ctx) })
		background.Go(func() { f.feed.shareAlerts(ctx, f.Hub) })
	}
	background.Go(func() { commands.AnswerServerCommands(ctx, s.server, s.visits, s.hasUser, s.log) })
	background.Go(func() { app.AdjustGC(ctx) })
	return ctx, func() {
		cancel()
		background.Wait()
		for _, end := range slices.Backward(stops) {
			end()
		}
	}
}

// serverRestartKeys returns the keys that need a restart of the server.
func serverRestartKeys() []string {
	return []string{"record", "cluster", "platform", "serve.listen", "serve.host_key_file", "serve.max_viewers"}
}

// viewers returns the number of sessions.
func (s *boardServer) viewers() int {
	if s.server == nil {
		return 0
	}
	return len(s.server.Sessions())
}

// close releases the parts after the last session has ended.
func (s *boardServer) close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
}

// applyConfig applies a changed configuration of a platform: users and rules. The look of a
// session changes only at the next login.
func (s *boardServer) applyConfig(f *servedPlatform, c *config.Config, platformChanged bool) error {
	s.applying.Lock()
	defer s.applying.Unlock()
	version := s.actionVersion
	if f.affectsActions(c) {
		version++
	}
	access, err := commands.AccessOf(c, version)
	if err != nil {
		return err
	}
	if err := f.applyConfig(c, platformChanged); err != nil {
		return err
	}
	if s.notifier != nil {
		if err := s.notifier.applyConfig(c, f.feed.reloadRequested); err != nil {
			return err
		}
	}
	s.actionVersion = version
	s.mu.Lock()
	s.config = c
	s.mu.Unlock()
	s.server.Allow(access)
	return nil
}

// drawSpread is the period after the full second in which viewers are drawn.
const drawSpread = 200 * time.Millisecond

// framePhase returns the offset after the full second for the frames of the nth session. Steps
// of the golden section keep the sessions evenly distributed, whichever of them end.
func framePhase(n uint64) time.Duration {
	const golden = 0x9e3779b97f4a7c15 // of 2^64
	return time.Duration(golden * n >> 32 * uint64(drawSpread) >> 32)
}

// drawingTimeLeft returns how long live boards are still being drawn, 0 if no frame is due. Work
// for replays during that time would delay them.
func drawingTimeLeft(now time.Time) time.Duration {
	const (
		before = 50 * time.Millisecond // lead time for work that has started
		after  = 30 * time.Millisecond // for the last frames
	)
	if in := now.Add(before).Sub(now.Add(before).Truncate(time.Second)); in < before+drawSpread+after {
		return before + drawSpread + after - in
	}
	return 0
}

// runSession runs the board of a session.
func (s *boardServer) runSession(ctx context.Context, x *sshd.Session) error {
	c := s.currentConfig()
	index := slices.IndexFunc(c.Serve.Users, func(u config.ServeUser) bool { return u.Name == x.Account.Name })
	if index < 0 {
		return nil // the user was removed; the session is about to end
	}
	u := c.Serve.Users[index]
	s.viewerCount.Add(1)
	defer s.countLogout()
	o, release, err := s.boardOptions(&u, x)
	defer release()
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
		In: x.In, Out: x.Out, Env: x.Env, Size: term.Size(x.Size), Resizes: sizes, Interval: c.Serve.UpdateInterval, Phase: framePhase(s.sessionCount.Add(1)), Shared: s.rows, DrawTime: &x.Busy,
	})
	if errors.Is(err, term.ErrClosed) || errors.Is(err, term.ErrStuck) {
		s.log.Info("viewer disconnected", "user", u.Name, "why", err)
		return nil
	}
	return err
}

// countLogout counts a session out. After the last one the rendering caches are cleared.
func (s *boardServer) countLogout() {
	if s.viewerCount.Add(-1) > 0 {
		return
	}
	s.rows.Forget()
	for _, f := range s.platforms {
		f.looks.Forget()
	}
}

// boardOptions returns the options of the platforms that a user may see, the first with the
// others in Beside. leave releases them.
func (s *boardServer) boardOptions(u *config.ServeUser, x *sshd.Session) (o ui.Options, leave func(), err error) {
	var leaves []func()
	leave = func() {
		for _, options := range leaves {
			options()
		}
	}
	var all []ui.Options
	for _, f := range s.platforms {
		if !u.CanSee(f.currentConfig().Platform) {
			continue
		}
		options, release, err := f.viewerOptions(u, x)
		if err != nil {
			return o, leave, err
		}
		leaves = append(leaves, release)
		options.Recorder = s.limits.Recorder(f.currentConfig(), u, s.log)
		if u.RoleName() == config.RoleAdmin {
			options.OtherViewers.Sessions = commands.SessionAdmin{Server: s.server, Visits: s.visits, Admin: u.Name}
			options.ProblemText = firstText(f.feed.trouble, s.notifier.trouble, s.notifier.idle, options.ProblemText)
		}
		all = append(all, options)
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
	restricted := *app.Restrict(c, u.Part())
	restricted.Kiosk.Enabled = u.RoleName() == config.RoleKiosk
	restricted.Kiosk.Quit = ""
	if u.Theme != "" {
		restricted.UI.Theme = u.Theme
	}
	if u.Page != "" {
		restricted.UI.Page = u.Page
	}
	switch {
	case len(u.Pages) == 0:
	case restricted.Kiosk.Enabled:
		restricted.Kiosk.Pages = u.Pages
	default:
		restricted.Pages = c.PagesByName(u.Pages, ui.Pages())
	}
	o, err := boardOptions(&restricted, app.HubEngine{Viewer: viewer}, func(name string) string {
		for _, v := range env {
			if value, found := strings.CutPrefix(v, name+"="); found {
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
