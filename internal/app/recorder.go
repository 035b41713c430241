package app

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/model"
)

// Recorder is a running recording. It also provides the platform's earlier data.
type Recorder struct {
	EarlierHours   PastSnapshots     // source of earlier hours; nil: none
	EarlierDays    DaySource         // source of earlier days; nil: none
	Marks          MarkReader        // reader of the marks of the recording; nil: none
	AddMark        func(model.Event) // adds a mark to the recording; nil: nothing is recorded
	StillRecording func() bool       // reports whether earlier hours are still being recorded; nil: they are not
	Problem        func() string     // describes why recording fails, or returns ""; nil: recording is off
	Stop           func()
}

// StartRecorder starts to record a feed if the configuration enables recording. If recording fails,
// it logs the error and the board continues without a recording.
func (e *Environment) StartRecorder(ctx context.Context, c *config.Config, feed record.Source, log *slog.Logger) *Recorder {
	if !c.Record.Enabled {
		return &Recorder{Stop: func() {}}
	}
	for _, warning := range KeyWarnings(c) {
		log.Warn("encrypted recording", "problem", warning)
	}
	readers := new(recordingReaders)
	w := record.NewWriter(record.Options{
		Dir: c.Record.Folder(), MaxBytes: int64(c.Record.MaxSize), MaxAge: c.Record.MaxAge,
		About: aboutRecording(c, e.Version), Source: MaskNames(c, feed), Recipients: c.Privacy.RecipientSets(&c.Record, c.Record.Names), Log: log,
	})
	earlier, pending := e.earlierHours(c, log)
	t := &Recorder{EarlierHours: earlier.readAsync(readers), EarlierDays: e.earlierDays(c, log).readAsync(readers), Marks: recordedMarks(c, log).readAsync(readers)}
	t.StillRecording = func() bool { return w.AwaitsFirstSnapshot() || pending != nil && pending() }
	t.AddMark = func(event model.Event) {
		now := event.At
		if now.IsZero() {
			now = time.Now()
		}
		s := feed.Latest()
		if s != nil {
			now = now.Add(s.Health.ClockOffset)
			if event.Note != nil {
				onServer := event.Note.Shift(s.Health.ClockOffset)
				event.Note = &onServer
			}
		}
		if m, hasMark := recordingMark(c, event, s, now); hasMark {
			w.QueueMark(m)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	t.Problem = func() string {
		if problem := w.Trouble(); problem != "" {
			return "Nothing is being recorded: " + problem
		}
		return ""
	}
	var background sync.WaitGroup
	background.Go(func() {
		if err := w.Run(ctx); err != nil {
			log.Error("recording failed", "error", err)
		}
	})
	t.Stop = func() {
		cancel()
		if !finishesWithin(maxShutdownWait, func() { background.Wait(); readers.wait() }) {
			log.Error("disk timeout: the end of the recording may be missing", "after", maxShutdownWait, "folder", c.Record.Folder())
		}
	}
	return t
}

// maxShutdownWait is how long a shutdown waits for the disk.
const maxShutdownWait = 5 * time.Second

// finishesWithin calls work on a goroutine and reports whether work returns within timeout.
// Otherwise work continues in the background.
func finishesWithin(timeout time.Duration, work func()) bool {
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// recordingMark returns the mark for an event, with only the names that the recording may contain.
// ok is false for an event that cannot be recorded without names, or that is about a group with too
// few members in s, the newest snapshot. s may be nil.
func recordingMark(c *config.Config, e model.Event, s *model.Snapshot, now time.Time) (m record.Mark, ok bool) {
	m = record.Mark{At: now, Kind: e.Kind, Text: e.Nameless, Message: e.NamelessMessage, Taken: e.NamelessTaken, Incident: e.NamelessIncident}
	if c.Record.Names == string(model.NamesFull) {
		m.Text, m.Message, m.Taken, m.Incident, m.Note = e.Text, e.Message, e.Taken, e.Incident, e.Note
	}
	// An agreed tolerance is recorded without the name of the viewer. Other notes are left out
	// because they may contain names of people.
	if n := e.Note; m.Note == nil && n != nil && n.Tolerance != (model.AgreedTolerance{}) {
		nameless := *n
		nameless.By = ""
		m.Note = &nameless
	}
	m.Text = model.CleanText(m.Text, model.MaxBody)
	return m, (m.Kind != model.MarkIncident || m.Incident != nil) && hideSmallGroups(c, &m, s)
}

// smallGroups returns the filter of small groups for a recording. It is nil, which removes nothing,
// for a recording with full names.
func smallGroups(c *config.Config) *model.PartFilter {
	if c.Record.Names == string(model.NamesFull) {
		return nil
	}
	return model.NewPartFilter(model.FloorPart{MinGroup: c.Privacy.SmallestGroup})
}

// hideSmallGroups removes small groups from a mark. It returns false if the mark is about one.
func hideSmallGroups(c *config.Config, m *record.Mark, s *model.Snapshot) bool {
	filter := smallGroups(c)
	if filter == nil {
		return true
	}
	filter.Apply(s)
	hides := func(scope, code string) bool { return scope == string(model.ScopeGroup) && filter.HidesGroup(code) }
	if hides(m.Taken.Scope, m.Taken.Code) || m.Incident != nil && hides(m.Incident.Scope, m.Incident.Code) {
		return false
	}
	if m.Incident == nil || s == nil {
		return true
	}
	var words []string
	for g := range s.Groups.All() {
		if code := g.Key().Code; filter.HidesGroup(code) {
			words = append(words, code, c.Names().NameOf(model.NameGroup, code))
		}
	}
	mentions := func(text string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	in := *m.Incident
	in.Alerts = slices.DeleteFunc(slices.Clone(in.Alerts), func(a model.IncidentAlert) bool { return hides(a.Scope, a.Code) || mentions(a.Text) })
	in.Causes = slices.DeleteFunc(slices.Clone(in.Causes), func(c model.IncidentCause) bool { return mentions(c.Text) || mentions(c.Brief) })
	if mentions(in.Headline) {
		in.Headline, in.Message = "", nil
	}
	if mentions(m.Text) {
		m.Text, m.Message = in.Title, nil
	}
	m.Incident = &in
	return true
}

// aboutRecording returns the description of a recording that begins now. version is the version of
// the program.
func aboutRecording(c *config.Config, version string) record.Metadata {
	zone, now := time.Local, time.Now()
	if c.Kiosk.Enabled && c.Kiosk.Location() != nil { // a kiosk shows times in its own time zone
		zone = c.Kiosk.Location()
	}
	a := record.Metadata{Board: version, Names: c.Record.Names, Platform: c.RTD.RecordingPlatform(), Zone: record.ZoneOf(zone, zoneName(zone, now), now)}
	for _, n := range c.RTD.Names {
		a.Codes = append(a.Codes, record.Code{Kind: n.Kind, Code: n.Code, Name: n.Name})
	}
	if c.Record.Names != string(model.NamesFull) {
		a.Codes = withoutUserCodes(a.Codes)
	}
	return a
}

// zoneName returns the IANA name of a time zone, or "" if it is unknown. Go calls the local zone
// "Local", so zoneName takes its name from the environment or the system.
func zoneName(zone *time.Location, now time.Time) string {
	if zone != time.Local {
		return zone.String()
	}
	name := strings.TrimPrefix(os.Getenv("TZ"), ":")
	if name == "" {
		name, _ = os.Readlink("/etc/localtime") // the file may not exist
	}
	if _, after, ok := strings.Cut(name, "/zoneinfo/"); ok {
		name = after
	}
	found, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return ""
	}
	_, foundOffset := now.In(found).Zone()
	if _, localOffset := now.Zone(); foundOffset != localOffset { // the zone found is not the local one
		return ""
	}
	return name
}

// maskedFeed provides the snapshots of a feed with masked names. It is not safe for concurrent use.
type maskedFeed struct {
	source record.Source
	filter *model.PartFilter
	mask   *model.Mask
}

// MaskNames returns a feed whose snapshots contain only the names that a recording may contain.
func MaskNames(c *config.Config, feed record.Source) record.Source {
	return &maskedFeed{feed, smallGroups(c), model.NewMask(model.NameMode(c.Record.Names), rand.Text(), c.Names(), c.RTD.Username)}
}

// Latest implements record.Source.
func (m *maskedFeed) Latest() *model.Snapshot {
	s := m.source.Latest()
	if s == nil {
		return nil
	}
	return m.mask.Apply(m.filter.Apply(s))
}

func withoutUserCodes(codes []record.Code) []record.Code {
	var kept []record.Code
	for _, c := range codes {
		if c.Kind != string(model.NameUser) {
			kept = append(kept, c)
		}
	}
	return kept
}
