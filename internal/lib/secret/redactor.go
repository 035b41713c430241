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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// minSecretLength is the minimum length in bytes of a secret that a [Redactor] removes. A
// shorter secret would match ordinary words.
const minSecretLength = 4

// Redact replaces secrets in s with [Redacted], in all encodings in which servers may quote
// them. It ignores empty secrets. It replaces a secret that looks like a short word or number
// only as a whole word or number, so that the password "all" leaves "call" readable.
func Redact(s string, secrets ...string) string { return newReplacer(secrets).replace(s) }

// Redactor replaces registered secrets in strings with [Redacted]. The zero Redactor has no
// secrets. It does not register secrets shorter than four bytes.
type Redactor struct {
	mu             sync.Mutex
	secrets        []string
	sessionSecrets []string // secrets of sessions, newest last
	replacer       atomic.Pointer[replacer]
}

// Add registers secrets for the lifetime of the Redactor, because a server may quote a secret
// even after it was replaced.
func (r *Redactor) Add(secrets ...Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := len(r.secrets)
	for _, s := range secrets {
		if v := s.Reveal(); len(v) >= minSecretLength && !slices.Contains(r.secrets, v) {
			r.secrets = append(r.secrets, v)
		}
	}
	if len(r.secrets) > count {
		r.rebuildReplacer()
	}
}

// maxSessionSecrets is the maximum number of session secrets that a [Redactor] keeps.
const maxSessionSecrets = 64

// AddSession registers the secrets of sessions. Sessions change all day, so the Redactor keeps
// only the newest 64 of these secrets.
func (r *Redactor) AddSession(secrets ...Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := len(r.sessionSecrets)
	for _, s := range secrets {
		if v := s.Reveal(); len(v) >= minSecretLength && !slices.Contains(r.sessionSecrets, v) {
			r.sessionSecrets = append(r.sessionSecrets, v)
		}
	}
	if len(r.sessionSecrets) > count {
		r.sessionSecrets = slices.Clone(r.sessionSecrets[max(0, len(r.sessionSecrets)-maxSessionSecrets):])
		r.rebuildReplacer()
	}
}

// rebuildReplacer rebuilds the replacer from all secrets. The caller holds mu.
func (r *Redactor) rebuildReplacer() {
	r.replacer.Store(newReplacer(slices.Concat(r.secrets, r.sessionSecrets)))
}

// Redact returns s with [Redacted] in place of the registered secrets.
func (r *Redactor) Redact(s string) string {
	if replacer := r.replacer.Load(); replacer != nil {
		return replacer.replace(s)
	}
	return s
}

// Writer returns a writer that replaces the secrets in the data written to it and writes the
// result to w. It finds a secret only if a single Write contains all of it; a
// [log/slog.Handler] writes whole records.
func (r *Redactor) Writer(w io.Writer) io.Writer { return &writer{r, w} }

type writer struct {
	redactor *Redactor
	next     io.Writer
}

// Write implements [io.Writer]. On success it returns len(p), although the length of the
// redacted data may differ.
func (w *writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.next, w.redactor.Redact(string(p))); err != nil {
		return 0, fmt.Errorf("write redacted: %w", err)
	}
	return len(p), nil
}

// replacer replaces the encoded forms of secrets.
type replacer struct {
	anywhereReplacer *strings.Replacer
	words            []string // secrets to replace only as whole words or numbers, longest first
}

// newReplacer returns a replacer for all encoded forms of secrets. Longer forms come first,
// because a secret may begin with another one.
func newReplacer(secrets []string) *replacer {
	r := &replacer{}
	var all []string
	for _, s := range secrets {
		if s == "" {
			continue
		}
		if isShortWord(s) {
			r.words = append(r.words, s)
		}
		all = append(all, encodedForms(s)...)
	}
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	slices.SortFunc(r.words, longestFirst)
	slices.SortFunc(all, longestFirst)
	var pairs []string
	for _, form := range slices.Compact(all) {
		if !slices.Contains(r.words, form) {
			pairs = append(pairs, form, Redacted)
		}
	}
	r.anywhereReplacer = strings.NewReplacer(pairs...)
	return r
}

// replace returns s with [Redacted] in place of the secrets.
func (r *replacer) replace(s string) string {
	s = r.anywhereReplacer.Replace(s)
	for _, word := range r.words {
		s = replaceWord(s, word)
	}
	return s
}

// shortWordLength is the length in bytes from which a secret is replaced inside of words, too. Ordinary
// words rarely contain a word of this length.
const shortWordLength = 8

// isShortWord reports whether s is short and consists only of letters or only of digits, as the
// parts of ordinary words and numbers do.
func isShortWord(s string) bool {
	return len(s) < shortWordLength && (strings.TrimFunc(s, isLetter) == "" || strings.TrimFunc(s, unicode.IsDigit) == "")
}

// isLetter reports whether r is a letter of a script with upper and lower case. Other scripts, such
// as Chinese, may have no space between words.
func isLetter(r rune) bool { return unicode.IsLower(r) || unicode.IsUpper(r) }

// replaceWord replaces word in s, except inside of a longer word or number.
func replaceWord(s, word string) string {
	var b strings.Builder
	done := 0 // s[:done] is in b
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			break
		}
		i += from
		if from = i + len(word); !isInside(s[:i], s[from:], word) {
			b.WriteString(s[done:i])
			b.WriteString(Redacted)
			done = from
		}
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}

// isInside reports whether word continues the text before it, or the text after it continues word,
// in one word or number. An upper-case letter after a lower-case one begins a word, as in userName.
func isInside(before, after, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	previous, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return continues(previous, first) && !escape.MatchString(before[max(0, len(before)-longestEscape):]) || continues(last, next)
}

// continues reports whether b continues the word or number that ends with a.
func continues(a, b rune) bool {
	return unicode.IsDigit(a) && unicode.IsDigit(b) ||
		isLetter(a) && isLetter(b) && (!unicode.IsLower(a) || !unicode.IsUpper(b))
}

// escape matches an escaped character of a URL, JSON or Go at the end of a text. Its letters and
// digits are not part of the word after it. longestEscape is its maximum length in bytes.
var escape = regexp.MustCompile(`(%[0-9A-Fa-f]{2}|\\[a-z]|\\x[0-9A-Fa-f]{2}|\\[0-7]{3}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})$`)

const longestEscape = 10

// encodedForms returns the forms that s, a secret, has in JSON, URLs, HTML, base64 and
// headers. Except for base64, it also returns each form as quoted in a log.
func encodedForms(s string) []string {
	encodedOnce := append(quotedForms(s), s, url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s))
	out := base64Forms(s)
	for _, form := range encodedOnce {
		out = append(append(out, form), quotedForms(form)...)
	}
	return out
}

// quotedForms returns s as quoted in JSON without HTML escapes, in JSON with HTML escapes, and
// in Go. The quotation marks are removed.
func quotedForms(s string) []string {
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // encoding a string cannot fail
	marshalled, _ := json.Marshal(s)
	out := []string{strings.TrimSuffix(plain.String(), "\n"), string(marshalled), strconv.Quote(s)}
	for i, text := range out {
		out[i] = text[1 : len(text)-1]
	}
	return out
}

// base64Forms returns the base64 forms of a secret: encoded alone, and encoded as part of a
// longer string at each of the three possible offsets. In a longer string, the first and last
// characters also depend on the neighbors of the secret and are left out. Examples are a
// password in a Basic authentication header and a token inside another token.
func base64Forms(s string) []string {
	const minFormLength = 4 // characters; shorter forms occur in ordinary words
	var out []string
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		out = append(out, encoding.EncodeToString([]byte(s)))
		for offset := range 3 {
			encoded := encoding.EncodeToString(append(make([]byte, offset), s...))
			from, to := (offset*8+5)/6, (offset+len(s))*8/6
			if to-from >= minFormLength {
				out = append(out, encoded[from:to])
			}
		}
	}
	return out
}
