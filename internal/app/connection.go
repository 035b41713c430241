package app

import (
	"context"
	"log/slog"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/restclient"
	"wallboard/ui/actions"
)

// Connection is a board's connection for actions on the platform.
type Connection struct {
	Controller     *actions.Controller // nil: read-only
	ReadOnlyReason string              // reason for read-only
	Retry          func()              // retries a refused login
	Stop           func()

	desk *control.Desk // behind the controller; nil: read-only
}

// OpenConnection connects a board with the configuration service until Stop. readOnly is why
// actions are disabled, "" if they are not.
func OpenConnection(ctx context.Context, c *config.Config, readOnly string, o control.Options) (*Connection, error) {
	if readOnly == "" && !c.REST.IsConfigured() {
		readOnly = "no [rest] in the configuration"
	}
	if readOnly != "" {
		return &Connection{ReadOnlyReason: readOnly, Retry: func() {}, Stop: func() {}}, nil
	}
	return startControls(ctx, c, o.Logger, func(client *restclient.Client) (*control.Desk, func(), error) {
		return ControlDesk(c, client, o)
	})
}

// startControls connects with the configuration service and watches the desk that open
// returns, until stop.
func startControls(ctx context.Context, c *config.Config, log *slog.Logger, open func(*restclient.Client) (*control.Desk, func(), error)) (*Connection, error) {
	client, err := RESTClient(c, log)
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
	ctl := &Connection{desk: desk, Controller: ControllerOf(desk), Retry: desk.Status.Retry}
	ctl.Stop = sync.OnceFunc(func() {
		cancel()
		<-done
		closeRecord()
		EndSession(client)
	})
	return ctl, nil
}

// IsRefused reports whether the service refuses the login.
func (c *Connection) IsRefused() bool { return c.desk != nil && c.desk.Status.Refused() }

// ControllerOf returns the parts of a desk as a controller for a board.
func ControllerOf(d *control.Desk) *actions.Controller {
	return &actions.Controller{
		Standing: d.Status, Calls: d.Calls, Campaigns: d.Campaigns, Lists: d.Lists, Runs: d.Runs,
		Messages: d.Messages, Tickets: d.Tickets, Contacts: d.Contacts,
	}
}
