package graphqlws

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// maxUnansweredPings is how many pings may stay unanswered on a working link
	// before pings stop.
	maxUnansweredPings = 2
	// probePrefix marks the ids of probe queries.
	probePrefix = "p"
	// Without pings and probes, only the server's ka messages distinguish a
	// dead link from a quiet one. Their interval is unknown and starts late on
	// some servers.
	minSilence    = 45 * time.Second
	silenceFactor = 2.5
)

// liveness is shared by reader and timer. All times are nanoseconds since
// Conn.startedAt; 0 means never.
type liveness struct {
	lastReceived     atomic.Int64 // last byte received
	lastPing         atomic.Int64 // last ping sent
	pongs            atomic.Int64 // pings answered
	pingPending      atomic.Bool  // the last ping is unanswered
	lastKeepAlive    atomic.Int64 // last ka message received
	longestKeepAlive atomic.Int64 // longest interval between two ka messages
}

// markAlive records a sign of life.
func (c *Conn) markAlive() { c.liveness.lastReceived.Store(int64(time.Since(c.startedAt))) }

// recordPong records a pong. Unsolicited pongs are legal, and it ignores them.
func (l *liveness) recordPong(c *Conn) {
	if l.pingPending.Swap(false) {
		l.pongs.Add(1)
		c.stats.rtt.Store(int64(time.Since(c.startedAt)) - l.lastPing.Load())
	}
}

func (l *liveness) recordKeepAlive(c *Conn) {
	now := int64(time.Since(c.startedAt))
	if before := l.lastKeepAlive.Swap(now); before != 0 && now-before > l.longestKeepAlive.Load() {
		l.longestKeepAlive.Store(now - before)
	}
}

// sincePing returns the age of an unanswered ping, or 0.
func (l *liveness) sincePing(now time.Duration) time.Duration {
	if !l.pingPending.Load() {
		return 0
	}
	return max(now-time.Duration(l.lastPing.Load()), 1)
}

// runTimer is the timer goroutine.
func (c *Conn) runTimer() {
	defer c.goroutineDone()
	defer c.recoverPanic()
	t := time.NewTimer(c.opts.AckTimeout)
	defer t.Stop()
	select {
	case <-c.ctx.Done():
	case <-t.C:
		c.Abort(ErrAckTimeout)
	case <-c.acked:
		c.checkUntilDone(t)
	}
	// The session has ended. The writer closes the link after the close frame;
	// if that hangs, the link is cut here. A dead link is cut at once.
	if errors.Is(c.Err(), ErrDeadLink) {
		t.Reset(0)
	} else {
		t.Reset(closeTimeout)
	}
	select {
	case <-c.writerDone:
	case <-t.C:
		_ = c.rawConn.Close() // the session's error is already known
	}
}

// checkUntilDone sends pings or probes and ends the session if there is no sign of life.
func (c *Conn) checkUntilDone(t *time.Timer) {
	var p probeState
	for {
		t.Reset(c.checkLiveness(&p))
		select {
		case <-c.ctx.Done():
			return
		case <-t.C:
		}
	}
}

// probeState is the state of checkUntilDone.
type probeState struct {
	sentAt      time.Duration // when the last ping or probe was sent; 0: none pending
	pinged      bool          // a ping was sent
	probed      bool          // the probe query was sent
	unanswered  int           // unanswered pings in a row on a working link
	lastProbeID string        // id of the last probe query
}

// checkLiveness sends due pings and probes, ends the session if the link is dead, and returns the
// time until the next check.
func (c *Conn) checkLiveness(p *probeState) time.Duration {
	now := time.Since(c.startedAt)
	last := time.Duration(c.liveness.lastReceived.Load())
	if p.sentAt != 0 {
		if last < p.sentAt {
			c.Abort(&DeadLinkError{
				Idle: now - last, Pinged: p.pinged, Probed: p.probed, Answered: c.liveness.pongs.Load() > 0,
			})
			return closeTimeout
		}
		c.evaluatePing(p)
	}
	if idle := now - last; idle < c.opts.IdlePing {
		return c.opts.IdlePing - idle
	}
	ping := !c.opts.NoPing && p.unanswered < maxUnansweredPings
	// Until the first pong it is unknown whether pings are answered; the probe
	// is then sent as well, so that a quiet server does not count as dead.
	probe := c.opts.Probe != "" && (!ping || c.liveness.pongs.Load() == 0)
	if !ping && !probe {
		return c.checkSilence(now - last)
	}
	p.sentAt, p.pinged, p.probed = now, ping, probe
	if ping {
		c.sendPing(now)
	}
	if probe {
		c.sendProbe(p)
	}
	return c.opts.PongTimeout
}

// evaluatePing evaluates a ping or probe that was followed by a sign of life.
func (c *Conn) evaluatePing(p *probeState) {
	p.sentAt = 0
	if !p.pinged {
		return
	}
	if c.liveness.pingPending.Load() {
		p.unanswered++
		c.stats.unanswered.Add(1)
	} else {
		p.unanswered = 0
	}
}

func (c *Conn) sendPing(now time.Duration) {
	c.liveness.lastPing.Store(int64(now))
	c.liveness.pingPending.Store(true)
	m := message{kind: websocket.PingMessage}
	if c.protocol.canPing {
		m = textMessage("", "ping", nil)
	}
	_ = c.enqueue(m) // an error has ended the session
}

// sendProbe sends the probe query and forgets the previous one.
func (c *Conn) sendProbe(p *probeState) {
	c.removeOperation([]byte(p.lastProbeID))
	id, err := c.startOperation(c.opts.Probe, nil, true)
	if err == nil { // on error the session has ended
		p.lastProbeID = id
	}
}

// checkSilence checks a link that can be neither pinged nor probed. It ends the session
// if a server has stopped sending ka messages, and returns the time until the next check.
func (c *Conn) checkSilence(idle time.Duration) time.Duration {
	longest := time.Duration(c.liveness.longestKeepAlive.Load())
	if longest == 0 {
		return c.opts.IdlePing
	}
	limit := max(minSilence, time.Duration(silenceFactor*float64(longest)))
	if idle >= limit {
		c.Abort(&DeadLinkError{Idle: idle})
	}
	return max(limit-idle, closeTimeout)
}
