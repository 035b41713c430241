package style

import (
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// Translate returns a text in the language of the look. On a terminal that shows only ASCII characters, dashes and dots are
// replaced, see [textformat.ToASCII].
func (lk *Look) Translate(t words.Text) string {
	return textformat.ToASCII(t.In(lk.Format.Words), lk.ASCII)
}
