package feeds

import (
	"time"

	"wallboard/feeds/dialect"
)

// adaptationState records what was tried on this connection to make the server accept one operation.
type adaptationState struct {
	retries        int            // retries of the operation in a different form
	fieldsSearched bool           // a search for the refused fields was started
	fieldSearch    *runningSearch // search for the fields that the server refuses; nil: none is running
	typesQueried   bool           // the types of the records were queried
	typesQueryID   string         // ID of the query for the types; "": not running
	typesRetryAt   time.Time      // when to query the types again; zero: not scheduled
	allRefused     bool           // a search found that the server refuses all fields, even the key fields
}

type runningSearch struct {
	search    *dialect.Search
	reason    string // error message of the refusal
	queryID   string // ID of the running query of the search
	queriedAt time.Time
}
