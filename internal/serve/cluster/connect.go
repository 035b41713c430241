package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// pingInterval is the interval of pings to [Options.Servers].
const pingInterval = time.Second

// connectNATS connects to the embedded server e, or to o.Servers if e is nil.
func connectNATS(o *Options, e *embeddedServer, log *slog.Logger) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name("wallboard " + o.Node), nats.NoEcho(), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.PingInterval(pingInterval), nats.MaxPingsOutstanding(2), nats.RetryOnFailedConnect(true), nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("cluster", "error", err) }),
	}
	if e != nil {
		nc, err := nats.Connect("", append(opts, nats.InProcessServer(e.clientProvider()), nats.PingInterval(time.Minute))...) // pings are rare, because a connection within the process cannot break
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		return nc, nil
	}
	if o.TLS != nil {
		opts = append(opts, nats.Secure(o.TLS))
	}
	if o.Credentials != "" {
		opts = append(opts, nats.UserCredentials(o.Credentials))
	}
	nc, err := nats.Connect(strings.Join(o.Servers, ","), opts...)
	if err != nil {
		return nil, fmt.Errorf("cluster: connect to %s: %w", strings.Join(o.Servers, ", "), err)
	}
	return nc, nil
}

// errPortExposed means that the configuration would open a port without TLS to other machines.
var errPortExposed = errors.New("cluster: without TLS all nodes must be on this machine: set tls_cert_file, tls_key_file and ca_file, or use addresses of 127.0.0.1")

// checkExposure returns an error if an embedded server would use addresses of other machines
// without TLS.
func checkExposure(ctx context.Context, o *Options) error {
	if o.TLS != nil || len(o.Servers) > 0 {
		return nil
	}
	for _, addr := range append([]string{o.Listen}, o.Peers...) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
		ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
		if err != nil || host == "" {
			return errPortExposed
		}
		for _, ip := range ips {
			if !ip.IP.IsLoopback() {
				return errPortExposed
			}
		}
	}
	return nil
}
