package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/cli/serving"
	"wallboard/cli/theming"
	"wallboard/config"
	"wallboard/history"
	"wallboard/layouts"
	"wallboard/themes"
	"wallboard/ui"
)

// loadOptions are what a configuration may name.
func loadOptions() config.Options {
	lib, _ := themes.Open(theming.Dir()) // of a broken theme that is wanted, the board says what is wrong
	return config.Options{
		Themes: slices.Concat([]string{"auto"}, lib.Names(), lib.Broken()),
		Pages:  ui.Pages(), PageKeys: ui.PageKeys(), Keys: ui.KeyProblems, Panes: paneKinds(),
		Operations: operationNames(), Statistics: history.Operations(), PublicKey: serving.PublicKey,
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

// errNoTerminal says what to do where there is no terminal to draw on.
var errNoTerminal = errors.New("the board needs a terminal; for scripts there is `wallboard dump`, for lines of text --plain")

// show runs the feeds of the platforms that sources read, and the board on them, until the
// viewer quits. All follow the configuration when it changes.
func (b *board) show(ctx context.Context, read ...source) error {
	if !b.plain.on {
		defer collectEarly()()
	}
	c, fo, err := read[0]()
	if err != nil {
		return err
	}
	if b.plain.on {
		return b.speak(ctx, read...)
	}
	if !b.Streams.OnTerminal() || os.Getenv("TERM") == "dumb" {
		return errNoTerminal
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hup.listen(reopening(b.Setup))()
	tables := layouts.Open(layouts.PathBeside(b.Path()))
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

// reopening opens the log again on SIGHUP, which goes on if somebody else says so.
func reopening(s *command.Setup) func() bool {
	return func() bool {
		s.ReopenLog()
		return false
	}
}

// firstOf says what the first of two has to say, else what the other has; nil says nothing.
func firstOf(one, other func() string) func() string {
	if other == nil {
		return one
	}
	return func() string { return cmp.Or(one(), other()) }
}

// own gives a board what is of this machine and its user: what they did, their files and
// commands. It returns what lets go of them.
func (b *board) own(c *config.Config, o *ui.Options, r *reloader) (func(), error) {
	o.History = r.wayBack.Reader
	o.Deeds = deedsOf(c, r.log)
	o.Recorder = serving.OwnRecorder(c, r.log)
	o.Save = func(name string, data []byte) (string, error) { return saveFile(saveDir(), name, data) }
	desk, done, err := openLaunch(c, r.log)
	o.Commands = desk
	return done, err
}

// starting is for how long a board does not look for garbage.
const starting = time.Second

// collectEarly has garbage collected when there is half as much of it as there is
// of the rest, unless somebody has said otherwise. Every update is a new record: a
// board on a floor of thousands would be garbage by half. While a board starts there
// is nearly none, and looking for it would only hold up the first frame. stop ends it.
func collectEarly() (stop func() bool) {
	if os.Getenv("GOGC") != "" {
		return func() bool { return false }
	}
	debug.SetGCPercent(400)
	return time.AfterFunc(starting, func() { debug.SetGCPercent(leastPercent) }).Stop
}

// draw shows the boards while their feeds run and their configuration is followed.
func (b *board) draw(ctx context.Context, all []*opened, log *slog.Logger) error {
	o := all[0].options
	for _, other := range all[1:] {
		o.Beside = append(o.Beside, other.options)
	}
	defer b.Streams.RestoreOnQuit()()
	ctx, stop := runFeeds(ctx, all) // a board without a feed ends, the terminal restored
	defer stop()
	w := newWatchdog(os.Getenv, log)
	o.Beat = w.beat
	var beside sync.WaitGroup
	for _, p := range all {
		p.follow.trouble = p.options.Trouble // which stays when the configuration changes
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

// openMetrics serves metrics beside boards.
func (b *board) openMetrics(boards []*opened, log *slog.Logger) (*headless.Metrics, error) {
	if err := headless.CheckAddress(b.metrics); err != nil {
		return nil, command.Usage(err)
	}
	var all []*headless.Viewer
	for _, p := range boards {
		v, err := headless.Of(p.follow.common.hub, p.follow.present.Platform, !command.UnicodeLocale(os.Getenv))
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return headless.ServeMetrics(b.metrics, all, log, b.Streams.Err, b.names...)
}
