package app

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

	"golang.org/x/crypto/ssh"

	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/serve/sshterminal"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/pages"
	"wallboard/ui/term"
)

// BoardServer is an SSH server for the boards of one or several platforms.
type BoardServer struct {
	Platforms []*ServedPlatform

	env             *Environment
	notifier        *Notifier // sends notifications; nil: none are sent
	rowCache        *term.RowCache
	server          *sshterminal.Server
	visits          *VisitLog
	closers         []func() // functions that Close calls, last first
	log             *slog.Logger
	runningSessions atomic.Int64  // number of running sessions
	startedSessions atomic.Uint64 // number of sessions since the start
	actionLimits    *actionLimits
	markProblem     func() string                   // describes problems of the marks from other programs, for administrators
	browserSessions atomic.Pointer[BrowserSessions] // open pages of browsers; nil: there is no web server

	configMu      sync.Mutex // held while a changed configuration is applied
	actionVersion int        // increases when the connections for actions change

	mu     sync.Mutex
	config *config.Config // current configuration, for settings of all platforms
}

// NewBoardServer returns a server that has no platforms yet. c holds the settings that apply to all
// platforms.
func NewBoardServer(e *Environment, c *config.Config, log *slog.Logger) *BoardServer {
	return &BoardServer{env: e, config: c, log: log, rowCache: term.NewRowCache(), actionLimits: newActionLimits(), server: sshterminal.New(sshterminal.Options{})}
}

// CurrentConfig returns the current configuration, with the settings of all platforms.
func (s *BoardServer) CurrentConfig() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

func (s *BoardServer) hasUser(name string) bool {
	return slices.ContainsFunc(s.CurrentConfig().Serve.Users, func(u config.ServeUser) bool { return u.Name == name })
}

// ServeBoards serves the boards of the platforms over SSH, and to browsers if configured, until ctx or
// a feed ends. If notify is true, it also sends notifications. Once it listens for viewers, it calls
// listening with its address and the fingerprint of the host key.
func (e *Environment) ServeBoards(ctx context.Context, sources []ConfigSource, log *slog.Logger, level *slog.LevelVar, notify bool, listening func(at net.Addr, hostKey string) error) error {
	c, _, err := sources[0]()
	if err != nil {
		return err
	}
	access, err := AccessOf(c, 0)
	if err != nil {
		return err
	}
	key, created, err := sshterminal.HostKey(c.Serve.HostKeyPath())
	if err != nil {
		return err
	}
	e.HostKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	s := NewBoardServer(e, c, log)
	defer s.Close()
	if s.visits, err = openVisitLog(c, log); err != nil {
		return err
	}
	s.visits.nameModeOf = s.nameModeOf
	s.closers = append(s.closers, s.visits.Close)
	for _, read := range sources {
		if err := s.AddPlatform(func(o PlatformOptions) (*Platform, error) { return e.Open(ctx, read, log, level, o) }); err != nil {
			return err
		}
	}
	if notify {
		if s.notifier, err = e.StartNotifier(ctx, s.platforms(), log); err != nil {
			return err
		}
		s.closers = append(s.closers, s.notifier.Stop)
	}
	s.server = sshterminal.New(sshterminal.Options{HostKey: key, Access: access, MaxViewers: c.Serve.MaxViewers, RunSession: s.RunSession, Log: log, OnEvent: s.visits.Add})
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Serve.Listen)
	if err != nil {
		return fmt.Errorf("listen for viewers: %w", err)
	}
	powersave.AvoidEarlyCollections(powersave.ServerGCPercent)
	if created {
		log.Info("host key created", "file", c.Serve.HostKeyPath())
	}
	if err := listening(l.Addr(), ssh.FingerprintSHA256(key.PublicKey())); err != nil {
		_ = l.Close()
		return err
	}
	ctx, stop := s.run(ctx)
	defer stop()
	if e.StartWeb != nil && c.Serve.Web.Enabled() {
		stopWeb, err := e.StartWeb(ctx, s, s.visits.Add)
		if err != nil {
			return errors.Join(err, l.Close())
		}
		defer stopWeb()
	}
	if err := s.server.Serve(ctx, l); err != nil {
		return fmt.Errorf("serve the board: %w", err)
	}
	return EndCause(ctx)
}

func (s *BoardServer) platforms() []*Platform {
	var all []*Platform
	for _, f := range s.Platforms {
		all = append(all, f.Platform)
	}
	return all
}

// run starts the platforms and the background tasks of the server. The context running ends when
// the first feed ends. stop ends the platforms and tasks and waits for them.
func (s *BoardServer) run(ctx context.Context) (running context.Context, stop func()) {
	ctx, stopPlatforms := RunPlatforms(ctx, s.platforms(), func(int) *ConfigObserver { return s.configObserver() })
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	stopMarks, trouble := startMarks(ctx, s.platforms(), s.log)
	s.markProblem = trouble
	background.Go(func() {
		answerServerCommands(ctx, sessionAdmin{boards: s}, s.log)
	})
	background.Go(func() { powersave.AdjustServerGC(ctx) })
	return ctx, func() {
		cancel()
		stopMarks()
		background.Wait()
		stopPlatforms()
	}
}

func (s *BoardServer) sessionCount() int { return len(s.server.Sessions()) }

// Close closes the platforms and the other parts of the server. All sessions must have ended.
func (s *BoardServer) Close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
}

// configObserver returns the observer that applies changes of a platform's configuration to the server.
// Users and rules change at once, and the look of a board at the next login.
func (s *BoardServer) configObserver() *ConfigObserver {
	return &ConfigObserver{
		RestartKeys: []string{"record", "privacy", "cluster", "platform", "serve.listen", "serve.host_key_file", "serve.max_viewers", "serve.web", "marks", "calendar"},
		Prepare: func(change *ConfigChange) error {
			_, err := AccessOf(change.Config, 0)
			return err
		},
		Apply: func(_ context.Context, change *ConfigChange) error {
			s.configMu.Lock()
			defer s.configMu.Unlock()
			if change.HasChanged(ActionConfigKeys()...) {
				s.actionVersion++
			}
			access, err := AccessOf(change.Config, s.actionVersion)
			if err != nil {
				return err
			}
			s.mu.Lock()
			s.config = change.Config
			s.mu.Unlock()
			s.server.SetAccess(access)
			return nil
		},
	}
}

// frameSpread is how much of each second the frames of the viewers are spread over.
const frameSpread = 200 * time.Millisecond

// framePhase returns how long after each full second the frames of session n are drawn. The phases
// are multiples of the golden ratio, so the sessions stay evenly distributed when some of them end.
func framePhase(n uint64) time.Duration {
	const golden = 0x9e3779b97f4a7c15 // golden ratio as a fraction of 2^64
	return time.Duration(golden * n >> 32 * uint64(frameSpread) >> 32)
}

// drawingTimeLeft returns for how long frames of live boards are still being drawn. It returns 0 if
// no frame is being drawn or due soon. Replays wait for this time, because their work would delay
// the frames.
func drawingTimeLeft(now time.Time) time.Duration {
	const (
		before = 50 * time.Millisecond // time before the frames in which no replay starts, so that a running one can end
		after  = 30 * time.Millisecond // time for drawing the last frames
	)
	if in := now.Add(before).Sub(now.Add(before).Truncate(time.Second)); in < before+frameSpread+after {
		return before + frameSpread + after - in
	}
	return 0
}

// RunSession runs the board of an SSH session until the session ends.
func (s *BoardServer) RunSession(ctx context.Context, x *sshterminal.Session) error {
	c := s.CurrentConfig()
	index := slices.IndexFunc(c.Serve.Users, func(u config.ServeUser) bool { return u.Name == x.Account.Name })
	if index < 0 {
		return nil // the user was removed: the session will end soon
	}
	u := c.Serve.Users[index]
	s.runningSessions.Add(1)
	defer s.handleLogout()
	o, release, err := s.BoardOptions(&u, x)
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
		In: x.In, Out: x.Out, Env: x.Env, Size: term.Size(x.Size), Resizes: sizes, Interval: c.Serve.UpdateInterval, FramePhase: framePhase(s.startedSessions.Add(1)), Shared: s.rowCache, DrawTime: &x.DrawNanos,
	})
	if errors.Is(err, term.ErrClosed) || errors.Is(err, term.ErrNotReading) {
		s.log.Info("viewer disconnected", "user", u.Name, "why", err)
		return nil
	}
	return err
}

// handleLogout counts the end of a session. After the end of the last session it clears the
// rendering caches.
func (s *BoardServer) handleLogout() {
	if s.runningSessions.Add(-1) > 0 {
		return
	}
	s.rowCache.DropAll()
	for _, f := range s.Platforms {
		f.lookCaches.DropAll()
	}
}

// BoardOptions returns the options of a user's board: those of the first platform that the user may
// see. OtherPlatforms contains the options for the user's other platforms. The session must call
// leave when it ends, also after an error.
func (s *BoardServer) BoardOptions(u *config.ServeUser, x *sshterminal.Session) (o ui.Options, leave func(), err error) {
	var leaves []func()
	leave = func() {
		for _, end := range leaves {
			end()
		}
	}
	var all []ui.Options
	for _, f := range s.Platforms {
		if !u.CanSee(f.Platform.Config().Platform) {
			continue
		}
		options, release, err := f.viewerOptions(u, x)
		if err != nil {
			return o, leave, err
		}
		leaves = append(leaves, release)
		options.Actions.Recorder = s.AlertRecorder(f, u)
		if u.CanAct() {
			options.Actions.Sender = f.Platform.HandoverSender(u.Name, func() error { return s.actionLimits.check(u.Name) })
		}
		if u.RoleName() == config.RoleAdmin {
			options.OtherViewers.Sessions = sessionAdmin{s, u.Name}
			options.Process.ProblemText = FirstNonEmptyText(f.Platform.ProblemText, s.notifier.ProblemText, s.notifier.IdleReason, s.markProblem, options.Process.ProblemText)
		}
		all = append(all, options)
	}
	if len(all) == 0 {
		return o, leave, errors.New("the user may see none of the platforms")
	}
	all[0].OtherPlatforms = all[1:]
	return all[0], leave, nil
}

// AlertRecorder returns the recorder of a user's actions on the alerts of a platform.
func (s *BoardServer) AlertRecorder(f *ServedPlatform, u *config.ServeUser) alerts.Recorder {
	return s.actionLimits.newRecorder(f.Platform.Config(), u, s.log)
}

// BrowserSessions lists and ends the open pages of browsers.
type BrowserSessions struct {
	Sessions      func() []ViewerSession
	EndSessionsOf func(user string) int
}

// SetBrowserSessions adds the open pages of browsers to the sessions.
func (s *BoardServer) SetBrowserSessions(b BrowserSessions) { s.browserSessions.Store(&b) }

// sessionList returns the sessions over SSH and the open pages of browsers.
func (s *BoardServer) sessionList() []ViewerSession {
	all := viewerSessions(s.server)
	if b := s.browserSessions.Load(); b != nil {
		all = append(all, b.Sessions()...)
	}
	return all
}

// nameModeOf returns how a user sees the names of agents, or "" for an unknown user.
func (s *BoardServer) nameModeOf(user string) string {
	for _, u := range s.CurrentConfig().Serve.Users {
		if u.Name == user {
			return u.NameMode()
		}
	}
	return ""
}

// ViewerOptions returns the options of a user's board over SSH. Such a board can neither write
// files on the server nor run programs. env is the environment of the viewer's terminal.
func ViewerOptions(c *config.Config, u *config.ServeUser, viewer *hub.Viewer, env []string) (ui.Options, error) {
	restricted := *Restrict(c, u.Part())
	restricted.Kiosk.Enabled = u.RoleName() == config.RoleKiosk
	restricted.Kiosk.Quit = ""
	if u.Theme != "" {
		restricted.UI.Theme = u.Theme
	}
	if u.Language != "" {
		restricted.UI.Language = u.Language
	}
	if u.Page != "" {
		restricted.UI.Page = u.Page
	}
	switch {
	case len(u.Pages) == 0:
	case restricted.Kiosk.Enabled:
		restricted.Kiosk.Pages = u.Pages
	default:
		restricted.Pages = c.PagesByName(u.Pages, pages.Names())
	}
	o, err := boardOptions(&restricted, viewer, func(name string) string {
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
	o.Source, o.Actions.User = viewer, u.Name
	return o, nil
}
