package cli

import (
	"context"
	"log/slog"
	"sync"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
	"wallboard/ui/actions"
)

// connection is a board's connection for actions on the platform.
type connection struct {
	desk           *control.Desk       // nil: read-only
	controller     *actions.Controller // made from desk
	readOnlyReason string              // reason for read-only
	retry          func()              // retries a refused login
	stop           func()
}

// openControls connects a board with the configuration service until stop.
func (b *commandSetup) openControls(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*connection, error) {
	ctl := &connection{retry: func() {}, stop: func() {}}
	switch {
	case b.ReadOnly || c.ReadOnly:
		ctl.readOnlyReason = "read-only: " + cmdutil.ReadOnlyReason(b.ReadOnly)
		return ctl, nil
	case !c.REST.IsConfigured():
		ctl.readOnlyReason = "no [rest] in the configuration"
		return ctl, nil
	}
	return startControls(ctx, c, log, func(client *restclient.Client) (*control.Desk, func(), error) {
		return app.ControlDesk(c, client, control.Options{Feed: feed, Lock: b.locks[c.Platform], Logger: log})
	})
}

// startControls connects with the configuration service and watches the desk that open
// returns, until stop.
func startControls(ctx context.Context, c *config.Config, log *slog.Logger, open func(*restclient.Client) (*control.Desk, func(), error)) (*connection, error) {
	client, err := app.RESTClient(c, log)
	if err != nil {
		return nil, cmdutil.Usage(err)
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
	ctl := &connection{desk: desk, controller: controllerOf(desk), retry: desk.Status.Retry}
	ctl.stop = sync.OnceFunc(func() {
		cancel()
		<-done
		closeRecord()
		app.EndSession(client)
	})
	return ctl, nil
}

// isRefused reports whether the service refuses the login.
func (c *connection) isRefused() bool { return c.desk != nil && c.desk.Status.Refused() }

// controllerOf returns the parts of a desk as a controller for a board.
func controllerOf(d *control.Desk) *actions.Controller {
	return &actions.Controller{
		Standing: d.Status, Calls: d.Calls, Campaigns: d.Campaigns, Lists: d.Lists, Runs: d.Runs,
		Messages: d.Messages, Tickets: d.Tickets, Contacts: d.Contacts,
	}
}

// operationNames returns the operations of the configuration service.
func operationNames() []string {
	var names []string
	for _, o := range resource.Operations() {
		names = append(names, string(o))
	}
	return names
}
