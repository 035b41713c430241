package world

import "time"

// Options sets the size and behavior of a [World]. The zero value is a small contact center. A
// size above its limit is reduced to the limit. A negative number of agents, operators or
// campaigns means none.
//
// Agents have records only while they are logged in. At 10:30 about 90 % of them are.
type Options struct {
	Seed             int64     // seed of the random source; the same options and steps produce the same state
	Services         int       // default 12, at most 200
	Groups           int       // default 10, at most 50
	Agents           int       // default 60, at most 25,000
	Operators        int       // default 4, at most 100
	Campaigns        int       // default 5, at most 100
	Sites            int       // default 2, at most 50; sites are numbered from 1
	Channels         int       // number of channels of each service and agent; 0: one to three
	Start            time.Time // simulated instant of the opening, in the center's time zone; zero: a fixed Wednesday, 10:30 UTC
	Drama            bool      // play scripted incidents in the first two minutes and random incidents later
	Scenario         string    // name of a scenario of [Scenarios] to play after [ScenarioDelay] instead of Drama; unknown names are ignored
	LogoutsPerMinute float64   // mean number of agents per minute who log out and return within 15 s; default 0
	TrafficFactor    float64   // factor for the number of contacts; default 1
	MaxFinished      int       // maximum number of finished contacts to keep of each kind; default 500,000
	// Clock is the time that the platform's clock shows at the opening; zero: Start. A
	// demonstration in the evening can thus simulate the busy morning and show the viewer's time.
	Clock time.Time
	// Pace is the number of simulated seconds per second of the platform's clock; default 1.
	// With 10, ten minutes of calls pass in a minute of the clock. The times in records are on
	// the clock, so they look right to a viewer at any pace.
	Pace float64
	// WholeDay makes a world of any size simulate the hours from 7:00 to its opening. Without it, a
	// large world simulates only some minutes before the opening, so that it opens quickly.
	WholeDay    bool
	LongestWait LongestWait // meaning of maxTimeCallOnQueue; default [LongestNow]
	// NotReadyElsewhere makes the other channels of a busy user NOT_READY instead of
	// NOT_READY_BUSY.
	NotReadyElsewhere bool
}

// LongestWait selects the meaning of maxTimeCallOnQueue.
type LongestWait string

// Values of LongestWait.
const (
	LongestNow      LongestWait = "current"       // longest wait of the callers in the queue; 0 if there are none
	LongestKept     LongestWait = "current-kept"  // like LongestNow; while the queue is empty, the last caller's wait
	LongestToday    LongestWait = "daily"         // longest wait of all callers of the day, including those in the queue
	LongestAnswered LongestWait = "daily-on-exit" // longest wait of the callers of the day who have left the queue
)

// LongestWaits returns all values of LongestWait.
func LongestWaits() []LongestWait {
	return []LongestWait{LongestNow, LongestKept, LongestToday, LongestAnswered}
}

// OpeningTime returns the [Options.Start] for a demonstration that begins at now: 10:30 on that
// day, or 14:30 if now is 12:30 or later. [Options.Clock] must be now. If now is between 8:30 and
// 16:30, the services then open between 6:00 and 10:00 on the clock. At other times the simulated
// day is shifted further, so that the floor is never empty. Because there are only two opening
// times, a seed gives the same events at any minute of the morning or afternoon.
func OpeningTime(now time.Time) time.Time {
	y, m, d := now.Date()
	morning := time.Date(y, m, d, 10, 30, 0, 0, now.Location())
	if now.Before(morning.Add(2 * time.Hour)) {
		return morning
	}
	return morning.Add(4 * time.Hour)
}
