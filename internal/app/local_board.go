package app

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"wallboard/feeds"
	"wallboard/internal/config"
	"wallboard/internal/report/headless"
	"wallboard/internal/words"
	"wallboard/ui"
	"wallboard/ui/table"
)

// LocalBoard is the board of this machine. It shows one or several platforms.
type LocalBoard struct {
	env       *Environment
	log       *slog.Logger
	platforms []*boardPlatform
	closers   []func() // functions that Close calls, last first
}

// boardPlatform is a platform that the board of this machine shows.
type boardPlatform struct {
	platform *Platform
	options  ui.Options
	releases []func() // release functions of all controllers that the board has had; all but the last may have been called already
	reloads  chan ui.Reload
}

// OpenLocalBoard opens the board of this machine with one platform for each of sources. The caller
// must call [LocalBoard.Close].
func (e *Environment) OpenLocalBoard(ctx context.Context, sources []ConfigSource, log *slog.Logger, level *slog.LevelVar) (_ *LocalBoard, err error) {
	b := &LocalBoard{env: e, log: log}
	defer func() {
		if err != nil {
			b.Close()
		}
	}()
	tables := table.OpenLayouts(table.LayoutPath(e.ConfigFile.Path()))
	for _, read := range sources {
		p, err := e.Open(ctx, withFrameInterval(read), log, level, PlatformOptions{HasBoards: true})
		if err != nil {
			return nil, err
		}
		b.closers = append(b.closers, p.Close)
		if err := b.addPlatform(p); err != nil {
			return nil, err
		}
		b.platforms[len(b.platforms)-1].options.Navigation.Tables = tables
	}
	return b, nil
}

// withFrameInterval returns a source like read, but its feed publishes a snapshot for each frame of
// the board. The frame interval of the first configuration applies until the board ends. The source
// is not safe for concurrent use.
func withFrameInterval(read ConfigSource) ConfigSource {
	var interval time.Duration
	return func() (*config.Config, feeds.Options, error) {
		c, fo, err := read()
		if err == nil {
			interval = cmp.Or(interval, min(c.UI.Refresh, time.Second)) // the recorder and the alerts also read the feed
			fo.Publish.Frames = interval
		}
		return c, fo, err
	}
}

// addPlatform adds an open platform to the board.
func (b *LocalBoard) addPlatform(p *Platform) error {
	c := p.Config()
	viewer, err := p.LocalViewer()
	if err != nil {
		return err
	}
	o, err := UIOptions(c, viewer)
	if err != nil {
		return err
	}
	var release func()
	o.Actions.Controller, release = p.Control.LocalController()
	if o.Actions.Controller == nil {
		p.Log.Info("the board is read-only", "why", p.Control.sharedClient.ReadOnlyReason)
	}
	bp := &boardPlatform{platform: p, releases: []func(){release}, reloads: make(chan ui.Reload)}
	b.closers = append(b.closers, bp.releaseAll)
	o.Source, o.Actions.Reconnect, o.Process.Reloads, o.History = viewer, p.Retry, bp.reloads, p.History.Reader()
	o.Process.RecordEvent, o.Archive.IsPreparing = p.MarkEvent, p.Recorder.StillRecording
	o.Process.ProblemText = FirstNonEmptyText(p.Recorder.Problem, b.env.ConfigFile.LogProblem, p.PendingText)
	o.Actions.PastActions = NewActionReader(c, p.Log)
	o.Actions.Sender = p.HandoverSender("", nil)
	o.Actions.Recorder = newLocalRecorder(c, p.Log)
	LogAccess(&o.Archive, c, p.Log)
	o.Actions.Save = func(name string, data []byte) (string, error) { return SaveFile(SaveDir(), name, data) }
	commands, closeCommands, err := openUserCommands(c, p.Log)
	if err != nil {
		return err
	}
	b.closers = append(b.closers, closeCommands)
	o.Actions.Commands = commands
	bp.options = o
	b.platforms = append(b.platforms, bp)
	return nil
}

// Platforms returns the platforms of the board.
func (b *LocalBoard) Platforms() []*Platform {
	var all []*Platform
	for _, p := range b.platforms {
		all = append(all, p.platform)
	}
	return all
}

// ServeMetrics serves the metrics of the board until Close is called. If it cannot listen on address,
// it keeps trying. names are additional host names that requests may use.
func (b *LocalBoard) ServeMetrics(ctx context.Context, address string, names []string, warnings io.Writer) error {
	if err := headless.CheckListenAddress(address); err != nil {
		return ConfigError{err}
	}
	var viewers []*headless.Viewer
	for _, p := range b.platforms {
		v, err := p.platform.TextViewer()
		if err != nil {
			return err
		}
		viewers = append(viewers, v)
	}
	metrics := StartOptional(ctx, b.log, "metrics", warnings, func(warn io.Writer) (func(), error) {
		m, err := headless.ServeMetrics(address, viewers, b.log, warn, names...)
		if err != nil {
			return nil, err
		}
		return m.Stop, nil
	})
	b.closers = append(b.closers, metrics.Stop)
	for _, p := range b.platforms {
		p.options.Process.ProblemText = FirstNonEmptyText(p.options.Process.ProblemText, metrics.ProblemText)
	}
	return nil
}

// StartNotifier starts to send notifications about alerts. They are sent until Close is called.
func (b *LocalBoard) StartNotifier(ctx context.Context) error {
	t, err := b.env.StartNotifier(ctx, b.Platforms(), b.log)
	if err != nil {
		return err
	}
	b.closers = append(b.closers, t.Stop)
	for _, p := range b.platforms {
		p.options.Process.ProblemText = FirstNonEmptyText(t.ProblemText, p.options.Process.ProblemText, t.IdleReason)
	}
	return nil
}

// Show shows the board until the viewer quits or a feed ends. It also applies configuration
// changes.
func (b *LocalBoard) Show(ctx context.Context) error {
	stopMarks, trouble := startMarks(ctx, b.Platforms(), b.log)
	defer stopMarks()
	for _, p := range b.platforms {
		p.options.Process.ProblemText = FirstNonEmptyText(p.options.Process.ProblemText, trouble)
	}
	watchdog := NewWatchdog(os.Getenv, b.log)
	ctx, stop := RunPlatforms(ctx, b.Platforms(), func(n int) *ConfigObserver { return b.platforms[n].configObserver() })
	defer stop()
	o := b.platforms[0].options
	for _, other := range b.platforms[1:] {
		o.OtherPlatforms = append(o.OtherPlatforms, other.options)
	}
	o.Process.Heartbeat = watchdog.RecordHeartbeat
	ended := make(chan struct{})
	watching, stopWatchdog := context.WithCancel(ctx)
	go func() {
		defer close(ended)
		watchdog.Run(watching)
	}()
	err := ui.Run(ctx, o)
	cause := EndCause(ctx)
	stopWatchdog()
	<-ended
	return cmp.Or(err, cause)
}

// Close closes the platforms and all other parts of the board.
func (b *LocalBoard) Close() {
	for _, end := range slices.Backward(b.closers) {
		end()
	}
}

// boardRestartKeys returns the keys whose changes take effect only after a restart of the board.
func boardRestartKeys() []string {
	return []string{"record", "privacy", "command", "platform", "kiosk.enabled", "marks", "calendar"}
}

// configObserver returns the observer that applies changes of the platform's configuration to the board.
// The observer sends the results to the board through the channel reloads.
func (p *boardPlatform) configObserver() *ConfigObserver {
	problemText := p.options.Process.ProblemText
	return &ConfigObserver{
		IsBoard: true, RestartKeys: boardRestartKeys(), Notice: p.notice,
		Prepare: func(change *ConfigChange) (err error) {
			change.Result.Options, err = UIOptions(change.Config, p.options.Alerts)
			return err
		},
		Apply: func(_ context.Context, change *ConfigChange) error {
			o := &change.Result.Options
			change.Result.OnApplied = p.releases[len(p.releases)-1]
			var release func()
			o.Actions.Controller, release = p.platform.Control.LocalController()
			p.releases = append(p.releases, release)
			o.History, o.Process.ProblemText = p.platform.History.Reader(), problemText
			if change.Result.OtherPlatform {
				o.Actions.PastActions = NewActionReader(change.Config, p.platform.Log)
			}
			return nil
		},
		Report: func(ctx context.Context, result ui.Reload) {
			select {
			case p.reloads <- result:
			case <-ctx.Done():
			}
		},
	}
}

// releaseAll releases all controllers that the board has had.
func (p *boardPlatform) releaseAll() {
	for _, release := range p.releases {
		release()
	}
}

// notice returns the notice for the viewer after a configuration was applied.
func (p *boardPlatform) notice(change *ConfigChange) words.Text {
	switch notifier := p.platform.Notifier; {
	case !notifier.pendingText().IsZero():
		return words.AppConfigAppliedNotify()
	case change.HasChanged("notify") && notifier == nil:
		return words.AppConfigAppliedNoNotify()
	case change.HasChanged(boardRestartKeys()...):
		return words.AppConfigAppliedRestart()
	case slices.ContainsFunc(change.Keys, needsReconnect):
		return words.AppConfigAppliedReconnect()
	}
	return words.AppConfigApplied()
}

// FirstNonEmptyText returns a function that calls the given functions in order and returns the
// first result other than "", or "". Functions may be nil.
func FirstNonEmptyText(functions ...func() string) func() string {
	return func() string {
		for _, f := range functions {
			if f == nil {
				continue
			}
			if text := f(); text != "" {
				return text
			}
		}
		return ""
	}
}
