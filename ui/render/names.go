package render

import (
	"slices"
	"strings"

	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// minNameWidth is the minimum width of a name in cells. Columns do not cut names to a smaller
// width.
const minNameWidth = 8

// findSimilarNames computes, for the name of each row, how many leading cells distinguish it from
// all other names.
func (s *source[R]) findSimilarNames() {
	names := make([]string, len(s.rows))
	for i := range s.rows {
		names[i] = s.rows[i].name
	}
	slices.Sort(names)
	names = slices.Compact(names)
	needed := make(map[string]int) // number of leading cells, by name
	for i := 1; i < len(names); i++ {
		n := s.view.Options.WidthMethod.StringWidth(commonPrefix(names[i-1], names[i])) + 1
		if n > minNameWidth {
			needed[names[i-1]], needed[names[i]] = max(needed[names[i-1]], n), n
		}
	}
	for i := range s.rows {
		r := &s.rows[i]
		n, width := needed[r.name], s.view.Options.WidthMethod.StringWidth
		if d := &r.distinction; d.endsWithKey && n < width(r.name)-width(r.key) {
			n = width(r.name) // the other record of this name has no row
		}
		r.distinction.distinctCells = n
	}
}

func commonPrefix(a, b string) string {
	for i, r := range a {
		if !strings.HasPrefix(b[i:], string(r)) {
			return a[:i]
		}
	}
	return a
}

// drawName draws a name in a cell. If the name does not fit, and its visible beginning is also that
// of another name, it is cut in the middle instead of at the end, so that the part that distinguishes
// it is visible.
func drawName(o *Options, name string, n nameDistinction, dst *table.Cell) {
	if n.distinctCells >= dst.Width && dst.Width > 0 {
		if full := o.WidthMethod.StringWidth(name); full > dst.Width {
			dst.AppendString(textlayout.TruncateMiddle(name, dst.Width, n.distinctCells, o.ASCII))
			dst.WantedWidth = full
			return
		}
	}
	dst.Text = o.Format().Text(dst.Text, name)
}
