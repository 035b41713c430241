package notify

import (
	"strings"

	"wallboard/model"
)

// Limits of an SMS message: a longer one would cost more and not be read.
const (
	maxSMSParts   = 3
	smsPartLength = 153 // characters in each SMS of a longer message
)

// fitSMS shortens a text to the given number of SMS, at a word boundary if possible, and
// marks it as cut.
func fitSMS(text string, most int) string {
	if model.SMSParts(text) <= most {
		return text
	}
	const cut = " (cut)"
	runes := []rune(text)
	low, high := 0, min(len(runes), most*smsPartLength) // longer texts never fit
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
