package feeds

import (
	"time"

	"wallboard/feeds/dialect"
)

// adaptation records what was tried on this connection to make the server accept one operation.
type adaptation struct {
	retries        int            // retries of the operation in a different form
	fieldsSearched bool           // the search for refused fields has run
	fieldSearch    *runningSearch // search for the fields that the server refuses; nil: none is running
	typesQueried   bool           // the types of the records were queried
	typesQueryID   string         // id of the query for the types; "": not running
	typesRetryAt   time.Time      // when to query the types again
	allRefused     bool           // the server accepted no field, whatever the type
}

// runningSearch is a running search for the fields that a server refuses.
type runningSearch struct {
	search    *dialect.Search
	reason    string // error message of the refusal
	queryID   string // id of the running query of the search
	queriedAt time.Time
}
