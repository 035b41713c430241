package feeds

// Some servers break when both sub-protocols are offered, and speak the one that
// is left alone. It is believed after several sessions, kept, and tried again
// once after each start, where a session has ended anyway.

// offerAll offers every sub-protocol to the next session again, unless only one is
// known to work.
func (l *link) offerAll() {
	if l.knowsProtocol() && l.offered {
		return
	}
	l.offered, l.subprotocols = true, l.f.opts.Subprotocols
}

// knowsProtocol reports whether only one sub-protocol is known to work.
func (l *link) knowsProtocol() bool {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.speech.Subprotocol() != ""
}

// proven notes in which sub-protocols that were offered a session has lasted.
func (l *link) proven(offered []string) {
	f := l.f
	alone := ""
	if len(offered) == 1 && len(f.opts.Subprotocols) == 0 {
		alone = offered[0]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.speech.Lasted(alone)
}

// bearsLength notes that a session has lasted with requests as long as they are.
func (l *link) bearsLength() {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.speech.BearsLength()
}

// breaksOff notes that a connection ended for which a long request may be to blame,
// and reports whether something can be done about it.
func (l *link) breaksOff() bool {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.halveLargest()
}
