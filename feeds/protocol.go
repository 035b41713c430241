package feeds

import "maps"

// Some servers break when both sub-protocols are offered, and speak the one that
// is left alone. It is believed after several sessions, kept, and tried again
// once after each start, where a session has ended anyway.

// offerAll offers every sub-protocol to the next session again, unless only one is
// known to work.
func (l *link) offerAll() {
	if l.f.knowsProtocol() && l.offered {
		return
	}
	l.offered, l.subprotocols = true, l.f.opts.Subprotocols
}

// knowsProtocol reports whether only one sub-protocol is known to work.
func (f *Feed) knowsProtocol() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.speech.known.Subprotocol != ""
}

// proven notes in which sub-protocols that were offered a session has lasted.
func (f *Feed) proven(offered []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.speech
	if len(offered) == 1 && len(f.opts.Subprotocols) == 0 {
		if d.evidence.speaksFor(claim{kind: claimAlone, what: offered[0]}) && d.known.Subprotocol != offered[0] {
			d.known.Subprotocol, d.dirty = offered[0], true
		}
		return
	}
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimAlone })
	if d.known.Subprotocol != "" {
		d.known.Subprotocol, d.dirty = "", true
	}
}

// bearsLength notes that a session has lasted with requests as long as they are.
func (f *Feed) bearsLength() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := (claim{kind: claimTooLong}); f.speech.evidence[c] < enough {
		f.speech.evidence.speaksAgainst(c)
	}
}
