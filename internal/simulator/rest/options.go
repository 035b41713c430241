package rest

// Edition is an edition of document 1.
type Edition string

// Editions of document 1. GET /rest/auth/version returns them.
const (
	Edition102 Edition = "1.0.2"
	Edition140 Edition = "1.4.0"
)

// Errors is a format of the bodies of REST errors, which document 1 does not show.
type Errors string

// Values of Errors.
const (
	ErrorsJSON  Errors = "json"  // {"exception": ..., "message": ...}
	ErrorsText  Errors = "text"  // one line of text
	ErrorsHTML  Errors = "html"  // an error page of a web container
	ErrorsEmpty Errors = "empty" // an empty body
	// ErrorsFields is {"title": ..., "errors": [{"field": ..., "defaultMessage":
	// ...}]} without an exception.
	ErrorsFields  Errors = "fields"
	ErrorsHostile Errors = "hostile" // a megabyte of unclosed tags
)
