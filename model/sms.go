package model

import (
	"strings"
	"unicode/utf16"
)

// The lengths of SMS (3GPP TS 23.038 and 23.040): of a single one, and of each part of a
// longer message, in characters of the GSM alphabet or, for other texts, in UTF-16 units.
const (
	gsmOne, gsmEach = 160, 153
	ucsOne, ucsEach = 70, 67
)

// gsmAlphabet is the GSM alphabet; each character of wide counts twice.
const (
	gsmAlphabet = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtended = "^{}\\[~]|€"
)

// MaxSMSParts is the maximum number of SMS in a message that a user sends. Document 1
// shows no limit; this one limits the cost.
const MaxSMSParts = 10

// SMSParts returns the number of SMS that a text needs.
func SMSParts(text string) int {
	places, plain := 0, true
	for _, c := range text {
		switch {
		case strings.ContainsRune(gsmExtended, c):
			places += 2
		case strings.ContainsRune(gsmAlphabet, c):
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
