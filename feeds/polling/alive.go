package polling

import (
	"context"
	"errors"
	"io"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/post"
)

// A dead link is noticed while polling as on a WebSocket: after a silence a sign
// of life is asked for.
const (
	quietAfter = 10 * time.Second
	signWithin = 5 * time.Second
)

// heard notes a sign of life.
func (p *Conn) heard() {
	p.mu.Lock()
	p.stats.LastFrame = p.opts.Now()
	p.mu.Unlock()
}

// watch ends the transport when nothing is heard any more.
func (p *Conn) watch() {
	t := time.NewTimer(quietAfter)
	defer t.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-t.C:
		}
		idle := p.opts.Now().Sub(p.Stats().LastFrame)
		if idle >= quietAfter {
			if !p.answers() {
				return
			}
			idle = 0
		}
		t.Reset(quietAfter - idle)
	}
}

// answers asks for a sign of life, and ends the transport when there is none. Any
// will do, that of another request as well.
func (p *Conn) answers() bool {
	asked := p.opts.Now()
	ctx, cancel := context.WithTimeout(p.ctx, signWithin)
	defer cancel()
	_, err := p.postWithin(ctx, post.Body(p.opts.Probe, nil))
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

// listening is the body of an answer; every piece of it is a sign of life.
type listening struct {
	io.Reader
	p *Conn
}

// Read implements [io.Reader].
func (l listening) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	if n > 0 {
		l.p.heard()
	}
	return n, err //nolint:wrapcheck // io.EOF has to stay what it is
}
