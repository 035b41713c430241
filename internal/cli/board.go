package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/config/tableprefs"
	"wallboard/internal/history"
	"wallboard/internal/report/headless"
	"wallboard/themes"
	"wallboard/ui"
)

// loadOptions returns the names that a configuration may use.
func loadOptions() config.Options {
	lib, _ := themes.Open(commands.Dir()) // a broken theme is reported when it is used
	return config.Options{
		Themes: slices.Concat([]string{"auto"}, lib.Names(), lib.Broken()),
		Pages:  ui.Pages(), PageKeys: ui.PageKeys(), Keys: ui.KeyProblems, Panes: paneKinds(),
		Operations: operationNames(), Statistics: history.Operations(), PublicKey: commands.PublicKey,
	}
}

// run opens the board on the configured platforms.
func (b *board) run(ctx context.Context) error {
	read, err := b.sources()
	if err != nil {
		return err
	}
	return b.show(ctx, read...)
}

// errNoTerminal is the error of a board without a terminal.
var errNoTerminal = errors.New("the board needs a terminal; for scripts there is `wallboard dump`, for lines of text --plain")

// show runs the feeds of the platforms and the board, until the viewer quits. All platforms
// follow changes of the configuration.
func (b *board) show(ctx context.Context, read ...source) error {
	if !b.plain.on {
		defer collectEarly()()
	}
	c, fo, err := read[0]()
	if err != nil {
		return err
	}
	if b.plain.on {
		return b.showText(ctx, read...)
	}
	if !b.Streams.OnTerminal() || os.Getenv("TERM") == "dumb" {
		return errNoTerminal
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hup.listen(reopening(b.Setup))()
	tables := tableprefs.Open(tableprefs.PathFor(b.Path()))
	var all []*opened
	for i, one := range read {
		if i > 0 {
			if c, fo, err = one(); err != nil {
				return err
			}
		}
		p, err := b.open(ctx, one, c, fo, log, level)
		if err != nil {
			return err
		}
		defer p.close()
		p.options.Tables = tables
		all = append(all, p)
	}
	stop, err := b.tell(ctx, all, log)
	defer stop()
	if err != nil {
		return err
	}
	return b.draw(ctx, all, log)
}

// reopening returns a SIGHUP handler that reopens the log. It does not keep the program
// alive.
func reopening(s *cmdutil.Setup) func() bool {
	return func() bool {
		s.ReopenLog()
		return false
	}
}

// firstText returns the text of the first function that has one. other may be nil.
func firstText(one, other func() string) func() string {
	if other == nil {
		return one
	}
	return func() string { return cmp.Or(one(), other()) }
}

// own sets the options of a local board: history, audit log, files and commands of this
// machine and user. It returns a function that releases them.
func (b *board) own(c *config.Config, o *ui.Options, r *reloader) (func(), error) {
	o.History = r.wayBack.Reader
	o.PastActions = deedsOf(c, r.log)
	o.Recorder = commands.OwnRecorder(c, r.log)
	o.Save = func(name string, data []byte) (string, error) { return saveFile(saveDir(), name, data) }
	desk, done, err := openLaunch(c, r.log)
	o.Commands = desk
	return done, err
}

// starting is how long garbage collection is postponed after the start.
const starting = time.Second

// collectEarly makes the garbage collector run when garbage is half as large as the live
// heap, unless GOGC is set. Every update creates new records: with the default of 100 %,
// half of a large board's memory would be garbage. During the start there is almost no
// garbage and a collection would only delay the first frame. stop ends the delayed change.
func collectEarly() (stop func() bool) {
	if os.Getenv("GOGC") != "" {
		return func() bool { return false }
	}
	debug.SetGCPercent(400)
	return time.AfterFunc(starting, func() { debug.SetGCPercent(leastPercent) }).Stop
}

// draw shows the boards while their feeds run and the configuration is followed.
func (b *board) draw(ctx context.Context, all []*opened, log *slog.Logger) error {
	o := all[0].options
	for _, other := range all[1:] {
		o.OtherPlatforms = append(o.OtherPlatforms, other.options)
	}
	defer b.Streams.RestoreOnQuit()()
	ctx, stop := runFeeds(ctx, all) // the board quits and restores the terminal when a feed ends
	defer stop()
	w := newWatchdog(os.Getenv, log)
	o.Heartbeat = w.beat
	var beside sync.WaitGroup
	for _, p := range all {
		p.follow.trouble = p.options.ProblemText // a reload keeps it
		beside.Go(func() { p.follow.run(ctx) })
		beside.Go(func() { p.follow.common.hub.Run(ctx) })
	}
	beside.Go(func() { w.run(ctx) })
	err := ui.Run(ctx, o)
	cause := context.Cause(ctx)
	stop()
	beside.Wait()
	if err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// openMetrics serves the metrics of boards, as soon as the address is free.
func (b *board) openMetrics(ctx context.Context, boards []*opened, log *slog.Logger) (*secondary, error) {
	if err := headless.CheckAddress(b.metrics); err != nil {
		return nil, cmdutil.Usage(err)
	}
	var all []*headless.Viewer
	for _, p := range boards {
		v, err := headless.NewShared(p.follow.common.hub, p.follow.present.Platform, !cmdutil.UnicodeLocale(os.Getenv))
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return startSecondary(ctx, log, "metrics", b.Streams.Err, func(warn io.Writer) (func(), error) {
		m, err := headless.ServeMetrics(b.metrics, all, log, warn, b.names...)
		if err != nil {
			return nil, err
		}
		return m.Stop, nil
	}), nil
}
