package cli

import (
	"context"
	"log/slog"
	"reflect"
	"sync"

	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/control"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui/actions"
)

// office has the desks at which those who look over SSH act: one for all of them, and
// one for each who has a login of their own, while they look.
type office struct {
	ctx  context.Context //nolint:containedctx // what looks after a desk outlives the call that opens it
	feed func() *model.Snapshot
	log  *slog.Logger

	mu      sync.Mutex
	config  *config.Config
	shared  *taken
	own     map[string]*taken // by user
	closing sync.WaitGroup
}

// taken is a desk, and how many act at it.
type taken struct {
	*controls
	login config.Login // of a desk of somebody's own
	by    int
	over  bool // it closes when nobody acts at it any more
}

// openOffice opens the desk for all, if a configuration has one.
func (b *board) openOffice(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*office, error) {
	ctl, err := b.openControls(ctx, c, feed, log)
	if err != nil {
		return nil, err
	}
	return &office{ctx: ctx, feed: feed, log: log, config: c, shared: &taken{controls: ctl}, own: make(map[string]*taken)}, nil
}

// close closes all desks. Nobody acts any more.
func (o *office) close() {
	o.mu.Lock()
	o.retire()
	o.mu.Unlock()
	o.closing.Wait()
}

// renew has everybody who comes from now on act by another configuration.
func (o *office) renew(b *board, c *config.Config) error {
	ctl, err := b.openControls(o.ctx, c, o.feed, o.log)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.retire()
	o.config, o.shared = c, &taken{controls: ctl}
	return nil
}

// refused reports whether the service refuses a login of the desks.
func (o *office) refused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.own {
		if t.refused() {
			return true
		}
	}
	return o.shared.refused()
}

// retire closes the desks that nobody acts at, and the others as soon as that is so.
func (o *office) retire() {
	all := []*taken{o.shared}
	for name, t := range o.own {
		all = append(all, t)
		delete(o.own, name)
	}
	for _, t := range all {
		t.over = true
		o.closeIdle(t)
	}
}

func (o *office) closeIdle(t *taken) {
	if t.over && t.by == 0 {
		o.closing.Go(t.stop) // it may wait for the outcome of an action
	}
}

// sit gives somebody their way to act, nil where there is none, until they leave.
func (o *office) sit(u *config.ServeUser) (way *actions.Controller, leave func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.shared
	if !u.Acts() || t.desk == nil {
		return nil, func() {}, nil
	}
	desk := t.desk.As(u.Name)
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

// ownDesk is the desk of who has a login of their own.
func (o *office) ownDesk(u *config.ServeUser) (*taken, error) {
	if t := o.own[u.Name]; t != nil {
		if reflect.DeepEqual(t.login, u.REST) {
			return t, nil
		}
		t.over = true // whose login it was is about to be shown out
		o.closeIdle(t)
	}
	mine := *o.config
	mine.REST.Login = u.REST
	ctl, err := startControls(o.ctx, &mine, o.log, func(client *restclient.Client) (*control.Desk, func(), error) {
		return wiring.Desk(&mine, client, control.Options{Feed: o.feed, Person: u.Name, Beside: o.shared.desk, Logger: o.log})
	})
	if err != nil {
		return nil, err
	}
	t := &taken{controls: ctl, login: u.REST}
	o.own[u.Name] = t
	return t, nil
}

// actingKeys are the parts of a configuration that decide what those who act can do.
func actingKeys() []string { return []string{"rest", "audit", "read_only"} }
