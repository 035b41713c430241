package doctor

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
)

// Bundle collects the files of a support bundle: a zip file with the information that a developer
// needs to understand a problem, without secrets and names. It contains only settings, figures and
// log attributes that a list in this package allows, and describes what was left out, with the
// reasons. The zero Bundle is empty.
type Bundle struct {
	files     []file
	omissions []string
	names     []string
	secrets   []string
}

type file struct {
	name, description, text string
	isExternal              bool // the text may contain secrets and names
}

// Hide registers names. [Bundle.Write] replaces them in external texts, ignoring case. Hide
// ignores names of one byte and numbers of up to two digits, which would hide parts of
// ordinary text. A number, or an ASCII name of less than four bytes, is replaced only where it
// is not adjacent to a letter or digit.
func (b *Bundle) Hide(names ...string) {
	for _, w := range names {
		if w = strings.TrimSpace(w); isHideable(w) {
			b.names = append(b.names, w)
		}
	}
}

// HideSecrets registers secrets. [Bundle.Write] replaces them in external texts, in all
// encodings in which servers quote them.
func (b *Bundle) HideSecrets(secrets ...secret.Text) {
	for _, s := range secrets {
		if v := s.Reveal(); v != "" {
			b.secrets = append(b.secrets, v)
		}
	}
}

// Hidden replaces a secret or a name.
const Hidden = "[hidden]"

// Add adds a file that contains only the program's own words and numbers. about describes the
// file in one line.
func (b *Bundle) Add(name, about, text string) {
	b.files = append(b.files, file{name: name, description: about, text: text})
}

// AddExternal adds a file with external text, such as a log. [Bundle.Write] replaces all secrets
// and names in it, including those registered later. about describes the file in one line.
func (b *Bundle) AddExternal(name, about, text string) {
	b.files = append(b.files, file{name, about, text, true})
}

// AddOmission records that something is not in the bundle. what describes it, and why is the reason.
func (b *Bundle) AddOmission(what, why string) { b.omissions = append(b.omissions, what+": "+why) }

// Write writes the bundle as a zip file. created is the modification time of all files in it.
func (b *Bundle) Write(w io.Writer, created time.Time) error {
	var text strings.Builder
	text.WriteString("Support bundle of the wallboard, " + created.UTC().Format(time.RFC3339) + "\n\nFiles\n")
	for _, f := range b.files {
		fmt.Fprintf(&text, "  %-20s %s\n", f.name, f.description)
	}
	text.WriteString("\nLeft out\n")
	for _, l := range b.omissions {
		text.WriteString("  " + l + "\n")
	}
	text.WriteString("\nSecrets and names are replaced by " + Hidden + ". Read the files before you send them.\n")
	names := newHider(b.names)
	z := zip.NewWriter(w)
	for _, f := range append([]file{{name: "README.txt", text: text.String()}}, b.files...) {
		if f.isExternal {
			f.text = names.hide(strings.ReplaceAll(secret.Redact(f.text, b.secrets...), secret.Redacted, Hidden))
		}
		out, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: created})
		if err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
		if _, err := io.WriteString(out, f.text); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	return z.Close()
}
