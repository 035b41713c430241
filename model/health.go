package model

import "time"

// LinkState is the state of the connection to the platform.
type LinkState string

// The states of the connection.
const (
	LinkConnecting LinkState = "connecting" // dialling, shaking hands, waiting for the ack
	LinkUp         LinkState = "up"
	LinkBackoff    LinkState = "backoff" // the next try is at NextTry
	LinkRefused    LinkState = "refused" // wrong credentials or a protocol error: the slow lane
	LinkStopped    LinkState = "stopped"
	LinkUnrecorded LinkState = "unrecorded" // of a recording: nothing is left of this time
)

// Link is the connection to the platform as the board shows it.
type Link struct {
	State       LinkState
	Since       time.Time // when State began
	Endpoint    string    // host and path, without credentials
	Subprotocol string
	Way         string        // how the credentials are presented, where the configured way was refused; else ""
	Reason      string        // why the connection is not up, or was lost last; clean text
	NextTry     time.Time     // of LinkBackoff and LinkRefused
	Attempt     int           // tries since the connection was last up
	Reconnects  uint64        // times the connection was made again
	LastFrame   time.Time     // when the last frame of any kind came
	PollEvery   time.Duration // where WebSockets do not pass: how often the full state is asked for; else 0
	InsecureTLS bool          // the server's certificate is not verified
}

// SubState is the state of one subscription.
type SubState string

// The states of a subscription (docs/feeds.md).
const (
	SubWaiting    SubState = "waiting"    // nothing to ask for yet, or the link is down for the first time
	SubConnecting SubState = "connecting" // the link is down or the subscription was not yet sent
	SubSyncing    SubState = "syncing"    // subscribed, the full state was asked for
	SubLive       SubState = "live"
	SubUnverified SubState = "unverified" // deltas come, but the full state could not be had: see Reason
	SubStale      SubState = "stale"      // the data may be old: see Reason
	SubRefused    SubState = "refused"    // the server refuses it: see Reason
	SubBackoff    SubState = "backoff"    // it ended or failed; the next try is at NextTry
	SubPolling    SubState = "polling"    // no update comes by itself; the full state is asked for again and again
)

// Current reports whether what is shown is what the platform has: at once, or
// within the interval of polling.
func (s SubState) Current() bool { return s == SubLive || s == SubPolling }

// Fresh reports whether what comes is shown as it comes: it is current, or would be
// but that nobody has held it against the full state.
func (s SubState) Fresh() bool { return s.Current() || s == SubUnverified }

// Subscription is one subscription as the Feed page shows it.
type Subscription struct {
	Name        Op
	State       SubState
	Since       time.Time // when State began
	Reason      string    // clean text
	Lacks       string    // the fields that this server does not have, clean text; they stay unknown
	Unknown     string    // what of its records is of a type that nothing is known of, clean text; these are partly known
	Times       string    // which times are in a presumed unit, or unknown because none fits, clean text
	Meanings    string    // what its counters mean, where document 2 leaves it open, clean text
	Keys        int       // how many keys its filter names; 0: no filter
	Records     int       // how many records it holds
	LastData    time.Time // when data last came
	FreshUntil  time.Time // when what is shown stopped being fresh; zero while it is, and where it never was
	VerifiedAt  time.Time // all of it was last held against the full state then, and agreed or was repaired
	NextTry     time.Time // of SubBackoff and SubRefused
	Messages    uint64    // data messages
	Updates     uint64    // records updated
	PerSecond   float64   // records updated per second, over the last seconds
	Bytes       uint64    // payload bytes
	Errors      uint64    // GraphQL errors
	BadMessages uint64    // messages that were not JSON or had the wrong shape
	Resyncs     uint64    // times the full state was asked for after the first
	Audits      uint64    // times all of it was held against the full state
	DriftAt     time.Time // when the last of it was found
	Drift       Drift     // what the audits found wrong, and repaired
	Late        uint64    // figures that a full state had older than the updates had them; the audit repaired them
}

// Presumed is a set of times whose unit is presumed: fewer than two observations
// support it.
type Presumed uint8

// The times whose unit document 2 does not show.
const (
	PresumedInState Presumed = 1 << iota // timeInState
	PresumedHold                         // timeInHold
	PresumedCodes                        // totalTime of the activity codes
	PresumedLongest                      // maxTimeCallOnQueue
	PresumedAverage                      // averageTimeOnQueue
)

// Has reports whether one of some times is in the set.
func (p Presumed) Has(some Presumed) bool { return p&some != 0 }

// Drift counts what the feed had wrong without an error in sight: updates that
// were lost on the way. It is 0 on a healthy feed.
type Drift struct {
	Value   uint64 // figures that were not the platform's
	Cleared uint64 // figures that the platform has no more
	Missing uint64 // records that the feed lacked
	Ghost   uint64 // records that are gone from the platform
}

// Total is how much was wrong.
func (d Drift) Total() uint64 { return d.Value + d.Cleared + d.Missing + d.Ghost }

// Plus adds two counts.
func (d Drift) Plus(o Drift) Drift {
	return Drift{d.Value + o.Value, d.Cleared + o.Cleared, d.Missing + o.Missing, d.Ghost + o.Ghost}
}

// Health is the state of the feed.
type Health struct {
	Link          Link
	Subscriptions []Subscription // in the order of document 2
	Version       ServerVersion
	Server        ServerHealth
	BadFrames     uint64        // frames that no subscription could be found for, or that were not JSON
	LastBadFrame  string        // why, clean text
	ClockOffset   time.Duration // the server's clock minus ours
	Notice        string        // what needs a person, for example a refused login; clean text
	Cuts          uint64        // times a connection that was up ended
	Healed        uint64        // cuts after which everything was live again
	Restarts      uint64        // times the platform was seen to have started anew
	Presumed      Presumed      // the times whose unit is presumed
}

// Drift counts what the audits of all subscriptions found.
func (h *Health) Drift() Drift {
	var d Drift
	for i := range h.Subscriptions {
		d = d.Plus(h.Subscriptions[i].Drift)
	}
	return d
}

// DriftAt is when drift was found last, zero when there was none.
func (h *Health) DriftAt() time.Time {
	var last time.Time
	for i := range h.Subscriptions {
		if at := h.Subscriptions[i].DriftAt; at.After(last) {
			last = at
		}
	}
	return last
}

// VerifiedAt is since when every figure is known to be the platform's: the
// oldest verification of the subscriptions that have something to ask for. It
// is zero while one of them has none.
func (h *Health) VerifiedAt() time.Time {
	var oldest time.Time
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		switch {
		case s.State == SubWaiting:
		case s.VerifiedAt.IsZero():
			return time.Time{}
		case oldest.IsZero() || s.VerifiedAt.Before(oldest):
			oldest = s.VerifiedAt
		}
	}
	return oldest
}

// Live reports whether every subscription that has something to ask for is live,
// or polled.
func (h *Health) Live() bool {
	if h.Link.State != LinkUp || len(h.Subscriptions) == 0 {
		return false
	}
	for i := range h.Subscriptions {
		if s := h.Subscriptions[i].State; !s.Current() && s != SubWaiting {
			return false
		}
	}
	return true
}

// Partly reports whether figures of some records cannot be had, and are
// unknown for that reason alone: what is shown is live, and not all there is.
func (h *Health) Partly() bool {
	for i := range h.Subscriptions {
		if h.Subscriptions[i].Unknown != "" {
			return true
		}
	}
	return false
}

// Polled reports whether more of the subscriptions are polled than told by the
// platform.
func (h *Health) Polled() bool {
	polled, told := 0, 0
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // the others say nothing of it
		case SubPolling:
			polled++
		case SubLive:
			told++
		}
	}
	return polled > told
}

// HadData reports whether anything of the floor ever came: the version and the
// health of the platform are not of the floor.
func (h *Health) HadData() bool {
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		if s.Name != OpVersion && s.Name != OpServerHealth && (s.Records > 0 || !s.LastData.IsZero()) {
			return true
		}
	}
	return false
}

// PolledAges returns the age of what is polled, by the name of the subscription: how
// long ago, at a time on our own clock, its full state was asked for. It is nil
// where nothing is.
func (h *Health) PolledAges(now time.Time) map[Op]time.Duration {
	var polled map[Op]time.Duration
	for i := range h.Subscriptions {
		if s := &h.Subscriptions[i]; s.State == SubPolling {
			if polled == nil {
				polled = make(map[Op]time.Duration)
			}
			polled[s.Name] = now.Sub(s.VerifiedAt)
		}
	}
	return polled
}

// Subscription returns the subscription with a name, or nil.
func (h *Health) Subscription(name Op) *Subscription {
	for i := range h.Subscriptions {
		if h.Subscriptions[i].Name == name {
			return &h.Subscriptions[i]
		}
	}
	return nil
}
