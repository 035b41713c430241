package feeds

// serverSchema is what the server's introspection says.
type serverSchema struct {
	roots   map[string]string            // query root -> subscription root
	filters map[string]string            // query root -> the type of its filter
	fields  map[string]map[string]string // type -> field -> the field's type
	types   map[string]string            // query root -> its result type
}
