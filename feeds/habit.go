package feeds

// enoughSeen is how much evidence in a row makes something known.
const enoughSeen = 3

// habit is a way in which servers differ and which only their messages show. It
// is known after enough evidence in a row, and unlearnt by the first to the
// contrary; a connection begins with what the one before it knew, a start with
// nothing.
type habit struct{ yes, no int }

// sees takes evidence over.
func (h *habit) sees(yes bool) {
	if yes {
		h.yes, h.no = h.yes+1, 0
	} else {
		h.yes, h.no = 0, h.no+1
	}
}

// is reports whether the server is known to do so.
func (h *habit) is() bool { return h.yes >= enoughSeen }

// isNot reports whether it is known not to.
func (h *habit) isNot() bool { return h.no >= enoughSeen }
