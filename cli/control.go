package cli

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"

	"wallboard/cli/command"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/control"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
	"wallboard/secret"
	"wallboard/simulator"
	"wallboard/simulator/accounts"
	"wallboard/simulator/rest"
	"wallboard/simulator/stat"
	"wallboard/ui/actions"
)

// controls are a board's way to act on the platform.
type controls struct {
	desk       *control.Desk       // nil: the board can only look
	controller *actions.Controller // of the desk
	why        string              // it can only look
	retry      func()              // tries a login again that was refused
	stop       func()
}

// openControls connects a board with the configuration service and looks after
// it until stop.
func (b *board) openControls(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*controls, error) {
	ctl := &controls{retry: func() {}, stop: func() {}}
	switch {
	case b.ReadOnly || c.ReadOnly:
		ctl.why = "read-only: " + command.ReadOnlySource(b.ReadOnly)
		return ctl, nil
	case !c.REST.Given():
		ctl.why = "no [rest] in the configuration"
		return ctl, nil
	}
	return startControls(ctx, c, log, func(client *restclient.Client) (*control.Desk, func(), error) {
		return wiring.Desk(c, client, control.Options{Feed: feed, Lock: b.lock, Logger: log})
	})
}

// startControls connects with the configuration service, and looks after the desk
// that is made of the connection until stop.
func startControls(ctx context.Context, c *config.Config, log *slog.Logger, open func(*restclient.Client) (*control.Desk, func(), error)) (*controls, error) {
	client, err := wiring.RESTClient(c, log)
	if err != nil {
		return nil, command.Usage(err)
	}
	desk, closeRecord, err := open(client)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		desk.Standing.Watch(ctx)
	}()
	ctl := &controls{desk: desk, controller: controllerOf(desk), retry: desk.Standing.Retry}
	ctl.stop = sync.OnceFunc(func() {
		cancel()
		<-done
		closeRecord()
		wiring.EndSession(client)
	})
	return ctl, nil
}

// controllerOf gives a board the parts of a desk.
func controllerOf(d *control.Desk) *actions.Controller {
	return &actions.Controller{
		Standing: d.Standing, Calls: d.Calls, Campaigns: d.Campaigns, Lists: d.Lists, Runs: d.Runs,
		Messages: d.Messages, Tickets: d.Tickets, Contacts: d.Contacts,
	}
}

// demoREST is the simulated platform's configuration service.
func demoREST(srv *simulator.Server) config.REST {
	account := accounts.Default()
	r := config.Default().REST
	r.URL, r.Username, r.Password = srv.RESTURL(), account.Username, secret.New(account.Password)
	r.Paths = map[string]string{string(resource.OpMessageHistory): rest.MessagesPath}
	return r
}

// demoAudit is beside the real audit file, so that what was only played is not
// taken for real.
func demoAudit(a config.Audit) config.Audit {
	a.File = filepath.Join(filepath.Dir(a.Path()), "demo-audit.jsonl")
	return a
}

// demoHistory is the simulated platform's statistical data service. Its answers
// are of one run: nothing is kept on the disk.
func demoHistory(srv *simulator.Server) config.History {
	h := config.Default().History
	h.CacheSize = 0
	h.URL, h.APIKey = srv.StatURL(), secret.New(stat.DefaultAPIKey)
	return h
}

// operationNames are the operations of the configuration service.
func operationNames() []string {
	var names []string
	for _, o := range resource.Operations() {
		names = append(names, string(o))
	}
	return names
}
