package paint

import "time"

// repaintEvery is how often a whole frame is written, even if nothing has changed: a
// line from a program or from the kernel may have scrolled the screen.
const repaintEvery = time.Minute

// Repaint is the message that has a whole frame be written at once.
type Repaint struct{}

// refresh has the next frame written whole.
func (s *session) refresh() {
	s.screen.refresh()
	s.whole, s.dirty = time.Now(), true
}

// refresh has a whole frame written.
func (p *painter) refresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.again = true
	p.wakeUp()
}

// wakeUp has [painter.run] paint.
func (p *painter) wakeUp() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
