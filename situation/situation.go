// Package situation makes of alerts what a person has to know: what is wrong where,
// in a sentence, why, for how long, and what would help. The alerts about one place
// are one situation.
//
// It is pure: it sees snapshots and alerts, and has no clock of its own. All texts
// are made from the snapshot at hand, so that they hold no name that a masked
// snapshot does not.
package situation

import (
	"time"

	"wallboard/alert"
	"wallboard/situation/cause"
)

// Place is where something is wrong.
type Place struct {
	Key   alert.Key // scope, code, channel
	Title string    // "Contracts PT", with " · chat" where the channel is not the main one
}

// Situation is what is wrong at a place.
type Situation struct {
	ID        string // stays for its life: the place and when it began
	Place     Place
	Level     alert.Level
	Highest   alert.Level // that it has had
	Since     time.Time   // when it began, on the server's clock
	FromStart bool        // it was there when the board began to watch
	Critical  time.Time   // since when it has been critical; zero: it is not
	Headline  string      // in one or two sentences

	Causes      []cause.Cause // weighed, the largest share first; empty: see Unexplained
	Unexplained string        // what is lacking to tell why; "": Causes say it
	Help        Help
	Alerts      []alert.Alert // what it is made of
	Hurts       int           // how many people wait or are concerned
	logged      int           // agents who are logged in for them; unknown: [math.MaxInt]
	brief       bool          // one alone waits, who has not waited for long
	Eased       bool          // nobody waits just now: it is over unless somebody comes soon
	Near        bool          // of the day: on target, with nothing to spare
	apart       bool          // of an agent who serves no service: no queue waits for them
	worst       worst
	Stale       time.Time // since when its figures are not verified; zero: they are
	Ack         alert.Ack

	Times int           // how often it was there today, this time included
	Total time.Duration // how long in all
	First time.Time     // when it was there first
}

// Recovered is what is well again.
type Recovered struct {
	Place        Place
	Headline     string // of a queue how bad it was, of other things how it was last
	Began, Ended time.Time
}

// Help is what would help.
type Help struct {
	Who           []Helper
	Needed        Staffing
	ByItself      time.Duration // until nobody waits, as it goes now
	ByItselfKnown bool
	Lasts         bool // by itself it is not clear within the hour
	KeepsUp       int  // more agents who serve as many as come; 0: those who are there do, or unknown
	GivesUp       bool // by itself it clears mostly since who waits gives up
	Assumptions   []string
}

// Helper is who could help.
type Helper struct {
	Username, Name string
	Where          string // where they are now
	Why            string // ready, in a break the longest, after-call work over the limit
	Costs          string // what it costs where they are now; "": nothing known
}

// Staffing is what so many more ready agents do.
type Staffing struct {
	More  int // agents; 0: none are needed, or nobody has so many
	Least int // the range that More is in, by what the estimates are usually off by
	Most  int
	Clear time.Duration // until nobody waits
	Each  bool          // there is one for each who waits
}

// Silenced is what is wrong and silenced.
type Silenced struct {
	Place    Place
	Headline string
	Until    time.Time
}

// View is what is to be said of the floor at one moment. It does not change.
type View struct {
	At          time.Time
	Live, Today []Situation
	Recovered   []Recovered // the latest first
	Quiet       string      // nothing goes on: "All 12 services are on target · longest wait 0:09"; else ""
	Unknown     bool        // Quiet says what is not known, not that all is well
	Silenced    []Silenced
	// Held is what is wrong and not told: nobody has to act on it yet, or it is silenced.
	// Who asks about its place is told all the same.
	Held []Situation

	open *counts // of Live, once they have been counted
}
