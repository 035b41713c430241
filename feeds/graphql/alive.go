package graphql

import (
	"context"
	"errors"
	"io"
	"time"
)

// While polling, a dead link is detected in the same way as on a WebSocket: if no byte is received
// for maxSilence, the probe query is sent.
const (
	maxSilence   = 10 * time.Second
	probeTimeout = 5 * time.Second
)

// markAlive records that data was received.
func (p *PollingConn) markAlive() {
	p.mu.Lock()
	p.stats.LastFrame = p.opts.Now()
	p.mu.Unlock()
}

// watchLiveness sends the probe query when the link is silent, and ends the session when the link
// is dead.
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

// probe sends the probe query. If no data is received in time, it ends the session and returns
// false. Data from another response also counts.
func (p *PollingConn) probe() bool {
	asked := p.opts.Now()
	ctx, cancel := context.WithTimeout(p.ctx, probeTimeout)
	defer cancel()
	_, err := p.postWithin(ctx, EncodeRequest(p.opts.Probe, nil))
	last := p.Stats().LastFrame
	switch {
	case err == nil, !last.Before(asked):
		return true
	case errors.Is(err, context.DeadlineExceeded):
		err = &DeadLinkError{Idle: p.opts.Now().Sub(last), Probed: true}
	}
	p.Abort(err)
	return false
}

// aliveReader reads a response body and records each successful read as a sign of life.
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
