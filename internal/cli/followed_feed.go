package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/internal/hub"
	"wallboard/internal/report/headless"
	"wallboard/model"
)

// followedFeed is the feed of a platform without a screen, with what it needs to follow the
// configuration.
type followedFeed struct {
	board           *commandSetup
	readSource      source
	config          *config.Config // current
	feed            *feeds.Feed
	source          snapshotFeed // source of snapshots: feed, or a node of a cluster
	log             *slog.Logger
	level           *slog.LevelVar
	startConfig     *config.Config         // configuration at the start
	reloadRequested bool                   // the current reload was requested
	rejection       string                 // why the last configuration was rejected; "": it was not
	problem         atomic.Pointer[string] // current problem with the configuration; see trouble
}

// trouble returns why the saved configuration, or a part of it, is not in force; "" if all
// of it is. It is safe for concurrent use.
func (h *followedFeed) trouble() string {
	if text := h.problem.Load(); text != nil {
		return *text
	}
	return ""
}

// setProblem stores the current problem with the configuration.
func (h *followedFeed) setProblem(text string) { h.problem.Store(&text) }

// snapshotFeed is a feed, or a node of a cluster in its place.
type snapshotFeed interface {
	app.Runner
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
	Reconfigure(want feeds.Filter)
	Reconnect(o feeds.Options) error
}

// joinCluster replaces the feed by a node of the cluster, if the configuration names one. Only one
// node is connected to the platform.
func (h *followedFeed) joinCluster(ctx context.Context, viewers func() int) error {
	if !h.config.Cluster.Enabled() {
		return nil
	}
	b := h.board
	if b.member == nil { // first platform of this process
		var err error
		if b.member, err = commands.OpenCluster(ctx, h.config, version(), b.hostKey, h.log); err != nil {
			return err
		}
		b.locks = make(map[string]func(context.Context, string) (control.Lock, error))
	}
	node, err := b.member.Join(commands.FeedOptions{Config: h.config, Feed: app.FeedOptions(h.config), Viewers: viewers, Logger: h.log})
	if err != nil {
		return err
	}
	h.source = node
	b.locks[h.config.Platform] = func(ctx context.Context, target string) (control.Lock, error) {
		return node.Node.Shared.Lock(ctx, target)
	}
	return nil
}

// shareAlerts shares the viewers' answers to alerts with the other nodes of a cluster,
// until ctx ends.
func (h *followedFeed) shareAlerts(ctx context.Context, views *hub.Hub) {
	node, isNode := h.source.(*commands.Feed)
	if !isNode {
		return
	}
	// Any viewer of the hub sees the answers on all of its boards.
	v, err := views.Viewer(hub.Visibility{Names: model.NamesFull}, time.Second, 0)
	if err != nil {
		h.log.Warn("acknowledgements and snoozes are not shared with the cluster", "error", err)
		return
	}
	node.Share(ctx, map[string]commands.AlertBoard{string(model.NamesFull): v})
}

// openFeeds prepares the feeds of all configured platforms. They log to standard error.
func (b *commandSetup) openFeeds() ([]*followedFeed, error) {
	c, err := b.LoadAll(false)
	if err != nil {
		return nil, err
	}
	level := new(slog.LevelVar)
	level.Set(c.Log.SlogLevel())
	log := b.NewLogger(b.Streams.Err, level)
	var platforms []*followedFeed
	for _, read := range b.platformSources(c) {
		c, fo, err := read()
		if err != nil {
			return nil, err
		}
		platformLog := log
		if c.Platform != "" {
			platformLog = log.With("platform", c.Platform)
		}
		h, err := b.newFollowedFeed(read, c, fo, platformLog, level)
		if err != nil {
			return nil, err
		}
		platforms = append(platforms, h)
	}
	return platforms, nil
}

// openFeed prepares the feed of the configured platform. It logs to standard error.
func (b *commandSetup) openFeed() (*followedFeed, error) {
	c, fo, err := b.configured()
	if err != nil {
		return nil, err
	}
	level := new(slog.LevelVar)
	level.Set(c.Log.SlogLevel())
	return b.newFollowedFeed(b.configured, c, fo, b.NewLogger(b.Streams.Err, level), level)
}

func (b *commandSetup) newFollowedFeed(read source, c *config.Config, fo feeds.Options, log *slog.Logger, level *slog.LevelVar) (*followedFeed, error) {
	fo.Logger = log
	feed, err := feeds.New(fo)
	if err != nil {
		return nil, fmt.Errorf("prepare the feed: %w", err)
	}
	return &followedFeed{board: b, readSource: read, config: c, startConfig: c, feed: feed, source: feed, log: log, level: level}, nil
}

// configFollower describes how a program applies a changed configuration, on a goroutine of its
// own.
type configFollower struct {
	// apply applies a configuration. platformChanged is true if it names another platform, whose
	// data has not arrived yet.
	apply func(ctx context.Context, c *config.Config, platformChanged bool) error
	// show shows the result of a reload; nil: it is only logged.
	show func(context.Context, string)
	// restartKeys lists the keys that need a restart. otherProblems, which may be nil, returns
	// what else of the saved configuration is not in force.
	restartKeys   []string
	otherProblems func() string
	// isRefused reports whether a secret is refused by another service than the feed; nil:
	// no.
	isRefused func() bool
}

// pendingText returns what of the saved configuration is not in force.
func (f *configFollower) pendingText(started, c *config.Config) string {
	text := restartText(started, c, f.restartKeys)
	if f.otherProblems == nil {
		return text
	}
	return joinSentences(text, f.otherProblems())
}

// joinSentences joins two sentences, either of which may be empty.
func joinSentences(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + ". " + second
}

// viewerFollower makes a screenless viewer follow the configuration.
func viewerFollower(h *followedFeed, v *headless.Viewer) *configFollower {
	return &configFollower{
		apply: func(_ context.Context, c *config.Config, platformChanged bool) error {
			return v.Follow(c, platformChanged, h.log)
		},
		restartKeys: []string{"platform"},
	}
}

// run runs the feed and, unless f is nil, follows the configuration. The returned context
// ends with the feed, with the feed's error as its cause. stop ends both and waits.
func (h *followedFeed) run(ctx context.Context, f *configFollower) (running context.Context, stop func()) {
	ctx, stopFeed := app.RunFeed(ctx, h.source)
	if f == nil {
		return ctx, stopFeed
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		secrets := func() []string { return h.config.SecretFiles() }
		refused := func() bool {
			return h.rejection != "" || isLinkRefused(h.source.Latest()) || f.isRefused != nil && f.isRefused()
		}
		h.board.onChange(ctx, h.log, reloadTriggers{secrets: secrets, isRefused: refused}, func(trigger reloadReason) {
			if text := h.reload(ctx, f, trigger == reloadOnRequest); text != "" && f.show != nil {
				f.show(ctx, text)
			}
		})
	}()
	return ctx, func() { stopFeed(); <-done }
}

// reload reads the configuration again and returns a text for the viewer, "" if nothing has
// changed. A configuration with errors changes nothing.
func (h *followedFeed) reload(ctx context.Context, f *configFollower, requested bool) string {
	h.reloadRequested = requested
	c, fo, err := h.readSource()
	if err != nil {
		return h.rejectConfig(err, describeProblem(err))
	}
	changed := config.Changed(h.config, c)
	if len(changed) == 0 {
		repeat := requested || h.rejection != ""
		if requested && f.otherProblems != nil && f.otherProblems() != "" {
			if err := f.apply(ctx, c, false); err != nil { // changes that waited for a request
				return h.rejectConfig(err, describeProblem(err))
			}
		}
		h.setProblem(f.pendingText(h.startConfig, c))
		if h.rejection = ""; repeat {
			h.log.Info("configuration reloaded: no changes")
			return configUnchanged
		}
		return ""
	}
	if redirects := config.Redirects(h.config, c); len(redirects) > 0 { // no viewer to ask
		return h.rejectConfig(errors.New(redirectText(redirects, restartRemedy)), redirectText(redirects, restartRemedy))
	}
	platformChanged, trouble := reconfigureFeed(ctx, h.source, fo, changed)
	if err := f.apply(ctx, c, platformChanged); err != nil {
		return h.rejectConfig(err, describeProblem(err))
	}
	h.level.Set(c.Log.SlogLevel())
	h.config, h.rejection = c, ""
	h.log.Info("configuration reloaded", "keys", strings.Join(changed, " "))
	if err := h.board.FollowLog(c); err != nil && trouble == nil {
		trouble = err
	}
	waiting := f.pendingText(h.startConfig, c)
	h.setProblem(waiting)
	if trouble != nil {
		h.log.Warn("the feed cannot apply the changed configuration", "error", trouble)
		return trouble.Error()
	}
	if waiting != "" {
		h.log.Warn("a part of the changed configuration needs a restart", "keys", waiting)
		return configApplied + ". " + waiting + "."
	}
	return configApplied + "."
}

// rejectConfig keeps the current configuration and returns the reason, or "" if it is the same as
// last time.
func (h *followedFeed) rejectConfig(err error, reason string) string {
	if h.rejection == reason {
		return ""
	}
	h.rejection = reason
	h.setProblem(reason)
	h.log.Warn("changed configuration rejected", "error", err)
	return reason
}

// causeOfEnd returns the cause of a context's end, nil if it was canceled on purpose.
func causeOfEnd(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}
