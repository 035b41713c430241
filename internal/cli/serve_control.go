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

	mu      sync.Mutex
	config  *config.Config
	shared  *countedDesk
	own     map[string]*countedDesk // by user
	closing sync.WaitGroup
}

// countedDesk is a desk with a count of its users.
type countedDesk struct {
	*controls
	login config.Login // of a user's own desk
	by    int
	over  bool // close it when by drops to 0
}

// openOffice opens the shared desk, if the configuration has [rest].
func (b *board) openOffice(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*actionDesks, error) {
	ctl, err := b.openControls(ctx, c, feed, log)
	if err != nil {
		return nil, err
	}
	return &actionDesks{ctx: ctx, feed: feed, log: log, config: c, shared: &countedDesk{controls: ctl}, own: make(map[string]*countedDesk)}, nil
}

// close closes all desks after the last viewer has left.
func (o *actionDesks) close() {
	o.mu.Lock()
	o.retire()
	o.mu.Unlock()
	o.closing.Wait()
}

// renew uses another configuration for new sessions.
func (o *actionDesks) renew(b *board, c *config.Config) error {
	ctl, err := b.openControls(o.ctx, c, o.feed, o.log)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.retire()
	o.config, o.shared = c, &countedDesk{controls: ctl}
	return nil
}

// refused reports whether the service refuses the login of a desk.
func (o *actionDesks) refused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.own {
		if t.refused() {
			return true
		}
	}
	return o.shared.refused()
}

// retire closes the unused desks, and the others when they become unused.
func (o *actionDesks) retire() {
	all := []*countedDesk{o.shared}
	for name, t := range o.own {
		all = append(all, t)
		delete(o.own, name)
	}
	for _, t := range all {
		t.over = true
		o.closeIdle(t)
	}
}

func (o *actionDesks) closeIdle(t *countedDesk) {
	if t.over && t.by == 0 {
		o.closing.Go(t.stop) // it may wait for the outcome of an action
	}
}

// sit returns the controller of a user, nil if they may not act. leave releases it.
func (o *actionDesks) sit(u *config.ServeUser) (way *actions.Controller, leave func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.shared
	if !u.Acts() || t.desk == nil {
		return nil, func() {}, nil
	}
	desk := t.desk.ForUser(u.Name)
	if (u.REST != config.Login{}) {
		if t, err = o.ownDesk(u); err != nil {
			return nil, nil, err
		}
		desk = t.desk
	}
	t.by++
	return controllerOf(desk), sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if t.by--; t.by == 0 && o.own[u.Name] == t {
			t.over = true
			delete(o.own, u.Name)
		}
		o.closeIdle(t)
	}), nil
}

// ownDesk returns the desk of a user with an own login.
func (o *actionDesks) ownDesk(u *config.ServeUser) (*countedDesk, error) {
	if t := o.own[u.Name]; t != nil {
		if reflect.DeepEqual(t.login, u.REST) {
			return t, nil
		}
		t.over = true // its sessions are about to end
		o.closeIdle(t)
	}
	mine := *o.config
	mine.REST.Login = u.REST
	ctl, err := startControls(o.ctx, &mine, o.log, func(client *restclient.Client) (*control.Desk, func(), error) {
		return app.ControlDesk(&mine, client, control.Options{Feed: o.feed, Person: u.Name, SharedWith: o.shared.desk, Logger: o.log})
	})
	if err != nil {
		return nil, err
	}
	t := &countedDesk{controls: ctl, login: u.REST}
	o.own[u.Name] = t
	return t, nil
}

// actionConfigKeys returns the parts of a configuration that decide about actions.
func actionConfigKeys() []string { return []string{"rest", "audit", "read_only"} }
