package secret

import (
	"crypto/subtle"
	"fmt"
	"log/slog"
)

// Redacted is printed in place of a secret.
const Redacted = "[redacted]"

// Text is a string that prints as [redacted] with fmt, encoding/json, encoding.TextMarshaler
// and log/slog. The zero Text is the empty secret.
type Text struct {
	// value is a pointer, because fmt prints unexported fields of an enclosing struct without
	// calling the methods of Text. For a pointer, fmt prints only the address.
	value *string
}

// New returns a [Text] that holds value.
func New(value string) Text {
	return Text{value: &value}
}

// Reveal returns the secret. It must not be logged or displayed.
func (s Text) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsZero reports whether the secret is empty.
func (s Text) IsZero() bool { return s.Reveal() == "" }

// Equal reports whether two secrets are equal. For secrets of the same length, the comparison
// takes constant time.
func (s Text) Equal(t Text) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(t.Reveal())) == 1
}

// String implements [fmt.Stringer]. It returns [Redacted].
func (Text) String() string { return Redacted }

// GoString implements [fmt.GoStringer]. It returns [Redacted].
func (Text) GoString() string { return Redacted }

// Format implements [fmt.Formatter]. It writes [Redacted] for every verb and flag.
func (Text) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(Redacted)) // writing to fmt's buffer cannot fail
}

// MarshalJSON implements json.Marshaler. It returns [Redacted] as a JSON string.
func (Text) MarshalJSON() ([]byte, error) { return []byte(`"` + Redacted + `"`), nil }

// MarshalText implements encoding.TextMarshaler. It returns [Redacted].
func (Text) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// LogValue implements [slog.LogValuer]. It returns [Redacted].
func (Text) LogValue() slog.Value { return slog.StringValue(Redacted) }
