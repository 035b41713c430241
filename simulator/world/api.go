package world

import "time"

// Options size a [World] and choose its life. The zero value is a usable small
// contact center; sizes beyond a limit are cut, a negative number of agents,
// operators or campaigns means none.
//
// An agent is in the records only while they are logged in: of Agents, nine in ten
// are at half past ten.
type Options struct {
	Seed      int64     // same seed and same steps, same state
	Services  int       // default 12, at most 200
	Groups    int       // default 10, at most 50
	Agents    int       // default 60, at most 25,000
	Operators int       // default 4, at most 100
	Campaigns int       // default 5, at most 100
	Sites     int       // default 2, at most 50; sites are numbered from 1
	Channels  int       // that every service is offered on and every agent works on; zero is a mixture of one to three
	Start     time.Time // simulated instant of the opening, in the center's zone; zero is a fixed Wednesday, 10:30 UTC
	Drama     bool      // scripted trouble and recovery in the first two minutes, random trouble later
	Stage     string    // names a situation of [AllStaged] that begins after [StageAfter], instead of the drama; any other name is none
	Churn     float64   // agents a minute who log out and are back within 15 s; default none
	Rate      float64   // multiplies the traffic; default 1
	Kept      int       // contacts of each kind that are told of when they are over; default 500,000
	// Clock is what the platform's clock shows at the opening; zero is Start. A
	// demonstration in the evening opens on the busy morning and still tells
	// the viewer's time.
	Clock time.Time
	// Pace is how much faster life goes than the platform's clock, which tells
	// Now and all instants: at 10, ten minutes of calls pass in one minute of
	// the clock, so that a viewer's durations stay right at any speed. Default 1.
	Pace float64
	// WholeDay has the world live since the morning, however much goes on. Without it a large
	// floor has lived for minutes only, so that it opens soon.
	WholeDay    bool
	LongestWait LongestWait // what maxTimeCallOnQueue means; default [LongestNow]
	// NotReadyElsewhere tells NOT_READY, and not NOT_READY_BUSY, of the channels on
	// which a busy user does not work at the moment.
	NotReadyElsewhere bool
}

// LongestWait is a meaning of maxTimeCallOnQueue.
type LongestWait string

// The meanings of maxTimeCallOnQueue.
const (
	LongestNow      LongestWait = "current"       // of the callers who wait now; 0 if there is none
	LongestKept     LongestWait = "current-kept"  // the same, and it stays after the last of them has left
	LongestToday    LongestWait = "daily"         // of all callers of the day, those who wait included
	LongestAnswered LongestWait = "daily-on-exit" // of all callers of the day who have left the queue
)

// LongestWaits returns all meanings of maxTimeCallOnQueue.
func LongestWaits() []LongestWait {
	return []LongestWait{LongestNow, LongestKept, LongestToday, LongestAnswered}
}

// OpeningTime returns 10:30 of now's day in now's zone: the instant at which a
// demonstration opens best.
func OpeningTime(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d, 10, 30, 0, 0, now.Location())
}

// Change is the step of one record from Old to New. Old is nil when the record
// appeared, New is nil when it went. Both are immutable.
type Change[T any] struct {
	Old, New *T
}

// Changes are the records that changed, in an order that is the same for the
// same seed. A record is listed once, however often it moved. Users that logged
// in have no Old and those that logged out have no New, and so have their
// UserStats and UserProfileStats. A campaign that was set up has no Old; all
// other kinds are always present.
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

// State is every record present. The records are immutable; the slices are the
// caller's.
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
