package cli

import (
	"context"
	"sync"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/internal/serve/sshd"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/replay"
	uilook "wallboard/ui/style"
)

// servedPlatform is a platform of a server, with what its viewers share. It shares nothing
// with other platforms.
type servedPlatform struct {
	feed *followedFeed
	*app.Runtime
	desks   *app.ActionDesks
	room    *hub.Room
	history *app.SharedHistory
	// replays limits the number of replays.
	replays  chan struct{}
	turns    *record.Turns      // order in which replays read the recording
	queue    *replay.Queue      // limits evaluations of the past
	notifier *alertNotifier     // sends notifications; nil: none are sent
	looks    uilook.SharedLooks // rendering caches of boards with the same view

	mu     sync.Mutex
	config *config.Config // current
}

func (f *servedPlatform) currentConfig() *config.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.config
}

// openPlatform prepares the shared parts of a platform.
func (s *boardServer) openPlatform(ctx context.Context, h *followedFeed) (err error) {
	b, c := s.board, h.config
	if err := h.joinCluster(ctx, s.viewers); err != nil {
		return err
	}
	f := &servedPlatform{feed: h, room: hub.NewRoom(nil), replays: make(chan struct{}, maxReplays), turns: record.NewTurns(drawingTimeLeft), queue: replay.NewQueue(drawingTimeLeft), config: c}
	if f.desks, err = app.OpenActionDesks(ctx, c, h.source.Latest, h.log, b.openControls); err != nil {
		return err
	}
	s.closers = append(s.closers, f.desks.Close)
	if f.history, err = app.OpenSharedHistory(c, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, f.history.Close)
	if f.Runtime, err = b.env.OpenRuntime(ctx, c, h.source, h.log, hub.Options{UnclaimedAfter: c.Serve.EscalateAfter, OnUnclaimed: f.forwardUnclaimed, OnAct: f.room.Acted}); err != nil {
		return err
	}
	s.closers = append(s.closers, f.Close)
	s.platforms = append(s.platforms, f)
	return nil
}

// startNotifier starts notifications about alerts on all platforms, if requested.
func (s *boardServer) startNotifier(ctx context.Context) error {
	if !s.board.notify {
		return nil
	}
	var floors []notifiedPlatform
	for _, f := range s.platforms {
		v, err := headless.NewShared(f.Hub, f.config.Platform, false)
		if err != nil {
			return err
		}
		floors = append(floors, notifiedPlatform{f.config, v})
	}
	t, err := s.board.openNotifier(ctx, floors, s.log)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, t.stop)
	s.notifier = t
	for _, f := range s.platforms {
		f.notifier = t
	}
	return nil
}

// affectsActions reports whether a changed configuration affects actions.
func (f *servedPlatform) affectsActions(c *config.Config) bool {
	return isChanged(config.Changed(f.currentConfig(), c), app.ActionConfigKeys()...)
}

// applyConfig applies a changed configuration.
func (f *servedPlatform) applyConfig(c *config.Config, platformChanged bool) error {
	if f.affectsActions(c) {
		if err := f.desks.ApplyConfig(c); err != nil {
			return err
		}
	}
	if err := f.history.ApplyConfig(c, config.Changed(f.currentConfig(), c), f.feed.log); err != nil {
		return err
	}
	closePrevious, err := f.ApplyConfig(c, c.Serve.EscalateAfter, platformChanged)
	if closePrevious != nil {
		go closePrevious() // it may write remaining alerts
	}
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.config = c
	return nil
}

// isRefused reports whether another service than the feed refuses a secret.
func (f *servedPlatform) isRefused() bool { return f.desks.IsRefused() || f.history.IsRefused() }

// seesEverything reports whether a user sees the whole floor with all names.
func seesEverything(u *config.ServeUser) bool {
	part := u.Part()
	return part.All() && u.NameMode() == string(model.NamesFull)
}

// viewerOptions returns the options of a user's board on this platform. leave releases them.
func (f *servedPlatform) viewerOptions(u *config.ServeUser, x *sshd.Session) (o ui.Options, leave func(), err error) {
	c := f.currentConfig()
	viewer, err := f.Hub.Viewer(app.VisibilityOf(u), 0, 0)
	if err != nil {
		return o, nil, err
	}
	if o, err = viewerOptions(c, u, viewer, x.Env); err != nil {
		return o, nil, err
	}
	controller, release, err := f.desks.ControllerFor(u)
	if err != nil {
		return o, nil, err
	}
	o.SharedCaches = f.looks.Of(c, app.VisibilityOf(u).Key())
	seat := f.room.Enter(hub.Participant{Name: u.Name, Wall: o.Kiosk != nil, CanTurnWalls: u.CanAct()})
	o.OtherViewers.Seat = seat
	seesAll := seesEverything(u)
	if seesAll {
		o.History, o.ProblemText = f.history.Reader(), f.Recorder.Problem
	}
	o.Memory, o.MarkEvent = f.archiveFor(c, u, viewer), f.Recorder.AddMark
	if o.Controller = controller; controller != nil && seesAll {
		o.PastActions = actionReader(c, f.feed.log)
	}
	return o, func() { seat.Leave(); release() }, nil
}
