package headless

import (
	"cmp"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// SpeakerOptions configures a [Speaker].
type SpeakerOptions struct {
	// Alerts evaluates the alerts and groups them into situations. The texts of the alerts
	// should be worded for speech. Other viewers may share it.
	Alerts Engine
	Names  model.Names
	// User is the name under which the viewer acknowledges alerts.
	User string
	// OnMark is called with events that must be recorded. A nil OnMark means that there is no
	// recording.
	OnMark func(model.Event)
	// Breaks returns the lines of the command breaks, for a snapshot and a time on the server's clock.
	// A nil Breaks means that breaks are not observed.
	Breaks func(s *model.Snapshot, now time.Time) []string
	// Question returns the function that answers a line, or nil if the line is not a question about
	// the floor. If Question is nil, only commands are answered.
	Question func(line string) (answer func() []string)
	// SummaryInterval is the interval between summaries. 0 means no summaries except the first.
	SummaryInterval time.Duration
	// MinLineInterval is the minimum time between two lines, except for answers. 0 means two
	// seconds.
	MinLineInterval time.Duration
	// Location is the time zone of times of day. nil means the local time zone.
	Location *time.Location
	Words    *words.Language // language of the lines; nil: English
}

// Engine evaluates alerts and returns figures and targets. *hub.Viewer implements it.
type Engine interface {
	Evaluate(s *model.Snapshot, now time.Time) (news []situation.Change, updated bool)
	Situations() (view *situation.View, of *model.Snapshot)
	AlertsOf(k alert.Key) []alert.Alert
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	ExplainAlert(id string) (alert.Explanation, error)
	Value(name string, k alert.Key) model.Figure
	Goal(service string) alert.Goal
	KPIs(s alert.Scope) []alert.KPI
}

// Speaker describes the state of a platform in lines of text. It is not safe for concurrent use.
type Speaker struct {
	SpeakerOptions
	lastSnapshot *model.Snapshot
	now          time.Time // time of the last update, on the local clock

	started            bool // the first summary was written
	lastLineAt         time.Time
	lastSummaryAt      time.Time
	announcedCondition condition // the condition that was last announced
	pendingCondition   condition // the present condition, which may not be announced yet
	pendingSince       time.Time // time since which pendingCondition holds
	lostAt             time.Time // time since which the figures have not been current
	situations         situationLog
	queuedLines        []string // lines to write before all others
}

// condition describes whether the displayed figures are current.
type condition int

const (
	conditionLive    condition = iota
	conditionPartial           // connected, but some figures may be outdated
	conditionDown              // not connected
)

// settleTime is how long a condition must hold before it is announced.
const settleTime = 3 * time.Second

// NewSpeaker returns a speaker. It has nothing to say about the platform before the first call
// of [Speaker.Update].
func NewSpeaker(o SpeakerOptions) *Speaker {
	o.MinLineInterval = cmp.Or(o.MinLineInterval, 2*time.Second)
	return &Speaker{SpeakerOptions: o, situations: newSituationLog(o.Words)}
}

// spokenLanguage returns the language of the lines in the form that is read aloud.
func (s *Speaker) spokenLanguage() *words.Language { return s.Words.Spoken() }

// translate returns a text in the language of the speaker.
func (s *Speaker) translate(t words.Text) string { return t.In(s.spokenLanguage()) }

// IsStarted reports whether the first summary was written.
func (s *Speaker) IsStarted() bool { return s.started }

// QueueLine adds a line that is written before the lines about the platform.
func (s *Speaker) QueueLine(text string) { s.queuedLines = append(s.queuedLines, text) }

// Reconfigure replaces Alerts, Names and User with those in o. elsewhere reports whether they
// belong to another platform; if so, the speaker forgets the announced situations.
func (s *Speaker) Reconfigure(o SpeakerOptions, elsewhere bool) {
	s.Names, s.User, s.Alerts = o.Names, o.User, o.Alerts
	told := s.situations
	s.situations = newSituationLog(s.Words)
	if elsewhere {
		return
	}
	s.situations.states, s.situations.pendingChanges = told.states, told.pendingChanges
}

// readSituations takes the situations from the last evaluation. It does not announce the first
// ones, because the first summary covers them.
func (s *Speaker) readSituations() {
	view, _ := s.Alerts.Situations()
	s.situations.update(view.In(s.spokenLanguage()), !s.started)
}

// Update evaluates the latest snapshot at a time on the local clock. A nil snap means that
// there is no snapshot yet.
func (s *Speaker) Update(snap *model.Snapshot, now time.Time) {
	s.now = now
	if snap == nil {
		return
	}
	s.lastSnapshot = snap
	s.Alerts.Evaluate(snap, s.serverTime())
	s.readSituations()
	if is := conditionOf(&snap.Health); is != s.pendingCondition || s.pendingSince.IsZero() {
		s.pendingCondition, s.pendingSince = is, now
	}
}

func conditionOf(h *model.Health) condition {
	switch {
	case h.Link.State != model.LinkUp:
		return conditionDown
	case !h.Live():
		return conditionPartial
	}
	return conditionLive
}

// serverTime returns the current time on the server's clock.
func (s *Speaker) serverTime() time.Time { return s.now.Add(s.lastSnapshot.Health.ClockOffset) }

// Next returns the next line to write. It returns "" if there is none, or if the previous line
// was written less than MinLineInterval ago.
func (s *Speaker) Next() string {
	if !s.lastLineAt.IsZero() && s.now.Sub(s.lastLineAt) < s.MinLineInterval {
		return ""
	}
	line := spokenMarks.Replace(s.nextLine())
	if line != "" {
		s.lastLineAt = s.now
	}
	return line
}

func (s *Speaker) nextLine() string {
	if len(s.queuedLines) > 0 {
		first := s.queuedLines[0]
		s.queuedLines = s.queuedLines[1:]
		return first
	}
	if !s.started {
		return s.firstSummary()
	}
	if line := s.conditionLine(); line != "" {
		return line
	}
	if line := s.situations.takeChanges(); line != "" {
		return line
	}
	if s.SummaryInterval > 0 && s.now.Sub(s.lastSummaryAt) >= s.SummaryInterval {
		s.lastSummaryAt = s.now
		return s.Summary()
	}
	return ""
}

// firstSummary returns the first summary once all data is live. Before that, it returns a line about the
// connection at first and after every ten seconds without a line. Otherwise it returns "".
func (s *Speaker) firstSummary() string {
	const maxSilence = 10 * time.Second
	switch {
	case s.lastSnapshot != nil && conditionOf(&s.lastSnapshot.Health) == conditionLive:
		s.started, s.lastSummaryAt, s.announcedCondition = true, s.now, conditionLive
		return s.Summary()
	case s.lastLineAt.IsZero():
		return s.translate(words.SpeakConnecting())
	case s.now.Sub(s.lastLineAt) >= maxSilence:
		return s.troubleText()
	}
	return ""
}

// conditionLine returns a line if the condition of the figures has changed and the new one has held for at
// least settleTime. Otherwise it returns "".
func (s *Speaker) conditionLine() string {
	if s.pendingCondition == s.announcedCondition || s.now.Sub(s.pendingSince) < settleTime {
		return ""
	}
	was := s.announcedCondition
	s.announcedCondition = s.pendingCondition
	switch {
	case s.announcedCondition == conditionLive:
		lasted := s.now.Sub(s.lostAt)
		s.lastSummaryAt = s.now
		return s.translate(words.JoinSentences(words.SpeakCurrentAgain(lasted), s.summary()))
	case was == conditionLive:
		s.lostAt = s.pendingSince
	}
	s.lastSummaryAt = s.now
	return s.troubleText()
}

// troubleText returns a line with the reason why the figures are not current.
func (s *Speaker) troubleText() string {
	return s.translate(s.trouble())
}

func (s *Speaker) trouble() words.Text {
	if s.lastSnapshot == nil {
		return words.SpeakStillConnecting()
	}
	h := &s.lastSnapshot.Health
	if conditionOf(h) == conditionDown {
		text, asOf := words.SpeakNoConnection(), words.Text{}
		if reason := firstReason(h.Link.Reason, h.Notice); reason != "" {
			text = words.SpeakNoConnectionBecause(reason)
		}
		if !s.lostAt.IsZero() {
			asOf = words.SpeakAsOf(s.clockText(s.lostAt))
		}
		return words.JoinSentences(text, asOf, words.SpeakKeepsTrying())
	}
	for i := range h.Subscriptions {
		sub := &h.Subscriptions[i]
		if sub.State == model.SubWaiting || sub.State.IsCurrent() {
			continue
		}
		if reason := firstReason(sub.Reason); reason != "" {
			return words.SpeakOldBecause(words.RecordNouns(sub.Name), reason)
		}
		return words.SpeakOld(words.RecordNouns(sub.Name))
	}
	if reason := firstReason(h.Notice); reason != "" {
		return words.SpeakSomeOldBecause(reason)
	}
	return words.SpeakSomeOld()
}

func (s *Speaker) clockText(t time.Time) string {
	if s.Location != nil {
		return t.In(s.Location).Format(time.TimeOnly)
	}
	return t.Local().Format(time.TimeOnly)
}

// firstReason returns the first non-empty reason without its full stop, or "" if all are empty.
func firstReason(reasons ...string) string {
	for _, r := range reasons {
		if r = strings.TrimRight(r, ". "); r != "" {
			return r
		}
	}
	return ""
}

func levelWord(l alert.Level) words.Text {
	if l == alert.Critical {
		return words.NotifyTitleCritical()
	}
	return words.NotifyTitleWarning()
}
