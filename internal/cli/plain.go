package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/ask"
	"wallboard/internal/report/headless"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui"
	"wallboard/ui/term"
)

// textPlatform is one platform of a board in text mode.
type textPlatform struct {
	ctx             context.Context //nolint:containedctx // ends the answers to questions
	platform        *app.Platform
	viewer          *hub.Viewer
	speaker         *headless.Speaker
	summaryInterval time.Duration
	lastProblem     words.Text // last reported problem of the configuration
}

// showText runs the feeds of the platforms and prints changes as lines of text until the
// viewer quits.
func (b *commandSetup) showText(ctx context.Context, sources ...app.ConfigSource) error {
	if b.textMode.summaryInterval < 0 {
		return cmdutil.NewUsageError(errors.New("--every must be at least 0"))
	}
	defer b.hangups.MarkService()()
	b.env.SpokenAlerts = true
	c, _, err := sources[0]()
	if err != nil {
		return err
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hangups.AddHandler(logReopener(b.Setup))()
	if trouble := b.LogProblem(); trouble != "" {
		_, _ = fmt.Fprintln(b.Streams.Err, "warning:", trouble)
	}
	var names []string
	var texts []*textPlatform
	var latest []func() *model.Snapshot
	var platforms []*app.Platform
	var speakers []*headless.Speaker
	for _, read := range sources {
		p, err := b.environment().Open(ctx, read, log, level, app.PlatformOptions{})
		if err != nil {
			return err
		}
		defer p.Close()
		f, err := b.textPlatform(ctx, p)
		if err != nil {
			return err
		}
		texts, latest = append(texts, f), append(latest, f.viewer.Latest)
		names, platforms, speakers = append(names, p.Config().Platform), append(platforms, p), append(speakers, f.speaker)
	}
	changes := make(chan func())
	ctx, stop := app.RunPlatforms(ctx, platforms, func(n int) *app.ConfigObserver { return texts[n].configObserver(changes) })
	defer stop()
	typed, person := readInputLines(ctx, b.Streams.In)
	out, release := term.LimitOutput(ctx, b.Streams.Out)
	defer release()
	talk := headless.TextSession{
		Speakers: headless.NewMultiSpeaker(names, speakers), Latest: latest, Input: typed, IsInteractive: person, Changes: changes,
		Write: func(line string) error { return cmdutil.WriteText(out, line+"\n") },
	}
	if err := talk.Run(ctx); err != nil || ctx.Err() == nil { // the viewer has quit
		return err
	}
	return app.EndCause(ctx)
}

// textPlatform prepares an open platform for text mode.
func (b *commandSetup) textPlatform(ctx context.Context, p *app.Platform) (*textPlatform, error) {
	viewer, err := p.LocalViewer()
	if err != nil {
		return nil, err
	}
	f := &textPlatform{ctx: ctx, platform: p, viewer: viewer, summaryInterval: b.textMode.summaryInterval}
	f.speaker = headless.NewSpeaker(f.speakerOptions(p.Config()))
	return f, nil
}

// speakerOptions returns the options of the platform's speaker for the configuration c.
func (s *textPlatform) speakerOptions(c *config.Config) headless.SpeakerOptions {
	l := terminalLanguage(c)
	breaks := func(of *model.Snapshot, now time.Time) []string {
		return headless.BreakLines(s.viewer, of, now, time.Local, l)
	}
	return headless.SpeakerOptions{Words: l, Breaks: breaks, Question: s.parseQuestion, Alerts: s.viewer, Names: c.Names(), User: app.ViewerName(c), SummaryInterval: s.summaryInterval, OnMark: s.platform.Recorder.AddMark}
}

// maxAnswerTime is how long text mode waits for an answer about the past.
const maxAnswerTime = 20 * time.Second

// parseQuestion returns the function that answers a line. It returns nil if the line is not a question, or
// if the speaker itself answers it, as for the present state of the floor or of a record.
func (s *textPlatform) parseQuestion(line string) (answer func() []string) {
	now := s.viewer.Now()
	ctx, cancel := context.WithTimeout(s.ctx, maxAnswerTime)
	c := s.platform.Config()
	f := s.platform.AnswerFloor(ctx, app.LocalVisibility(c), s.viewer, terminalLanguage(c).Spoken())
	q, ok := f.Parse(line, now)
	isCustom := q.Figure != "" && kpi.FigureNamed(q.Figure) == nil && f.HasFigure(q.Figure)
	isOwn := q.Kind == ask.KindFloor || q.Kind == ask.KindRecord && !isCustom || q.Kind == ask.KindWhy && q.Name != ""
	if isOwn && q.At.IsZero() || !ok && !ask.IsQuestion(line) {
		cancel()
		return nil
	}
	return func() []string {
		defer cancel()
		return f.Ask(ctx, line).Lines()
	}
}

// configObserver returns the [app.ConfigObserver] of the platform. Its functions must not use the speaker,
// which belongs to another goroutine. They send functions on changes instead, for that
// goroutine to call.
func (s *textPlatform) configObserver(changes chan<- func()) *app.ConfigObserver {
	in := func(ctx context.Context, do func()) {
		select {
		case changes <- do:
		case <-ctx.Done():
		}
	}
	return &app.ConfigObserver{
		Apply: func(ctx context.Context, change *app.ConfigChange) error {
			in(ctx, func() { s.speaker.Reconfigure(s.speakerOptions(change.Config), change.Result.OtherPlatform) })
			return nil
		},
		Report: func(ctx context.Context, result ui.Reload) {
			text, isRepeated := result.Problem, result.Problem.Equal(s.lastProblem)
			if s.lastProblem = result.Problem; text.IsZero() {
				text, isRepeated = result.Notice, false
			}
			if !text.IsZero() && !isRepeated {
				in(ctx, func() { s.speaker.QueueLine(text.In(nil)) })
			}
		},
		RestartKeys: []string{"record", "privacy", "platform"},
	}
}

// readInputLines returns a channel with the lines of the standard input. interactive reports
// whether the input is a terminal. The board does not end at the end of a pipe. The goroutine
// that reads may outlive ctx in its last read.
func readInputLines(ctx context.Context, in io.Reader) (typed <-chan string, interactive bool) {
	if in == nil {
		return nil, false
	}
	_, interactive = cmdutil.TerminalOf(in)
	lines := make(chan string)
	go func() {
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines, interactive
}
