package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"wallboard/cli/clustering"
	"wallboard/cli/headless"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/control"
	"wallboard/feeds"
	"wallboard/hub"
	"wallboard/model"
)

// followedFeed is what shows a platform without a screen: its feed, and what it takes
// to follow the configuration.
type followedFeed struct {
	board  *board
	read   source
	config *config.Config // the present one
	feed   *feeds.Feed
	shown  shownFeed // whose pictures are shown: feed, or a node of a cluster
	log    *slog.Logger
	level  *slog.LevelVar
	begun  *config.Config         // at the start
	asked  bool                   // somebody asks for the change that is taken over
	bad    string                 // why the last configuration could not be used; "": it could
	amiss  atomic.Pointer[string] // what people should know of the configuration; see trouble
}

// trouble says why the saved configuration is not in force, or which part of it, "" where
// all of it is. It may be called from any goroutine.
func (h *followedFeed) trouble() string {
	if text := h.amiss.Load(); text != nil {
		return *text
	}
	return ""
}

// note keeps for people what is amiss with the configuration.
func (h *followedFeed) note(text string) { h.amiss.Store(&text) }

// shownFeed is a feed, or what stands for one.
type shownFeed interface {
	wiring.Runner
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
	Reconfigure(want feeds.Filter)
	Redial(o feeds.Options) error
}

// join has the pictures come from whichever node of a cluster has the connection, where
// the configuration names one.
func (h *followedFeed) join(ctx context.Context, viewers func() int) error {
	if !h.config.Cluster.Enabled() {
		return nil
	}
	b := h.board
	if b.member == nil { // the first platform of this program
		var err error
		if b.member, err = clustering.Open(ctx, h.config, version(), b.hostKey, h.log); err != nil {
			return err
		}
		b.locks = make(map[string]func(context.Context, string) (control.Lock, error))
	}
	node, err := b.member.Join(clustering.Options{Config: h.config, Feed: wiring.FeedOptions(h.config), Viewers: viewers, Logger: h.log})
	if err != nil {
		return err
	}
	h.shown = node
	b.locks[h.config.Platform] = func(ctx context.Context, target string) (control.Lock, error) {
		return node.Node.Common.Lock(ctx, target)
	}
	return nil
}

// shareAlerts has what viewers do about alerts be so on every node of a cluster, until
// the context ends.
func (h *followedFeed) shareAlerts(ctx context.Context, views *hub.Hub) {
	node, is := h.shown.(*clustering.Feed)
	if !is {
		return
	}
	// What is done on one board of the hub is known on all of them.
	v, err := views.Viewer(hub.Sight{Names: model.NamesFull}, time.Second, 0)
	if err != nil {
		h.log.Warn("what viewers do about alerts is not shared", "error", err)
		return
	}
	node.Share(ctx, map[string]clustering.Board{string(model.NamesFull): v})
}

// openFeeds prepares the feeds of all configured platforms, which log to standard error.
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

// openFeed prepares the configured platform's feed, which logs to standard
// error.
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
	return &followedFeed{board: b, read: read, config: c, begun: c, feed: feed, shown: feed, log: log, level: level}, nil
}

// following is what is done about a changed configuration, in a goroutine of its
// own.
type following struct {
	// take goes on by a configuration. elsewhere tells that it is that of another
	// platform, of which nothing is known yet.
	take func(ctx context.Context, c *config.Config, elsewhere bool) error
	// say tells people what came of a change; nil: the log says it.
	say func(context.Context, string)
	// needsStart are the keys that are not followed, and needs says what else of the saved
	// configuration is not in force; nil: nothing.
	needsStart []string
	needs      func() string
	// refused reports whether a secret is refused elsewhere than by the feed; nil: none is.
	refused func() bool
}

// waiting says what of the saved configuration is not in force.
func (f *following) waiting(begun, c *config.Config) string {
	text := restartFor(begun, c, f.needsStart)
	if f.needs == nil {
		return text
	}
	return joined(text, f.needs())
}

// joined are two sentences, of which either may be empty.
func joined(one, other string) string {
	if one == "" || other == "" {
		return one + other
	}
	return one + ". " + other
}

// followingViewer lets a viewer without a screen go by a changed configuration.
func followingViewer(h *followedFeed, v *headless.Viewer) *following {
	return &following{
		take:       func(_ context.Context, c *config.Config, elsewhere bool) error { return v.Follow(c, elsewhere, h.log) },
		needsStart: []string{"platform"},
	}
}

// run runs the feed beside the caller and follows the configuration, unless
// nothing is done about it. The context that it returns ends with the feed, with
// the feed's end as its cause; stop ends all and waits.
func (h *followedFeed) run(ctx context.Context, f *following) (running context.Context, stop func()) {
	ctx, stopFeed := wiring.RunFeed(ctx, h.shown)
	if f == nil {
		return ctx, stopFeed
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		secrets := func() []string { return h.config.SecretFiles() }
		refused := func() bool { return h.bad != "" || linkRefused(h.shown.Latest()) || f.refused != nil && f.refused() }
		h.board.onChange(ctx, h.log, changes{secrets: secrets, refused: refused}, func(why reason) {
			if said := h.reload(ctx, f, why == askedFor); said != "" && f.say != nil {
				f.say(ctx, said)
			}
		})
	}()
	return ctx, func() { stopFeed(); <-done }
}

// reload reads the configuration again and says what came of it, "" where it means
// what it meant. A configuration with problems changes nothing.
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
			if err := f.take(ctx, c, false); err != nil { // what waited to be asked for
				return h.refuse(err, problemOf(err))
			}
		}
		h.note(f.waiting(h.begun, c))
		if h.bad = ""; again {
			h.log.Info("the configuration was read again: nothing has changed")
			return nothingChanged
		}
		return ""
	}
	if where := config.Redirects(h.config, c); len(where) > 0 { // nobody can be asked
		return h.refuse(errors.New(elsewhere(where, newStart)), elsewhere(where, newStart))
	}
	moved, trouble := followFeed(ctx, h.shown, fo, changed)
	if err := f.take(ctx, c, moved); err != nil {
		return h.refuse(err, problemOf(err))
	}
	h.level.Set(c.Log.SlogLevel())
	h.config, h.bad = c, ""
	h.log.Info("the configuration has changed", "keys", strings.Join(changed, " "))
	if err := h.board.FollowLog(c); err != nil && trouble == nil {
		trouble = err
	}
	waiting := f.waiting(h.begun, c)
	h.note(waiting)
	if trouble != nil {
		h.log.Warn("the feed does not follow the changed configuration", "error", trouble)
		return trouble.Error()
	}
	if waiting != "" {
		h.log.Warn("a part of the changed configuration needs a new start", "keys", waiting)
		return inForce + ". " + waiting + "."
	}
	return inForce + "."
}

// refuse leaves everything as it is, and says why: "" where that was said already.
func (h *followedFeed) refuse(err error, why string) string {
	if h.bad == why {
		return ""
	}
	h.bad = why
	h.note(why)
	h.log.Warn("the changed configuration cannot be used", "error", err)
	return why
}

// endOf is why a context has ended, nil when somebody wanted it to.
func endOf(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause //nolint:wrapcheck // the feed's own end
	}
	return nil
}
