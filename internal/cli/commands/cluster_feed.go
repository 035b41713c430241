package commands

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"wallboard/feeds"
	"wallboard/internal/config"
	"wallboard/internal/serve/cluster"
	"wallboard/model"
)

// Feed is a node of a cluster with the interface of a feed.
type Feed struct {
	Node *cluster.Node

	member *Member
	log    *slog.Logger

	mu      sync.Mutex
	options feeds.Options // for the next connection
	present *feeds.Feed   // nil before the first connection
}

// Member is this process's part of a cluster: one node for each platform.
type Member struct {
	machine *cluster.Machine
	common  cluster.Options // common options of the nodes
	feeds   []*Feed
	log     *slog.Logger
}

// OpenCluster joins the cluster of a configuration. The membership ends with the last node. The
// other nodes learn the SSH host key of this one.
func OpenCluster(ctx context.Context, c *config.Config, version, hostKey string, log *slog.Logger) (*Member, error) {
	k := &c.Cluster
	_, port, err := net.SplitHostPort(c.Serve.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve.listen: %w", err)
	}
	m := &Member{log: log, common: cluster.Options{
		Name: k.Name, Node: k.NodeName(), Version: version, Dir: k.Folder(), Listen: k.Listen, Peers: k.Peers, TLS: k.TLS(),
		Servers: k.Servers, Credentials: k.Credentials, Lease: k.Lease, MayLead: k.Lead, Fallback: cluster.Fallback(k.Fallback), ActAlone: k.ActAlone, Logger: log,
		HostKey: hostKey, SSHPort: port,
	}}
	scopes := c.PlatformNames()
	if len(scopes) == 0 {
		scopes = []string{""}
	}
	m.machine, err = cluster.Open(ctx, m.common, scopes...)
	return m, err
}

// Options configure a [Feed].
type Options struct {
	Config  *config.Config
	Feed    feeds.Options
	Viewers func() int // number of viewers; may be nil
	Logger  *slog.Logger
}

// Join creates the node of a platform. It sends nothing before Run.
func (m *Member) Join(o Options) (*Feed, error) {
	f := &Feed{member: m, log: o.Logger, options: o.Feed}
	f.options.Logger = o.Logger
	one := m.common
	one.Scope, one.Platform, one.Connect, one.Viewers, one.Logger = o.Config.Platform, o.Config.RTD.URL, f.connect, o.Viewers, o.Logger
	if len(m.feeds) == 0 { // one audit log for all platforms
		one.AuditFile = o.Config.Audit.Path()
	}
	node, err := m.machine.Join(one)
	if err != nil {
		return nil, err
	}
	f.Node = node
	m.feeds = append(m.feeds, f)
	return f, nil
}

// connect creates a connection to the platform.
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

// Run runs the node until ctx ends. A member's first feed also answers the commands of this
// user, for all of them.
func (f *Feed) Run(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if f == f.member.feeds[0] {
		beside.Go(func() { f.member.answer(ctx) })
	}
	return f.Node.Run(ctx)
}

// Latest returns the newest snapshot.
func (f *Feed) Latest() *model.Snapshot { return f.Node.Latest() }

// Wait blocks until there is a snapshot with a number greater than after, and returns it,
// or the context's error.
func (f *Feed) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.Node.Wait(ctx, after)
}

// Reconfigure changes the filter of the current and all later connections of this node,
// like [feeds.Feed.Reconfigure].
func (f *Feed) Reconfigure(want feeds.Filter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := &f.options
	o.UserSite, o.Services, o.Groups, o.Restriction = want.UserSite, want.Services, want.Groups, want.Restriction
	o.Campaigns, o.FindCampaigns = want.Campaigns, want.FindCampaigns
	o.Bounds, o.PublishEvery, o.AuditInterval = want.Bounds, want.PublishEvery, want.AuditInterval
	if f.present != nil {
		f.present.Reconfigure(want)
	}
}

// Reconnect changes the address of the current and all later connections of this node, like
// [feeds.Feed.Reconnect]. A change of the platform requires a restart of all nodes.
func (f *Feed) Reconnect(o feeds.Options) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	o.Logger = f.log
	if f.present != nil {
		if err := f.present.Reconnect(o); err != nil {
			return err
		}
	}
	f.options = o
	return nil
}
