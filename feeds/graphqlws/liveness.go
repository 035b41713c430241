package graphqlws

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// pingsToDoubt is how many pings may stay without a pong on a living link
	// before no more are sent.
	pingsToDoubt = 2
	// probePrefix marks the ids of probe queries.
	probePrefix = "p"
	// Without pings and probe only the server's ka tells a dead link from a
	// quiet one. Its interval is unknown and starts late on some servers.
	minSilence    = 45 * time.Second
	silenceFactor = 2.5
)

// liveness holds what reader and timer tell each other. All values are
// nanoseconds since Conn.began; 0 means never.
type liveness struct {
	last      atomic.Int64 // the last byte
	pinged    atomic.Int64 // the last ping
	pongs     atomic.Int64 // how many were answered
	pending   atomic.Bool  // the last ping has no answer yet
	lastKA    atomic.Int64
	longestKA atomic.Int64 // the longest pause between two ka
}

// alive stamps a sign of life.
func (c *Conn) alive() { c.clock.last.Store(int64(time.Since(c.began))) }

// answered takes note of a pong. One nobody asked for is legal and says nothing.
func (l *liveness) answered(c *Conn) {
	if l.pending.Swap(false) {
		l.pongs.Add(1)
		c.stats.rtt.Store(int64(time.Since(c.began)) - l.pinged.Load())
	}
}

func (l *liveness) keepAlive(c *Conn) {
	now := int64(time.Since(c.began))
	if before := l.lastKA.Swap(now); before != 0 && now-before > l.longestKA.Load() {
		l.longestKA.Store(now - before)
	}
}

// sincePing returns how long an unanswered ping has been out, or 0.
func (l *liveness) sincePing(now time.Duration) time.Duration {
	if !l.pending.Load() {
		return 0
	}
	return max(now-time.Duration(l.pinged.Load()), 1)
}

// watch is the timer goroutine.
func (c *Conn) watch() {
	defer c.leave()
	defer c.catch()
	t := time.NewTimer(c.opts.AckTimeout)
	defer t.Stop()
	select {
	case <-c.ctx.Done():
	case <-t.C:
		c.Abort(ErrAckTimeout)
	case <-c.acked:
		c.guard(t)
	}
	// The end. The writer closes the link after its goodbye; when that hangs,
	// the link is cut here, and a dead one at once.
	if errors.Is(c.Err(), ErrDeadLink) {
		t.Reset(0)
	} else {
		t.Reset(closeGrace)
	}
	select {
	case <-c.writerDone:
	case <-t.C:
		_ = c.raw.Close() // nothing to report any more
	}
}

// guard asks for signs of life and ends the session when there are none.
func (c *Conn) guard(t *time.Timer) {
	var p prober
	for {
		t.Reset(c.check(&p))
		select {
		case <-c.ctx.Done():
			return
		case <-t.C:
		}
	}
}

// prober is the state of guard.
type prober struct {
	asked     time.Duration // when a sign was asked for; 0: not waiting
	pinged    bool          // a ping was part of it
	probed    bool          // the probe query was part of it
	doubts    int           // pings in a row without a pong although the link lived
	lastProbe string        // the id of the last probe query
}

// check does what is due and returns how long to wait until the next check.
func (c *Conn) check(p *prober) time.Duration {
	now := time.Since(c.began)
	last := time.Duration(c.clock.last.Load())
	if p.asked != 0 {
		if last < p.asked {
			c.Abort(&DeadLinkError{
				Idle: now - last, Pinged: p.pinged, Probed: p.probed, Answered: c.clock.pongs.Load() > 0,
			})
			return closeGrace
		}
		c.settle(p)
	}
	if idle := now - last; idle < c.opts.IdlePing {
		return c.opts.IdlePing - idle
	}
	ping := !c.opts.NoPing && p.doubts < pingsToDoubt
	// Until a pong was seen it is not known that pings are answered; the probe
	// then goes beside the ping, so that a quiet server is not taken for dead.
	probe := c.opts.Probe != "" && (!ping || c.clock.pongs.Load() == 0)
	if !ping && !probe {
		return c.silence(now - last)
	}
	p.asked, p.pinged, p.probed = now, ping, probe
	if ping {
		c.sendPing(now)
	}
	if probe {
		c.sendProbe(p)
	}
	return c.opts.PongTimeout
}

// settle draws the conclusions from a request that was followed by life.
func (c *Conn) settle(p *prober) {
	p.asked = 0
	if !p.pinged {
		return
	}
	if c.clock.pending.Load() {
		p.doubts++
		c.stats.unanswered.Add(1)
	} else {
		p.doubts = 0
	}
}

func (c *Conn) sendPing(now time.Duration) {
	c.clock.pinged.Store(int64(now))
	c.clock.pending.Store(true)
	m := message{kind: websocket.PingMessage}
	if c.dialect.ping {
		m = textMessage("", "ping", nil)
	}
	_ = c.enqueue(m) // a failure has ended the session
}

// sendProbe asks the query; the one before it, if still open, is forgotten.
func (c *Conn) sendProbe(p *prober) {
	c.finish([]byte(p.lastProbe))
	id, err := c.start(c.opts.Probe, nil, true)
	if err == nil { // otherwise the session has ended
		p.lastProbe = id
	}
}

// silence judges a link on which nothing can be asked. It returns how long to
// wait until the next look, and ends the session when a server that sent ka
// regularly has stopped.
func (c *Conn) silence(idle time.Duration) time.Duration {
	longest := time.Duration(c.clock.longestKA.Load())
	if longest == 0 {
		return c.opts.IdlePing
	}
	limit := max(minSilence, time.Duration(silenceFactor*float64(longest)))
	if idle >= limit {
		c.Abort(&DeadLinkError{Idle: idle})
	}
	return max(limit-idle, closeGrace)
}
