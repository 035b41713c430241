package feeds

import (
	"time"

	"wallboard/feeds/dialect"
)

// adapting records what was tried on this connection to get the server to
// accept the operation.
type adapting struct {
	times    int   // retries in a different form
	searched bool  // the search for refused fields has run
	hunt     *hunt // nil: no search is running
	typed    bool  // the types of the records were requested
	typesID  string
	typesAt  time.Time // when to ask for the types again
	bare     bool      // the server accepted no field, whatever the type
}

// hunt is a running search for the fields that a server refuses.
type hunt struct {
	search  *dialect.Search
	reason  string // error message of the refusal
	id      string // id of the running query
	askedAt time.Time
}
