package dialect

// A single message may be an accident, so a claim that follows only from
// observations is believed after [EnoughEvidence] of them. Each contrary
// observation takes one away; at zero the claim is dropped. A restriction that
// the server itself states when it refuses a request is believed at once. A
// [trial] tests after each start whether it still holds.

// claim is a statement about a server that may be true.
type claim struct {
	kind   claimKind
	op     string
	detail string // details, such as the name of a field
}

type claimKind string

// The claims that depend on observations.
const (
	claimKeyless             claimKind = "keyless" // updates do not say which record they are for
	claimFails               claimKind = "fails"   // a field fails or cannot be read
	claimTooLong             claimKind = "long"    // long requests end the connection
	claimOfferedAlone        claimKind = "alone"   // a sub-protocol works only when it is offered alone
	claimSubscriptionRefused claimKind = "mute"    // the subscription is refused although its query is answered
)

const (
	// EnoughEvidence is the number of observations to believe a claim.
	EnoughEvidence = 3
	// maxObservations caps the count, so that a claim does not become harder to
	// drop.
	maxObservations = 8
)

// evidence counts the observations for each claim.
type evidence map[claim]int

// countSupport counts an observation that supports the claim and reports whether to believe it.
func (e evidence) countSupport(c claim) bool {
	e[c] = min(e[c]+1, maxObservations)
	return e[c] >= EnoughEvidence
}

// countContradiction counts a contrary observation and reports whether the claim is dropped.
func (e evidence) countContradiction(c claim) bool {
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

// restore restores a claim from the saved profile: one more observation is enough to believe it
// again.
func (e evidence) restore(c claim) { e[c] = EnoughEvidence - 1 }
