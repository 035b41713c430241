// Package situation turns alerts into situations. A situation describes a problem at a place: what
// is wrong, since when, why, and what would help. All alerts about one place form one situation.
//
// [Backfill] replays the time before a given instant on an alert engine and a [Tracker], so that
// another engine and tracker that start at this instant have samples and trends from the beginning.
//
// A tracker writes its texts in English, the language of recordings. [View.In] translates those of a
// view into the language of a viewer.
//
// The package has no goroutines, clock or I/O. Callers pass snapshots, alerts and the time. When all
// names of agents change, for example because a mask hides them, a tracker drops texts with old names.
package situation

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
)

// Place is the record that a situation is about.
type Place struct {
	Key   alert.Key // scope, code and channel of the record
	Title string    // display name such as "Contracts PT", with " · chat" if the channel is not the main one
}

// Situation describes what is wrong at one place.
type Situation struct {
	ID            string // place and start time; constant unless a journal has the situation with another ID
	Place         Place
	Level         alert.Level
	HighestLevel  alert.Level // highest level so far
	Since         time.Time   // start of the situation, in server time
	FromStart     bool        // the situation existed when the board started
	CriticalSince time.Time   // when the situation became critical; zero: it is not critical
	Headline      string      // a few sentences that say what is wrong
	messages      messages

	Causes            []diagnosis.Cause // causes, largest share first; if there are none, see UnexplainedReason
	UnexplainedReason string            // why the causes are unknown; "" if there are Causes
	Help              Help
	Alerts            []alert.Alert // alerts that the situation consists of
	Affected          int           // number of people who wait or are affected
	displayPriority   displayPriority
	QueueEmpty        bool // the queue is empty at the moment
	AtRisk            bool // the situation is about a figure of the day that is still on target
	peak              peak
	alertIDs          []string            // IDs of all alerts that have belonged to the situation
	explanation       recordedExplanation // explanation to record
	StaleSince        time.Time           // when the figures were last verified; zero: they are verified
	Ack               alert.Ack

	OccurrencesToday int           // number of situations at the place today, including this one
	TotalToday       time.Duration // total duration of the situations at the place today
	FirstToday       time.Time     // start of the first situation at the place today
}

// Lasted returns how long the situation has lasted: until now or, if its figures are unverified,
// until they were last verified. All outputs show this duration.
func (sit *Situation) Lasted(now time.Time) time.Duration {
	if !sit.StaleSince.IsZero() {
		now = sit.StaleSince
	}
	return max(now.Sub(sit.Since), 0)
}

// displayPriority determines whether a situation is listed, and at which position.
type displayPriority struct {
	rank        rank // order among situations of the same level
	loggedIn    int  // agents logged in for the place; [math.MaxInt] if unknown
	isShortWait bool // a single contact is waiting and has not waited for long
	noService   bool // the situation is about an agent who serves no service
}

// EndedSituation is a situation that has ended.
type EndedSituation struct {
	ID           string // ID of the situation, see [Situation]
	Place        Place
	headline     words.Text // Headline as a message; zero: only the text was recorded
	Headline     string     // for a queue: how bad it was; for figures of the day: the worst headline; otherwise the last headline
	Began, Ended time.Time
	HighestLevel alert.Level
	Waiting      int           // most contacts that waited at once
	LongestWait  time.Duration // longest wait of a contact
	isPresumed   bool          // the unit of LongestWait is presumed
	Unfinished   bool          // Ended is when the recording stopped; the situation was still open

	alertIDs []string          // IDs of all alerts that belonged to the situation
	causes   []diagnosis.Cause // causes at the peak of the queue or, if not stored, at the end
}

// Lasted returns how long the situation lasted.
func (r *EndedSituation) Lasted() time.Duration { return r.Ended.Sub(r.Began) }

// Help holds suggestions and estimates for a situation with a queue.
type Help struct {
	Helpers        []Helper
	Needed         Staffing
	ClearTime      time.Duration // time until the queue is empty without help
	ClearTimeKnown bool
	clearsSince    time.Time // since when isClearing has returned true; zero: it returns false
	neededSince    time.Time // when Needed was estimated, which may be a minute ago
	agentsReady    bool      // an agent is ready for the queue
	// Estimate says when the queue clears without more agents. It is zero if this is unknown, too
	// uncertain, or known for less than a minute.
	Estimate        ClearEstimate
	KeepUpAgents    int  // extra agents needed to keep up with the arrivals; 0: none, unknown, or too many
	ClearsByHangUps bool // the queue clears mostly because callers hang up
	Assumptions     []string
	assumptions     []words.Text
	words           *words.Language // language of the texts; nil: English
}

// Helper is an agent who could help.
type Helper struct {
	kind           diagnosis.HelpKind
	Username, Name string
	StateText      string // current state of the agent, in words
	Reason         string // why this agent is suggested
	Cost           string // what moving the agent costs; "" if unknown

	state, reason, cost words.Text
}

// Staffing is a number of additional ready agents and its effect on a queue.
type Staffing struct {
	MoreAgents    int // additional agents; 0: probably none needed, or too many to be realistic
	MinMoreAgents int // in four of five cases, the number is between MinMoreAgents and MaxMoreAgents
	MaxMoreAgents int
	ClearTime     time.Duration // time until the queue is empty with MoreAgents more agents
	OnePerContact bool          // as many agents are needed as contacts wait
}

// SilencedSituation is a situation whose alerts are all silenced.
type SilencedSituation struct {
	Place    Place
	headline words.Text
	Headline string
	Until    time.Time
}

// View holds all situations of the floor at one time. It is immutable.
type View struct {
	At             time.Time
	Live, Today    []Situation
	Recovered      []EndedSituation // situations that ended a short time ago, latest first
	ended          []EndedSituation // all stored ended situations, sorted by end
	unshownAlerts  []string         // alerts of situations that ended before they were shown
	QuietLine      string           // line that is shown while there is no live situation: "All 12 services are on target · longest wait 0:09"
	FiguresUnknown bool             // QuietLine says that figures are unknown, not that all is well
	AllOnTarget    bool             // QuietLine says that all services are on target
	Silenced       []SilencedSituation
	// HeldBack lists situations that are not shown, because they need no action yet or are
	// silenced. Find and the lookups by place include them.
	HeldBack   []Situation
	Unattended []UnattendedService // unattended services, whether or not a rule has raised an alert

	cachedCounts *counts // cached result of Counts
	quietMessage words.Text
	words        *words.Language // language of the texts; nil: English
}
