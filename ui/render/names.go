package render

import (
	"slices"
	"strings"

	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// minNameWidth is the minimum width of a name: no column cuts names further.
const minNameWidth = 8

// findSimilarNames computes how many leading cells distinguish each name from all others.
func (s *source[R]) findSimilarNames() {
	names := make([]string, len(s.rows))
	for i := range s.rows {
		names[i] = s.rows[i].name
	}
	slices.Sort(names)
	names = slices.Compact(names)
	needed := make(map[string]int) // by name
	for i := 1; i < len(names); i++ {
		n := s.view.Options.WidthMethod.StringWidth(commonPrefix(names[i-1], names[i])) + 1
		if n > minNameWidth {
			needed[names[i-1]], needed[names[i]] = max(needed[names[i-1]], n), n
		}
	}
	for i := range s.rows {
		s.rows[i].distinction.distinctCells = needed[s.rows[i].name]
	}
}

// commonPrefix returns the common beginning of two texts.
func commonPrefix(a, b string) string {
	for i, r := range a {
		if !strings.HasPrefix(b[i:], string(r)) {
			return a[:i]
		}
	}
	return a
}

// drawName draws a name. If it does not fit and another name has the same beginning, it is cut in
// the middle.
func drawName(o *Options, name string, n nameDistinction, dst *table.Cell) {
	if n.distinctCells >= dst.Width && dst.Width > 0 {
		if full := o.WidthMethod.StringWidth(name); full > dst.Width {
			dst.AppendString(textlayout.TruncateMiddle(name, dst.Width, o.ASCII))
			dst.WantedWidth = full
			return
		}
	}
	dst.Text = o.Format().Text(dst.Text, name)
}
