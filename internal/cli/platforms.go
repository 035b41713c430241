package cli

import (
	"context"
	"fmt"
	"log/slog"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/headless"
	"wallboard/ui"
)

// sources returns the sources of all platforms; one if the configuration has no
// [[platform]] or one was selected.
func (b *commandSetup) sources() ([]source, error) {
	c, err := b.LoadAll(false)
	if err != nil {
		return nil, err
	}
	if !c.MultiPlatform() {
		return []source{b.followingKiosk(b.configured)}, nil
	}
	var out []source
	for _, read := range b.platformSources(c) {
		out = append(out, b.followingKiosk(read))
	}
	return out, nil
}

// platformSources returns the sources of the platforms of a configuration.
func (b *commandSetup) platformSources(c *config.Config) []source {
	if !c.MultiPlatform() {
		return []source{b.configured}
	}
	var out []source
	for _, name := range c.PlatformNames() {
		out = append(out, func() (*config.Config, feeds.Options, error) {
			c, err := b.LoadPlatform(name)
			if err != nil {
				return nil, feeds.Options{}, err
			}
			return c, app.FeedOptions(c), nil
		})
	}
	return out
}

// followingKiosk wraps a source for a board that may be a kiosk.
func (b *commandSetup) followingKiosk(read source) source {
	return func() (*config.Config, feeds.Options, error) {
		c, fo, err := read()
		if err == nil {
			b.kioskConfig(c)
		}
		return c, fo, err
	}
}

// platformBoard is the board of a platform. It shares nothing with other platforms.
type platformBoard struct {
	options  ui.Options
	reloader *reloader
	closers  []func() // called in reverse order
}

func (p *platformBoard) close() {
	for i := len(p.closers) - 1; i >= 0; i-- {
		p.closers[i]()
	}
}

// openPlatform prepares the board of the platform of a source.
func (b *commandSetup) openPlatform(ctx context.Context, read source, c *config.Config, fo feeds.Options, log *slog.Logger, level *slog.LevelVar) (p *platformBoard, err error) {
	p = &platformBoard{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if c.Platform != "" {
		log = log.With("platform", c.Platform)
	}
	fo.Logger = log
	feed, err := feeds.New(fo)
	if err != nil {
		return p, fmt.Errorf("prepare the feed: %w", err)
	}
	r := &reloader{board: b, readSource: read, feed: feed, log: log, level: level, startConfig: c, current: c, consent: newConsent(), reloads: make(chan ui.Reload)}
	p.reloader = r
	if r.history, err = app.OpenHistory(c, log); err != nil {
		return p, cmdutil.Usage(err)
	}
	if r.controls, err = b.openControls(ctx, c, feed.Latest, log); err != nil {
		return p, err
	}
	if r.common, err = b.env.OpenRuntime(ctx, c, feed, log, hub.Options{}); err != nil {
		return p, err
	}
	p.closers = append(p.closers, r.stop)
	if r.viewer, err = r.common.Hub.Viewer(app.LocalVisibility(c), 0, 0); err != nil {
		return p, err
	}
	if p.options, err = uiOptions(c, app.HubEngine{Viewer: r.viewer}); err != nil {
		return p, err
	}
	if r.controls.Controller == nil {
		log.Info("the board is read-only", "why", r.controls.ReadOnlyReason)
	}
	o := &p.options
	o.Controller, o.Source, o.Retry, o.Reloads = r.controls.Controller, r.viewer, r.retry, r.reloads
	o.MarkEvent, o.Memory.Growing = r.common.Recorder.AddMark, r.common.Recorder.StillRecording
	o.ProblemText = firstText(r.common.Recorder.Problem, b.LogProblem, r.pendingText)
	closeOwn, err := b.setLocalOptions(c, o, r)
	if err != nil {
		return p, err
	}
	p.closers = append(p.closers, closeOwn)
	return p, nil
}

// startReporting starts metrics and notifications for the boards of all platforms, if requested,
// until stop.
func (b *commandSetup) startReporting(ctx context.Context, platforms []*platformBoard, log *slog.Logger) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, stopOne := range stops {
			stopOne()
		}
	}
	if b.metrics != "" {
		m, err := b.openMetrics(ctx, platforms, log)
		if err != nil {
			return stop, err
		}
		stops = append(stops, m.Stop)
		for _, p := range platforms {
			p.options.ProblemText = firstText(p.options.ProblemText, m.Trouble)
		}
	}
	if b.notify {
		var floors []notifiedPlatform
		for _, p := range platforms {
			v, err := headless.NewShared(p.reloader.common.Hub, p.reloader.current.Platform, false)
			if err != nil {
				return stop, err
			}
			floors = append(floors, notifiedPlatform{p.reloader.current, v})
		}
		t, err := b.openNotifier(ctx, floors, log)
		if err != nil {
			return stop, err
		}
		stops = append(stops, t.stop)
		for _, p := range platforms {
			p.options.ProblemText = firstText(t.trouble, p.options.ProblemText, t.idle)
			p.reloader.notifier = t
		}
	}
	return stop, nil
}

// runFeeds runs the feeds of all platforms. The returned context ends with the first feed
// that ends. stop ends all and waits.
func runFeeds(ctx context.Context, all []*platformBoard) (running context.Context, stop func()) {
	var stops []func()
	for _, p := range all {
		var end func()
		ctx, end = app.RunFeed(ctx, p.reloader.feed)
		stops = append(stops, end)
	}
	return ctx, func() {
		for i := len(stops) - 1; i >= 0; i-- {
			stops[i]()
		}
	}
}
