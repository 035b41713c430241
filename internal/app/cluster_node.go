package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"wallboard/feeds"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/internal/hub"
	"wallboard/internal/serve/cluster"
	"wallboard/model"
)

// newSource creates the source of a platform. In a cluster, the source is a node, because only one
// node of a cluster connects to the platform. Otherwise it is a feed. share exchanges alerts with
// the other nodes of the cluster until its context ends. Outside a cluster it is nil. viewers is as
// in [PlatformOptions.ViewerCount].
func (e *Environment) newSource(ctx context.Context, c *config.Config, fo feeds.Options, viewers func() int) (s Source, share func(context.Context, *hub.Hub), err error) {
	if viewers == nil || !c.Cluster.Enabled() {
		s, err = NewFeed(fo)
		return s, nil, err
	}
	if e.clusterMember == nil { // the first platform of the process
		if e.clusterMember, err = openCluster(ctx, c, e.Version, e.HostKey, fo.Logger); err != nil {
			return nil, nil, err
		}
		e.targetLocks = make(map[string]func(context.Context, string) (control.Lock, error))
	}
	node, err := e.clusterMember.join(c, fo, viewers)
	if err != nil {
		return nil, nil, err
	}
	e.targetLocks[c.Platform] = func(ctx context.Context, target string) (control.Lock, error) {
		return node.node.Shared.Lock(ctx, target)
	}
	return node, node.shareAlerts, nil
}

// ClusterNode is the source of a platform in a cluster: the node of this process for the platform.
type ClusterNode struct {
	node   *cluster.Node
	member *clusterMember
	log    *slog.Logger

	mu          sync.Mutex
	feedOptions feeds.Options // options of the next connection
	currentFeed *feeds.Feed   // nil before the first connection
}

// clusterMember is the membership of this process in a cluster. It has one node for each platform.
type clusterMember struct {
	machine       *cluster.LocalCluster
	commonOptions cluster.Options // options that all nodes of this process share
	nodes         []*ClusterNode
	log           *slog.Logger
}

// openCluster joins the cluster that a configuration describes. The process leaves the cluster when
// its last node ends. hostKey is the SSH host key of this server. The other nodes receive it.
func openCluster(ctx context.Context, c *config.Config, version, hostKey string, log *slog.Logger) (*clusterMember, error) {
	section := &c.Cluster
	_, port, err := net.SplitHostPort(c.Serve.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve.listen: %w", err)
	}
	m := &clusterMember{log: log, commonOptions: cluster.Options{
		Name: section.Name, Node: section.NodeName(), Version: version, Dir: section.Folder(), Listen: section.Listen, Peers: section.Peers, TLS: section.TLS(),
		Servers: section.Servers, Credentials: section.Credentials, Lease: section.Lease, MayLead: section.MayLead, Fallback: cluster.Fallback(section.Fallback), ActWithoutMajority: section.ActAlone, Logger: log,
		HostKey: hostKey, SSHPort: port,
	}}
	scopes := c.PlatformNames()
	if len(scopes) == 0 {
		scopes = []string{""}
	}
	m.machine, err = cluster.Open(ctx, m.commonOptions, scopes...)
	return m, err
}

// join creates the node of a platform. The node sends nothing before [ClusterNode.Run] is called.
func (m *clusterMember) join(c *config.Config, fo feeds.Options, viewers func() int) (*ClusterNode, error) {
	f := &ClusterNode{member: m, log: fo.Logger, feedOptions: fo}
	options := m.commonOptions
	options.Scope, options.Platform, options.Connect, options.Viewers, options.Logger = c.Platform, c.RTD.URL, f.connect, viewers, fo.Logger
	if len(m.nodes) == 0 { // all platforms share one audit log
		options.AuditFile = c.Audit.Path()
	}
	node, err := m.machine.Join(options)
	if err != nil {
		return nil, err
	}
	f.node = node
	m.nodes = append(m.nodes, f)
	return f, nil
}

// connect creates a connection to the platform with the latest options.
func (f *ClusterNode) connect() (cluster.Upstream, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	next, err := NewFeed(f.feedOptions)
	if err != nil {
		return nil, err
	}
	f.currentFeed = next
	return next, nil
}

// Run runs the node until ctx ends. The first node of this process also answers the commands that
// its user sends to any of its nodes.
func (f *ClusterNode) Run(ctx context.Context) error {
	var tasks sync.WaitGroup
	defer tasks.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if f == f.member.nodes[0] {
		tasks.Go(func() { f.member.answerCommands(ctx) })
	}
	return f.node.Run(ctx)
}

// Latest returns the newest snapshot.
func (f *ClusterNode) Latest() *model.Snapshot { return f.node.Latest() }

// Wait waits for a snapshot whose Seq is greater than after and returns it. If ctx ends first, it
// returns the error of ctx.
func (f *ClusterNode) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.node.Wait(ctx, after)
}

// Reconfigure changes the filter of the current connection of this node and of all later ones, like
// [feeds.Feed.Reconfigure].
func (f *ClusterNode) Reconfigure(want feeds.RuntimeOptions) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := &f.feedOptions
	o.UserSite, o.Services, o.Groups, o.Restriction = want.UserSite, want.Services, want.Groups, want.Restriction
	o.Campaigns, o.FindCampaigns = want.Campaigns, want.FindCampaigns
	o.Bounds, o.Publish, o.AuditInterval = want.Bounds, want.Publish, want.AuditInterval
	if f.currentFeed != nil {
		f.currentFeed.Reconfigure(want)
	}
}

// Reconnect changes the address of the current connection of this node and of all later ones, like
// [feeds.Feed.Reconnect]. It cannot change the platform, because that requires a restart of all
// nodes.
func (f *ClusterNode) Reconnect(o feeds.Options) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	o.Logger = f.log
	if f.currentFeed != nil {
		if err := f.currentFeed.Reconnect(o); err != nil {
			return err
		}
	}
	f.feedOptions = o
	return nil
}

// RetryNow makes the node connect at once if it is waiting for the next attempt.
func (f *ClusterNode) RetryNow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.currentFeed != nil {
		f.currentFeed.RetryNow()
	}
}

// shareAlerts exchanges the viewers' acknowledgements, snoozes and notes with the other nodes until
// ctx ends.
func (f *ClusterNode) shareAlerts(ctx context.Context, views *hub.Hub) {
	// All boards of a hub share acknowledgements and snoozes, so a single viewer sees all of them.
	v, err := views.NewViewer(hub.Visibility{Names: model.NamesFull}, time.Second, 0)
	if err != nil {
		f.log.Warn("acknowledgements and snoozes are not shared with the cluster", "error", err)
		return
	}
	hub.NewAlertSharer(f.node.Shared, map[string]hub.AlertBoard{string(model.NamesFull): v}, v.Observations().Notes(), f.log).Run(ctx)
}
