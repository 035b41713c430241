package style

import (
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// Tell returns a text in the language of the look. On a terminal that shows only ASCII characters, dashes and dots are
// replaced, see [textformat.ASCII].
func (lk *Look) Tell(t words.Text) string { return textformat.ASCII(t.In(lk.Format.Words), lk.ASCII) }
