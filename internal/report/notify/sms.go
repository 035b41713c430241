package notify

import (
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
)

// Limits of an SMS message. Longer messages cost more but are not read.
const (
	maxSMSParts   = 3
	smsPartLength = 153 // characters of each part of a message that has several parts
)

// fitSMS returns text, shortened if it needs more SMS parts than most allows. A shortened text
// is cut after a word if possible, and ends with " (cut)" in the language l.
func fitSMS(text string, most int, l *words.Language) string {
	if model.SMSParts(text) <= most {
		return text
	}
	cut := func(text string) string { return words.NotifyCut(text).In(l) }
	runes := []rune(text)
	low, high := 0, min(len(runes), most*smsPartLength) // a longer text does not fit
	for low < high {
		if mid := (low + high + 1) / 2; model.SMSParts(cut(string(runes[:mid]))) <= most {
			low = mid
		} else {
			high = mid - 1
		}
	}
	short := string(runes[:low])
	if at := strings.LastIndexByte(short, ' '); at > len(short)*3/4 {
		short = short[:at]
	}
	return cut(short)
}
