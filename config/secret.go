package config

import (
	"crypto/subtle"
	"fmt"
	"log/slog"
)

// redacted is what a secret prints as.
const redacted = "[redacted]"

// Secret is a text that prints as [redacted] through fmt, encoding/json,
// encoding.TextMarshaler and log/slog. Its zero value is the empty secret.
type Secret struct {
	// A pointer, because fmt prints the unexported fields of a struct around
	// it without asking these methods: it then shows an address.
	value *string
}

// NewSecret returns a secret that holds value.
func NewSecret(value string) Secret {
	return Secret{value: &value}
}

// Reveal returns the secret itself. It must not reach a log or the screen.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsZero tells whether the secret is empty.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// Equal tells whether two secrets are the same, in constant time for secrets
// of the same length.
func (s Secret) Equal(t Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(t.Reveal())) == 1
}

// String returns [redacted].
func (Secret) String() string { return redacted }

// GoString returns [redacted].
func (Secret) GoString() string { return redacted }

// Format writes [redacted] for every verb.
func (Secret) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(redacted)) // fmt's buffer cannot fail
}

// MarshalJSON returns "[redacted]".
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText returns [redacted].
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue returns [redacted].
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
