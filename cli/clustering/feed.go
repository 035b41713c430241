// Package clustering makes a server one node of several: what it shows comes from
// whichever of them has the connection to the platform.
package clustering

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"wallboard/cluster"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
)

// Feed is a node of a cluster to whoever wants pictures, as a feed of its own would be.
type Feed struct {
	Node *cluster.Node

	log *slog.Logger

	mu      sync.Mutex
	options feeds.Options // of the next connection
	present *feeds.Feed   // nil before the first
}

// Options make a [Feed].
type Options struct {
	Config  *config.Config
	Feed    feeds.Options
	Version string
	Viewers func() int // nil: nobody counts
	Logger  *slog.Logger
}

// Join makes this server a node. Nothing is told to the others before Run.
func Join(ctx context.Context, o Options) (*Feed, error) {
	f := &Feed{log: o.Logger, options: o.Feed}
	f.options.Logger = o.Logger
	c := &o.Config.Cluster
	node, err := cluster.New(ctx, cluster.Options{
		Name: c.Name, Node: c.NodeName(), Version: o.Version, Platform: o.Config.RTD.URL,
		Dir: c.Folder(), Listen: c.Listen, Peers: c.Peers, TLS: c.TLS(), Servers: c.Servers, Credentials: c.Credentials,
		Lease: c.Lease, Lead: c.Lead, Fallback: cluster.Fallback(c.Fallback),
		Connect: f.connect, Viewers: o.Viewers, AuditFile: o.Config.Audit.Path(), Logger: o.Logger,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what it is about
	}
	f.Node = node
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

// Run takes part in the cluster, and answers the commands of this user, until the
// context ends.
func (f *Feed) Run(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	beside.Go(func() { f.answer(ctx) })
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
