package model

// WaitMeaning is the meaning of maxTimeCallOnQueue of a service, which document 2 leaves open.
type WaitMeaning uint8

// The meanings. The zero value is WaitAsSent.
const (
	WaitAsSent       WaitMeaning = iota // the longest current wait, because nothing observed contradicts it
	WaitCurrent                         // the longest current wait
	WaitDaily                           // the longest wait of the day
	WaitOther                           // something else
	WaitUndetermined                    // unknown until more is observed
)

// String returns the meaning as shown to users.
func (m WaitMeaning) String() string {
	switch m {
	case WaitAsSent, WaitCurrent:
		return "the longest current wait"
	case WaitDaily:
		return "the longest wait of the day"
	case WaitOther:
		return "neither the longest current wait nor that of the day"
	case WaitUndetermined:
	}
	return "not known yet"
}

// IsCurrent reports whether maxTimeCallOnQueue is the longest current wait.
func (m WaitMeaning) IsCurrent() bool { return m == WaitAsSent || m == WaitCurrent }

// Wait describes the longest current wait of a service, derived from observations. If the
// platform itself sends that wait, only Meaning is set.
type Wait struct {
	Meaning  WaitMeaning // meaning of maxTimeCallOnQueue
	Presumed bool        // fewer than two observations support the meaning
	For      Int         // estimate of the longest current wait, in seconds
	AtLeast  Int         // lower bound that is certain, in seconds
	AtMost   Int         // upper bound in seconds; unknown if there is none
}

// LongestWait returns the longest wait of the callers waiting now, in seconds. If the queue is
// empty, the result is 0, although the platform may still send the wait of a caller who has
// left. If maxTimeCallOnQueue is not the current wait, the result is an estimate (see
// [ServiceCalls.IsWaitEstimated]).
func (c *ServiceCalls) LongestWait() Figure {
	switch {
	case c.QueuedCalls == IntOf(0):
		return FigureOf(0)
	case c.Wait.Meaning.IsCurrent():
		return c.MaxTimeCallOnQueue.Figure()
	}
	return c.Wait.For.Figure().AsEstimate()
}

// IsWaitEstimated reports whether [ServiceCalls.LongestWait] is an estimate.
func (c *ServiceCalls) IsWaitEstimated() bool {
	return !c.Wait.Meaning.IsCurrent() && c.QueuedCalls != IntOf(0)
}

// CertainWait returns the part of the longest wait that is certain, in seconds. Alerts use it,
// because an estimate may be too long.
func (c *ServiceCalls) CertainWait() Figure {
	if c.IsWaitEstimated() {
		return c.Wait.AtLeast.Figure()
	}
	return c.LongestWait()
}

// MaxWait returns an upper bound of [ServiceCalls.LongestWait] in seconds. The bound is unknown
// if the wait is not an estimate, or if there is no bound.
func (c *ServiceCalls) MaxWait() Figure {
	if c.IsWaitEstimated() {
		return c.Wait.AtMost.Figure()
	}
	return Figure{}
}

// LongestToday returns the longest wait of the day in seconds. It is known only if
// maxTimeCallOnQueue has this meaning.
func (c *ServiceCalls) LongestToday() Figure {
	if c.Wait.Meaning == WaitDaily {
		return c.MaxTimeCallOnQueue.Figure()
	}
	return Figure{}
}

// longestWaits combines the longest waits of several services.
type longestWaits struct {
	sentMaximum Int // maximum of maxTimeCallOnQueue as sent
	wait        Wait
	anyDaily    bool // at least one service sends the longest wait of the day
	anyWaiting  bool // at least one caller is waiting
	anyUnknown  bool // at least one caller waits, but it is unknown for how long
}

func (l *longestWaits) add(c *ServiceCalls) {
	daily := c.Wait.Meaning == WaitDaily
	l.anyDaily = l.anyDaily || daily
	if n, ok := c.MaxTimeCallOnQueue.Get(); ok && (daily || c.QueuedCalls != IntOf(0)) {
		l.sentMaximum = IntOf(max(n, l.sentMaximum.Or(n)))
	}
	if c.QueuedCalls.Or(0) == 0 {
		return
	}
	v, ok := c.LongestWait().Get()
	l.anyUnknown = l.anyUnknown || !ok
	n := int64(v)
	l.wait.For = IntOf(max(n, l.wait.For.Or(n)))
	if !c.IsWaitEstimated() {
		l.mergeBounds(n, n, ok)
		return
	}
	l.wait.Meaning = max(l.wait.Meaning, c.Wait.Meaning)
	most, bounded := c.Wait.AtMost.Get()
	l.mergeBounds(c.Wait.AtLeast.Or(0), most, bounded)
	l.wait.Presumed = l.wait.Presumed || c.Wait.Presumed
}

// mergeBounds takes the bounds of one service's longest wait, in seconds, into account. bounded is
// false if the service has no upper bound; the combined wait then has none either.
func (l *longestWaits) mergeBounds(least, most int64, bounded bool) {
	l.wait.AtLeast = IntOf(max(least, l.wait.AtLeast.Or(least)))
	switch {
	case !bounded || l.anyWaiting && !l.wait.AtMost.Known():
		l.wait.AtMost = Int{}
	default:
		l.wait.AtMost = IntOf(max(most, l.wait.AtMost.Or(most)))
	}
	l.anyWaiting = true
}

// writeTo writes the combined wait into c, the call figures of a floor.
func (l *longestWaits) writeTo(c *ServiceCalls) {
	if l.anyDaily {
		l.wait.Meaning = WaitDaily
	}
	c.MaxTimeCallOnQueue, c.Wait = l.sentMaximum, l.wait
	if l.anyUnknown { // the unknown wait may be longer than all others
		c.Wait.For = Int{}
		if c.Wait.Meaning.IsCurrent() {
			c.MaxTimeCallOnQueue = Int{}
		}
	}
	if c.Wait.Meaning.IsCurrent() {
		c.Wait = Wait{}
	}
}
