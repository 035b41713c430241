package notify

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
	mostSegments    = 3 // of one message: more is paid for and not read
)

// gsm is the GSM alphabet; what is in wide takes two places.
const (
	gsm  = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	wide = "^{}\\[~]|€"
)

// segments returns how many SMS a text takes.
func segments(text string) int {
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

// fitSMS cuts a text to what so many SMS take, at a word where there is one, and
// says so.
func fitSMS(text string, most int) string {
	if segments(text) <= most {
		return text
	}
	const cut = " (cut)"
	runes := []rune(text)
	low, high := 0, min(len(runes), most*gsmEach) // low fits
	for low < high {
		if mid := (low + high + 1) / 2; segments(string(runes[:mid])+cut) <= most {
			low = mid
		} else {
			high = mid - 1
		}
	}
	short := string(runes[:low])
	if at := strings.LastIndexByte(short, ' '); at > len(short)*3/4 {
		short = short[:at]
	}
	return short + cut
}
