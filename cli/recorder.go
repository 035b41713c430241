package cli

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/url"

	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
	"wallboard/record"
)

// record begins to record what the board is shown, if it is to. The board goes on
// whatever becomes of it: the log says what went wrong.
func (b *board) record(ctx context.Context, c *config.Config, feed *feeds.Feed, log *slog.Logger) (stop func()) {
	if !c.Record.Enabled || b.played {
		return func() {}
	}
	w := record.NewWriter(record.Options{
		Dir: c.Record.Folder(), MaxBytes: int64(c.Record.MaxSize), MaxAge: c.Record.MaxAge,
		About: aboutRecording(c), Source: masked(c, feed), Log: log,
	})
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.Run(ctx); err != nil {
			log.Error("nothing is recorded", "error", err)
		}
	}()
	return func() { cancel(); <-done }
}

// aboutRecording says what a recording is of.
func aboutRecording(c *config.Config) record.About {
	a := record.About{Board: version(), Names: c.Record.Names}
	if u, err := url.Parse(c.RTD.URL); err == nil {
		a.Platform = u.Host + u.Path
	}
	for _, n := range c.RTD.Names {
		a.Codes = append(a.Codes, record.Code{Kind: n.Kind, Code: n.Code, Name: n.Name})
	}
	if c.Record.Names != string(model.NamesFull) {
		a.Codes = withoutPeople(a.Codes)
	}
	return a
}

// maskedFeed is a feed whose pictures do not name people. It is for one goroutine.
type maskedFeed struct {
	feed *feeds.Feed
	mask *model.Mask
}

// masked returns a feed with the names that a recording may hold.
func masked(c *config.Config, feed *feeds.Feed) record.Source {
	return &maskedFeed{feed, model.NewMask(model.NameMode(c.Record.Names), rand.Text(), c.Names(), c.RTD.Username)}
}

// Latest implements record.Source.
func (m *maskedFeed) Latest() *model.Snapshot {
	s := m.feed.Latest()
	if s == nil {
		return nil
	}
	return m.mask.Apply(s)
}
