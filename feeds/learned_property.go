package feeds

// minConsistent is how many consistent observations in a row make a property known.
const minConsistent = 3

// learnedProperty is a property in which servers differ and which only their messages
// show. It becomes known after enough consistent observations and unknown again
// after the first contradiction. It survives reconnects but not a restart of
// the board. The fields count the observations since the last contradiction.
type learnedProperty struct{ yes, no int }

// observe adds an observation.
func (h *learnedProperty) observe(yes bool) {
	if yes {
		h.yes, h.no = h.yes+1, 0
	} else {
		h.yes, h.no = 0, h.no+1
	}
}

// known reports whether the server is known to have the property.
func (h *learnedProperty) known() bool { return h.yes >= minConsistent }

// knownNot reports whether the server is known to lack the property.
func (h *learnedProperty) knownNot() bool { return h.no >= minConsistent }
