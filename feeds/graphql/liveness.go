package graphql

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// maxUnansweredPings is the number of unanswered pings in a row on a working link after which
	// no more pings are sent.
	maxUnansweredPings = 2
	// probePrefix is the first letter of the IDs of probe queries, to distinguish probes from other
	// operations.
	probePrefix = "p"
	// minSilence is the minimum silence after which a link counts as dead if it can be neither
	// pinged nor probed. Only missing ka messages of the server then show that the link is dead.
	// The interval between them is unknown, and some servers send the first one late.
	minSilence    = 45 * time.Second
	silenceFactor = 2.5
)

// liveness holds the times of the last signs of life and of the last ping. The reader and the timer share it.
// All times are nanoseconds since Conn.startedAt; 0 means never.
type liveness struct {
	lastReceived     atomic.Int64 // last byte received
	lastPing         atomic.Int64 // last ping sent
	pongs            atomic.Int64 // pings answered
	pingPending      atomic.Bool  // the last ping is unanswered
	lastKeepAlive    atomic.Int64 // last ka message received
	longestKeepAlive atomic.Int64 // longest interval between two ka messages
}

// markAlive records that data was received.
func (c *Conn) markAlive() { c.liveness.lastReceived.Store(int64(time.Since(c.startedAt))) }

// recordPong records a pong. It ignores a pong without a pending ping, which is legal.
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

// sincePing returns the time since the last ping if this ping is unanswered, otherwise 0.
func (l *liveness) sincePing(now time.Duration) time.Duration {
	if !l.pingPending.Load() {
		return 0
	}
	return max(now-time.Duration(l.lastPing.Load()), 1)
}

// runTimer is the timer goroutine. It detects a missing acknowledgement and a dead link, and closes
// the connection if the session does not end in an orderly way.
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
	// The session has ended. The writer closes the network connection after the close frame. If the
	// writer hangs, the connection is closed here, and on a dead link at once.
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

// checkUntilDone checks the link periodically until the session ends.
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

// probeState is the state that [Conn.checkLiveness] keeps between calls.
type probeState struct {
	sentAt      time.Duration // when the last ping or probe was sent; 0: no answer is awaited
	pinged      bool          // the last check sent a ping
	probed      bool          // the last check sent the probe query
	unanswered  int           // unanswered pings in a row on a working link
	lastProbeID string        // ID of the last probe query
}

// checkLiveness sends a ping or a probe if one is due, and ends the session if the link is dead. It
// returns the time until the next check.
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
	// Before the first pong it is unknown whether the server answers pings. The probe is then sent
	// as well, so a server that never sends pongs does not count as dead.
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

// evaluatePing counts whether the last ping was answered. It is called after data was received,
// which may also be the answer to the probe.
func (c *Conn) evaluatePing(p *probeState) {
	p.sentAt = 0
	if !p.pinged {
		return
	}
	if c.liveness.pingPending.Load() {
		p.unanswered++
		c.stats.unansweredPings.Add(1)
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

// sendProbe sends the probe query. It removes the previous probe, so a late answer to that probe is
// ignored.
func (c *Conn) sendProbe(p *probeState) {
	c.removeOperation([]byte(p.lastProbeID))
	id, err := c.startOperation(c.opts.Probe, nil, true)
	if err == nil { // an error means that the session has ended
		p.lastProbeID = id
	}
}

// checkSilence checks a link that can be neither pinged nor probed. idle is the time since data was
// last received. If the server has stopped sending ka messages, checkSilence ends the session. It
// returns the time until the next check.
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
