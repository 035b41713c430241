package rest

// object is a JSON object.
type object map[string]any
