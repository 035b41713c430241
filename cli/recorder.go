package cli

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"wallboard/cli/deeds"
	"wallboard/config"
	"wallboard/model"
	"wallboard/record"
)

// tape is a recording that is being made.
type tape struct {
	before  hours             // what is known of the hours before; nil: nothing
	marked  func(model.Event) // marks it; nil: nothing is recorded
	trouble func() string     // why nothing is recorded, "" where it is; nil: nothing is to be
	stop    func()
}

// record begins to record what a feed shows, if it is to be. Who looks goes on whatever
// becomes of it: the log says what went wrong.
func (b *board) record(ctx context.Context, c *config.Config, feed shownFeed, log *slog.Logger) *tape {
	if !c.Record.Enabled {
		return &tape{stop: func() {}}
	}
	before, unread := b.hoursBefore(c, log).until()
	w := record.NewWriter(record.Options{
		Dir: c.Record.Folder(), MaxBytes: int64(c.Record.MaxSize), MaxAge: c.Record.MaxAge,
		About: aboutRecording(c), Source: masked(c, feed), Log: log,
	})
	t := &tape{before: before}
	t.marked = func(e model.Event) {
		at := e.At
		if at.IsZero() {
			at = time.Now()
		}
		if s := feed.Latest(); s != nil {
			at = at.Add(s.Health.ClockOffset)
		}
		w.Mark(markOf(c, e, at))
	}
	ctx, cancel := context.WithCancel(ctx)
	t.trouble = func() string {
		if why := w.Trouble(); why != "" {
			return "Nothing is being recorded: " + why
		}
		return ""
	}
	var beside sync.WaitGroup
	beside.Go(func() {
		if err := w.Run(ctx); err != nil {
			log.Error("nothing is recorded", "error", err)
		}
	})
	beside.Go(func() { deeds.New(c.Audit.Path(), c.RTD.URL, c.Names(), t.marked).Run(ctx) })
	t.stop = func() { cancel(); beside.Wait(); unread() }
	return t
}

// markOf is something that happened at a time, with the names that a recording may hold.
func markOf(c *config.Config, e model.Event, at time.Time) record.Mark {
	text := e.Nameless
	if c.Record.Names == string(model.NamesFull) {
		text = e.Text
	}
	return record.Mark{At: at, Kind: e.Kind, Text: model.CleanText(text, model.MaxBody)}
}

// aboutRecording says what a recording is of.
func aboutRecording(c *config.Config) record.About {
	a := record.About{Board: version(), Names: c.Record.Names, Platform: c.RTD.Platform()}
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
	feed shownFeed
	mask *model.Mask
}

// masked returns a feed with the names that a recording may hold.
func masked(c *config.Config, feed shownFeed) record.Source {
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

func withoutPeople(codes []record.Code) []record.Code {
	var kept []record.Code
	for _, c := range codes {
		if c.Kind != string(model.NameUser) {
			kept = append(kept, c)
		}
	}
	return kept
}
