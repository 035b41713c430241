package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/headless"
)

// plainEvery is the interval at which text mode checks the floor.
const plainEvery = 200 * time.Millisecond

// textBoard is a board in text mode. It belongs to the goroutine that writes the text.
type textBoard struct {
	floors []*textFloor
	all    *headless.MultiSpeaker
}

// textFloor is a platform in text mode.
type textFloor struct {
	feed    *followedFeed
	common  *common
	viewer  *hub.Viewer
	speaker *headless.Speaker
	every   time.Duration
}

// showText shows the floors as lines of text until the viewer quits.
func (b *board) showText(ctx context.Context, sources ...source) error {
	if b.plain.every < 0 {
		return cmdutil.Usage(errors.New("--every must be at least 0"))
	}
	defer b.hup.serve()()
	c, _, err := sources[0]()
	if err != nil {
		return err
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hup.listen(reopening(b.Setup))()
	if why := b.LogTrouble(); why != "" {
		_, _ = fmt.Fprintln(b.Streams.Err, "warning:", why)
	}
	s := &textBoard{}
	var names []string
	var speakers []*headless.Speaker
	for _, read := range sources {
		f, err := b.openText(ctx, read, log, level)
		if err != nil {
			return err
		}
		defer f.common.close()
		s.floors = append(s.floors, f)
		names, speakers = append(names, f.feed.config.Platform), append(speakers, f.speaker)
	}
	s.all = headless.NewMultiSpeaker(names, speakers)
	changes := make(chan func())
	var beside sync.WaitGroup
	defer beside.Wait()
	for _, f := range s.floors {
		var stop func()
		ctx, stop = f.feed.run(ctx, f.following(changes))
		defer stop()
	}
	for _, f := range s.floors {
		beside.Go(func() { f.common.hub.Run(ctx) })
	}
	typed, person := b.typedLines(ctx)
	return s.tell(ctx, typed, person, changes, b.Streams.Out)
}

// openText prepares the platform of a source.
func (b *board) openText(ctx context.Context, read source, log *slog.Logger, level *slog.LevelVar) (*textFloor, error) {
	c, fo, err := read()
	if err != nil {
		return nil, err
	}
	if c.Platform != "" {
		log = log.With("platform", c.Platform)
	}
	f := &textFloor{every: b.plain.every}
	if f.feed, err = b.followed(read, c, fo, log, level); err != nil {
		return nil, err
	}
	if f.common, err = b.openCommon(ctx, c, f.feed.feed, log, hub.Options{}); err != nil {
		return nil, err
	}
	if f.viewer, err = f.common.hub.Viewer(localSight(c), 0, 0); err != nil {
		f.common.close()
		return nil, err
	}
	f.speaker = headless.NewSpeaker(f.options(c))
	return f, nil
}

// options returns the speaker's options.
func (s *textFloor) options(c *config.Config) headless.SpeakerOptions {
	return headless.SpeakerOptions{Alerts: s.viewer, Situations: s.viewer.Situations(), Names: c.Names(), User: viewerName(c), Every: s.every, OnMark: s.common.tape.marked}
}

// following makes the speaker follow the configuration, on the goroutine that it belongs
// to.
func (s *textFloor) following(changes chan<- func()) *following {
	in := func(ctx context.Context, do func()) {
		select {
		case changes <- do:
		case <-ctx.Done():
		}
	}
	return &following{
		take: func(ctx context.Context, c *config.Config, elsewhere bool) error {
			over, err := s.common.applyConfig(c, 0, elsewhere)
			if over != nil {
				go over() // it may write remaining alerts
			}
			if err == nil {
				err = s.viewer.SetVisibility(localSight(c))
			}
			if err == nil {
				in(ctx, func() { s.speaker.Reconfigure(s.options(c), elsewhere) })
			}
			return err
		},
		needsStart: []string{"record", "platform"},
		say:        func(ctx context.Context, text string) { in(ctx, func() { s.speaker.Say(text) }) },
	}
}

// typedLines returns the lines of the standard input; person is true if it is a terminal.
// The end of a pipe does not end the board. The reading goroutine may outlive ctx in its
// last read.
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

// tell writes the speaker's lines until ctx ends or the viewer types quit. Lines from a
// script wait for the first snapshot.
func (s *textBoard) tell(ctx context.Context, typed <-chan string, person bool, changes <-chan func(), out io.Writer) error {
	if person {
		if err := say(out, s.all.Help()); err != nil {
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
		now := time.Now()
		for _, f := range s.floors {
			f.speaker.Update(f.viewer.Latest(), now)
		}
		if s.all.Begun() {
			typed = waiting
		}
		if line := s.all.Next(now); line != "" {
			if err := say(out, line); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return causeOfEnd(ctx)
		case <-tick.C:
		case change := <-changes:
			change()
		case text := <-typed:
			lines, quit := s.all.Answer(text, time.Now())
			if err := say(out, lines...); err != nil || quit {
				return err
			}
		}
	}
}

func say(out io.Writer, lines ...string) error {
	for _, line := range lines {
		if err := cmdutil.Text(out, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
