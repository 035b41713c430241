package feeds

import (
	"time"

	"wallboard/feeds/dialect"
)

// adapting is what was tried on a connection to be understood by the server.
type adapting struct {
	times    int   // that it was spoken to in another way
	searched bool  // what it does not take was looked for
	hunt     *hunt // nil: no search is under way
	typed    bool  // the types of the records were asked for
	typesID  string
	typesAt  time.Time // when they are asked for again
	bare     bool      // nothing was taken of the records, whatever their type
}

// hunt is a search for what a server does not take that is under way for a
// subscription.
type hunt struct {
	search  *dialect.Search
	reason  string // of the refusal, as the server put it
	id      string // of the query under way
	askedAt time.Time
}
