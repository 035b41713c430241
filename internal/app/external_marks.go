package app

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/serve/web"
	"wallboard/model"
)

// calendarStopTimeout is how long a shutdown waits for the calendars. Their files may be on a network
// share that does not respond.
const calendarStopTimeout = time.Second

// startMarks starts to receive marks from other programs and from calendars for all platforms,
// according to the configuration of the first platform. If it cannot listen for other programs, it
// tries again. stop ends all these tasks. trouble returns a description of a problem with the marks
// or the notes, or "".
func startMarks(ctx context.Context, platforms []*Platform, log *slog.Logger) (stop func(), trouble func() string) {
	c := platforms[0].Config()
	var books []*statefile.NoteBook
	for _, p := range platforms {
		books = append(books, p.Notes)
	}
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	var calendars *statefile.Calendars
	if len(c.Calendars) > 0 {
		var files []string
		for _, f := range c.Calendars {
			files = append(files, f.File)
		}
		calendars = statefile.NewCalendars(files, time.Local, books, log)
		background.Go(func() { calendars.Run(ctx) })
	}
	var server *OptionalService
	if c.Marks.Listen != "" {
		server = StartOptional(ctx, log, "marks of other programs", io.Discard, func(io.Writer) (func(), error) {
			write := func(text string, at, until time.Time) (model.Note, error) {
				return statefile.WriteMark(books, text, at, until)
			}
			s, err := web.ServeMarks(web.MarkServerOptions{Listen: c.Marks.Listen, Token: c.Marks.Token, Write: write, Log: log})
			if err != nil {
				return nil, err
			}
			return s.Stop, nil
		})
	}
	stop = func() {
		cancel()
		if !finishesWithin(calendarStopTimeout, background.Wait) {
			log.Warn("a calendar file does not answer; it is left alone", "files", len(c.Calendars))
		}
		if server != nil {
			server.Stop()
		}
	}
	troubles := []func() string{calendars.Trouble}
	for _, b := range books {
		troubles = append(troubles, b.Trouble)
	}
	if server != nil {
		troubles = append(troubles, server.ProblemText)
	}
	return stop, FirstNonEmptyText(troubles...)
}
