package cli

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/config"
	"wallboard/hub"
	"wallboard/model"
	"wallboard/notify"
	"wallboard/sshd"
	"wallboard/together"
	"wallboard/ui"
	uilook "wallboard/ui/look"
)

// servedFloor is one platform of a server, and what all who look at it share. Nothing of it
// is another platform's.
type servedFloor struct {
	feed   *followedFeed
	hub    *hub.Hub
	office *office
	room   *together.Room
	past   *servedPast
	// notifier tells people elsewhere; nil: nobody does.
	notifier *notify.Notifier
	log      *slog.Logger
	alike    uilook.Family // what boards share that show the same

	mu     sync.Mutex
	config *config.Config // the present one
}

func (f *servedFloor) present() *config.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.config
}

// open prepares what all who look at a platform share, until close.
func (s *served) open(ctx context.Context, h *followedFeed) (err error) {
	b, c := s.board, h.config
	if err := h.join(ctx, s.viewers); err != nil {
		return err
	}
	f := &servedFloor{feed: h, room: together.New(nil), log: h.log, config: c}
	if f.office, err = b.openOffice(ctx, c, h.shown.Latest, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, f.office.close)
	if f.past, err = openPast(c, h.log); err != nil {
		return err
	}
	s.closers = append(s.closers, f.past.close)
	if b.notify {
		t, err := b.openTeller(ctx, c, h.feed, h.log)
		if err != nil {
			return err
		}
		s.closers = append(s.closers, t.stop)
		f.notifier = t.notifier
	}
	kept := b.openAlerts(c, h.log)
	s.closers = append(s.closers, kept.Stop)
	f.hub, err = hub.New(hub.Options{
		Source: h.shown, Engine: engineMaker(c), Names: c.Names(), Salt: time.Now().String(), Secrets: []string{c.RTD.Username, c.REST.Username},
		Begin: func(e *alert.Engine) { kept.Recall(e) }, Keep: kept.Keep, After: c.Serve.Escalate, Untaken: f.untaken,
	})
	s.floors = append(s.floors, f)
	return err //nolint:wrapcheck // it says so
}

// actsAnew reports whether what those who act can do is something else by a changed
// configuration.
func (f *servedFloor) actsAnew(c *config.Config) bool {
	return touches(config.Changed(f.present(), c), actingKeys()...)
}

// follow goes by a changed configuration.
func (f *servedFloor) follow(b *board, c *config.Config) error {
	if f.actsAnew(c) {
		if err := f.office.renew(b, c); err != nil {
			return err
		}
	}
	if touches(config.Changed(f.present(), c), "history") {
		if err := f.past.follow(c, f.log); err != nil {
			return err
		}
	}
	if err := f.hub.Follow(engineMaker(c), c.Names(), c.Serve.Escalate); err != nil {
		return err //nolint:wrapcheck // it says so
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.config = c
	return nil
}

// seat is the board of somebody on this platform, until they leave.
func (f *servedFloor) seat(u *config.ServeUser, x *sshd.Session, phase time.Duration) (o ui.Options, leave func(), err error) {
	c := f.present()
	viewer, err := f.hub.Viewer(sightOf(u), c.Serve.Every, phase)
	if err != nil {
		return o, nil, err //nolint:wrapcheck // it says so
	}
	if o, err = viewerOptions(c, u, viewer, x.Env); err != nil {
		return o, nil, err
	}
	way, up, err := f.office.sit(u)
	if err != nil {
		return o, nil, err
	}
	o.Alike = f.alike.Of(c, sightOf(u).Key())
	seat := f.room.Enter(together.Guest{Name: u.Name, Wall: o.Kiosk != nil, Turns: u.Acts()})
	o.Company.Seat = seat
	part := u.Part()
	whole := part.All() && u.NameMode() == string(model.NamesFull)
	if whole { // of what was, nobody can take anything out
		o.History = f.past.reader()
	}
	if o.Controller = way; way != nil && whole {
		o.Deeds = deedsOf(c, f.log)
	}
	return o, func() { seat.Leave(); up() }, nil
}
