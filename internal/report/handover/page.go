package handover

import (
	"strings"
	"unicode/utf8"
)

// Size of a page in lines and characters, as for plain text on paper. The lines include blank
// lines.
const (
	pageLines = 66
	pageWidth = 80
)

// limits holds the maximum number of items of each kind in a report.
type limits struct {
	situations int
	explained  int // situations with causes and remedies
	daily      int // figures of the day that are off target
	ended      int // ended situations
	actions    int
	services   int
	channels   int
	campaigns  int
}

// limitSteps lists the limits, the largest first. A report uses the first limits with which it
// fits on a page.
var limitSteps = []limits{
	{situations: 8, explained: 4, daily: 5, ended: 8, actions: 8, services: 6, channels: 9, campaigns: 6},
	{situations: 6, explained: 3, daily: 3, ended: 6, actions: 6, services: 5, channels: 6, campaigns: 4},
	{situations: 5, explained: 2, daily: 2, ended: 4, actions: 4, services: 4, channels: 5, campaigns: 3},
	{situations: 3, explained: 2, daily: 1, ended: 3, actions: 3, services: 4, channels: 4, campaigns: 2},
	{situations: 3, explained: 2, daily: 1, ended: 2, actions: 2, services: 3, channels: 3, campaigns: 2},
	{situations: 2, explained: 1, daily: 1, ended: 2, actions: 2, services: 2, channels: 2, campaigns: 2},
}

// maxNamedPlaces returns how many places a summary line names.
func (l *limits) maxNamedPlaces() int { return max(l.daily, 3) }

// CountLines returns the number of lines that a report takes as plain text with lines of page
// width.
func CountLines(markdown string) int {
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(markdown), "\n") {
		switch {
		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "|"):
			n++ // a table row takes one line: if it is too wide, columns are left out
		default:
			n += max((utf8.RuneCountInString(StripMarkdown(line))+pageWidth-1)/pageWidth, 1)
		}
	}
	return n
}
