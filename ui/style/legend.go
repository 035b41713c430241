package style

import "wallboard/themes"

// LegendItem is an item of a legend.
type LegendItem struct {
	Style    themes.Style
	Text     string
	SpotName string // name of the spot where the item is drawn
}

// Spot is a part of the screen that can be clicked: the cells from From to To-1 of a line. Name
// identifies the item that is drawn there.
type Spot struct {
	Line, From, To int
	Name           string
}

// Spots lists the parts of the screen that can be clicked.
type Spots []Spot

// At returns the name of the spot at a position, or "" if there is none.
func (s Spots) At(x, line int) string {
	for _, spot := range s {
		if line == spot.Line && x >= spot.From && x < spot.To {
			return spot.Name
		}
	}
	return ""
}

// Moved returns a copy of the spots, moved right by x cells and down by line lines.
func (s Spots) Moved(x, line int) Spots {
	out := make(Spots, len(s))
	for i, spot := range s {
		out[i] = Spot{spot.Line + line, spot.From + x, spot.To + x, spot.Name}
	}
	return out
}

// Legend draws items side by side on one line, or on up to maxLines lines if one is not enough.
// Items that do not fit are replaced with an ellipsis. spots are the positions of the items.
func (lk *Look) Legend(items []LegendItem, w, maxLines int) (out []string, spots Spots) {
	total := 1
	for _, it := range items {
		total += Width(it.Text)
	}
	gap := min(max((w-total)/max(len(items), 1), 1), 4)
	lines := 1
	if total+gap*(len(items)-1) > w && maxLines > 1 {
		lines, gap = maxLines, 2
	}
	l := NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for i, it := range items {
		need := Width(it.Text)
		if i < len(items)-1 {
			need += gap + 1 // leaves room for the ellipsis
		}
		if need > l.Room() && len(out)+1 < lines {
			out = append(out, l.End(themes.Style{}))
			l = NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		}
		if need > l.Room() {
			l.Add(lk.Style(themes.Dim), lk.Glyphs.Ellipsis)
			break
		}
		spots = append(spots, Spot{len(out), l.Used(), l.Used() + Width(it.Text), it.SpotName})
		l.Add(it.Style, it.Text).Space(themes.Style{}, gap)
	}
	return append(out, l.End(themes.Style{})), spots
}
