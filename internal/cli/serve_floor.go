package cli

import (
	"context"
	"sync"

	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/hub/presence"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/internal/report/notify"
	"wallboard/internal/serve/sshd"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/replay"
	uilook "wallboard/ui/style"
)

// servedFloor is a platform of a server, with what its viewers share. It shares nothing
// with other platforms.
type servedFloor struct {
	feed *followedFeed
	*common
	office *actionDesks
	room   *presence.Room
	past   *servedPast
	// rewound limits the number of replays.
	rewound chan struct{}
	turns   *record.Turns // order in which replays read the recording
	queue   *replay.Queue // limits evaluations of the past
	// notifier sends notifications; nil: none are sent.
	notifier *notify.Notifier
	alike    uilook.SharedLooks // rendering caches of boards with the same view

	mu     sync.Mutex
	config *config.Config // current
}

func (f *servedFloor) present() *config.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.config
}

// open prepares the shared parts of a platform.
func (s *served) open(ctx context.Context, h *followedFeed) (err error) {
	b, c := s.board, h.config
	if err := h.join(ctx, s.viewers); err != nil {
		return err
	}
	f := &servedFloor{feed: h, room: presence.New(nil), rewound: make(chan struct{}, mostRewound), turns: record.NewTurns(drawingTimeLeft), queue: replay.NewQueue(drawingTimeLeft), config: c}
	if f.office, err = b.openOffice(ctx, c, h.source.Latest, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, f.office.close)
	if f.past, err = openPast(c, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, f.past.close)
	if f.common, err = b.openCommon(ctx, c, h.source, h.log, hub.Options{UnclaimedAfter: c.Serve.Escalate, OnUnclaimed: f.untaken, OnAct: f.room.Acted}); err != nil {
		return err
	}
	s.closers = append(s.closers, f.close)
	s.floors = append(s.floors, f)
	return nil
}

// tell starts notifications about alerts on all platforms, if requested.
func (s *served) tell(ctx context.Context) error {
	if !s.board.notify {
		return nil
	}
	var floors []notifiedFloor
	for _, f := range s.floors {
		v, err := headless.Of(f.hub, f.config.Platform, false)
		if err != nil {
			return err
		}
		floors = append(floors, notifiedFloor{f.config, v})
	}
	t, err := s.board.openNotifier(ctx, floors, s.log)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, t.stop)
	s.teller = t
	for _, f := range s.floors {
		f.notifier = t.notifier
	}
	return nil
}

// actsAnew reports whether a changed configuration affects actions.
func (f *servedFloor) actsAnew(c *config.Config) bool {
	return touches(config.Changed(f.present(), c), actionConfigKeys()...)
}

// follow applies a changed configuration.
func (f *servedFloor) follow(b *board, c *config.Config, elsewhere bool) error {
	if f.actsAnew(c) {
		if err := f.office.renew(b, c); err != nil {
			return err
		}
	}
	if err := f.past.follow(c, config.Changed(f.present(), c), f.log); err != nil {
		return err
	}
	over, err := f.applyConfig(c, c.Serve.Escalate, elsewhere)
	if over != nil {
		go over() // it may write remaining alerts
	}
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.config = c
	return nil
}

// refused reports whether another service than the feed refuses a secret.
func (f *servedFloor) refused() bool { return f.office.refused() || f.past.refused() }

// isWhole reports whether a user sees the whole floor with all names.
func isWhole(u *config.ServeUser) bool {
	part := u.Part()
	return part.All() && u.NameMode() == string(model.NamesFull)
}

// seat returns the options of a user's board on this platform. leave releases them.
func (f *servedFloor) seat(u *config.ServeUser, x *sshd.Session) (o ui.Options, leave func(), err error) {
	c := f.present()
	viewer, err := f.hub.Viewer(commands.SightOf(u), 0, 0)
	if err != nil {
		return o, nil, err
	}
	if o, err = viewerOptions(c, u, viewer, x.Env); err != nil {
		return o, nil, err
	}
	way, up, err := f.office.sit(u)
	if err != nil {
		return o, nil, err
	}
	o.SharedCaches = f.alike.Of(c, commands.SightOf(u).Key())
	seat := f.room.Enter(presence.Viewer{Name: u.Name, Wall: o.Kiosk != nil, MayTurn: u.Acts()})
	o.OtherViewers.Seat = seat
	whole := isWhole(u)
	if whole {
		o.History, o.ProblemText = f.past.reader(), f.tape.trouble
	}
	o.Memory, o.MarkEvent = f.memoryOf(c, u, viewer), f.tape.marked
	if o.Controller = way; way != nil && whole {
		o.PastActions = deedsOf(c, f.log)
	}
	return o, func() { seat.Leave(); up() }, nil
}
