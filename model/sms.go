package model

import (
	"strings"
	"unicode/utf16"
)

// Maximum lengths of an SMS (3GPP TS 23.038 and 23.040): of a single SMS, and of each part of a
// longer message. The length of a message in the GSM alphabet is counted in its characters, that of
// any other message in UTF-16 code units.
const (
	maxGSMSingle, maxGSMPart = 160, 153
	maxUCSSingle, maxUCSPart = 70, 67
)

// gsmAlphabet contains the characters of the GSM alphabet that take one place in an SMS. The
// characters of gsmExtended take two.
const (
	gsmAlphabet = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtended = "^{}\\[~]|€"
)

// MaxSMSParts is the maximum number of SMS for one message of a user. Document 1 states no
// limit; this one limits the cost.
const MaxSMSParts = 10

// SMSParts returns the number of SMS needed to send text.
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
	single, perPart := maxGSMSingle, maxGSMPart
	if !plain {
		places, single, perPart = len(utf16.Encode([]rune(text))), maxUCSSingle, maxUCSPart
	}
	if places <= single {
		return 1
	}
	return (places + perPart - 1) / perPart
}
