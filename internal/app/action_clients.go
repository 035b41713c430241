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

// ActionClients holds the action clients through which viewers act on the platform: one action client that viewers
// share, and one for each connected SSH user with a login of their own.
type ActionClients struct {
	ctx            context.Context //nolint:containedctx // the clients outlive the calls that open them
	openConnection ConnectionOpener
	feed           func() *model.Snapshot
	log            *slog.Logger

	mu           sync.Mutex
	config       *config.Config
	sharedClient *refCountedClient
	userClients  map[string]*refCountedClient // by name of the user
	closing      sync.WaitGroup
}

// refCountedClient is an action client with the number of sessions that use it.
type refCountedClient struct {
	*Connection
	login           config.Login // login of the user; empty for the shared action client
	users           int
	closeWhenUnused bool // close the action client when users drops to 0
}

// OpenActionClients opens the shared action client with open. [ActionClients.ApplyConfig] calls open again for a
// changed configuration. feed returns the latest snapshot.
func OpenActionClients(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger, open ConnectionOpener) (*ActionClients, error) {
	ctl, err := open(ctx, c, feed, log)
	if err != nil {
		return nil, err
	}
	return &ActionClients{ctx: ctx, openConnection: open, feed: feed, log: log, config: c, sharedClient: &refCountedClient{Connection: ctl}, userClients: make(map[string]*refCountedClient)}, nil
}

// ConnectionOpener opens the connection for actions that a configuration describes. feed returns
// the latest snapshot.
type ConnectionOpener func(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*Connection, error)

// Close closes all action clients and waits until they are closed. All viewers must have left before.
func (o *ActionClients) Close() {
	o.mu.Lock()
	o.closeUnusedClients()
	o.mu.Unlock()
	o.closing.Wait()
}

// ApplyConfig opens the shared action client of a changed configuration. New sessions use it, while existing
// sessions keep their action clients.
func (o *ActionClients) ApplyConfig(c *config.Config) error {
	ctl, err := o.openConnection(o.ctx, c, o.feed, o.log)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeUnusedClients()
	o.config, o.sharedClient = c, &refCountedClient{Connection: ctl}
	return nil
}

// IsRefused reports whether the configuration service refuses the login of at least one action client.
func (o *ActionClients) IsRefused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.userClients {
		if t.IsRefused() {
			return true
		}
	}
	return o.sharedClient.IsRefused()
}

// closeUnusedClients closes all action clients that no session uses. Every other action client closes when its last
// session releases it. The caller must hold mu.
func (o *ActionClients) closeUnusedClients() {
	all := []*refCountedClient{o.sharedClient}
	for name, t := range o.userClients {
		all = append(all, t)
		delete(o.userClients, name)
	}
	for _, t := range all {
		t.closeWhenUnused = true
		o.closeIfUnused(t)
	}
}

func (o *ActionClients) closeIfUnused(t *refCountedClient) {
	if t.closeWhenUnused && t.users == 0 {
		o.closing.Go(t.Stop) // Stop may wait for the outcome of an action
	}
}

// ControllerFor returns the controller for a user, or nil if the user may not act or the board is
// read-only. If err is nil, the session must call release when it ends.
func (o *ActionClients) ControllerFor(u *config.ServeUser) (controller *actions.Controller, release func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.sharedClient
	if !u.CanAct() || t.actionClient == nil {
		return nil, func() {}, nil
	}
	client := t.actionClient.ForUser(u.Name)
	if (u.REST != config.Login{}) {
		if t, err = o.userClient(u); err != nil {
			return nil, nil, err
		}
		client = t.actionClient
	}
	t.users++
	return NewController(client), o.releaser(t, u.Name), nil
}

// LocalController returns the controller for the board of this machine, or nil if the board is
// read-only. The board must call release when it stops using the controller.
func (o *ActionClients) LocalController() (controller *actions.Controller, release func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sharedClient.users++
	return o.sharedClient.Controller, o.releaser(o.sharedClient, "")
}

// releaser returns a function that releases an action client for one session of a user. The action client closes if it
// has no other session and is either the user's own action client or no longer needed for new sessions.
func (o *ActionClients) releaser(t *refCountedClient, user string) func() {
	return sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if t.users--; t.users == 0 && o.userClients[user] == t {
			t.closeWhenUnused = true
			delete(o.userClients, user)
		}
		o.closeIfUnused(t)
	})
}

// RetryLogin tries to log in again with the shared action client if the service has refused the login.
func (o *ActionClients) RetryLogin() {
	o.mu.Lock()
	retry := o.sharedClient.RetryLogin
	o.mu.Unlock()
	retry()
}

// userClient returns the action client of a user with a login of their own. It opens the action client if necessary.
// The caller must hold mu.
func (o *ActionClients) userClient(u *config.ServeUser) (*refCountedClient, error) {
	if t := o.userClients[u.Name]; t != nil {
		if reflect.DeepEqual(t.login, u.REST) {
			return t, nil
		}
		t.closeWhenUnused = true // the sessions of this action client are about to end
		o.closeIfUnused(t)
	}
	userConfig := *o.config
	userConfig.REST.Login = u.REST
	ctl, err := startConnection(o.ctx, &userConfig, o.log, func(client *restclient.Client) (*control.ActionClient, func(), error) {
		return NewActionClient(&userConfig, client, control.Options{Feed: o.feed, Person: u.Name, SharedWith: o.sharedClient.actionClient, Logger: o.log})
	})
	if err != nil {
		return nil, err
	}
	t := &refCountedClient{Connection: ctl, login: u.REST}
	o.userClients[u.Name] = t
	return t, nil
}

// ActionConfigKeys returns the configuration tables and keys that affect actions on the platform.
func ActionConfigKeys() []string { return []string{"rest", "audit", "read_only"} }
