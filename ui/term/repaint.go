package term

import "time"

// repaintInterval is how often the whole frame is written even if nothing has changed, because
// output of another program or of the kernel may have scrolled the screen.
const repaintInterval = time.Minute

// RepaintMsg makes the program write its whole frame immediately, even if nothing has changed.
type RepaintMsg struct{}

// requestRepaint makes the session write the whole next frame.
func (s *session) requestRepaint() {
	s.screen.requestRepaint()
	s.repaintedAt, s.dirty = time.Now(), true
}

// requestRepaint makes the painter write the whole frame immediately.
func (p *painter) requestRepaint() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fullRepaint = true
	p.wakeUp()
}

// wakeUp makes [painter.run] paint the next frame.
func (p *painter) wakeUp() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
