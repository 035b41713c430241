package model

import (
	"strings"
	"unicode/utf16"
)

// The lengths of SMS (3GPP TS 23.038 and 23.040): of one, and of each of several
// that belong together, in characters of the GSM alphabet or, where there are
// others, in units of UTF-16.
const (
	gsmOne, gsmEach = 160, 153
	ucsOne, ucsEach = 70, 67
)

// gsm is the GSM alphabet; what is in wide takes two places.
const (
	gsm  = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	wide = "^{}\\[~]|€"
)

// MostSMSParts is how many SMS a text may take that a person sends. Document 1
// shows no bound: this is ours, since each of them is paid for.
const MostSMSParts = 10

// SMSParts returns how many SMS a text takes.
func SMSParts(text string) int {
	places, plain := 0, true
	for _, c := range text {
		switch {
		case strings.ContainsRune(wide, c):
			places += 2
		case strings.ContainsRune(gsm, c):
			places++
		default:
			plain = false
		}
	}
	one, each := gsmOne, gsmEach
	if !plain {
		places, one, each = len(utf16.Encode([]rune(text))), ucsOne, ucsEach
	}
	if places <= one {
		return 1
	}
	return (places + each - 1) / each
}
