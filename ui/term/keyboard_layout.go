package term

import (
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// keyboardLayouts lists the letters of keyboard layouts without Latin letters, and the characters
// on the same keys of a US keyboard. If a letter is on different keys in two layouts, the first of
// these layouts applies.
var keyboardLayouts = [][2]string{
	{"йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"}, // Russian
	{"іїєґў", "s]'\\o"},  // Ukrainian and Belarusian
	{"љњјђћџ", "qwj]'x"}, // Serbian and Macedonian
	{"ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"},                 // Greek
	{"קראטוןםפשדגכעיחלךףזסבהנמצתץ", "ertyuiopasdfghjkl;zxcvbnm,."},             // Hebrew
	{"ضصثقفغعهخحجدشسيبلاتنمكطئءؤرىةوزظذ", "qwertyuiop[]asdfghjkl;'zxcvnm,./`"}, // Arabic
	{"چپکگی", "]\\;'d"},          // Persian
	{"٠١٢٣٤٥٦٧٨٩", "0123456789"}, // Arabic digits
	{"۰۱۲۳۴۵۶۷۸۹", "0123456789"}, // Persian digits
}

// shiftedChars maps the character of a key on a US keyboard to the character of the same key with
// shift. It contains no letter keys.
var shiftedChars = map[rune]rune{'[': '{', ']': '}', ';': ':', '\'': '"', ',': '<', '.': '>', '`': '~', '\\': '|', '/': '?'}

// usKeys maps each letter in [keyboardLayouts] to the character on the same key of a US keyboard.
var usKeys = makeUSKeys()

func makeUSKeys() map[rune]rune {
	keys := make(map[rune]rune)
	for _, layout := range keyboardLayouts {
		latin := []rune(layout[1])
		for i, r := range []rune(layout[0]) {
			if _, ok := keys[r]; !ok {
				keys[r] = latin[i]
			}
		}
	}
	return keys
}

// LatinKey returns the key at the same position of a US keyboard, so that command keys work on
// every layout: "q" for "й". It uses the base layout key of the kitty protocol if the terminal
// sends it, otherwise [keyboardLayouts]. The bool result is false for a key that is unknown or
// already Latin.
func LatinKey(k uv.Key) (uv.Key, bool) {
	r, size := utf8.DecodeRuneInString(k.Text)
	switch {
	case size == 0:
		r = k.Code
	case k.Text == "لا": // a single key that types two letters
		r = 'ﻻ'
	case size < len(k.Text):
		return k, false
	}
	if r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.Is(unicode.Latin, r) {
		return k, false
	}
	latin := k.BaseCode
	if latin == 0 {
		latin = usKeys[unicode.ToLower(r)]
	}
	if r == 'ﻻ' {
		latin = 'b'
	}
	if latin <= ' ' || latin >= utf8.RuneSelf {
		return k, false
	}
	out := uv.Key{Code: latin, Mod: k.Mod}
	if k.Mod&^uv.ModShift == 0 {
		if unicode.IsUpper(r) || k.Mod.Contains(uv.ModShift) {
			latin = shiftedKey(latin)
		}
		out.Text = string(latin)
	}
	return out, true
}

// shiftedKey returns the character that the key r has with shift on a US keyboard.
func shiftedKey(r rune) rune {
	if s, ok := shiftedChars[r]; ok {
		return s
	}
	return unicode.ToUpper(r)
}
