package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/internal/control/audit"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// NewRESTClient creates a client of the configuration service. The client sends nothing before its
// first use.
func NewRESTClient(c *config.Config, log *slog.Logger) (*restclient.Client, error) {
	client, err := restclient.New(restclient.Options{
		URL: c.REST.URL, Auth: restclient.AuthMode(c.REST.Auth),
		Username: c.REST.Username, Password: c.REST.Password, AccessToken: c.REST.AccessToken,
		Version: c.REST.Version, Edition: restclient.Edition(c.REST.Edition), Paths: operationPaths(c.REST.Paths),
		TLS: c.REST.TLSConfig(), Timeout: c.REST.Timeout, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("[rest]: %w", err)
	}
	return client, nil
}

// NewActionClient creates an action client that acts through a client. It also returns a function that closes
// the audit log of the action client. o holds the options that are not in the configuration: the live
// snapshot, the person, other action clients and the logger.
func NewActionClient(c *config.Config, client *restclient.Client, o control.Options) (*control.ActionClient, func(), error) {
	file, err := openAuditFile(c, o.Logger)
	if err != nil {
		return nil, nil, err
	}
	o.Service, o.Audit = control.ServiceOf(client), file
	o.Address, o.Username, o.UsesSession = c.REST.URL, c.REST.Username, c.REST.Auth == config.AuthSession
	o.Insecure = c.REST.InsecureSkipVerify
	desk, err := control.New(o)
	if err != nil {
		_ = file.Close() // nothing was written to the file
		return nil, nil, fmt.Errorf("prepare the actions: %w", err)
	}
	return desk, func() { closeAudit(desk, file) }, nil
}

// openAuditFile opens the audit log.
func openAuditFile(c *config.Config, log *slog.Logger) (*audit.Log, error) {
	file, err := audit.Open(c.Audit.LogOptions(c, log))
	if err != nil {
		return nil, fmt.Errorf("audit file: %w", err)
	}
	return file, nil
}

// outcomeTimeout limits how long a shutdown waits for the outcomes of actions.
const outcomeTimeout = 5 * time.Second

// closeAudit closes the audit log. A board may quit during an action, so closeAudit first waits for
// the outcomes of running actions, but at most for outcomeTimeout.
func closeAudit(desk *control.ActionClient, file *audit.Log) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		desk.Wait()
	}()
	select {
	case <-done:
	case <-time.After(outcomeTimeout):
	}
	_ = file.Close() // every line is flushed
}

// logoutTimeout limits how long a logout may take. A logout must not delay a script.
const logoutTimeout = 3 * time.Second

// EndSession logs the client out and closes its connections. If the client is not logged in, no
// logout is sent.
func EndSession(client *restclient.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), logoutTimeout)
	defer cancel()
	_, _ = client.Session.Logout(ctx) // if the logout fails, the session ends by itself later
	client.Close()
}

// operationPaths returns the paths that the configuration sets for operations.
func operationPaths(configured map[string]string) map[resource.Operation]string {
	paths := make(map[resource.Operation]string, len(configured))
	for op, path := range configured {
		paths[resource.Operation(op)] = path
	}
	return paths
}
