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

// Upstream is a connection to the platform, as a feed is one.
type Upstream interface {
	// Run keeps the connection until the context ends, or until it breaks for good.
	Run(ctx context.Context) error
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Fallback is what a node does that cannot reach the others.
type Fallback string

// What such a node does.
const (
	FallbackOwn  Fallback = "own"  // it connects to the platform itself
	FallbackNone Fallback = "none" // it shows that there is no cluster
)

// Options make a node.
type Options struct {
	Name     string // of the cluster
	Scope    string // what this platform is called, of several that the cluster shows; "": there is one
	Node     string // of this node; no other one has it
	Version  string // of the program, for people
	Platform string // what is shown, the same on every node: an address without credentials

	Dir    string   // for what the embedded server keeps
	Listen string   // where it takes the other nodes
	Peers  []string // the addresses of all nodes
	// Advertise is what the others are told to connect to besides Peers; "" is Listen.
	Advertise string
	// TLS shows who this node is and says whom it believes, as server and as client.
	// Without it only nodes of this machine are spoken to.
	TLS *tls.Config

	Servers     []string // NATS servers to use instead of embedded ones
	Credentials string   // file of a user of theirs; "" is none

	Lease    time.Duration // how long a silent leader is waited for
	Lead     bool          // it may hold the connection to the platform
	Fallback Fallback
	// ActAlone has a node act that cannot reach a majority, though somebody elsewhere may
	// do the same at the moment.
	ActAlone bool

	// HostKey is the SSH host key of this node, as in a file authorized_keys, and SSHPort
	// the port of its viewers. The other nodes are told both; "" for none.
	HostKey, SSHPort string

	// Connect returns a connection to the platform that does not run yet.
	Connect func() (Upstream, error)
	// Viewers is how many people look at this node; nil: nobody counts.
	Viewers func() int
	// AuditFile is copied to the other nodes, line by line; "" is none.
	AuditFile string

	Now    func() time.Time // nil: time.Now
	Logger *slog.Logger     // nil: no log

	lockTerm time.Duration // tests have a shorter one
}

// NamePattern is what names of clusters and nodes look like: they are part of subjects.
var NamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

// ShortestLease and LongestLease bound how long a silent leader is waited for.
const (
	ShortestLease = 500 * time.Millisecond
	LongestLease  = 30 * time.Second
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

// leastPeers is how many embedded servers can do without one.
const leastPeers = 3

// check says what is wrong with the options of a node.
func (o *Options) check() error {
	if o.Connect == nil {
		return errors.New("cluster: no way to the platform")
	}
	return o.checkCluster()
}

func (o *Options) checkCluster() error {
	switch {
	case !NamePattern.MatchString(o.Name):
		return fmt.Errorf("cluster: %q is no name of a cluster", o.Name)
	case !NamePattern.MatchString(o.Node):
		return fmt.Errorf("cluster: %q is no name of a node", o.Node)
	case len(o.Servers) == 0 && len(o.Peers) < leastPeers:
		return fmt.Errorf("cluster: %d nodes are named in peers; with less than %d there is no majority without one of them", len(o.Peers), leastPeers)
	case o.Lease < ShortestLease || o.Lease > LongestLease:
		return fmt.Errorf("cluster: a lease of %v; allowed: %v to %v", o.Lease, ShortestLease, LongestLease)
	}
	return nil
}

// identity tells platforms apart without naming them.
func (o *Options) identity() [identitySum]byte {
	sum := sha256.Sum256([]byte(o.Platform))
	return [identitySum]byte(sum[:identitySum])
}
