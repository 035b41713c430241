package handover

import (
	"strings"
	"unicode/utf8"
)

// The size of a page in lines and characters, including blank lines, as for plain text on
// paper.
const (
	pageLines = 66
	pageWide  = 80
)

// limits says how many items of each section are written.
type limits struct {
	now       int // situations
	explained int // number of situations with causes and remedies
	day       int // figures of the day that are off target
	ended     int // ended situations
	deeds     int
	services  int
	channels  int
	campaigns int
}

// fewer lists limits in decreasing order. The first whose report fits on a page is used.
var fewer = []limits{
	{now: 8, explained: 4, day: 5, ended: 8, deeds: 8, services: 6, channels: 9, campaigns: 6},
	{now: 6, explained: 3, day: 3, ended: 6, deeds: 6, services: 5, channels: 6, campaigns: 4},
	{now: 5, explained: 2, day: 2, ended: 4, deeds: 4, services: 4, channels: 5, campaigns: 3},
	{now: 3, explained: 2, day: 1, ended: 3, deeds: 3, services: 4, channels: 4, campaigns: 2},
	{now: 3, explained: 2, day: 1, ended: 2, deeds: 2, services: 3, channels: 3, campaigns: 2},
	{now: 2, explained: 1, day: 1, ended: 2, deeds: 2, services: 2, channels: 2, campaigns: 2},
}

// named returns how many places are named in a summary line.
func (l *limits) named() int { return max(l.day, 3) }

// Lines returns the number of lines of a report as plain text of page width.
func Lines(markdown string) int {
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(markdown), "\n") {
		switch {
		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "|"):
			n++ // columns are dropped if necessary
		default:
			n += max((utf8.RuneCountInString(Plain(line))+pageWide-1)/pageWide, 1)
		}
	}
	return n
}
