package app

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"wallboard/internal/alert/marks"
	"wallboard/internal/alert/statefile"
)

// startMarks adds marks from other programs and from calendars to all platforms, as configured for
// the first platform. Marks of other programs are accepted as soon as the address is free. stop
// ends both. trouble returns a text about a problem, or "" if there is none.
func startMarks(ctx context.Context, platforms []*Platform, log *slog.Logger) (stop func(), trouble func() string) {
	c := platforms[0].Config()
	var books []*statefile.NoteBook
	for _, p := range platforms {
		books = append(books, p.Notes)
	}
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	var calendars *marks.Calendars
	if len(c.Calendars) > 0 {
		var files []string
		for _, f := range c.Calendars {
			files = append(files, f.File)
		}
		calendars = marks.NewCalendars(files, time.Local, books, log)
		background.Go(func() { calendars.Run(ctx) })
	}
	var server *OptionalService
	if c.Marks.Listen != "" {
		server = StartOptional(ctx, log, "marks of other programs", io.Discard, func(io.Writer) (func(), error) {
			s, err := marks.Serve(marks.ServerOptions{Listen: c.Marks.Listen, Token: c.Marks.Token, Books: books, Log: log})
			if err != nil {
				return nil, err
			}
			return s.Stop, nil
		})
	}
	stop = func() {
		cancel()
		background.Wait()
		if server != nil {
			server.Stop()
		}
	}
	if server == nil {
		return stop, calendars.Trouble
	}
	return stop, FirstNonEmptyText(calendars.Trouble, server.Trouble)
}
