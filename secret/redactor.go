package secret

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// shortest is the length in bytes from which a [Redactor] knows a secret. A
// shorter one would tear ordinary words apart, and protects nothing.
const shortest = 4

// Redact takes secrets out of a text, in the forms in which they travel:
// servers quote what they refuse. Empty secrets are in no text.
func Redact(s string, secrets ...string) string { return replacer(secrets).Replace(s) }

// Redactor takes the secrets that were added to it out of texts. Its zero value
// knows none. Secrets of less than four bytes are left where they are.
type Redactor struct {
	mu       sync.Mutex
	known    []string
	passing  []string // of sessions, the newest last
	replacer atomic.Pointer[strings.Replacer]
}

// Add makes secrets known. None is ever forgotten: what was changed may still
// be quoted.
func (r *Redactor) Add(secrets ...Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.known)
	for _, s := range secrets {
		if v := s.Reveal(); len(v) >= shortest && !slices.Contains(r.known, v) {
			r.known = append(r.known, v)
		}
	}
	if len(r.known) > before {
		r.store()
	}
}

// passingMost is how many secrets of sessions a [Redactor] knows at a time.
const passingMost = 64

// AddPassing makes secrets known that last as long as a session, of which there
// are new ones all day: the newest 64 are known.
func (r *Redactor) AddPassing(secrets ...Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.passing)
	for _, s := range secrets {
		if v := s.Reveal(); len(v) >= shortest && !slices.Contains(r.passing, v) {
			r.passing = append(r.passing, v)
		}
	}
	if len(r.passing) > before {
		r.passing = slices.Clone(r.passing[max(0, len(r.passing)-passingMost):])
		r.store()
	}
}

// store renews what takes the secrets out. The caller holds mu.
func (r *Redactor) store() { r.replacer.Store(replacer(slices.Concat(r.known, r.passing))) }

// Redact returns the text without the secrets.
func (r *Redactor) Redact(s string) string {
	if replacer := r.replacer.Load(); replacer != nil {
		return replacer.Replace(s)
	}
	return s
}

// Writer returns a writer that passes on what is written without the secrets.
// A secret must be within one Write, as it is when a [log/slog.Handler] writes
// its records.
func (r *Redactor) Writer(w io.Writer) io.Writer { return &writer{r, w} }

type writer struct {
	redactor *Redactor
	next     io.Writer
}

// Write implements [io.Writer].
func (w *writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.next, w.redactor.Redact(string(p))); err != nil {
		return 0, fmt.Errorf("write redacted: %w", err)
	}
	return len(p), nil
}

// replacer replaces every form of the secrets. The longest go first: one
// secret may begin with another.
func replacer(secrets []string) *strings.Replacer {
	var all []string
	for _, s := range secrets {
		if s != "" {
			all = append(all, forms(s)...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(all) {
		pairs = append(pairs, form, Redacted)
	}
	return strings.NewReplacer(pairs...)
}

// forms returns a secret as it stands in JSON, addresses, pages and headers,
// and each of those once more as a log quotes it.
func forms(s string) []string {
	once := append(quoted(s), s, url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s))
	out := inBase64(s)
	for _, form := range once {
		out = append(append(out, form), quoted(form)...)
	}
	return out
}

// quoted returns what stands between the quotes for a text: in JSON with and
// without the escapes for pages, and in Go.
func quoted(s string) []string {
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // no string makes it fail
	marshalled, _ := json.Marshal(s)
	out := []string{strings.TrimSuffix(plain.String(), "\n"), string(marshalled), strconv.Quote(s)}
	for i, text := range out {
		out[i] = text[1 : len(text)-1]
	}
	return out
}

// inBase64 returns what base64 makes of a secret alone and, without the
// characters that its neighbours share, at each of the three offsets that it
// may have within something longer: a password in the header of Basic
// authentication, a token in another token.
func inBase64(s string) []string {
	const enough = 4 // characters; fewer are in any word
	var out []string
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		out = append(out, encoding.EncodeToString([]byte(s)))
		for offset := range 3 {
			encoded := encoding.EncodeToString(append(make([]byte, offset), s...))
			from, to := (offset*8+5)/6, (offset+len(s))*8/6
			if to-from >= enough {
				out = append(out, encoded[from:to])
			}
		}
	}
	return out
}
