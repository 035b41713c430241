package app

// ConfigError is an error in the configuration.
type ConfigError struct{ Err error }

// Error implements error.
func (e ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the error that was wrapped.
func (e ConfigError) Unwrap() error { return e.Err }
