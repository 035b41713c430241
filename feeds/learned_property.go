package feeds

// minConsistent is how many consistent observations in a row make a property known.
const minConsistent = 3

// learnedProperty is a property of a server that only the server's messages show. After
// minConsistent consistent observations in a row it is known to be true or false. After the first
// contrary observation it is unknown again. It survives reconnects but not a restart of the board.
type learnedProperty struct{ confirmations, contradictions int }

// observe adds an observation: yes is true if the server showed the property.
func (p *learnedProperty) observe(yes bool) {
	if yes {
		p.confirmations, p.contradictions = p.confirmations+1, 0
	} else {
		p.confirmations, p.contradictions = 0, p.contradictions+1
	}
}

// isKnownTrue reports whether the server is known to have the property.
func (p *learnedProperty) isKnownTrue() bool { return p.confirmations >= minConsistent }

// isKnownFalse reports whether the server is known to lack the property.
func (p *learnedProperty) isKnownFalse() bool { return p.contradictions >= minConsistent }
