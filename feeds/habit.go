package feeds

// enoughSeen is how many consistent observations in a row make a habit known.
const enoughSeen = 3

// habit is a property in which servers differ and which only their messages
// show. It becomes known after enough consistent observations and unknown again
// after the first contradiction. It survives reconnects but not a restart of
// the board.
type habit struct{ yes, no int }

// sees adds an observation.
func (h *habit) sees(yes bool) {
	if yes {
		h.yes, h.no = h.yes+1, 0
	} else {
		h.yes, h.no = 0, h.no+1
	}
}

// is reports whether the server is known to have the habit.
func (h *habit) is() bool { return h.yes >= enoughSeen }

// isNot reports whether the server is known not to have the habit.
func (h *habit) isNot() bool { return h.no >= enoughSeen }
