package model

// WaitMeaning is what maxTimeCallOnQueue of a service means. Document 2 leaves it
// open.
type WaitMeaning uint8

// The meanings. The zero value reads the field as it is sent.
const (
	WaitAsSent  WaitMeaning = iota // the longest current wait; nothing has questioned it
	WaitCurrent                    // the longest current wait
	WaitDaily                      // the longest wait of the day
	WaitOther                      // neither of them
	WaitOpen                       // not known yet
)

// String returns the meaning in words.
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

// Wait is the longest current wait of a service, derived from what the board
// observes. Where the platform sends that wait itself, only Meaning is set.
type Wait struct {
	Meaning  WaitMeaning // of maxTimeCallOnQueue
	Presumed bool        // fewer than two observations support the meaning
	For      Int         // the estimate in seconds
	AtLeast  Int         // in seconds, certain
	AtMost   Int         // in seconds; unknown without a bound
}

// LongestWait is the longest wait of the callers who wait now, in seconds. Of an
// empty queue it is 0: the platform then sends the wait of a caller who has left.
// Where maxTimeCallOnQueue is not the current wait, it is an estimate (see
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

// SureWait is how long the longest waiting caller has waited for certain, in
// seconds. Alerts are raised from it, because an estimate may be too long.
func (c *ServiceCalls) SureWait() Figure {
	if c.WaitEstimated() {
		return c.Wait.AtLeast.Figure()
	}
	return c.LongestWait()
}

// WaitAtMost is an upper bound of an estimated [ServiceCalls.LongestWait], in
// seconds. It is unknown where there is none.
func (c *ServiceCalls) WaitAtMost() Figure {
	if c.WaitEstimated() {
		return c.Wait.AtMost.Figure()
	}
	return Figure{}
}

// LongestToday is the longest wait of the day in seconds, where
// maxTimeCallOnQueue is that.
func (c *ServiceCalls) LongestToday() Figure {
	if c.Wait.Meaning == WaitDaily {
		return c.MaxTimeCallOnQueue.Figure()
	}
	return Figure{}
}

// longest collects the longest waits of several services.
type longest struct {
	field   Int // of what the platform sends
	wait    Wait
	daily   bool // of one of them the platform sends the longest of the day
	some    bool // a caller waits
	unknown bool // a caller waits, and it is not known how long
}

func (l *longest) add(c *ServiceCalls) {
	daily := c.Wait.Meaning == WaitDaily
	l.daily = l.daily || daily
	if n, ok := c.MaxTimeCallOnQueue.Get(); ok && (daily || c.QueuedCalls != IntOf(0)) {
		l.field = IntOf(max(n, l.field.Or(n)))
	}
	if c.QueuedCalls.Or(0) == 0 {
		return
	}
	v, ok := c.LongestWait().Get()
	l.unknown = l.unknown || !ok
	n := int64(v)
	l.wait.For = IntOf(max(n, l.wait.For.Or(n)))
	if !c.WaitEstimated() {
		l.bound(n, n, ok)
		return
	}
	l.wait.Meaning = max(l.wait.Meaning, c.Wait.Meaning)
	most, bounded := c.Wait.AtMost.Get()
	l.bound(c.Wait.AtLeast.Or(0), most, bounded)
	l.wait.Presumed = l.wait.Presumed || c.Wait.Presumed
}

// bound takes the bounds of one service in.
func (l *longest) bound(least, most int64, bounded bool) {
	l.wait.AtLeast = IntOf(max(least, l.wait.AtLeast.Or(least)))
	switch {
	case !bounded || l.some && !l.wait.AtMost.Known():
		l.wait.AtMost = Int{}
	default:
		l.wait.AtMost = IntOf(max(most, l.wait.AtMost.Or(most)))
	}
	l.some = true
}

// into writes the longest waits into the figures of a floor.
func (l *longest) into(c *ServiceCalls) {
	if l.daily {
		l.wait.Meaning = WaitDaily
	}
	c.MaxTimeCallOnQueue, c.Wait = l.field, l.wait
	if l.unknown { // that of the others may be shorter
		c.Wait.For = Int{}
		if c.Wait.Meaning.Current() {
			c.MaxTimeCallOnQueue = Int{}
		}
	}
	if c.Wait.Meaning.Current() {
		c.Wait = Wait{}
	}
}
