package notify

import (
	"strings"

	"wallboard/model"
)

// Of one message so many SMS are sent: more is paid for and not read.
const (
	mostSegments = 3
	mostEach     = 153 // characters of each
)

// fitSMS cuts a text to what so many SMS take, at a word where there is one, and
// says so.
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
