package rest

// Edition is an edition of document 1.
type Edition string

// Editions of document 1. GET /rest/auth/version returns the edition of the service.
const (
	Edition102 Edition = "1.0.2"
	Edition140 Edition = "1.4.0"
)

// ErrorFormat is a format of the bodies of REST errors, which document 1 does not show.
type ErrorFormat string

// Values of ErrorFormat.
const (
	ErrorsJSON  ErrorFormat = "json"  // {"exception": ..., "message": ...}
	ErrorsText  ErrorFormat = "text"  // one line of text
	ErrorsHTML  ErrorFormat = "html"  // an error page of a web container
	ErrorsEmpty ErrorFormat = "empty" // an empty body
	// ErrorsFields is {"title": ..., "errors": [{"field": ..., "defaultMessage":
	// ...}]} without an exception.
	ErrorsFields  ErrorFormat = "fields"
	ErrorsHostile ErrorFormat = "hostile" // a megabyte of unclosed tags
)
