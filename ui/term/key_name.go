package term

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsAssignableKey reports whether an action may be assigned to the key with the given name.
// Terminals must be able to distinguish the key from other keys. ctrl+c is not assignable, because
// it is the key that quits.
func IsAssignableKey(name string) bool {
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 {
		return unicode.IsGraphic(r) && r != utf8.RuneError && !unicode.IsSpace(r)
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' && !strings.Contains("cijm", letter)
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "f")); err == nil && name == "f"+strconv.Itoa(n) {
		return n >= 1 && n <= 12
	}
	return slices.Contains([]string{
		"enter", "esc", "tab", "shift+tab", "space", "backspace", "delete", "insert", "left", "right", "home", "end", "pgup", "pgdown",
	}, name)
}
