package dialect

// Evidence decides what is believed of a server. One message may be nonsense: it
// takes [Enough] of a kind to believe something that was only observed, each
// observation of the contrary takes one away, and when none is left it is no
// longer believed. What a server says itself about a request, in the refusal of
// it, counts for all of that at once; whether it still says so is tried again
// after each start (see trial).

// claim is something that may be true of a server.
type claim struct {
	kind claimKind
	op   string
	what string // a field, for example
}

type claimKind string

// The claims that are weighed by what is observed.
const (
	claimKeyless claimKind = "keyless" // updates do not say which record they are for
	claimFails   claimKind = "fails"   // a field cannot be had, or be understood
	claimTooLong claimKind = "long"    // requests that are too long end the connection
	claimAlone   claimKind = "alone"   // a sub-protocol works when it is offered alone, and not beside the other
	claimMute    claimKind = "mute"    // the subscription is refused while its query is answered
)

const (
	// Enough is how many observations are believed.
	Enough = 3
	// mostCounted is how many are counted: further ones make it no harder to unlearn.
	mostCounted = 8
)

// evidence is what speaks for the claims.
type evidence map[claim]int

// speaksFor counts an observation, and reports whether the claim is to be
// believed.
func (e evidence) speaksFor(c claim) bool {
	e[c] = min(e[c]+1, mostCounted)
	return e[c] >= Enough
}

// speaksAgainst counts an observation of the contrary, and reports whether
// nothing is left that speaks for the claim.
func (e evidence) speaksAgainst(c claim) bool {
	n, ok := e[c]
	if !ok {
		return false
	}
	if n > 1 {
		e[c] = n - 1
		return false
	}
	delete(e, c)
	return true
}

// recall counts what was believed when the board ran last: one more observation
// is enough to believe it again.
func (e evidence) recall(c claim) { e[c] = Enough - 1 }
