package feeds

// Some servers break when both sub-protocols are offered, and speak the one that
// is left alone. It is believed after several sessions, kept, and tried again
// once after each start, where a session has ended anyway.

// oneProtocol reports whether only one sub-protocol is known to work.
func (f *Feed) oneProtocol() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.speech.Subprotocol() != ""
}

// proven notes in which sub-protocols that were offered a session has lasted.
func (f *Feed) proven(offered []string) {
	alone := ""
	if len(offered) == 1 && len(f.opts.Subprotocols) == 0 {
		alone = offered[0]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.speech.Lasted(alone)
}

// bearsLength notes that a session has lasted with requests as long as they are.
func (f *Feed) bearsLength() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.speech.BearsLength()
}

// breaksOff notes that a connection ended for which a long request may be to blame,
// and reports whether something can be done about it.
func (f *Feed) breaksOff() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.halveLargest()
}
