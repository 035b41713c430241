package model

import (
	"slices"
	"time"
)

// LinkState is the state of the connection to the platform.
type LinkState string

// The states of the connection.
const (
	LinkConnecting LinkState = "connecting" // dialing, handshake, waiting for the ack
	LinkUp         LinkState = "up"
	LinkBackoff    LinkState = "backoff" // the next attempt is at NextTry
	LinkRefused    LinkState = "refused" // wrong credentials or a protocol error: the next attempt, at NextTry, is much later
	LinkStopped    LinkState = "stopped"
	LinkUnrecorded LinkState = "unrecorded" // the recording that is replayed has no data for this time
)

// Link is the state of the connection to the platform.
type Link struct {
	State       LinkState
	Since       time.Time // when State began
	Endpoint    string    // host and path, without credentials
	Subprotocol string
	Way         string        // how the credentials are presented, if not in the configured way; otherwise ""
	Reason      string        // why the connection is down or was last lost; clean text
	Trying      string        // with LinkConnecting: the current step and the failure of the previous attempt; clean text
	NextTry     time.Time     // time of the next attempt, with LinkBackoff and LinkRefused
	Attempt     int           // attempts since the connection was last up
	Reconnects  uint64        // number of reconnections
	LastFrame   time.Time     // when the last frame of any type arrived
	PollEvery   time.Duration // polling interval of the full state if WebSockets are blocked, otherwise 0
	InsecureTLS bool          // the server's certificate is not verified
}

// SubState is the state of one subscription.
type SubState string

// The states of a subscription (docs/dev/feeds.md).
const (
	SubWaiting    SubState = "waiting"    // there is nothing to request, at least for now
	SubConnecting SubState = "connecting" // the connection is down, or the subscription was not sent yet
	SubSyncing    SubState = "syncing"    // subscribed; waiting for the full state
	SubLive       SubState = "live"
	SubUnverified SubState = "unverified" // updates arrive, but could not be compared with the full state: see Reason
	SubStale      SubState = "stale"      // the data may be out of date: see Reason
	SubRefused    SubState = "refused"    // the server refuses the subscription: see Reason
	SubBackoff    SubState = "backoff"    // the subscription ended or failed; the next attempt is at NextTry
	SubPolling    SubState = "polling"    // no pushed updates; the full state is requested periodically
)

// IsCurrent reports whether the data are the platform's current data. Polled data may be older, by at
// most the polling interval.
func (s SubState) IsCurrent() bool { return s == SubLive || s == SubPolling }

// IsFresh reports whether updates are shown as they arrive. This includes data that could not be
// compared with the full state.
func (s SubState) IsFresh() bool { return s.IsCurrent() || s == SubUnverified }

// Subscription is the state of one subscription, as shown on the Feed page.
type Subscription struct {
	Name        Op
	State       SubState
	Since       time.Time // when State began
	Reason      string    // reason for State, see the states; clean text
	Lacks       string    // fields that this server does not have; their values stay unknown; clean text
	Unknown     string    // records of unknown types, which are only partly known; clean text
	Times       string    // times whose unit is presumed or could not be found; clean text
	Meanings    string    // meanings of the counters that document 2 leaves open, clean text
	Keys        int       // number of keys in the subscription's filter; 0: no filter
	Records     int       // number of records
	LastData    time.Time // when data last arrived
	FreshUntil  time.Time // when the data stopped being fresh; zero if they are fresh or never were
	VerifiedAt  time.Time // when all records last agreed with the full state or were repaired from it
	NextTry     time.Time // time of the next attempt, with SubBackoff and SubRefused
	Messages    uint64    // data messages
	Updates     uint64    // records updated
	PerSecond   float64   // records updated per second, over the last few seconds
	Bytes       uint64    // payload bytes
	Errors      uint64    // GraphQL errors
	BadMessages uint64    // messages that were not JSON or had an unexpected structure
	Resyncs     uint64    // number of requests for the full state after the first
	Audits      uint64    // number of complete comparisons with the full state
	DriftAt     time.Time // when an audit last found drift
	Drift       Drift     // errors that the audits found and repaired
	Late        uint64    // figures in a full state that were older than earlier updates; an audit repaired them
}

// Presumed is a set of times whose unit is presumed because fewer than two observations support it.
type Presumed uint8

// The times for which document 2 does not specify the unit.
const (
	PresumedInState Presumed = 1 << iota // timeInState
	PresumedHold                         // timeInHold
	PresumedCodes                        // totalTime of the activity codes
	PresumedLongest                      // maxTimeCallOnQueue
	PresumedAverage                      // averageTimeOnQueue
)

// Has reports whether the set contains any of the given times.
func (p Presumed) Has(other Presumed) bool { return p&other != 0 }

// Drift counts figures and records that an audit found to be wrong although the feed had noticed no
// error. The cause is lost updates. All counts are 0 on a healthy feed.
type Drift struct {
	Value   uint64 // figures that differed from the platform's
	Cleared uint64 // figures that the platform no longer had
	Missing uint64 // records missing in the feed
	Ghost   uint64 // records that no longer exist on the platform
}

// Total returns the sum of the four counts.
func (d Drift) Total() uint64 { return d.Value + d.Cleared + d.Missing + d.Ghost }

// Plus returns the sum of two drifts.
func (d Drift) Plus(o Drift) Drift {
	return Drift{d.Value + o.Value, d.Cleared + o.Cleared, d.Missing + o.Missing, d.Ghost + o.Ghost}
}

// Health is the state of the feed: the connection and its subscriptions.
type Health struct {
	Link          Link
	Subscriptions []Subscription // in the order of document 2
	Version       ServerVersion
	Server        ServerHealth
	BadFrames     uint64         // frames that were not JSON or made no sense in the protocol
	LastBadFrame  string         // why the last bad frame was bad; clean text
	ClockOffset   time.Duration  // the server's clock minus the local clock
	Notice        string         // a problem that an administrator must solve, such as a refused login; clean text
	Cuts          uint64         // number of times an established connection ended
	Healed        uint64         // number of cuts after which all subscriptions were live again
	Restarts      uint64         // number of detected restarts of the platform
	Presumed      Presumed       // times whose unit is presumed in any subscription
	Search        CampaignSearch // failing search for campaigns in the configuration service
}

// CampaignSearch is the state of the search for campaigns in the configuration service. The zero
// value means that the search does not fail.
type CampaignSearch struct {
	Failed  string    // why the search fails, "" if it does not; clean text
	Since   time.Time // time of the first failure after the last success
	NextTry time.Time // time of the next attempt; zero while a search is running
}

// IsLate reports whether a search is running that has not been answered in time.
func (s *CampaignSearch) IsLate() bool { return s.Failed != "" && s.NextTry.IsZero() }

// Drift returns the total drift of all subscriptions.
func (h *Health) Drift() Drift {
	var d Drift
	for i := range h.Subscriptions {
		d = d.Plus(h.Subscriptions[i].Drift)
	}
	return d
}

// DriftAt returns when drift was last found in any subscription, or zero if never.
func (h *Health) DriftAt() time.Time {
	var last time.Time
	for i := range h.Subscriptions {
		if at := h.Subscriptions[i].DriftAt; at.After(last) {
			last = at
		}
	}
	return last
}

// VerifiedAt returns the oldest VerifiedAt of the subscriptions that request data. Every figure of
// these was known to equal the platform's at that time or later. The result is zero if one of them
// has never been verified or if there are none.
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

// Live reports whether the connection is up and every subscription that requests data is live
// or polled.
func (h *Health) Live() bool {
	if h.Link.State != LinkUp || len(h.Subscriptions) == 0 {
		return false
	}
	for i := range h.Subscriptions {
		if s := h.Subscriptions[i].State; !s.IsCurrent() && s != SubWaiting {
			return false
		}
	}
	return true
}

// IsStarting reports whether the first connection is being made or its first data are still awaited.
func (h *Health) IsStarting() bool {
	return h.Cuts == 0 && (h.Link.State == "" || h.Link.State == LinkConnecting || slices.ContainsFunc(h.Subscriptions, func(s Subscription) bool {
		return s.State == SubConnecting || s.State == SubSyncing
	}))
}

// HasUnreadableRecords reports whether some records have an unknown type. Some figures of such
// records cannot be read and stay unknown, although the data are live.
func (h *Health) HasUnreadableRecords() bool {
	for i := range h.Subscriptions {
		if h.Subscriptions[i].Unknown != "" {
			return true
		}
	}
	return false
}

// IsMostlyPolled reports whether more subscriptions are polled than live.
func (h *Health) IsMostlyPolled() bool {
	polled, told := 0, 0
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // the other states do not matter here
		case SubPolling:
			polled++
		case SubLive:
			told++
		}
	}
	return polled > told
}

// HadData reports whether data about the floor have ever arrived. The platform's version and health
// are not data about the floor.
func (h *Health) HadData() bool {
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		if s.Name != OpVersion && s.Name != OpServerHealth && (s.Records > 0 || !s.LastData.IsZero()) {
			return true
		}
	}
	return false
}

// PolledAges returns the age of the data of each polled subscription: the time from its VerifiedAt
// to now, on the local clock. It returns nil if no subscription is polled.
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

// IsCurrent reports whether the data of a subscription are current: the connection is up, and
// the subscription is live or polled.
func (h *Health) IsCurrent(name Op) bool {
	sub := h.Subscription(name)
	return h.Link.State == LinkUp && sub != nil && sub.State.IsCurrent()
}

// Subscription returns the subscription with the given name, or nil if there is none.
func (h *Health) Subscription(name Op) *Subscription {
	for i := range h.Subscriptions {
		if h.Subscriptions[i].Name == name {
			return &h.Subscriptions[i]
		}
	}
	return nil
}
