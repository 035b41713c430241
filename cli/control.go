package cli

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"wallboard/audit"
	"wallboard/cli/command"
	"wallboard/config"
	"wallboard/control"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/secret"
	"wallboard/simulator"
	"wallboard/simulator/accounts"
	"wallboard/simulator/rest"
	"wallboard/ui/actions"
)

// newClient makes a client of the configured configuration service. It sends
// nothing yet.
func newClient(c *config.Config, log *slog.Logger) (*restclient.Client, error) {
	client, err := restclient.New(restclient.Options{
		URL: c.REST.URL, Auth: restclient.AuthMode(c.REST.Auth),
		Username: c.REST.Username, Password: c.REST.Password, AccessToken: c.REST.AccessToken,
		Version: c.REST.Version, Edition: restclient.Edition(c.REST.Edition), Paths: c.REST.Paths,
		TLS: c.REST.TLSConfig(), Timeout: c.REST.Timeout, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("[rest]: %w", err)
	}
	return client, nil
}

// newDesk makes the desk that acts through a client, and what closes its audit
// file. feed returns the live picture; nil is none, and noFeed says why.
func newDesk(c *config.Config, client *restclient.Client, feed func() *model.Snapshot, noFeed func() string, log *slog.Logger) (*control.Desk, func(), error) {
	file, err := audit.Open(audit.Options{
		Path: c.Audit.Path(), MaxSize: int64(c.Audit.MaxSize), Keep: c.Audit.Keep, User: c.REST.Username, Logger: log,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("audit file: %w", err)
	}
	desk, err := control.New(control.Options{
		Service: client, Audit: file, Logger: log, Feed: feed, NoFeed: noFeed,
		Address: c.REST.URL, Username: c.REST.Username, Session: c.REST.Auth == config.AuthSession,
		Insecure: c.REST.InsecureSkipVerify,
	})
	if err != nil {
		_ = file.Close() // nothing is in it
		return nil, nil, fmt.Errorf("prepare the actions: %w", err)
	}
	return desk, func() { closeAudit(desk, file) }, nil
}

// longestWait bounds how long the end of a board waits for outcomes: its
// actions were called off.
const longestWait = 5 * time.Second

// closeAudit closes the audit file when the outcomes of the actions under way
// are in it: a board may be quit in the middle of one.
func closeAudit(desk *control.Desk, file *audit.Log) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		desk.Wait()
	}()
	select {
	case <-done:
	case <-time.After(longestWait):
	}
	_ = file.Close() // every line is on the disk
}

// longestLogout bounds the end of a session: it may not hold up a script.
const longestLogout = 3 * time.Second

// endSession logs out, so that no session stays behind, and closes the client's
// connections. Without a session nothing is sent.
func endSession(client *restclient.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), longestLogout)
	defer cancel()
	_, _ = client.Logout(ctx) // the session ends by itself one day
	client.Close()
}

// controls are a board's way to act on the platform.
type controls struct {
	controller actions.Controller // nil: the board can only look
	why        string             // it can only look
	retry      func()             // tries a login again that was refused
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
	client, err := newClient(c, log)
	if err != nil {
		return nil, command.Usage(err)
	}
	desk, closeRecord, err := newDesk(c, client, feed, nil, log)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		desk.Watch(ctx)
	}()
	ctl.controller, ctl.retry = desk, desk.Retry
	ctl.stop = sync.OnceFunc(func() {
		cancel()
		<-done
		closeRecord()
		endSession(client)
	})
	return ctl, nil
}

// demoREST is the simulated platform's configuration service.
func demoREST(srv *simulator.Server) config.REST {
	account := accounts.Default()
	r := config.Default().REST
	r.URL, r.Username, r.Password = srv.RESTURL(), account.Username, secret.New(account.Password)
	r.Paths = map[string]string{restclient.OpMessageHistory: rest.MessagesPath}
	return r
}

// demoAudit is beside the real audit file, so that what was only played is not
// taken for real.
func demoAudit(a config.Audit) config.Audit {
	a.File = filepath.Join(filepath.Dir(a.Path()), "demo-audit.jsonl")
	return a
}
