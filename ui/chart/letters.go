package chart

import (
	"strings"
	"unicode/utf8"

	"wallboard/internal/lib/textnorm"
)

// LargeLetters returns text in large capital letters without accents, as [HalfDigitRows] lines that are
// width cells wide. ok is false in ASCII, which has no half blocks, and if a character has no large
// form.
func LargeLetters(text string, set CharSet) (lines []string, width int, ok bool) {
	if set == ASCII {
		return nil, 0, false
	}
	dots, ok := glyphRows(strings.ToUpper(textnorm.Fold(text)), capitalDots)
	if !ok {
		return nil, 0, false
	}
	return halveRows(dots, ""), utf8.RuneCountInString(dots[0]), true
}

// capitalDots returns the dots of a capital letter, or of another character of a name or number, in
// the format of digitDots.
func capitalDots(r rune) string {
	const letters = ".#. #.# ### #.# #.#|##. #.# ##. #.# ##.|.## #.. #.. #.. .##|##. #.# #.# #.# ##.|### #.. ##. #.. ###|" +
		"### #.. ##. #.. #..|.## #.. #.# #.# .##|#.# #.# ### #.# #.#|# # # # #|..# ..# ..# #.# .#.|" +
		"#.# #.# ##. #.# #.#|#.. #.. #.. #.. ###|#...# ##.## #.#.# #...# #...#|#..# ##.# #.## #..# #..#|.#. #.# #.# #.# .#.|" +
		"##. #.# ##. #.. #..|.#. #.# #.# #.# .##|##. #.# ##. #.# #.#|.## #.. .#. ..# ##.|### .#. .#. .#. .#.|" +
		"#.# #.# #.# #.# ###|#.# #.# #.# #.# .#.|#...# #...# #.#.# ##.## #...#|#.# #.# .#. #.# #.#|#.# #.# .#. .#. .#.|" +
		"### ..# .#. #.. ###"
	switch {
	case r >= 'A' && r <= 'Z':
		return strings.Split(letters, "|")[r-'A']
	case r == '·':
		return ". . # . ."
	case r == '\'':
		return "# # . . ."
	case r == '(':
		return ".# #. #. #. .#"
	case r == ')':
		return "#. .# .# .# #."
	case r == '_':
		return "... ... ... ... ###"
	}
	return digitDots(r)
}
