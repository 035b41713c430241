package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/securefile"
)

// Limits of an embedded server.
const (
	maxMemory           = 64 << 20
	maxStore            = 256 << 20   // bytes, with one platform
	maxStorePerPlatform = 32 << 20    // additional bytes for each further platform
	maxPayload          = 1 << 20     // bytes of a message
	pingInterval        = time.Second // interval of pings to Options.Servers
	routePingInterval   = 4 * time.Second
	startTimeout        = 10 * time.Second
)

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
	log.setPort(routes)
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

// subjects builds the names of NATS subjects, buckets and streams for a platform in a cluster.
// The names for the copied audit files are common to all platforms.
type subjects struct{ name, scope string }

// scopeToken returns the part of a subject that stands for a platform, or "" for the only
// platform of a cluster.
func scopeToken(scope string) string {
	if scope == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(scope))
	return "p" + hex.EncodeToString(sum[:6])
}

func (s subjects) prefix() string {
	if s.scope == "" {
		return "wb." + s.name + "."
	}
	return "wb." + s.name + "." + s.scope + "."
}

func (s subjects) dataSubject() string                { return s.prefix() + "data" }
func (s subjects) fullStateSubject() string           { return s.prefix() + "ask" }
func (s subjects) presenceSubject(name string) string { return s.prefix() + "node." + name }
func (s subjects) requestSubject(name string) string  { return s.prefix() + "call." + name }

func (s subjects) bucketName(kind string) string {
	if s.scope == "" {
		return "wb_" + s.name + "_" + kind
	}
	return "wb_" + s.name + "_" + s.scope + "_" + kind
}

// auditSubject returns the subject for the lines of a node's audit file, which is common to
// all platforms.
func (s subjects) auditSubject(node string) string {
	return subjects{name: s.name}.prefix() + "audit." + node
}

// auditStream returns the name of the stream with the copied audit files.
func (s subjects) auditStream() string { return subjects{name: s.name}.bucketName("audit") }

// entrySubjects returns a pattern for the subjects of all entries in a bucket.
func (s subjects) entrySubjects(kind string) string { return "$KV." + s.bucketName(kind) + ".>" }

// connectNATS connects to the embedded server e, or to o.Servers if e is nil.
func connectNATS(o *Options, e *embeddedServer, log *slog.Logger) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name("wallboard " + o.Node), nats.NoEcho(), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.PingInterval(pingInterval), nats.MaxPingsOutstanding(2), nats.RetryOnFailedConnect(true), nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("cluster", "error", err) }),
	}
	if e != nil {
		nc, err := nats.Connect("", append(opts, nats.InProcessServer(e.server), nats.PingInterval(time.Minute))...) // pings are rare, because a connection within the process cannot break
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

// errExposed means that the configuration would open a port without TLS to other machines.
var errExposed = errors.New("cluster: without TLS all nodes must be on this machine: set tls_cert_file, tls_key_file and ca_file, or use addresses of 127.0.0.1")

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
			return errExposed
		}
		for _, ip := range ips {
			if !ip.IP.IsLoopback() {
				return errExposed
			}
		}
	}
	return nil
}

// serverLog is the logger of a server. It remembers the last problem that requires an
// administrator.
type serverLog struct {
	log      *slog.Logger
	now      func() time.Time
	fallback func() string // returns a problem if this log has none; may be nil

	acceptFailed chan struct{} // receives when the server's own listener for routes fails to accept; may be nil

	mu          sync.Mutex
	lastProblem string
	problemTime time.Time
	port        *routePort // nil: the server itself accepts connections
}

// problemDuration is how long a problem is displayed after it was last reported.
const problemDuration = 10 * time.Second

// problem returns the current problem, or else the result of fallback. It returns "" if there
// is no problem and fallback is nil.
func (l *serverLog) problem() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.now().Sub(l.problemTime) <= problemDuration:
		return l.lastProblem
	case l.fallback != nil:
		return l.fallback()
	}
	return ""
}

// setProblem sets the current problem, which expires after problemDuration.
func (l *serverLog) setProblem(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastProblem, l.problemTime = text, l.now()
}

// setPort sets the port that accepts connections instead of the server.
func (l *serverLog) setPort(port *routePort) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.port = port
}

// isFromUnauthenticated reports whether an error concerns an incoming connection without a
// certificate, which any program can open. Such errors are not reported. If another node has a
// wrong certificate, this node reports the problem when it connects to that node.
func (l *serverLog) isFromUnauthenticated(text string) bool {
	l.mu.Lock()
	port := l.port
	l.mu.Unlock()
	return port != nil && port.isAboutPendingConn(text)
}

// Noticef implements [server.Logger].
func (l *serverLog) Noticef(format string, args ...any) { l.debug("notice", format, args) }

// debug logs a message of the server at level debug. kind is the kind of the message.
func (l *serverLog) debug(kind, format string, args []any) {
	if ctx := context.Background(); l.log.Enabled(ctx, slog.LevelDebug) {
		l.log.DebugContext(ctx, "nats", "kind", kind, "says", fmt.Sprintf(format, args...))
	}
}

// Debugf implements [server.Logger]. It does nothing.
func (l *serverLog) Debugf(string, ...any) {}

// Tracef implements [server.Logger]. It does nothing.
func (l *serverLog) Tracef(string, ...any) {}

// Warnf implements [server.Logger].
func (l *serverLog) Warnf(format string, args ...any) { l.debug("warning", format, args) }

// Fatalf implements [server.Logger]. The server calls it when it cannot start.
func (l *serverLog) Fatalf(format string, args ...any) {
	l.setProblem(fmt.Sprintf(format, args...))
	l.log.Error("NATS server failed to start", "error", fmt.Sprintf(format, args...))
}

// Errorf implements [server.Logger]. If an administrator can solve the error, Errorf makes it
// the current problem.
func (l *serverLog) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "Temporary Route Accept Error") {
		select { // tell takeOverRoutePort, unless it was told already
		case l.acceptFailed <- struct{}{}:
		default:
		}
		return
	}
	l.log.Debug("nats fails", "says", text)
	if l.isFromUnauthenticated(text) {
		return
	}
	problem := describeProblem(text, args)
	if problem == "" {
		return
	}
	if l.problem() != problem {
		l.log.Warn("cluster", "trouble", problem, "says", text)
	}
	l.setProblem(problem)
}

// describeProblem describes an error of the server that an administrator can solve. For other
// errors, which mostly mean that a node is down, it returns "".
func describeProblem(text string, args []any) string {
	for _, arg := range args {
		err, isErr := arg.(error)
		if !isErr || netconn.TLSProblem(err) == "" {
			continue
		}
		var cert *tls.CertificateVerificationError
		if errors.As(err, &cert) {
			return "a node is refused: its certificate is not from the cluster's authority (ca_file), is expired, or is for another host"
		}
		return "a node refuses this one, or shows no certificate: check that tls_cert_file, tls_key_file and ca_file are from the same authority on both"
	}
	switch {
	case strings.Contains(text, "cluster name"):
		return "a node of another cluster is refused: its [cluster] name is different"
	case strings.Contains(text, "Duplicate Route"), strings.Contains(text, "has duplicate name"), strings.Contains(text, "duplicate server name"):
		return "two nodes have the same name: give each its own [cluster] node"
	}
	return ""
}
