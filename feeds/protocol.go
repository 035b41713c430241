package feeds

// Some servers fail if both sub-protocols are offered but accept either one alone. The board
// assumes this after several sessions that worked with one sub-protocol, and saves the finding.
// After each start, it offers both again once.

// needsSingleSubprotocol reports whether the server is known to need a single offered sub-protocol.
func (f *Feed) needsSingleSubprotocol() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.dialect.Subprotocol() != ""
}

// recordLastingSession records that a session lasted. offered holds the sub-protocols that the
// client had offered in this session.
func (f *Feed) recordLastingSession(offered []string) {
	alone := ""
	if len(offered) == 1 && len(f.opts.Subprotocols) == 0 {
		alone = offered[0]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.dialect.CountLastingSession(alone)
}

// recordLengthAccepted records that a session lasted, so its requests were not too long.
func (f *Feed) recordLengthAccepted() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.dialect.CountLengthAccepted()
}

// recordConnectionLost records that a connection ended, perhaps because a request was too long. It
// returns false if requests should become shorter but cannot.
func (f *Feed) recordConnectionLost() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.splitLongestRequest()
}
