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

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/headless"
)

// textInterval is the interval at which text mode checks the floor.
const textInterval = 200 * time.Millisecond

// textBoard is a board in text mode. It belongs to the goroutine that writes the text.
type textBoard struct {
	platforms []*textPlatform
	speakers  *headless.MultiSpeaker
}

// textPlatform is a platform in text mode.
type textPlatform struct {
	feed     *followedFeed
	common   *app.Runtime
	viewer   *hub.Viewer
	speaker  *headless.Speaker
	interval time.Duration
}

// showText shows the floors as lines of text until the viewer quits.
func (b *commandSetup) showText(ctx context.Context, sources ...source) error {
	if b.textMode.interval < 0 {
		return cmdutil.Usage(errors.New("--every must be at least 0"))
	}
	defer b.hangups.markService()()
	b.env.Spoken = true
	c, _, err := sources[0]()
	if err != nil {
		return err
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hangups.listen(logReopener(b.Setup))()
	if trouble := b.LogProblem(); trouble != "" {
		_, _ = fmt.Fprintln(b.Streams.Err, "warning:", trouble)
	}
	s := &textBoard{}
	var names []string
	var speakers []*headless.Speaker
	for _, read := range sources {
		f, err := b.openText(ctx, read, log, level)
		if err != nil {
			return err
		}
		defer f.common.Close()
		s.platforms = append(s.platforms, f)
		names, speakers = append(names, f.feed.config.Platform), append(speakers, f.speaker)
	}
	s.speakers = headless.NewMultiSpeaker(names, speakers)
	changes := make(chan func())
	var background sync.WaitGroup
	defer background.Wait()
	for _, f := range s.platforms {
		var stop func()
		ctx, stop = f.feed.run(ctx, f.configFollower(changes))
		defer stop()
	}
	for _, f := range s.platforms {
		background.Go(func() { f.common.Hub.Run(ctx) })
	}
	typed, person := b.typedLines(ctx)
	return s.run(ctx, typed, person, changes, b.Streams.Out)
}

// openText prepares the platform of a source.
func (b *commandSetup) openText(ctx context.Context, read source, log *slog.Logger, level *slog.LevelVar) (*textPlatform, error) {
	c, fo, err := read()
	if err != nil {
		return nil, err
	}
	if c.Platform != "" {
		log = log.With("platform", c.Platform)
	}
	f := &textPlatform{interval: b.textMode.interval}
	if f.feed, err = b.newFollowedFeed(read, c, fo, log, level); err != nil {
		return nil, err
	}
	if f.common, err = b.env.OpenRuntime(ctx, c, f.feed.feed, log, hub.Options{}); err != nil {
		return nil, err
	}
	if f.viewer, err = f.common.Hub.Viewer(app.LocalVisibility(c), 0, 0); err != nil {
		f.common.Close()
		return nil, err
	}
	f.speaker = headless.NewSpeaker(f.options(c))
	return f, nil
}

// options returns the speaker's options.
func (s *textPlatform) options(c *config.Config) headless.SpeakerOptions {
	return headless.SpeakerOptions{Alerts: s.viewer, Situations: s.viewer.Situations(), Names: c.Names(), User: app.ViewerName(c), Every: s.interval, OnMark: s.common.Recorder.AddMark}
}

// configFollower makes the speaker follow the configuration, on the goroutine that it belongs
// to.
func (s *textPlatform) configFollower(changes chan<- func()) *configFollower {
	in := func(ctx context.Context, do func()) {
		select {
		case changes <- do:
		case <-ctx.Done():
		}
	}
	return &configFollower{
		apply: func(ctx context.Context, c *config.Config, platformChanged bool) error {
			closePrevious, err := s.common.ApplyConfig(c, 0, platformChanged)
			if closePrevious != nil {
				go closePrevious() // it may write remaining alerts
			}
			if err == nil {
				err = s.viewer.SetVisibility(app.LocalVisibility(c))
			}
			if err == nil {
				in(ctx, func() { s.speaker.Reconfigure(s.options(c), platformChanged) })
			}
			return err
		},
		restartKeys: []string{"record", "platform"},
		show:        func(ctx context.Context, text string) { in(ctx, func() { s.speaker.Say(text) }) },
	}
}

// typedLines returns the lines of the standard input; interactive is true if it is a terminal.
// The end of a pipe does not end the board. The reading goroutine may outlive ctx in its
// last read.
func (b *commandSetup) typedLines(ctx context.Context) (typed <-chan string, interactive bool) {
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

// run writes the speaker's lines until ctx ends or the viewer types quit. Lines from a
// script wait for the first snapshot.
func (s *textBoard) run(ctx context.Context, typed <-chan string, interactive bool, changes <-chan func(), out io.Writer) error {
	if interactive {
		if err := writeLines(out, s.speakers.Help()); err != nil {
			return err
		}
	}
	waiting := typed
	if !interactive {
		typed = nil
	}
	tick := time.NewTicker(textInterval)
	defer tick.Stop()
	for {
		now := time.Now()
		for _, f := range s.platforms {
			f.speaker.Update(f.viewer.Latest(), now)
		}
		if s.speakers.Begun() {
			typed = waiting
		}
		if line := s.speakers.Next(now); line != "" {
			if err := writeLines(out, line); err != nil {
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
			lines, quit := s.speakers.Answer(text, time.Now())
			if err := writeLines(out, lines...); err != nil || quit {
				return err
			}
		}
	}
}

func writeLines(out io.Writer, lines ...string) error {
	for _, line := range lines {
		if err := cmdutil.Text(out, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
