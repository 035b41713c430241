package model

// WaitMeaning is the meaning of maxTimeCallOnQueue of a service, which document 2 leaves
// open.
type WaitMeaning uint8

// The meanings. The zero value takes the field as sent.
const (
	WaitAsSent  WaitMeaning = iota // the longest current wait; no evidence against it
	WaitCurrent                    // the longest current wait
	WaitDaily                      // the longest wait of the day
	WaitOther                      // neither
	WaitOpen                       // not known yet
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
	case WaitOpen:
	}
	return "not known yet"
}

// Current reports whether the field is the longest current wait.
func (m WaitMeaning) Current() bool { return m == WaitAsSent || m == WaitCurrent }

// Wait is the longest current wait of a service as derived from observations. If the
// platform itself sends that wait, only Meaning is set.
type Wait struct {
	Meaning  WaitMeaning // meaning of maxTimeCallOnQueue
	Presumed bool        // fewer than two observations support the meaning
	For      Int         // the estimate in seconds
	AtLeast  Int         // certain lower bound in seconds
	AtMost   Int         // upper bound in seconds; unknown if there is none
}

// LongestWait returns the longest wait of the callers waiting now, in seconds. It is 0 if
// the queue is empty, because the platform then still sends the wait of a caller who has
// left. If maxTimeCallOnQueue is not the current wait, the result is an estimate (see
// [ServiceCalls.WaitEstimated]).
func (c *ServiceCalls) LongestWait() Figure {
	switch {
	case c.QueuedCalls == IntOf(0):
		return FigureOf(0)
	case c.Wait.Meaning.Current():
		return c.MaxTimeCallOnQueue.Figure()
	}
	return c.Wait.For.Figure().Estimate()
}

// WaitEstimated reports whether [ServiceCalls.LongestWait] is an estimate.
func (c *ServiceCalls) WaitEstimated() bool {
	return !c.Wait.Meaning.Current() && c.QueuedCalls != IntOf(0)
}

// CertainWait returns the certain part of the longest wait, in seconds. Alerts use it, because
// an estimate may be too long.
func (c *ServiceCalls) CertainWait() Figure {
	if c.WaitEstimated() {
		return c.Wait.AtLeast.Figure()
	}
	return c.LongestWait()
}

// WaitAtMost returns an upper bound of an estimated [ServiceCalls.LongestWait], in seconds,
// unknown if there is none.
func (c *ServiceCalls) WaitAtMost() Figure {
	if c.WaitEstimated() {
		return c.Wait.AtMost.Figure()
	}
	return Figure{}
}

// LongestToday returns the longest wait of the day in seconds, if that is the meaning of
// maxTimeCallOnQueue.
func (c *ServiceCalls) LongestToday() Figure {
	if c.Wait.Meaning == WaitDaily {
		return c.MaxTimeCallOnQueue.Figure()
	}
	return Figure{}
}

// longestWaits combines the longest waits of several services.
type longestWaits struct {
	sentMaximum Int // maximum of the sent fields
	wait        Wait
	anyDaily    bool // at least one service sends the longest wait of the day
	anyWaiting  bool // at least one caller is waiting
	anyUnknown  bool // at least one caller waits for an unknown time
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
	if !c.WaitEstimated() {
		l.mergeBounds(n, n, ok)
		return
	}
	l.wait.Meaning = max(l.wait.Meaning, c.Wait.Meaning)
	most, bounded := c.Wait.AtMost.Get()
	l.mergeBounds(c.Wait.AtLeast.Or(0), most, bounded)
	l.wait.Presumed = l.wait.Presumed || c.Wait.Presumed
}

// mergeBounds merges the bounds of one service.
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

// writeTo writes the result into the figures of a floor.
func (l *longestWaits) writeTo(c *ServiceCalls) {
	if l.anyDaily {
		l.wait.Meaning = WaitDaily
	}
	c.MaxTimeCallOnQueue, c.Wait = l.sentMaximum, l.wait
	if l.anyUnknown { // another wait may be longer
		c.Wait.For = Int{}
		if c.Wait.Meaning.Current() {
			c.MaxTimeCallOnQueue = Int{}
		}
	}
	if c.Wait.Meaning.Current() {
		c.Wait = Wait{}
	}
}
