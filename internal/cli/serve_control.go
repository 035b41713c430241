package cli

import (
	"context"
	"log/slog"
	"reflect"
	"sync"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui/actions"
)

// actionDesks holds the desks through which SSH viewers act: one shared by all, and one for each
// user with an own login, while they are connected.
type actionDesks struct {
	ctx  context.Context //nolint:containedctx // the desks outlive the calls that open them
	feed func() *model.Snapshot
	log  *slog.Logger

	mu        sync.Mutex
	config    *config.Config
	shared    *countedDesk
	userDesks map[string]*countedDesk // by user
	closing   sync.WaitGroup
}

// countedDesk is a desk with a count of its users.
type countedDesk struct {
	*connection
	login           config.Login // of a user's own desk
	users           int
	closeWhenUnused bool // close it when by drops to 0
}

// openActionDesks opens the shared desk, if the configuration has [rest].
func (b *commandSetup) openActionDesks(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*actionDesks, error) {
	ctl, err := b.openControls(ctx, c, feed, log)
	if err != nil {
		return nil, err
	}
	return &actionDesks{ctx: ctx, feed: feed, log: log, config: c, shared: &countedDesk{connection: ctl}, userDesks: make(map[string]*countedDesk)}, nil
}

// close closes all desks after the last viewer has left.
func (o *actionDesks) close() {
	o.mu.Lock()
	o.retireDesks()
	o.mu.Unlock()
	o.closing.Wait()
}

// applyConfig uses another configuration for new sessions.
func (o *actionDesks) applyConfig(b *commandSetup, c *config.Config) error {
	ctl, err := b.openControls(o.ctx, c, o.feed, o.log)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.retireDesks()
	o.config, o.shared = c, &countedDesk{connection: ctl}
	return nil
}

// isRefused reports whether the service refuses the login of a desk.
func (o *actionDesks) isRefused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.userDesks {
		if t.isRefused() {
			return true
		}
	}
	return o.shared.isRefused()
}

// retireDesks closes the unused desks, and the others when they become unused.
func (o *actionDesks) retireDesks() {
	all := []*countedDesk{o.shared}
	for name, t := range o.userDesks {
		all = append(all, t)
		delete(o.userDesks, name)
	}
	for _, t := range all {
		t.closeWhenUnused = true
		o.closeIdle(t)
	}
}

func (o *actionDesks) closeIdle(t *countedDesk) {
	if t.closeWhenUnused && t.users == 0 {
		o.closing.Go(t.stop) // it may wait for the outcome of an action
	}
}

// controllerFor returns the controller of a user, nil if they may not act. release releases it.
func (o *actionDesks) controllerFor(u *config.ServeUser) (controller *actions.Controller, release func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.shared
	if !u.CanAct() || t.desk == nil {
		return nil, func() {}, nil
	}
	desk := t.desk.ForUser(u.Name)
	if (u.REST != config.Login{}) {
		if t, err = o.ownDesk(u); err != nil {
			return nil, nil, err
		}
		desk = t.desk
	}
	t.users++
	return controllerOf(desk), sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if t.users--; t.users == 0 && o.userDesks[u.Name] == t {
			t.closeWhenUnused = true
			delete(o.userDesks, u.Name)
		}
		o.closeIdle(t)
	}), nil
}

// ownDesk returns the desk of a user with an own login.
func (o *actionDesks) ownDesk(u *config.ServeUser) (*countedDesk, error) {
	if t := o.userDesks[u.Name]; t != nil {
		if reflect.DeepEqual(t.login, u.REST) {
			return t, nil
		}
		t.closeWhenUnused = true // its sessions are about to end
		o.closeIdle(t)
	}
	userConfig := *o.config
	userConfig.REST.Login = u.REST
	ctl, err := startControls(o.ctx, &userConfig, o.log, func(client *restclient.Client) (*control.Desk, func(), error) {
		return app.ControlDesk(&userConfig, client, control.Options{Feed: o.feed, Person: u.Name, SharedWith: o.shared.desk, Logger: o.log})
	})
	if err != nil {
		return nil, err
	}
	t := &countedDesk{connection: ctl, login: u.REST}
	o.userDesks[u.Name] = t
	return t, nil
}

// actionConfigKeys returns the parts of a configuration that decide about actions.
func actionConfigKeys() []string { return []string{"rest", "audit", "read_only"} }
