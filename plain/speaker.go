package plain

import (
	"cmp"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
)

// Options are what a speaker is made of.
type Options struct {
	// Alerts judges the floor; its messages should be in words. Situations make of
	// them what a person has to know. Others may be told the same.
	Alerts     Engine
	Situations Situations
	Names      model.Names
	// User is who takes alerts over.
	User string
	// Marked is called with what a recording is to be marked with; nil: nothing is recorded.
	Marked func(model.Event)
	// Every is how often the floor is summed up; 0 is never.
	Every time.Duration
	// Pace is the least time between two lines that nobody asked for; 0 is two
	// seconds.
	Pace time.Duration
	// Location is the time zone of clock times; nil is the local one.
	Location *time.Location
}

// Engine says what is wrong on the floor, and what its figures are.
type Engine interface {
	Evaluate(s *model.Snapshot, now time.Time) []alert.Change
	Active() []alert.Alert
	Of(k alert.Key) []alert.Alert
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	ExplainAlert(id string) (alert.Explanation, error)
	Value(name string, k alert.Key) model.Figure
	Goal(service string) alert.Goal
	KPIs(s alert.Scope) []alert.KPI
}

// Situations make of alerts what a person has to know.
type Situations interface {
	Look(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time) *situation.View
}

// Speaker says how a floor is doing. It belongs to one goroutine.
type Speaker struct {
	Options
	last *model.Snapshot
	now  time.Time // on our clock

	begun   bool // the first paragraph was said
	said    time.Time
	summed  time.Time
	feed    condition // as it was said last
	unsure  condition // that it may become
	since   time.Time // of unsure
	lost    time.Time // when the figures were no longer the present ones
	story   story
	tidings []string // that come before anything else
}

// condition is how far the figures can be relied on.
type condition int

const (
	live    condition = iota
	partial           // there is a connection, but some figures may be old
	down              // there is no connection
)

// settle is how long a condition must last before it is worth a line.
const settle = 3 * time.Second

// New returns a speaker that has seen nothing yet.
func New(o Options) *Speaker {
	o.Pace = cmp.Or(o.Pace, 2*time.Second)
	return &Speaker{Options: o, story: newStory(&o)}
}

// Begun reports whether it has said how the floor is.
func (s *Speaker) Begun() bool { return s.begun }

// Say has a sentence said, in its turn.
func (s *Speaker) Say(text string) { s.tidings = append(s.tidings, text) }

// Adopt goes on by the Alerts, Situations, Names and User of other options. elsewhere
// tells that they are those of another platform: what was told of is not there.
func (s *Speaker) Adopt(o Options, elsewhere bool) {
	s.Names, s.User, s.Alerts, s.Situations = o.Names, o.User, o.Alerts, o.Situations
	told := s.story
	s.story = newStory(&s.Options)
	if elsewhere {
		return
	}
	s.story.heard, s.story.queue = told.heard, told.queue
}

// Look takes in the newest snapshot at a time of our clock; nil is none yet.
func (s *Speaker) Look(snap *model.Snapshot, now time.Time) {
	s.now = now
	if snap == nil {
		return
	}
	s.last = snap
	changes := s.Alerts.Evaluate(snap, s.server())
	s.story.look(snap, s.Alerts.Active(), changes, s.server(), !s.begun) // the first paragraph tells of what is wrong then
	if is := conditionOf(&snap.Health); is != s.unsure || s.since.IsZero() {
		s.unsure, s.since = is, now
	}
}

func conditionOf(h *model.Health) condition {
	switch {
	case h.Link.State != model.LinkUp:
		return down
	case !h.Live():
		return partial
	}
	return live
}

// server is the time on the server's clock.
func (s *Speaker) server() time.Time { return s.now.Add(s.last.Health.ClockOffset) }

// Next returns the next line that should be written, "" when there is nothing
// to say or the last line was only just written.
func (s *Speaker) Next() string {
	if !s.said.IsZero() && s.now.Sub(s.said) < s.Pace {
		return ""
	}
	line := s.next()
	if line != "" {
		s.said = s.now
	}
	return line
}

func (s *Speaker) next() string {
	if len(s.tidings) > 0 {
		first := s.tidings[0]
		s.tidings = s.tidings[1:]
		return first
	}
	if !s.begun {
		return s.begin()
	}
	if line := s.feedLine(); line != "" {
		return line
	}
	if line := s.story.changes(); line != "" {
		return line
	}
	if s.Every > 0 && s.now.Sub(s.summed) >= s.Every {
		s.summed = s.now
		return s.Summary()
	}
	return ""
}

// begin says how the floor is doing when it is known for the first time, and
// that it is not when that takes long.
func (s *Speaker) begin() string {
	const patience = 10 * time.Second
	switch {
	case s.last != nil && conditionOf(&s.last.Health) == live:
		s.begun, s.summed, s.feed = true, s.now, live
		return s.Summary()
	case s.said.IsZero():
		return "Connecting to the platform."
	case s.now.Sub(s.said) >= patience:
		return s.trouble()
	}
	return ""
}

// feedLine tells when the connection or the data have gone or come back.
func (s *Speaker) feedLine() string {
	if s.unsure == s.feed || s.now.Sub(s.since) < settle {
		return ""
	}
	was := s.feed
	s.feed = s.unsure
	switch {
	case s.feed == live:
		lasted := s.now.Sub(s.lost)
		s.summed = s.now
		return "The figures are the present ones again, after " + inWords(lasted) + ". " + s.Summary()
	case was == live:
		s.lost = s.since
	}
	s.summed = s.now
	return s.trouble()
}

// trouble says why the figures are not the present ones.
func (s *Speaker) trouble() string {
	if s.last == nil {
		return "Still connecting to the platform."
	}
	h := &s.last.Health
	if conditionOf(h) == down {
		was := ""
		if !s.lost.IsZero() {
			was = " What you hear is how it was at " + s.clock(s.lost) + "."
		}
		return "No connection to the platform" + because(h.Link.Reason, h.Notice) + "." + was + " The board keeps trying."
	}
	for i := range h.Subscriptions {
		sub := &h.Subscriptions[i]
		if sub.State != model.SubWaiting && !sub.State.Current() {
			return "Figures of " + sub.Name.Noun() + " may be old" + because(sub.Reason) + "."
		}
	}
	return "Some figures may be old" + because(h.Notice) + "."
}

func (s *Speaker) clock(t time.Time) string {
	if s.Location != nil {
		return t.In(s.Location).Format("15:04:05")
	}
	return t.Local().Format("15:04:05")
}

// because adds the first reason that there is.
func because(reasons ...string) string {
	for _, r := range reasons {
		if r = strings.TrimRight(r, ". "); r != "" {
			return ": " + r
		}
	}
	return ""
}

func levelWord(l alert.Level) string {
	if l == alert.Critical {
		return "Critical"
	}
	return "Warning"
}

// sentence ends a text with a full stop.
func sentence(text string) string {
	if text = strings.TrimRight(text, " "); text == "" || strings.ContainsRune(".!?", rune(text[len(text)-1])) {
		return text
	}
	return text + "."
}

// inWords is a duration in words.
func inWords(d time.Duration) string { return alert.Duration.Words(model.FigureOf(d.Seconds())) }
