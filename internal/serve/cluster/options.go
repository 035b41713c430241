package cluster

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"wallboard/model"
)

// Upstream is a connection to the platform, such as a feed.
type Upstream interface {
	// Run keeps the connection until the context ends or the connection fails permanently.
	Run(ctx context.Context) error
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Fallback selects the behaviour of a node that cannot reach the others.
type Fallback string

// The fallbacks of a node.
const (
	FallbackOwn  Fallback = "own"  // connect to the platform
	FallbackNone Fallback = "none" // show that there is no cluster
)

// Options configure a node.
type Options struct {
	Name     string // name of the cluster
	Scope    string // name of this platform if the cluster shows several; "" otherwise
	Node     string // name of this node; unique in the cluster
	Version  string // version of the program, for display
	Platform string // address of the platform without credentials, the same on every node

	Dir    string   // folder for the data of the embedded server
	Listen string   // address that accepts the other nodes
	Peers  []string // the addresses of all nodes
	// Advertise is the address that the other nodes learn besides Peers; "" means Listen.
	Advertise string
	// TLS has the certificate of this node and the trusted authority, as server and as
	// client. Without it all addresses of embedded servers must be local.
	TLS *tls.Config

	Servers     []string // NATS servers to use instead of embedded ones
	Credentials string   // credentials file for these servers; "" for none

	Lease    time.Duration // silence of a leader after which another node takes over
	MayLead  bool          // this node may lead
	Fallback Fallback
	// ActAlone lets the node act without a majority, although a user of another node may do
	// the same at that moment.
	ActAlone bool

	// HostKey is the SSH host key of this node in the format of authorized_keys, and SSHPort
	// the port for its viewers. The other nodes learn both; "" for none.
	HostKey, SSHPort string

	// Connect returns a connection to the platform. The node calls its Run.
	Connect func() (Upstream, error)
	// Viewers returns the number of viewers of this node; nil if they are not counted.
	Viewers func() int
	// AuditFile is the audit file that is copied to the other nodes; "" for none.
	AuditFile string

	Now    func() time.Time // nil: time.Now
	Logger *slog.Logger     // nil: no log

	lockTerm time.Duration // shorter in tests
}

// NamePattern matches valid names of clusters and nodes, which are parts of subjects.
var NamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

// MinLease and MaxLease bound Options.Lease.
const (
	MinLease = 500 * time.Millisecond
	MaxLease = 30 * time.Second
)

func (o Options) withDefaults() Options {
	if o.Lease == 0 {
		o.Lease = time.Second
	}
	if o.Fallback == "" {
		o.Fallback = FallbackOwn
	}
	if o.lockTerm == 0 {
		o.lockTerm = lockTerm
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// minPeers is the least number of embedded servers that still have a majority if one fails.
const minPeers = 3

// check returns an error if the options of a node are invalid.
func (o *Options) check() error {
	if o.Connect == nil {
		return errors.New("cluster: Connect is missing")
	}
	return o.checkCluster()
}

// checkCluster returns an error if the options that all platforms share are invalid.
func (o *Options) checkCluster() error {
	switch {
	case !NamePattern.MatchString(o.Name):
		return fmt.Errorf("cluster: %q is not a valid cluster name", o.Name)
	case !NamePattern.MatchString(o.Node):
		return fmt.Errorf("cluster: %q is not a valid node name", o.Node)
	case len(o.Servers) == 0 && len(o.Peers) < minPeers:
		return fmt.Errorf("cluster: peers names %d nodes; at least %d are needed to keep a majority without one", len(o.Peers), minPeers)
	case o.Lease < MinLease || o.Lease > MaxLease:
		return fmt.Errorf("cluster: lease is %v; allowed: %v to %v", o.Lease, MinLease, MaxLease)
	}
	return nil
}

// identity returns a hash that identifies the platform without its address.
func (o *Options) identity() [identitySize]byte {
	sum := sha256.Sum256([]byte(o.Platform))
	return [identitySize]byte(sum[:identitySize])
}
