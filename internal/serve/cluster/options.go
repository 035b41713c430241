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

// Upstream is a connection to the platform that provides snapshots, such as a feed.
type Upstream interface {
	// Run keeps the connection open until the context ends or the connection fails permanently.
	Run(ctx context.Context) error
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Fallback determines how a node continues while it cannot reach the other nodes.
type Fallback string

// Values of [Fallback].
const (
	FallbackOwn  Fallback = "own"  // connect to the platform itself
	FallbackNone Fallback = "none" // show only that there is no cluster
)

// Options configures a node.
type Options struct {
	Name     string // name of the cluster
	Scope    string // name of this platform if the cluster shows several; else ""
	Node     string // name of this node, unique in the cluster
	Version  string // version of the program, displayed for the other nodes
	Platform string // address of the platform without credentials, identical on every node

	Dir    string   // folder for the data of the embedded server
	Listen string   // address on which the embedded server accepts the other nodes
	Peers  []string // addresses of all nodes, including this one
	// Advertise is an address of this node for the other nodes, in addition to Peers. "" means
	// Listen.
	Advertise string
	// TLS holds the certificate of this node and the authorities that it trusts. The node uses
	// it as server and as client. Without TLS, the addresses of all embedded servers must be
	// on this machine.
	TLS *tls.Config

	Servers     []string // NATS servers that are used instead of embedded servers
	Credentials string   // credentials file for Servers; "" for none

	Lease    time.Duration // silence of the leader after which another node takes over
	MayLead  bool          // this node may become the leader
	Fallback Fallback
	// ActWithoutMajority allows users of this node to act on the platform even if the node hears no
	// majority. Users of another node may then do the same at the same time.
	ActWithoutMajority bool

	// HostKey is the SSH host key of this node in the format of authorized_keys, and SSHPort
	// the port for viewers, or "" if there is none. The node sends both to the other nodes.
	HostKey, SSHPort string

	// Connect returns a connection to the platform. The node calls its Run method.
	Connect func() (Upstream, error)
	// Viewers returns the number of viewers of this node. It may be nil.
	Viewers func() int
	// AuditFile is the path of the audit file to copy to the other nodes, or "".
	AuditFile string

	Now    func() time.Time // nil: time.Now
	Logger *slog.Logger     // nil: no log

	lockTerm time.Duration // only set by tests
}

// NamePattern matches the valid names of clusters and nodes. The names are parts of NATS
// subjects, so it allows only characters that are valid in subjects.
var NamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

// MinLease and MaxLease limit [Options.Lease].
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

// minPeers is the smallest number of embedded servers that still have a majority after a
// failure of one of them.
const minPeers = 3

// check returns an error if the options of a node are invalid.
func (o *Options) check() error {
	if o.Connect == nil {
		return errors.New("cluster: Connect is missing")
	}
	return o.checkCluster()
}

// checkCluster returns an error if an option common to all platforms is invalid.
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

// identity returns a hash of the platform's address, by which nodes compare their platforms
// without sending the address.
func (o *Options) identity() [identitySize]byte {
	sum := sha256.Sum256([]byte(o.Platform))
	return [identitySize]byte(sum[:identitySize])
}
