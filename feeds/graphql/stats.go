package graphql

import (
	"sync/atomic"
	"time"
)

// Stats holds the counters of a session. Counters only grow.
type Stats struct {
	Frames          int64 // text and binary messages received
	Bytes           int64 // total size of these messages
	BadFrames       int64 // messages passed to [Handler.UnreadableFrame]
	UnknownIDs      int64 // messages whose ID was never issued
	LateMessages    int64 // messages for an operation that had ended
	UnansweredPings int64 // pings that were not answered although the link worked

	LastFrame time.Time     // when data was last received, or when the session was opened
	RTT       time.Duration // round-trip time of the last answered ping; 0: none yet
}

type sessionCounters struct {
	frames, bytes, badFrames, unknownIDs, lateMessages, unansweredPings, rtt atomic.Int64
}

// Stats returns the current counters.
func (c *Conn) Stats() Stats {
	return Stats{
		Frames:          c.stats.frames.Load(),
		Bytes:           c.stats.bytes.Load(),
		BadFrames:       c.stats.badFrames.Load(),
		UnknownIDs:      c.stats.unknownIDs.Load(),
		LateMessages:    c.stats.lateMessages.Load(),
		UnansweredPings: c.stats.unansweredPings.Load(),
		LastFrame:       c.openedAt.Add(time.Duration(c.liveness.lastReceived.Load())),
		RTT:             time.Duration(c.stats.rtt.Load()),
	}
}
