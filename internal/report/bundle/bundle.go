// Package bundle makes a support bundle: a zip file with what a developer needs to understand a
// problem, and without secrets and names. Everything is left out unless it is listed here, and the
// bundle says what was left out and why.
//
// The package starts no goroutines.
package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
)

// Bundle collects the files of a support bundle. The zero Bundle is empty.
type Bundle struct {
	files   []file
	leftOut []string
	names   []string
	secrets []string
}

type file struct {
	name, about string
	data        []byte
}

// minName is the minimum length in bytes of a name that is hidden.
const minName = 2

// Hide registers names. [Bundle.Text] replaces them. It ignores names of one byte and numbers of up
// to nine digits, which would hide parts of ordinary text and are not names of people.
func (b *Bundle) Hide(names ...string) {
	for _, w := range names {
		if w = strings.TrimSpace(w); len(w) >= minName && !shortNumber.MatchString(w) {
			b.names = append(b.names, w)
		}
	}
}

// HideSecrets registers secrets. [Bundle.Text] replaces them, also in the encodings in which servers
// quote them, and [Bundle.Write] fails if one is left.
func (b *Bundle) HideSecrets(secrets ...secret.Text) {
	for _, s := range secrets {
		if v := s.Reveal(); v != "" {
			b.secrets = append(b.secrets, v)
		}
	}
}

// shortNumber matches numbers that are counts rather than names.
var shortNumber = regexp.MustCompile(`^[0-9]{1,9}$`)

// Hidden is what a secret or a name is replaced by.
const Hidden = "[hidden]"

// Text returns a text with [Hidden] in place of all secrets and names, whatever case they are in. A
// word of less than four bytes is only replaced if no letter or digit is beside it.
func (b *Bundle) Text(s string) string {
	const shortWord = 4
	var long, short []string
	for _, w := range b.names {
		quoted := regexp.QuoteMeta(w)
		if len(w) < shortWord {
			short = append(short, `\b`+quoted+`\b`)
			continue
		}
		long = append(long, quoted)
	}
	s = strings.ReplaceAll(secret.Redact(s, b.secrets...), secret.Redacted, Hidden)
	longestFirst := func(a, b string) int { return len(b) - len(a) }
	slices.SortStableFunc(long, longestFirst)
	slices.SortStableFunc(short, longestFirst)
	if patterns := append(long, short...); len(patterns) > 0 {
		s = regexp.MustCompile("(?i)"+strings.Join(patterns, "|")).ReplaceAllLiteralString(s, Hidden)
	}
	return s
}

// Add adds a file. about says in a line what it holds. The text must not contain secrets or names;
// texts from outside go through [Bundle.Text].
func (b *Bundle) Add(name, about, text string) {
	b.files = append(b.files, file{name, about, []byte(text)})
}

// LeaveOut notes what is not in the bundle, and why.
func (b *Bundle) LeaveOut(what, why string) { b.leftOut = append(b.leftOut, what+": "+why) }

// Write writes the bundle as a zip file. The times of all files are created. It returns an error if
// a secret is in a file after all; then nothing is written.
func (b *Bundle) Write(w io.Writer, created time.Time) error {
	var text strings.Builder
	text.WriteString("Support bundle of the wallboard, " + created.UTC().Format(time.RFC3339) + "\n\nFiles\n")
	for _, f := range b.files {
		fmt.Fprintf(&text, "  %-20s %s\n", f.name, f.about)
	}
	text.WriteString("\nLeft out\n")
	for _, l := range b.leftOut {
		text.WriteString("  " + l + "\n")
	}
	text.WriteString("\nSecrets and names are replaced by " + Hidden + ". Read the files before you send them.\n")
	for _, f := range b.files {
		for _, s := range b.secrets {
			if bytes.Contains(f.data, []byte(s)) {
				return fmt.Errorf("%s would contain a secret; nothing was written", f.name)
			}
		}
	}
	files := append([]file{{"README.txt", "", []byte(text.String())}}, b.files...) // the program's own words, which a weak password may be
	z := zip.NewWriter(w)
	for _, f := range files {
		out, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: created})
		if err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
		if _, err := out.Write(f.data); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	return z.Close()
}
