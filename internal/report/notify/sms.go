package notify

import (
	"strings"

	"wallboard/model"
)

// The maximum number of SMS for one message: more would cost money and not be read.
const (
	mostSegments = 3
	mostEach     = 153 // characters per SMS
)

// fitSMS shortens a text to the given number of SMS, at a word boundary if possible, and
// marks it as cut.
func fitSMS(text string, most int) string {
	if model.SMSParts(text) <= most {
		return text
	}
	const cut = " (cut)"
	runes := []rune(text)
	low, high := 0, min(len(runes), most*mostEach) // low fits
	for low < high {
		if mid := (low + high + 1) / 2; model.SMSParts(string(runes[:mid])+cut) <= most {
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
