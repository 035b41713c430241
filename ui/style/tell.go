package style

import (
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// Translate returns a text in the language of the look. For a terminal that shows only ASCII characters,
// it replaces dashes and dots, see [textformat.ToASCII].
func (lk *Look) Translate(t words.Text) string {
	return textformat.ToASCII(t.In(lk.Format.Words), lk.ASCII)
}
