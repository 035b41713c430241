package graphqlws

import (
	"sync/atomic"
	"time"
)

// Stats are the figures of a session. Every counter only grows.
type Stats struct {
	Frames     int64 // text and binary messages received
	Bytes      int64 // their bytes
	BadFrames  int64 // of these, reported through Handler.Bad
	UnknownIDs int64 // messages for an id that was never handed out
	Late       int64 // messages for an operation that had already ended
	Unanswered int64 // pings without a pong although the link lived

	LastFrame time.Time     // when anything came last
	RTT       time.Duration // of the last ping that was answered; 0: none yet
}

// counters are written by the reader and the timer, read by anyone.
type counters struct {
	frames, bytes, bad, unknown, late, unanswered, rtt atomic.Int64
}

// Stats returns the figures at this moment.
func (c *Conn) Stats() Stats {
	return Stats{
		Frames:     c.stats.frames.Load(),
		Bytes:      c.stats.bytes.Load(),
		BadFrames:  c.stats.bad.Load(),
		UnknownIDs: c.stats.unknown.Load(),
		Late:       c.stats.late.Load(),
		Unanswered: c.stats.unanswered.Load(),
		LastFrame:  c.wall.Add(time.Duration(c.clock.last.Load())),
		RTT:        time.Duration(c.stats.rtt.Load()),
	}
}
