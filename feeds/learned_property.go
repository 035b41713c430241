package feeds

// minConsistent is how many consistent observations in a row make a property known.
const minConsistent = 3

// learnedProperty is a property in which servers differ and which only their messages
// show. It becomes known after enough consistent observations and unknown again
// after the first contradiction. It survives reconnects but not a restart of
// the board. The fields count the observations since the last contradiction.
type learnedProperty struct{ confirmations, contradictions int }

// observe adds an observation.
func (h *learnedProperty) observe(yes bool) {
	if yes {
		h.confirmations, h.contradictions = h.confirmations+1, 0
	} else {
		h.confirmations, h.contradictions = 0, h.contradictions+1
	}
}

// isKnownTrue reports whether the server is known to have the property.
func (h *learnedProperty) isKnownTrue() bool { return h.confirmations >= minConsistent }

// isKnownFalse reports whether the server is known to lack the property.
func (h *learnedProperty) isKnownFalse() bool { return h.contradictions >= minConsistent }
