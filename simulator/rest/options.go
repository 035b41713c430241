package rest

// Edition is an edition of document 1.
type Edition string

// The documented editions, as GET /rest/auth/version tells them.
const (
	Edition102 Edition = "1.0.2"
	Edition140 Edition = "1.4.0"
)

// Errors is the form of the bodies of REST errors, which document 1 does
// not show.
type Errors string

// The forms of a REST error's body.
const (
	ErrorsJSON  Errors = "json"  // {"exception": ..., "message": ...}
	ErrorsText  Errors = "text"  // one line
	ErrorsHTML  Errors = "html"  // the page of a web container
	ErrorsEmpty Errors = "empty" // nothing
	// ErrorsFields is {"title": ..., "errors": [{"field": ..., "defaultMessage": ...}]}, without an exception.
	ErrorsFields  Errors = "fields"
	ErrorsHostile Errors = "hostile" // a megabyte that is hard to read: tags that never end
)
