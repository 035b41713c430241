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
	current *feeds.Feed   // nil before the first connection
}

// Member is this process's part of a cluster: one node for each platform.
type Member struct {
	machine *cluster.Machine
	shared  cluster.Options // common options of the nodes
	feeds   []*Feed
	log     *slog.Logger
}

// OpenCluster joins the cluster of a configuration. The membership ends with the last node. The
// other nodes learn the SSH host key of this one.
func OpenCluster(ctx context.Context, c *config.Config, version, hostKey string, log *slog.Logger) (*Member, error) {
	section := &c.Cluster
	_, port, err := net.SplitHostPort(c.Serve.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve.listen: %w", err)
	}
	m := &Member{log: log, shared: cluster.Options{
		Name: section.Name, Node: section.NodeName(), Version: version, Dir: section.Folder(), Listen: section.Listen, Peers: section.Peers, TLS: section.TLS(),
		Servers: section.Servers, Credentials: section.Credentials, Lease: section.Lease, MayLead: section.MayLead, Fallback: cluster.Fallback(section.Fallback), ActAlone: section.ActAlone, Logger: log,
		HostKey: hostKey, SSHPort: port,
	}}
	scopes := c.PlatformNames()
	if len(scopes) == 0 {
		scopes = []string{""}
	}
	m.machine, err = cluster.Open(ctx, m.shared, scopes...)
	return m, err
}

// FeedOptions configure a [Feed].
type FeedOptions struct {
	Config  *config.Config
	Feed    feeds.Options
	Viewers func() int // number of viewers; may be nil
	Logger  *slog.Logger
}

// Join creates the node of a platform. It sends nothing before Run.
func (m *Member) Join(o FeedOptions) (*Feed, error) {
	f := &Feed{member: m, log: o.Logger, options: o.Feed}
	f.options.Logger = o.Logger
	options := m.shared
	options.Scope, options.Platform, options.Connect, options.Viewers, options.Logger = o.Config.Platform, o.Config.RTD.URL, f.connect, o.Viewers, o.Logger
	if len(m.feeds) == 0 { // one audit log for all platforms
		options.AuditFile = o.Config.Audit.Path()
	}
	node, err := m.machine.Join(options)
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
	f.current = next
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
		beside.Go(func() { f.member.answerCommands(ctx) })
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
	if f.current != nil {
		f.current.Reconfigure(want)
	}
}

// Reconnect changes the address of the current and all later connections of this node, like
// [feeds.Feed.Reconnect]. A change of the platform requires a restart of all nodes.
func (f *Feed) Reconnect(o feeds.Options) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	o.Logger = f.log
	if f.current != nil {
		if err := f.current.Reconnect(o); err != nil {
			return err
		}
	}
	f.options = o
	return nil
}
