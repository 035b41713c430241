package world

import "time"

// Options sets the size and behaviour of a [World]. The zero value is a small
// contact center. Sizes above a limit are reduced to it; a negative number of
// agents, operators or campaigns means none.
//
// Records exist only for agents who are logged in, at 10:30 about 90 % of Agents.
type Options struct {
	Seed          int64     // the same seed and steps produce the same state
	Services      int       // default 12, at most 200
	Groups        int       // default 10, at most 50
	Agents        int       // default 60, at most 25,000
	Operators     int       // default 4, at most 100
	Campaigns     int       // default 5, at most 100
	Sites         int       // default 2, at most 50; sites are numbered from 1
	Channels      int       // channels of each service and agent; zero means one to three, at random
	Start         time.Time // instant of the opening in the center's time zone; zero is a fixed Wednesday, 10:30 UTC
	Drama         bool      // scripted incidents with recovery in the first two minutes, random incidents later
	Scenario      string    // name of a scenario of [Scenarios] that begins after [ScenarioDelay] instead of the drama; other names are ignored
	Churn         float64   // agents per minute who log out and return within 15 s; default none
	TrafficFactor float64   // factor for the traffic; default 1
	MaxFinished   int       // maximum number of finished contacts to keep of each kind; default 500,000
	// Clock is the time of the platform's clock at the opening; zero is Start. With it,
	// a demonstration in the evening simulates the busy morning but shows the viewer's
	// time.
	Clock time.Time
	// Pace is the number of simulated seconds per second of the platform's clock. At
	// 10, ten minutes of calls pass in one minute of the clock. Durations on that clock
	// are then right for a viewer at any speed. Default 1.
	Pace float64
	// WholeDay simulates the whole day before the opening, whatever the size of the
	// world. Without it a large world simulates only some minutes, so that it opens
	// quickly.
	WholeDay    bool
	LongestWait LongestWait // meaning of maxTimeCallOnQueue; default [LongestNow]
	// NotReadyElsewhere reports NOT_READY instead of NOT_READY_BUSY for the other
	// channels of a busy user.
	NotReadyElsewhere bool
}

// LongestWait selects the meaning of maxTimeCallOnQueue.
type LongestWait string

// Values of LongestWait.
const (
	LongestNow      LongestWait = "current"       // longest wait of the callers in the queue; 0 if there are none
	LongestKept     LongestWait = "current-kept"  // like LongestNow, but kept after the last caller has left the queue
	LongestToday    LongestWait = "daily"         // longest wait of all callers of the day, including those in the queue
	LongestAnswered LongestWait = "daily-on-exit" // longest wait of the callers of the day who have left the queue
)

// LongestWaits returns all values of LongestWait.
func LongestWaits() []LongestWait {
	return []LongestWait{LongestNow, LongestKept, LongestToday, LongestAnswered}
}

// OpeningTime returns [Options.Start] for a demonstration that begins at now: 10:30 on that day, or
// 14:30 if now is 12:30 or later. With now as [Options.Clock] and a beginning from 8:30 to 16:30, the
// services open between 6:00 and 10:00 on the clock; otherwise the simulated day is shifted further,
// so that the floor is never empty. With only two times, a seed gives the same events at any minute.
func OpeningTime(now time.Time) time.Time {
	y, m, d := now.Date()
	morning := time.Date(y, m, d, 10, 30, 0, 0, now.Location())
	if now.Before(morning.Add(2 * time.Hour)) {
		return morning
	}
	return morning.Add(4 * time.Hour)
}

// Change is a change of a record from Old to New. Old is nil for a new record, New
// is nil for a removed record. Both are immutable.
type Change[T any] struct {
	Old, New *T
}

// Changes lists the changed records in an order that depends only on the seed. Each
// record appears once, however often it changed. A login adds a user record with its
// UserStats and UserProfileStats, and a logout removes them. A new campaign has no
// Old. Records of all other kinds always exist.
type Changes struct {
	Services             []Change[ServiceStat]
	Groups               []Change[GroupStat]
	Users                []Change[User]
	UserStats            []Change[UserStat]
	UserProfileStats     []Change[UserProfileStat]
	Campaigns            []Change[CampaignStat]
	Attendants           []Change[AttendantStat]
	Operators            []Change[OperatorStat]
	OperatorProfileStats []Change[OperatorProfileStat]
}

// State lists all current records. The records are immutable; the caller owns the
// slices.
type State struct {
	Services             []*ServiceStat
	Groups               []*GroupStat
	Users                []*User
	UserStats            []*UserStat
	UserProfileStats     []*UserProfileStat
	Campaigns            []*CampaignStat
	Attendants           []*AttendantStat
	Operators            []*OperatorStat
	OperatorProfileStats []*OperatorProfileStat
}
