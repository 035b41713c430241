package dialect

// A single message may be an accident, so a claim that follows only from observations is believed
// after [EnoughEvidence] observations. Each contrary observation cancels one of them. When none is
// left, the claim is dropped. If the server itself states a restriction when it refuses a request,
// the restriction is believed at once. A [trial] tests after each start whether a learned
// restriction still applies.

// claim is a statement about a server, such as "updates of the operation op have no keys".
// Observations support or contradict it.
type claim struct {
	kind   claimKind
	op     string
	detail string // what the claim is about, such as the name of a field
}

type claimKind string

// The kinds of claims.
const (
	claimKeyless             claimKind = "keyless" // updates do not say which record they concern
	claimFieldFails          claimKind = "fails"   // a field fails or cannot be read
	claimTooLong             claimKind = "long"    // long requests end the connection
	claimSingleSubprotocol   claimKind = "alone"   // a sub-protocol works only when it is offered alone
	claimSubscriptionRefused claimKind = "mute"    // the subscription is refused although its query is answered
)

const (
	// EnoughEvidence is the number of observations after which a claim is believed.
	EnoughEvidence = 3
	// maxObservations limits how many observations count, so that contrary observations can always
	// drop a claim quickly.
	maxObservations = 8
)

// evidence maps each claim to the number of observations that support it.
type evidence map[claim]int

// countSupport counts an observation that supports c. It reports whether c is believed now.
func (e evidence) countSupport(c claim) bool {
	e[c] = min(e[c]+1, maxObservations)
	return e[c] >= EnoughEvidence
}

// countContradiction counts an observation that contradicts c. It reports whether this observation
// dropped the claim.
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

// restore sets the evidence for a claim from the saved profile so that one further observation is
// enough to believe the claim.
func (e evidence) restore(c claim) { e[c] = EnoughEvidence - 1 }
