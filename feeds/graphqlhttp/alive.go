package graphqlhttp

import (
	"context"
	"errors"
	"io"
	"time"

	"wallboard/feeds/graphqlws"
)

// While polling, a dead link is detected like on a WebSocket: after a silence
// the probe query is sent.
const (
	maxSilence   = 10 * time.Second
	probeTimeout = 5 * time.Second
)

// markAlive records a sign of life.
func (p *PollingConn) markAlive() {
	p.mu.Lock()
	p.stats.LastFrame = p.opts.Now()
	p.mu.Unlock()
}

// watchLiveness probes a silent link and ends the transport when the link is dead.
func (p *PollingConn) watchLiveness() {
	t := time.NewTimer(maxSilence)
	defer t.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-t.C:
		}
		idle := p.opts.Now().Sub(p.Stats().LastFrame)
		if idle >= maxSilence {
			if !p.probe() {
				return
			}
			idle = 0
		}
		t.Reset(maxSilence - idle)
	}
}

// probe sends the probe query. It ends the transport and returns false if there is
// no sign of life; a response to another request is one, too.
func (p *PollingConn) probe() bool {
	asked := p.opts.Now()
	ctx, cancel := context.WithTimeout(p.ctx, probeTimeout)
	defer cancel()
	_, err := p.postWithin(ctx, Body(p.opts.Probe, nil))
	last := p.Stats().LastFrame
	switch {
	case err == nil, !last.Before(asked):
		return true
	case errors.Is(err, context.DeadlineExceeded):
		err = &graphqlws.DeadLinkError{Idle: p.opts.Now().Sub(last), Probed: true}
	}
	p.Abort(err)
	return false
}

// aliveReader is a response body whose reads count as signs of life.
type aliveReader struct {
	io.Reader
	conn *PollingConn
}

// Read implements [io.Reader].
func (r aliveReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n > 0 {
		r.conn.markAlive()
	}
	return n, err
}
