package statefile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

const (
	calendarInterval = 10 * time.Second
	calendarWindow   = 24 * time.Hour // events from this long before now until this long after now are read
	rereadAfter      = time.Hour      // an unchanged file is parsed again after this time because the window moves
)

// Calendars writes the events of calendar files into note books. An event becomes a mark at its
// time. Events of the last day that are not marks yet become marks at once.
type Calendars struct {
	files []calendarFile
	zone  *time.Location
	books []*NoteBook
	log   *slog.Logger

	mu      sync.Mutex
	trouble []string // problems of the files, in the order of the files
}

// calendarFile is a calendar file with the events that were last read from it.
type calendarFile struct {
	path     string
	modified time.Time
	size     int64
	readAt   time.Time
	events   []calendarEvent
	problem  string
}

// NewCalendars returns the calendars in files. Their events are written into books. Times without a
// zone are in zone.
func NewCalendars(files []string, zone *time.Location, books []*NoteBook, log *slog.Logger) *Calendars {
	c := &Calendars{zone: zone, books: books, log: log}
	for _, path := range files {
		c.files = append(c.files, calendarFile{path: path})
	}
	return c
}

// Run writes marks until ctx ends. It reads the files again when they change.
func (c *Calendars) Run(ctx context.Context) {
	tick := time.NewTicker(calendarInterval)
	defer tick.Stop()
	for {
		c.update(ctx, time.Now())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Trouble returns a sentence about the first file with a problem, or "" if there is none. c may be
// nil.
func (c *Calendars) Trouble() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.trouble) == 0 {
		return ""
	}
	return c.trouble[0]
}

// update reads the files that have changed and writes the marks that are due. It stops if ctx ends
// while a file is read.
func (c *Calendars) update(ctx context.Context, now time.Time) {
	var trouble []string
	for i := range c.files {
		f := &c.files[i]
		before := f.problem
		c.read(f, now)
		if ctx.Err() != nil {
			return
		}
		if f.problem != "" {
			text := "Calendar " + f.path + ": " + f.problem
			if trouble = append(trouble, text); f.problem != before {
				c.log.Warn("cannot read a calendar completely", "file", f.path, "error", f.problem)
			}
		}
		for _, book := range c.books {
			if err := f.writeDue(book, now); err != nil {
				c.log.Warn("cannot write the marks of a calendar", "file", f.path, "error", err)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trouble = trouble
}

// CheckCalendar reads a calendar file as a board does. It returns its first problem and what to do about it,
// or "" if there is none. Times without a zone are in zone.
func CheckCalendar(path string, zone *time.Location, now time.Time) (problem, remedy string) {
	f := calendarFile{path: path}
	(&Calendars{zone: zone}).read(&f, now)
	if i := strings.LastIndex(f.problem, ": "); i >= 0 {
		return f.problem[:i], f.problem[i+2:]
	}
	return f.problem, ""
}

// read reads a file if it has changed or was last read long ago. If reading fails, the known events
// remain.
func (c *Calendars) read(f *calendarFile, now time.Time) {
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		f.problem, f.modified = "it cannot be read ("+securefile.WithoutPath(err).Error()+"): check calendar.file and the permissions", time.Time{}
		return
	case !info.Mode().IsRegular():
		f.problem = "it is not a file: check calendar.file"
		return
	case info.Size() > maxCalendarSize:
		f.problem = "it is larger than " + strconv.Itoa(maxCalendarSize>>20) + " MiB: export a shorter period"
		return
	case info.ModTime().Equal(f.modified) && info.Size() == f.size && now.Sub(f.readAt).Abs() < rereadAfter:
		return
	}
	content, err := securefile.ReadRegular(f.path, maxCalendarSize)
	if err != nil {
		f.problem = "it cannot be read (" + securefile.WithoutPath(err).Error() + "): check the permissions"
		return
	}
	events, problems := parseCalendar(content, c.zone, now.Add(-calendarWindow), now.Add(calendarWindow), time.Now)
	f.events, f.modified, f.size, f.readAt, f.problem = events, info.ModTime(), info.Size(), now, ""
	if len(problems) > 0 {
		f.problem = problems[0].Error()
		if n := len(problems) - 1; n > 0 {
			f.problem += "; problems in other events: " + strconv.Itoa(n)
		}
	}
}

// writeDue writes a mark for each event whose time has come and that has no mark yet.
func (f *calendarFile) writeDue(book *NoteBook, now time.Time) error {
	var due []model.Note
	known := make(map[string]bool)
	for _, n := range book.All() {
		known[n.ID] = true
	}
	by := strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path))
	for _, e := range f.events {
		if e.at.After(now) || now.Sub(e.at) > calendarWindow {
			continue
		}
		n, err := NewNote(e.summary, by, e.at, time.Time{})
		if err != nil {
			continue // the title contains only characters that cannot be shown
		}
		if n.ID = eventID(&e); !known[n.ID] {
			due = append(due, n)
		}
	}
	if len(due) == 0 {
		return nil
	}
	return book.Write(due...)
}

// eventID returns the ID of an event's mark. All boards use the same ID, so the mark is written
// only once.
func eventID(e *calendarEvent) string {
	const length = 13
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d", e.uid, e.summary, e.at.Unix()))
	return "ics-" + hex.EncodeToString(sum[:length])
}
