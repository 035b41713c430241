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

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/cli/command"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
	"wallboard/plain"
)

// plainEvery is how often a board in lines of text looks at the floor.
const plainEvery = 200 * time.Millisecond

// speech is a board in lines of text. It belongs to the goroutine that tells what
// it says.
type speech struct {
	board   *board
	feed    *feeds.Feed
	log     *slog.Logger
	speaker *plain.Speaker
	mask    *model.Mask // of a kiosk that hides names
	alerts  *alertfile.Kept
}

// speak tells in lines of text how the floor is doing, until the viewer quits.
func (b *board) speak(ctx context.Context, read source) error {
	if b.plain.every < 0 {
		return command.Usage(errors.New("--every must be at least 0"))
	}
	c, fo, err := read()
	if err != nil {
		return err
	}
	level := new(slog.LevelVar)
	log, closeLog, err := b.OpenLog(c, level)
	if err != nil {
		return err
	}
	defer closeLog()
	h, err := b.followed(read, c, fo, log, level)
	if err != nil {
		return err
	}
	o, err := b.speakerOptions(c)
	if err != nil {
		return err
	}
	s := &speech{board: b, feed: h.feed, log: log}
	s.open(c, &o)
	defer func() { s.alerts.Stop() }() // the present ones
	s.speaker = plain.New(o)
	changes := make(chan func())
	ctx, stop := h.run(ctx, s.following(changes))
	defer stop()
	typed, person := b.typedLines(ctx)
	return s.tell(ctx, typed, person, changes, b.Streams.Out)
}

// speakerOptions are the speaker's part of the configuration.
func (b *board) speakerOptions(c *config.Config) (plain.Options, error) {
	ao := c.AlertOptions(c.Names())
	ao.Words = true
	engine, err := engineOf(ao)
	return plain.Options{Alerts: engine, Names: ao.Names, User: viewerName(c), Every: b.plain.every}, err
}

// open has a speaker know the alerts that were kept of its platform, but not where
// names are hidden: there are some in them.
func (s *speech) open(c *config.Config, o *plain.Options) {
	s.hideNames(c, o)
	s.alerts = s.board.openAlerts(c, s.log)
	if s.mask == nil {
		s.alerts.Recall(o.Alerts)
	}
	o.Keep = s.alerts.Keep
}

// hideNames has the names of a kiosk hidden. They stay so until a new start.
func (s *speech) hideNames(c *config.Config, o *plain.Options) {
	if !c.Kiosk.Enabled || c.Kiosk.Names == string(model.NamesFull) {
		return
	}
	k := kioskOptions(c)
	words := append([]string{o.User}, k.Secrets...)
	if s.mask != nil {
		s.mask.Follow(k.Names, o.Names, words...)
		return
	}
	s.mask = model.NewMask(k.Names, k.Salt, o.Names, words...)
}

// following has the speaker go by a changed configuration, in the goroutine that
// it belongs to.
func (s *speech) following(changes chan<- func()) *following {
	in := func(ctx context.Context, do func()) {
		select {
		case changes <- do:
		case <-ctx.Done():
		}
	}
	return &following{
		take: func(ctx context.Context, c *config.Config, elsewhere bool) error {
			o, err := s.board.speakerOptions(c)
			if err == nil {
				in(ctx, func() { s.adopt(c, o, elsewhere) })
			}
			return err
		},
		say: func(ctx context.Context, text string) { in(ctx, func() { s.speaker.Say(text) }) },
	}
}

// adopt goes on by a changed configuration.
func (s *speech) adopt(c *config.Config, o plain.Options, elsewhere bool) {
	named := s.mask == nil
	if elsewhere {
		s.alerts.Stop()
		s.open(c, &o)
	} else {
		s.hideNames(c, &o)
		o.Keep = s.alerts.Keep
	}
	s.speaker.Adopt(o, elsewhere)
	if named && s.mask != nil {
		o.Alerts.Forget(alert.User) // it knew them by their names
	}
}

// typedLines are the lines that are typed, or come through a pipe; person tells that
// somebody sits at a terminal. When a pipe ends the board goes on. The goroutine that
// reads is left behind in its last read.
func (b *board) typedLines(ctx context.Context) (typed <-chan string, person bool) {
	if b.Streams.In == nil {
		return nil, false
	}
	f, ok := b.Streams.In.(term.File)
	lines := make(chan string)
	go func() {
		for in := bufio.NewScanner(b.Streams.In); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines, ok && term.IsTerminal(f.Fd())
}

// tell writes what the speaker says until the context ends or somebody types quit. A
// script cannot see when there is something to ask about: its lines wait for the first
// picture.
func (s *speech) tell(ctx context.Context, typed <-chan string, person bool, changes <-chan func(), out io.Writer) error {
	if person {
		if err := say(out, plain.Help); err != nil {
			return err
		}
	}
	waiting := typed
	if !person {
		typed = nil
	}
	tick := time.NewTicker(plainEvery)
	defer tick.Stop()
	for {
		s.speaker.Look(s.mask.Apply(s.feed.Latest()), time.Now())
		if s.speaker.Begun() {
			typed = waiting
		}
		if line := s.speaker.Next(); line != "" {
			if err := say(out, line); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return endOf(ctx)
		case <-tick.C:
		case change := <-changes:
			change()
		case text := <-typed:
			lines, quit := s.speaker.Answer(text)
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
