package cli

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/model"
)

// tape is a running recording and the access to earlier data.
type tape struct {
	before  hours             // earlier hours; nil: none
	days    days              // earlier days; nil: none
	marked  func(model.Event) // adds a mark; nil: nothing is recorded
	coming  func() bool       // earlier hours are still being recorded; nil: no
	trouble func() string     // why recording fails, "" if it does not; nil: recording is off
	stop    func()
}

// record records a feed, if enabled. A failure is logged and does not affect the board.
func (b *board) record(ctx context.Context, c *config.Config, feed snapshotFeed, log *slog.Logger) *tape {
	if !c.Record.Enabled {
		return &tape{stop: func() {}}
	}
	past := new(recordingReaders)
	w := record.NewWriter(record.Options{
		Dir: c.Record.Folder(), MaxBytes: int64(c.Record.MaxSize), MaxAge: c.Record.MaxAge,
		About: aboutRecording(c), Source: masked(c, feed), Log: log,
	})
	before, lived := b.hoursBefore(c, log)
	t := &tape{before: before.by(past), days: b.daysBefore(c, log).by(past)}
	t.coming = func() bool { return w.Pending() || lived != nil && lived() }
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
			log.Error("recording failed", "error", err)
		}
	})
	name := func(campaign string) string { return c.Names().In(feed.Latest(), model.NameCampaign, campaign) }
	beside.Go(func() { commands.NewAuditWatch(c.Audit.Path(), c.RTD.URL, name, t.marked).Run(ctx) })
	t.stop = func() {
		cancel()
		if !within(longestEnd, func() { beside.Wait(); past.end() }) {
			log.Error("disk timeout: the end of the recording may be missing", "after", longestEnd, "folder", c.Record.Folder())
		}
	}
	return t
}

// longestEnd is how long the shutdown waits for the disk to finish pending writes.
const longestEnd = 5 * time.Second

// within reports whether work ends in time. Otherwise work continues in the background.
func within(most time.Duration, work func()) bool {
	over := make(chan struct{})
	go func() { defer close(over); work() }()
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-over:
		return true
	case <-late.C:
		return false
	}
}

// markOf returns the mark for an event, with the names that the recording may contain.
func markOf(c *config.Config, e model.Event, at time.Time) record.Mark {
	text, taken := e.Nameless, e.NamelessTaken
	if c.Record.Names == string(model.NamesFull) {
		text, taken = e.Text, e.Taken
	}
	return record.Mark{At: at, Kind: e.Kind, Text: model.CleanText(text, model.MaxBody), Taken: taken}
}

// aboutRecording returns the description of a recording.
func aboutRecording(c *config.Config) record.About {
	zone, now := time.Local, time.Now()
	if c.Kiosk.Enabled && c.Kiosk.Location() != nil { // the kiosk shows times in its own zone
		zone = c.Kiosk.Location()
	}
	a := record.About{Board: version(), Names: c.Record.Names, Platform: c.RTD.Platform(), Zone: record.ZoneOf(zone, zoneName(zone, now), now)}
	for _, n := range c.RTD.Names {
		a.Codes = append(a.Codes, record.Code{Kind: n.Kind, Code: n.Code, Name: n.Name})
	}
	if c.Record.Names != string(model.NamesFull) {
		a.Codes = withoutPeople(a.Codes)
	}
	return a
}

// zoneName returns the IANA name of a time zone, "" if unknown: Go names the local zone
// "Local".
func zoneName(zone *time.Location, now time.Time) string {
	if zone != time.Local {
		return zone.String()
	}
	name := strings.TrimPrefix(os.Getenv("TZ"), ":")
	if name == "" {
		name, _ = os.Readlink("/etc/localtime") // the file may not exist
	}
	if _, after, is := strings.Cut(name, "/zoneinfo/"); is {
		name = after
	}
	found, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return ""
	}
	_, its := now.In(found).Zone()
	if _, ours := now.Zone(); its != ours { // the zone differs from the local one
		return ""
	}
	return name
}

// maskedFeed is a feed whose snapshots have masked names. It must not be used concurrently.
type maskedFeed struct {
	feed snapshotFeed
	mask *model.Mask
}

// masked returns a feed with the names that a recording may contain.
func masked(c *config.Config, feed snapshotFeed) record.Source {
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
