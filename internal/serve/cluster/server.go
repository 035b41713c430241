//go:build !nonatsserver

package cluster

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"wallboard/internal/lib/securefile"
)

// Limits of an embedded server.
const (
	maxMemory           = 64 << 20
	maxStorePerPlatform = 32 << 20 // bytes in addition to maxStore for each further platform
	maxPayload          = 1 << 20  // bytes of a message
	routePingInterval   = 4 * time.Second
	startTimeout        = 10 * time.Second
)

// CheckBuild returns an error if this build of the program lacks something that a cluster needs.
// servers are the addresses of existing NATS servers.
func CheckBuild([]string) error { return nil }

// embeddedServer is a NATS server within this program, which is its only client. The embedded
// servers of other nodes connect to it as routes.
type embeddedServer struct {
	server *server.Server
	log    *serverLog
	port   *routePort // nil: the server itself accepts the other nodes
}

// inProcessAuth allows only clients within this program.
type inProcessAuth struct{ user *server.User }

// Check implements [server.Authentication].
func (a inProcessAuth) Check(c server.ClientAuthentication) bool {
	if c.Kind() != server.CLIENT {
		return true // a route: TLS has authenticated the other node, or the node is on this machine
	}
	if addr := c.RemoteAddress(); addr != nil && addr.Network() != "pipe" {
		return false
	}
	c.RegisterUser(a.user)
	return true
}

// startEmbedded starts an embedded server. scopes are the names of the platforms shown by its
// nodes.
func startEmbedded(o *Options, scopes []string) (*embeddedServer, error) {
	log := &serverLog{log: o.Logger, now: o.Now, acceptFailed: make(chan struct{}, 1)}
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("cluster: the address to listen on: %w", err)
	}
	portNumber, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("cluster: the address to listen on: %w", err)
	}
	if portNumber == 0 {
		portNumber = server.RANDOM_PORT
	}
	if _, err := securefile.CreateFolder(o.Dir); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	serverOptions := &server.Options{
		ServerName: o.Node, Host: "127.0.0.1", Port: server.RANDOM_PORT, // unused, see refuseClients
		NoLog: true, NoSigs: true, MaxPayload: maxPayload, MaxConn: 16,
		JetStream: true, StoreDir: o.Dir, JetStreamMaxMemory: maxMemory, JetStreamMaxStore: maxStore + int64(len(scopes)-1)*maxStorePerPlatform, SyncAlways: true,
		CustomClientAuthentication: inProcessAuth{&server.User{Username: "wallboard", Permissions: permissions(o, scopes)}},
		Cluster: server.ClusterOpts{
			Name: o.Name, Host: host, Port: portNumber, NoAdvertise: true, Advertise: o.Advertise, ConnectRetries: 1 << 30,
			TLSConfig: o.TLS, TLSTimeout: 5, AuthTimeout: 5, PoolSize: -1, PingInterval: routePingInterval, MaxPingsOut: 1,
			Compression: server.CompressionOpts{Mode: server.CompressionOff}, WriteDeadline: 2 * time.Second,
		},
	}
	for _, p := range o.Peers {
		serverOptions.Routes = append(serverOptions.Routes, &url.URL{Scheme: "nats-route", Host: p})
	}
	natsServer, err := server.NewServer(serverOptions)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	natsServer.SetLoggerV2(log, false, false, false)
	if err := refuseClients(natsServer); err != nil {
		return nil, err
	}
	natsServer.Start()
	for deadline := time.Now().Add(startTimeout); !natsServer.ReadyForConnections(100 * time.Millisecond); {
		problem := log.problem()
		if problem == "" && time.Now().Before(deadline) {
			continue
		}
		natsServer.Shutdown()
		return nil, fmt.Errorf("cluster: the NATS server does not start: %s", cmp.Or(problem, "it does not become ready"))
	}
	routes, err := takeOverRoutePort(natsServer, log.acceptFailed, o.Logger)
	if err != nil {
		o.Logger.Warn("connections to the port of the cluster are not limited before TLS", "error", err)
	}
	if routes != nil {
		log.setPending(routes.isAboutPendingConn)
	}
	return &embeddedServer{natsServer, log, routes}, nil
}

// storeLostProblem means that the server could not write to its disk. JetStream then stays off
// until the server is restarted.
const storeLostProblem = "this node no longer stores cluster data: its disk is full or broken; free some space and restart it"

// problem returns a problem of the server that requires an administrator, or "" if there is none.
func (e *embeddedServer) problem() string {
	if !e.server.JetStreamEnabled() {
		return storeLostProblem
	}
	return e.log.problem()
}

// clientProvider returns the connections of clients within this program.
func (e *embeddedServer) clientProvider() nats.InProcessConnProvider { return e.server }

// stop stops the server and waits for its end.
func (e *embeddedServer) stop() {
	if e.port != nil {
		e.port.close()
	}
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// permissions returns the NATS subjects that this node may use. A node that may not lead can
// neither publish frames nor take the lease.
func permissions(o *Options, scopes []string) *server.Permissions {
	all := subjects{name: o.Name}
	p := &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{all.auditSubject(o.Node), "$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "_INBOX.>"}},
		Subscribe: &server.SubjectPermission{Allow: []string{all.prefix() + ">", "_INBOX.>"}},
	}
	for _, scope := range scopes {
		s := subjects{o.Name, scopeToken(scope)}
		p.Publish.Allow = append(p.Publish.Allow, s.fullStateSubject(), s.presenceSubject(o.Node), s.requestSubject("*"), s.entrySubjects(bucketNotes), s.entrySubjects(bucketLocks))
		if o.MayLead {
			p.Publish.Allow = append(p.Publish.Allow, s.dataSubject(), s.entrySubjects(bucketLease))
		}
	}
	return p
}
