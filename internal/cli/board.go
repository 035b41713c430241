package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/config/tableprefs"
	"wallboard/internal/history"
	"wallboard/internal/report/headless"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui"
)

// loadOptions returns the names that a configuration may use.
func loadOptions() config.Options {
	lib, _ := themes.Open(commands.ThemesDir()) // a broken theme is reported when it is used
	return config.Options{
		Themes: slices.Concat([]string{"auto"}, lib.Names(), lib.Broken()),
		Pages:  ui.Pages(), PageKeys: ui.PageKeys(), Keys: ui.KeyProblems, Panes: paneKinds(),
		Operations: operationNames(), Statistics: history.Operations(), PublicKey: commands.PublicKey,
	}
}

// run opens the board on the configured platforms.
func (b *commandSetup) run(ctx context.Context) error {
	sources, err := b.sources()
	if err != nil {
		return err
	}
	return b.showBoards(ctx, sources...)
}

// errNoTerminal is the error of a board without a terminal.
var errNoTerminal = errors.New("the board needs a terminal; for scripts there is `wallboard dump`, for lines of text --plain")

// showBoards runs the feeds of the platforms and the board, until the viewer quits. All platforms
// follow changes of the configuration.
func (b *commandSetup) showBoards(ctx context.Context, sources ...source) error {
	if !b.textMode.enabled {
		defer app.CollectEarly(app.BoardGCPercent)()
	}
	c, fo, err := sources[0]()
	if err != nil {
		return err
	}
	if b.textMode.enabled {
		return b.showText(ctx, sources...)
	}
	if !b.Streams.OnTerminal() || os.Getenv("TERM") == "dumb" {
		return errNoTerminal
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hangups.listen(logReopener(b.Setup))()
	tables := tableprefs.Open(tableprefs.PathFor(b.Path()))
	var platforms []*platformBoard
	for i, read := range sources {
		if i > 0 {
			if c, fo, err = read(); err != nil {
				return err
			}
		}
		p, err := b.openPlatform(ctx, read, c, fo, log, level)
		if err != nil {
			return err
		}
		defer p.close()
		p.options.Tables = tables
		platforms = append(platforms, p)
	}
	stop, err := b.startReporting(ctx, platforms, log)
	defer stop()
	if err != nil {
		return err
	}
	return b.drawBoards(ctx, platforms, log)
}

// logReopener returns a SIGHUP handler that reopens the log. It does not keep the program
// alive.
func logReopener(s *cmdutil.Setup) func() bool {
	return func() bool {
		s.ReopenLog()
		return false
	}
}

// firstText returns the text of the first function that has one. Functions may be nil.
func firstText(functions ...func() string) func() string {
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

// setLocalOptions sets the options of a local board: history, audit log, files and commands of this
// machine and user. It returns a function that releases them.
func (b *commandSetup) setLocalOptions(c *config.Config, o *ui.Options, r *reloader) (func(), error) {
	o.History = r.history.Reader
	o.PastActions = actionReader(c, r.log)
	o.Recorder = commands.OwnRecorder(c, r.log)
	o.Save = func(name string, data []byte) (string, error) { return app.SaveFile(app.SaveDir(), name, data) }
	desk, done, err := openLaunch(c, r.log)
	o.Commands = desk
	return done, err
}

// drawBoards shows the boards while their feeds run and the configuration is followed.
func (b *commandSetup) drawBoards(ctx context.Context, platforms []*platformBoard, log *slog.Logger) error {
	o := platforms[0].options
	for _, other := range platforms[1:] {
		o.OtherPlatforms = append(o.OtherPlatforms, other.options)
	}
	defer b.Streams.RestoreOnQuit()()
	ctx, stop := runFeeds(ctx, platforms) // the board quits and restores the terminal when a feed ends
	defer stop()
	watchdog := app.NewWatchdog(os.Getenv, log)
	o.Heartbeat = watchdog.Beat
	var background sync.WaitGroup
	for _, p := range platforms {
		p.reloader.notifyProblem = p.options.ProblemText // a reload keeps it
		background.Go(func() { p.reloader.run(ctx) })
		background.Go(func() { p.reloader.common.Hub.Run(ctx) })
	}
	background.Go(func() { watchdog.Run(ctx) })
	err := ui.Run(ctx, o)
	cause := context.Cause(ctx)
	stop()
	background.Wait()
	if err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// openMetrics serves the metrics of boards, as soon as the address is free.
func (b *commandSetup) openMetrics(ctx context.Context, boards []*platformBoard, log *slog.Logger) (*app.OptionalService, error) {
	if err := headless.CheckAddress(b.metrics); err != nil {
		return nil, cmdutil.Usage(err)
	}
	var viewers []*headless.Viewer
	for _, p := range boards {
		v, err := headless.NewShared(p.reloader.common.Hub, p.reloader.current.Platform, !cmdutil.UnicodeLocale(os.Getenv))
		if err != nil {
			return nil, err
		}
		viewers = append(viewers, v)
	}
	return app.StartOptional(ctx, log, "metrics", b.Streams.Err, func(warn io.Writer) (func(), error) {
		m, err := headless.ServeMetrics(b.metrics, viewers, log, warn, b.metricsNames...)
		if err != nil {
			return nil, err
		}
		return m.Stop, nil
	}), nil
}

// operationNames returns the operations of the configuration service.
func operationNames() []string {
	var names []string
	for _, o := range resource.Operations() {
		names = append(names, string(o))
	}
	return names
}
