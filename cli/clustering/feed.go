// Package clustering makes a server one node of several: what it shows comes from
// whichever of them has the connection to the platform.
package clustering

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"wallboard/cluster"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
)

// Feed is a node of a cluster to whoever wants pictures, as a feed of its own would be.
type Feed struct {
	Node *cluster.Node

	member *Member
	log    *slog.Logger

	mu      sync.Mutex
	options feeds.Options // of the next connection
	present *feeds.Feed   // nil before the first
}

// Member is this program's part of a cluster: its nodes, one for each platform.
type Member struct {
	machine *cluster.Machine
	common  cluster.Options // what is the same of all nodes
	feeds   []*Feed
	log     *slog.Logger
}

// Open makes this program a part of the cluster of a configuration. It ends with the
// last of its nodes. The other nodes are told the SSH host key of this one.
func Open(ctx context.Context, c *config.Config, version, hostKey string, log *slog.Logger) (*Member, error) {
	k := &c.Cluster
	_, port, err := net.SplitHostPort(c.Serve.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve.listen: %w", err)
	}
	m := &Member{log: log, common: cluster.Options{
		Name: k.Name, Node: k.NodeName(), Version: version, Dir: k.Folder(), Listen: k.Listen, Peers: k.Peers, TLS: k.TLS(),
		Servers: k.Servers, Credentials: k.Credentials, Lease: k.Lease, Lead: k.Lead, Fallback: cluster.Fallback(k.Fallback), ActAlone: k.ActAlone, Logger: log,
		HostKey: hostKey, SSHPort: port,
	}}
	scopes := c.PlatformNames()
	if len(scopes) == 0 {
		scopes = []string{""}
	}
	m.machine, err = cluster.Open(ctx, m.common, scopes...)
	return m, err //nolint:wrapcheck // it says what it is about
}

// Options make a [Feed].
type Options struct {
	Config  *config.Config
	Feed    feeds.Options
	Viewers func() int // nil: nobody counts
	Logger  *slog.Logger
}

// Join makes this program a node of a platform. Nothing is told to the others before Run.
func (m *Member) Join(o Options) (*Feed, error) {
	f := &Feed{member: m, log: o.Logger, options: o.Feed}
	f.options.Logger = o.Logger
	one := m.common
	one.Scope, one.Platform, one.Connect, one.Viewers, one.Logger = o.Config.Platform, o.Config.RTD.URL, f.connect, o.Viewers, o.Logger
	if len(m.feeds) == 0 { // the file is one for all platforms
		one.AuditFile = o.Config.Audit.Path()
	}
	node, err := m.machine.Join(one)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what it is about
	}
	f.Node = node
	m.feeds = append(m.feeds, f)
	return f, nil
}

// connect makes the next connection to the platform.
func (f *Feed) connect() (cluster.Upstream, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	next, err := feeds.New(f.options)
	if err != nil {
		return nil, fmt.Errorf("prepare the feed: %w", err)
	}
	f.present = next
	return next, nil
}

// Run takes part in the cluster until the context ends. The first of a member's feeds
// answers the commands of this user, about all of them.
func (f *Feed) Run(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if f == f.member.feeds[0] {
		beside.Go(func() { f.member.answer(ctx) })
	}
	return f.Node.Run(ctx) //nolint:wrapcheck // the documented error
}

// Latest returns the newest picture.
func (f *Feed) Latest() *model.Snapshot { return f.Node.Latest() }

// Wait returns the newest picture as soon as there is one with a number greater than
// after, or the context's error.
func (f *Feed) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.Node.Wait(ctx, after) //nolint:wrapcheck // the documented error
}

// Reconfigure has this and every further connection of this node ask for something
// else, as [feeds.Feed.Reconfigure].
func (f *Feed) Reconfigure(want feeds.Filter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := &f.options
	o.UserSite, o.Services, o.Groups, o.Campaigns, o.Narrow = want.UserSite, want.Services, want.Groups, want.Campaigns, want.Narrow
	o.Bounds, o.PublishEvery, o.AuditInterval = want.Bounds, want.PublishEvery, want.AuditInterval
	if f.present != nil {
		f.present.Reconfigure(want)
	}
}

// Redial has this and every further connection of this node go another way, as
// [feeds.Feed.Redial]. Another platform needs a new start of all nodes.
func (f *Feed) Redial(o feeds.Options) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	o.Logger = f.log
	if f.present != nil {
		if err := f.present.Redial(o); err != nil {
			return err //nolint:wrapcheck // it says what is wrong
		}
	}
	f.options = o
	return nil
}
