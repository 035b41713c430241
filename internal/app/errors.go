package app

// ConfigError is an error in the configuration.
type ConfigError struct{ err error }

// Error implements error.
func (e ConfigError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e ConfigError) Unwrap() error { return e.err }
