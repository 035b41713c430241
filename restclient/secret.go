package restclient

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// redacted is what a secret prints as.
const redacted = "[redacted]"

// secret is a text that does not print.
type secret struct {
	value *string // a pointer: fmt prints unexported fields without asking Format
}

func newSecret(s string) secret { return secret{&s} }

func (s secret) reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// Format writes [redacted] for every verb.
func (secret) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(redacted)) // fmt's buffer can not fail
}

// redact takes secrets out of a text, in the forms in which they travel:
// servers quote what they refuse.
func redact(s string, secrets ...string) string {
	var forms []string
	for _, v := range secrets {
		if v == "" {
			continue
		}
		quoted, _ := json.Marshal(v) // no string makes it fail
		forms = append(forms, v, string(quoted[1:len(quoted)-1]), url.QueryEscape(v), url.PathEscape(v),
			base64.StdEncoding.EncodeToString([]byte(v)))
	}
	// The longest first: one secret may begin with another.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	for _, f := range forms {
		s = strings.ReplaceAll(s, f, redacted)
	}
	return s
}
