package render

import (
	"slices"
	"strings"

	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// minNameWidth is the number of cells of a name that every column shows.
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
		n := table.TextWidth(s.view.Options.WidthMethod, commonPrefix(names[i-1], names[i])) + 1
		if n > minNameWidth {
			needed[names[i-1]], needed[names[i]] = max(needed[names[i-1]], n), n
		}
	}
	for i := range s.rows {
		r := &s.rows[i]
		n, width := needed[r.name], s.view.Options.WidthMethod.StringWidth
		if r.nameDistinction.endsWithKey {
			n = width(r.name) - width(r.key) - 1 // number of the cell with the parenthesis before the key
		}
		r.nameDistinction.distinctCells = n
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

// drawName draws the name of a row in a cell. If the name does not fit, and another name begins alike,
// the name is cut in the middle, so that its distinguishing part is visible. A name that ends with its
// key is replaced by the key if there is hardly room for the beginning. The key itself is also cut in
// the middle, because the keys of namesakes often differ only at the end.
func drawName[R any](o *Options, r *row[R], dst *table.Cell) {
	d, full := &r.nameDistinction, 0
	if d.endsWithKey || d.distinctCells >= dst.Width {
		full = table.TextWidth(o.WidthMethod, r.name)
	}
	if full <= dst.Width || dst.Width == 0 {
		dst.Text = o.Format().Text(dst.Text, r.name)
		return
	}
	text := textlayout.TruncateMiddle(r.name, dst.Width, d.distinctCells, o.ASCII)
	if room := dst.Width - table.TextWidth(o.WidthMethod, r.key); d.endsWithKey && room < minNameWidth+len("( )") {
		text = textlayout.TruncateMiddle(r.key, dst.Width, 0, o.ASCII)
	}
	dst.AppendString(text)
	dst.WantedWidth = full
}
