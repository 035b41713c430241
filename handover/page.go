package handover

import (
	"strings"
	"unicode/utf8"
)

// A page is so many lines of so many characters, blank ones included: what a printer
// takes of plain text.
const (
	pageLines = 66
	pageWide  = 80
)

// limits are how much of each part is told.
type limits struct {
	now       int // situations
	explained int // of them, with why and what helps
	day       int // what is off target today
	ended     int // what came and went
	deeds     int
	services  int
	channels  int
	campaigns int
}

// fewer are limits that come to ever fewer lines. The first that fit a page are taken.
var fewer = []limits{
	{now: 8, explained: 4, day: 5, ended: 8, deeds: 8, services: 6, channels: 9, campaigns: 6},
	{now: 6, explained: 3, day: 3, ended: 6, deeds: 6, services: 5, channels: 6, campaigns: 4},
	{now: 5, explained: 2, day: 2, ended: 4, deeds: 4, services: 4, channels: 5, campaigns: 3},
	{now: 3, explained: 2, day: 1, ended: 3, deeds: 3, services: 4, channels: 4, campaigns: 2},
	{now: 3, explained: 2, day: 1, ended: 2, deeds: 2, services: 3, channels: 3, campaigns: 2},
	{now: 2, explained: 1, day: 1, ended: 2, deeds: 2, services: 2, channels: 2, campaigns: 2},
}

// named is how many places are named in a line that tells of more.
func (l *limits) named() int { return max(l.day, 3) }

// Lines counts the lines that a report takes as plain text of a page's width.
func Lines(markdown string) int {
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(markdown), "\n") {
		switch {
		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "|"):
			n++ // columns give way
		default:
			n += max((utf8.RuneCountInString(Plain(line))+pageWide-1)/pageWide, 1)
		}
	}
	return n
}
