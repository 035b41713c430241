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
	board   *board
	read    source
	config  *config.Config // current
	feed    *feeds.Feed
	source  snapshotFeed // source of snapshots: feed, or a node of a cluster
	log     *slog.Logger
	level   *slog.LevelVar
	begun   *config.Config         // configuration at the start
	asked   bool                   // the current reload was requested
	bad     string                 // why the last configuration was rejected; "": it was not
	problem atomic.Pointer[string] // current problem with the configuration; see trouble
}

// trouble returns why the saved configuration, or a part of it, is not in force; "" if all
// of it is. It is safe for concurrent use.
func (h *followedFeed) trouble() string {
	if text := h.problem.Load(); text != nil {
		return *text
	}
	return ""
}

// note stores the current problem with the configuration.
func (h *followedFeed) note(text string) { h.problem.Store(&text) }

// snapshotFeed is a feed, or a node of a cluster in its place.
type snapshotFeed interface {
	app.Runner
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
	Reconfigure(want feeds.Filter)
	Reconnect(o feeds.Options) error
}

// join replaces the feed by a node of the cluster, if the configuration names one. Only one
// node is connected to the platform.
func (h *followedFeed) join(ctx context.Context, viewers func() int) error {
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
	node, err := b.member.Join(commands.Options{Config: h.config, Feed: app.FeedOptions(h.config), Viewers: viewers, Logger: h.log})
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
	node, is := h.source.(*commands.Feed)
	if !is {
		return
	}
	// Any viewer of the hub sees the answers on all of its boards.
	v, err := views.Viewer(hub.Visibility{Names: model.NamesFull}, time.Second, 0)
	if err != nil {
		h.log.Warn("acknowledgements and snoozes are not shared with the cluster", "error", err)
		return
	}
	node.Share(ctx, map[string]commands.Board{string(model.NamesFull): v})
}

// openFeeds prepares the feeds of all configured platforms. They log to standard error.
func (b *board) openFeeds() ([]*followedFeed, error) {
	c, err := b.LoadEach(false)
	if err != nil {
		return nil, err
	}
	level := new(slog.LevelVar)
	level.Set(c.Log.SlogLevel())
	log := b.NewLogger(b.Streams.Err, level)
	var all []*followedFeed
	for _, read := range b.each(c) {
		c, fo, err := read()
		if err != nil {
			return nil, err
		}
		own := log
		if c.Platform != "" {
			own = log.With("platform", c.Platform)
		}
		h, err := b.followed(read, c, fo, own, level)
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, nil
}

// openFeed prepares the feed of the configured platform. It logs to standard error.
func (b *board) openFeed() (*followedFeed, error) {
	c, fo, err := b.configured()
	if err != nil {
		return nil, err
	}
	level := new(slog.LevelVar)
	level.Set(c.Log.SlogLevel())
	return b.followed(b.configured, c, fo, b.NewLogger(b.Streams.Err, level), level)
}

func (b *board) followed(read source, c *config.Config, fo feeds.Options, log *slog.Logger, level *slog.LevelVar) (*followedFeed, error) {
	fo.Logger = log
	feed, err := feeds.New(fo)
	if err != nil {
		return nil, fmt.Errorf("prepare the feed: %w", err)
	}
	return &followedFeed{board: b, read: read, config: c, begun: c, feed: feed, source: feed, log: log, level: level}, nil
}

// following describes how a program applies a changed configuration, on a goroutine of its
// own.
type following struct {
	// take applies a configuration. elsewhere is true if it names another platform, whose
	// data has not arrived yet.
	take func(ctx context.Context, c *config.Config, elsewhere bool) error
	// say shows the result of a reload; nil: it is only logged.
	say func(context.Context, string)
	// needsStart lists the keys that need a restart. needs, which may be nil, returns what
	// else of the saved configuration is not in force.
	needsStart []string
	needs      func() string
	// refused reports whether a secret is refused by another service than the feed; nil:
	// no.
	refused func() bool
}

// waiting returns what of the saved configuration is not in force.
func (f *following) waiting(begun, c *config.Config) string {
	text := restartNeeded(begun, c, f.needsStart)
	if f.needs == nil {
		return text
	}
	return joinSentences(text, f.needs())
}

// joinSentences joins two sentences, either of which may be empty.
func joinSentences(one, other string) string {
	if one == "" || other == "" {
		return one + other
	}
	return one + ". " + other
}

// followingViewer makes a screenless viewer follow the configuration.
func followingViewer(h *followedFeed, v *headless.Viewer) *following {
	return &following{
		take:       func(_ context.Context, c *config.Config, elsewhere bool) error { return v.Follow(c, elsewhere, h.log) },
		needsStart: []string{"platform"},
	}
}

// run runs the feed and, unless f is nil, follows the configuration. The returned context
// ends with the feed, with the feed's error as its cause. stop ends both and waits.
func (h *followedFeed) run(ctx context.Context, f *following) (running context.Context, stop func()) {
	ctx, stopFeed := app.RunFeed(ctx, h.source)
	if f == nil {
		return ctx, stopFeed
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		secrets := func() []string { return h.config.SecretFiles() }
		refused := func() bool { return h.bad != "" || linkRefused(h.source.Latest()) || f.refused != nil && f.refused() }
		h.board.onChange(ctx, h.log, changes{secrets: secrets, refused: refused}, func(why reason) {
			if said := h.reload(ctx, f, why == askedFor); said != "" && f.say != nil {
				f.say(ctx, said)
			}
		})
	}()
	return ctx, func() { stopFeed(); <-done }
}

// reload reads the configuration again and returns a text for the viewer, "" if nothing has
// changed. A configuration with errors changes nothing.
func (h *followedFeed) reload(ctx context.Context, f *following, asked bool) string {
	h.asked = asked
	c, fo, err := h.read()
	if err != nil {
		return h.refuse(err, problemOf(err))
	}
	changed := config.Changed(h.config, c)
	if len(changed) == 0 {
		again := asked || h.bad != ""
		if asked && f.needs != nil && f.needs() != "" {
			if err := f.take(ctx, c, false); err != nil { // changes that waited for a request
				return h.refuse(err, problemOf(err))
			}
		}
		h.note(f.waiting(h.begun, c))
		if h.bad = ""; again {
			h.log.Info("configuration reloaded: no changes")
			return nothingChanged
		}
		return ""
	}
	if where := config.Redirects(h.config, c); len(where) > 0 { // no viewer to ask
		return h.refuse(errors.New(redirectText(where, restartRemedy)), redirectText(where, restartRemedy))
	}
	moved, trouble := followFeed(ctx, h.source, fo, changed)
	if err := f.take(ctx, c, moved); err != nil {
		return h.refuse(err, problemOf(err))
	}
	h.level.Set(c.Log.SlogLevel())
	h.config, h.bad = c, ""
	h.log.Info("configuration reloaded", "keys", strings.Join(changed, " "))
	if err := h.board.FollowLog(c); err != nil && trouble == nil {
		trouble = err
	}
	waiting := f.waiting(h.begun, c)
	h.note(waiting)
	if trouble != nil {
		h.log.Warn("the feed cannot apply the changed configuration", "error", trouble)
		return trouble.Error()
	}
	if waiting != "" {
		h.log.Warn("a part of the changed configuration needs a restart", "keys", waiting)
		return inForce + ". " + waiting + "."
	}
	return inForce + "."
}

// refuse keeps the current configuration and returns the reason, or "" if it is the same as
// last time.
func (h *followedFeed) refuse(err error, why string) string {
	if h.bad == why {
		return ""
	}
	h.bad = why
	h.note(why)
	h.log.Warn("changed configuration rejected", "error", err)
	return why
}

// causeOfEnd returns the cause of a context's end, nil if it was canceled on purpose.
func causeOfEnd(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}
