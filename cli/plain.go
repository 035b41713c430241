package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
	"wallboard/plain"
)

// plainFlags are those of a board in lines of text.
type plainFlags struct {
	on    bool
	every time.Duration
}

func (b *board) plainFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&b.plain.on, "plain", false, "lines of text instead of a screen, for screen readers: says what changes, and answers what is typed")
	fs.DurationVar(&b.plain.every, "every", time.Minute, "with --plain: how often the floor is summed up; 0 is never")
}

// plainEvery is how often a board in lines of text looks at the floor.
const plainEvery = 200 * time.Millisecond

// speak tells in lines of text how the floor is doing, until the viewer quits.
func (b *board) speak(ctx context.Context, c *config.Config, fo feeds.Options) error {
	if b.plain.every < 0 {
		return usageError{errors.New("--every must be at least 0")}
	}
	log, closeLog, err := b.openLog(c, new(slog.LevelVar))
	if err != nil {
		return err
	}
	defer closeLog()
	fo.Logger = log
	feed, err := feeds.New(fo)
	if err != nil {
		return fmt.Errorf("prepare the feed: %w", err)
	}
	o := c.AlertOptions(namesOf(c))
	o.Words = true
	engine, err := engineOf(o)
	if err != nil {
		return err
	}
	sp := plain.New(plain.Options{Alerts: engine, Names: o.Names, User: viewerName(c), Every: b.plain.every})
	ctx, stop := runFeed(ctx, feed)
	defer stop()
	return tell(ctx, sp, feed.Latest, b.typedLines(ctx), b.streams.Out)
}

// typedLines are the lines that are typed, nil where nobody can type. The
// goroutine that reads them is left behind in its last read.
func (b *board) typedLines(ctx context.Context) <-chan string {
	f, ok := b.streams.In.(term.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return nil
	}
	lines := make(chan string)
	go func() {
		for in := bufio.NewScanner(b.streams.In); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// tell writes what a speaker says until the context ends or somebody types quit.
func tell(ctx context.Context, sp *plain.Speaker, latest func() *model.Snapshot, typed <-chan string, out io.Writer) error {
	if typed != nil {
		if err := say(out, plain.Help); err != nil {
			return err
		}
	}
	tick := time.NewTicker(plainEvery)
	defer tick.Stop()
	for {
		sp.Look(latest(), time.Now())
		if line := sp.Next(); line != "" {
			if err := say(out, line); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
				return cause //nolint:wrapcheck // the feed's own end
			}
			return nil
		case <-tick.C:
		case text := <-typed:
			lines, quit := sp.Answer(text)
			if err := say(out, lines...); err != nil || quit {
				return err
			}
		}
	}
}

func say(out io.Writer, lines ...string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}
