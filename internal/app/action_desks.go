package app

import (
	"context"
	"log/slog"
	"reflect"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui/actions"
)

// ActionDesks holds the desks through which viewers act on the platform: one desk that viewers
// share, and one for each connected SSH user with a login of their own.
type ActionDesks struct {
	ctx            context.Context //nolint:containedctx // the desks outlive the calls that open them
	openConnection ConnectionOpener
	feed           func() *model.Snapshot
	log            *slog.Logger

	mu         sync.Mutex
	config     *config.Config
	sharedDesk *refCountedDesk
	userDesks  map[string]*refCountedDesk // by name of the user
	closing    sync.WaitGroup
}

// refCountedDesk is a desk with the number of sessions that use it.
type refCountedDesk struct {
	*Connection
	login           config.Login // login of the user; empty for the shared desk
	users           int
	closeWhenUnused bool // close the desk when users drops to 0
}

// OpenActionDesks opens the shared desk with open. [ActionDesks.ApplyConfig] calls open again for a
// changed configuration. feed returns the latest snapshot.
func OpenActionDesks(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger, open ConnectionOpener) (*ActionDesks, error) {
	ctl, err := open(ctx, c, feed, log)
	if err != nil {
		return nil, err
	}
	return &ActionDesks{ctx: ctx, openConnection: open, feed: feed, log: log, config: c, sharedDesk: &refCountedDesk{Connection: ctl}, userDesks: make(map[string]*refCountedDesk)}, nil
}

// ConnectionOpener opens the connection for actions that a configuration describes. feed returns
// the latest snapshot.
type ConnectionOpener func(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*Connection, error)

// Close closes all desks and waits until they are closed. All viewers must have left before.
func (o *ActionDesks) Close() {
	o.mu.Lock()
	o.closeUnusedDesks()
	o.mu.Unlock()
	o.closing.Wait()
}

// ApplyConfig opens the shared desk of a changed configuration. New sessions use it, while existing
// sessions keep their desks.
func (o *ActionDesks) ApplyConfig(c *config.Config) error {
	ctl, err := o.openConnection(o.ctx, c, o.feed, o.log)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeUnusedDesks()
	o.config, o.sharedDesk = c, &refCountedDesk{Connection: ctl}
	return nil
}

// IsRefused reports whether the configuration service refuses the login of at least one desk.
func (o *ActionDesks) IsRefused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.userDesks {
		if t.IsRefused() {
			return true
		}
	}
	return o.sharedDesk.IsRefused()
}

// closeUnusedDesks closes all desks that no session uses. Every other desk closes when its last
// session releases it. The caller must hold mu.
func (o *ActionDesks) closeUnusedDesks() {
	all := []*refCountedDesk{o.sharedDesk}
	for name, t := range o.userDesks {
		all = append(all, t)
		delete(o.userDesks, name)
	}
	for _, t := range all {
		t.closeWhenUnused = true
		o.closeIfUnused(t)
	}
}

func (o *ActionDesks) closeIfUnused(t *refCountedDesk) {
	if t.closeWhenUnused && t.users == 0 {
		o.closing.Go(t.Stop) // Stop may wait for the outcome of an action
	}
}

// ControllerFor returns the controller for a user, or nil if the user may not act or the board is
// read-only. The session must call release when it ends.
func (o *ActionDesks) ControllerFor(u *config.ServeUser) (controller *actions.Controller, release func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.sharedDesk
	if !u.CanAct() || t.desk == nil {
		return nil, func() {}, nil
	}
	desk := t.desk.ForUser(u.Name)
	if (u.REST != config.Login{}) {
		if t, err = o.userDesk(u); err != nil {
			return nil, nil, err
		}
		desk = t.desk
	}
	t.users++
	return NewController(desk), o.releaser(t, u.Name), nil
}

// LocalController returns the controller for the board of this machine, or nil if the board is
// read-only. The board must call release when it stops using the controller.
func (o *ActionDesks) LocalController() (controller *actions.Controller, release func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sharedDesk.users++
	return o.sharedDesk.Controller, o.releaser(o.sharedDesk, "")
}

// releaser returns a function that releases a desk for one session of a user. The desk closes if it
// has no other session and is either the user's own desk or no longer needed for new sessions.
func (o *ActionDesks) releaser(t *refCountedDesk, user string) func() {
	return sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if t.users--; t.users == 0 && o.userDesks[user] == t {
			t.closeWhenUnused = true
			delete(o.userDesks, user)
		}
		o.closeIfUnused(t)
	})
}

// RetryLogin tries to log in again with the shared desk if the service has refused the login.
func (o *ActionDesks) RetryLogin() {
	o.mu.Lock()
	retry := o.sharedDesk.RetryLogin
	o.mu.Unlock()
	retry()
}

// userDesk returns the desk of a user with a login of their own. It opens the desk if necessary.
// The caller must hold mu.
func (o *ActionDesks) userDesk(u *config.ServeUser) (*refCountedDesk, error) {
	if t := o.userDesks[u.Name]; t != nil {
		if reflect.DeepEqual(t.login, u.REST) {
			return t, nil
		}
		t.closeWhenUnused = true // the sessions of this desk are about to end
		o.closeIfUnused(t)
	}
	userConfig := *o.config
	userConfig.REST.Login = u.REST
	ctl, err := startConnection(o.ctx, &userConfig, o.log, func(client *restclient.Client) (*control.Desk, func(), error) {
		return NewControlDesk(&userConfig, client, control.Options{Feed: o.feed, Person: u.Name, SharedWith: o.sharedDesk.desk, Logger: o.log})
	})
	if err != nil {
		return nil, err
	}
	t := &refCountedDesk{Connection: ctl, login: u.REST}
	o.userDesks[u.Name] = t
	return t, nil
}

// ActionConfigKeys returns the configuration tables and keys that affect actions on the platform.
func ActionConfigKeys() []string { return []string{"rest", "audit", "read_only"} }
