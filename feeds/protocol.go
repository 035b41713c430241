package feeds

// Some servers fail if both sub-protocols are offered but accept a single one.
// The board assumes this after several sessions and saves it. After each start it
// offers both once, when a session has ended anyway.

// needsSingleSubprotocol reports whether only one sub-protocol is known to work.
func (f *Feed) needsSingleSubprotocol() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.dialect.Subprotocol() != ""
}

// recordLastingSession records which offered sub-protocols led to a lasting session.
func (f *Feed) recordLastingSession(offered []string) {
	alone := ""
	if len(offered) == 1 && len(f.opts.Subprotocols) == 0 {
		alone = offered[0]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.dialect.CountLastingSession(alone)
}

// recordLengthAccepted records that a session lasted with requests of the present
// length.
func (f *Feed) recordLengthAccepted() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learner.dialect.CountLengthAccepted()
}

// recordConnectionLost records that a connection ended, perhaps because of a long request,
// and reports whether requests can be shortened.
func (f *Feed) recordConnectionLost() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.learner.splitLongestRequest()
}
