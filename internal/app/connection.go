package app

import (
	"context"
	"log/slog"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui/actions"
)

// Connection connects boards to the configuration service, through which they act on the platform.
type Connection struct {
	Controller     *actions.Controller // nil: read-only
	ReadOnlyReason string              // why Controller is nil; "" if there is a Controller
	RetryLogin     func()              // retries a refused login
	Stop           func()

	actionClient *control.ActionClient // the action client that Controller uses; nil: read-only
}

// OpenConnection connects a board to the configuration service until Stop is called. If the command
// or the configuration is read-only, or if there is no [rest], it does not connect. Controller is
// nil then.
func (e *Environment) OpenConnection(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*Connection, error) {
	readOnly := ""
	switch {
	case e.ReadOnly || c.ReadOnly:
		readOnly = "read-only: " + ReadOnlyReason(e.ReadOnly)
	case !c.REST.IsConfigured():
		readOnly = "no [rest] in the configuration"
	}
	if readOnly != "" {
		return &Connection{ReadOnlyReason: readOnly, RetryLogin: func() {}, Stop: func() {}}, nil
	}
	return startConnection(ctx, c, log, func(client *restclient.Client) (*control.ActionClient, func(), error) {
		return NewActionClient(c, client, control.Options{Feed: feed, Lock: e.targetLocks[c.Platform], Logger: log})
	})
}

// ReadOnlyReason returns a phrase for the user about what disables actions: the flag --read-only if
// flag is true, otherwise the configuration.
func ReadOnlyReason(flag bool) string {
	if flag {
		return "leave --read-only out"
	}
	return "the configuration says read_only = true"
}

// startConnection connects to the configuration service until [Connection.Stop] is called. open
// returns the action client, and a function that closes the audit log of the action client.
func startConnection(ctx context.Context, c *config.Config, log *slog.Logger, open func(*restclient.Client) (*control.ActionClient, func(), error)) (*Connection, error) {
	client, err := NewRESTClient(c, log)
	if err != nil {
		return nil, ConfigError{Err: err}
	}
	desk, closeRecord, err := open(client)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		desk.Status.Watch(ctx)
	}()
	ctl := &Connection{actionClient: desk, Controller: NewController(desk), RetryLogin: desk.Status.Retry}
	ctl.Stop = sync.OnceFunc(func() {
		cancel()
		<-done
		closeRecord()
		EndSession(client)
	})
	return ctl, nil
}

// IsRefused reports whether the configuration service refuses the login.
func (c *Connection) IsRefused() bool {
	return c.actionClient != nil && c.actionClient.Status.LoginRefused()
}

// NewController returns a controller for a board that acts through an action client.
func NewController(d *control.ActionClient) *actions.Controller {
	return &actions.Controller{
		Availability: d.Status, Calls: d.Calls, Campaigns: d.Campaigns, Lists: d.Lists, Runs: d.Runs,
		Messages: d.Messages, Tickets: d.Tickets, Contacts: d.Contacts,
	}
}
