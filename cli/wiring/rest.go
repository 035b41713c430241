package wiring

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"wallboard/audit"
	"wallboard/config"
	"wallboard/control"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// RESTClient makes a client of the configured configuration service. It sends
// nothing yet.
func RESTClient(c *config.Config, log *slog.Logger) (*restclient.Client, error) {
	client, err := restclient.New(restclient.Options{
		URL: c.REST.URL, Auth: restclient.AuthMode(c.REST.Auth),
		Username: c.REST.Username, Password: c.REST.Password, AccessToken: c.REST.AccessToken,
		Version: c.REST.Version, Edition: restclient.Edition(c.REST.Edition), Paths: pathsOf(c.REST.Paths),
		TLS: c.REST.TLSConfig(), Timeout: c.REST.Timeout, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("[rest]: %w", err)
	}
	return client, nil
}

// Desk makes the desk that acts through a client, and what closes its audit
// file. The options say what the configuration does not: the live picture, the person,
// other desks, the log.
func Desk(c *config.Config, client *restclient.Client, o control.Options) (*control.Desk, func(), error) {
	file, err := AuditFile(c, o.Logger)
	if err != nil {
		return nil, nil, err
	}
	o.Service, o.Audit = control.ServiceOf(client), file
	o.Address, o.Username, o.Session = c.REST.URL, c.REST.Username, c.REST.Auth == config.AuthSession
	o.Insecure = c.REST.InsecureSkipVerify
	desk, err := control.New(o)
	if err != nil {
		_ = file.Close() // nothing is in it
		return nil, nil, fmt.Errorf("prepare the actions: %w", err)
	}
	return desk, func() { closeAudit(desk, file) }, nil
}

// AuditFile opens the configured record of actions.
func AuditFile(c *config.Config, log *slog.Logger) (*audit.Log, error) {
	file, err := recordAt(c, c.Audit.Path(), log)
	if err != nil {
		return nil, fmt.Errorf("audit file: %w", err)
	}
	return file, nil
}

// VisitsFile opens the record of who came to look.
func VisitsFile(c *config.Config, log *slog.Logger) (*audit.Log, error) {
	file, err := recordAt(c, c.Audit.VisitsPath(), log)
	if err != nil {
		return nil, fmt.Errorf("file of visits: %w", err)
	}
	return file, nil
}

func recordAt(c *config.Config, path string, log *slog.Logger) (*audit.Log, error) {
	return audit.Open(audit.Options{ //nolint:wrapcheck // the callers say which file it is
		Path: path, MaxSize: int64(c.Audit.MaxSize), Keep: c.Audit.Keep, Platform: c.RTD.URL, User: c.REST.Username, Logger: log, Late: true,
	})
}

// longestOutcome bounds how long the end of a board waits for outcomes: its
// actions were called off.
const longestOutcome = 5 * time.Second

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
	case <-time.After(longestOutcome):
	}
	_ = file.Close() // every line is on the disk
}

// longestLogout bounds the end of a session: it may not hold up a script.
const longestLogout = 3 * time.Second

// EndSession logs out, so that no session stays behind, and closes the client's
// connections. Without a session nothing is sent.
func EndSession(client *restclient.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), longestLogout)
	defer cancel()
	_, _ = client.Session.Logout(ctx) // the session ends by itself one day
	client.Close()
}

// pathsOf returns the configured paths by operation.
func pathsOf(configured map[string]string) map[resource.Operation]string {
	paths := make(map[resource.Operation]string, len(configured))
	for op, path := range configured {
		paths[resource.Operation(op)] = path
	}
	return paths
}
