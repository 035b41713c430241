package style

import "wallboard/themes"

// LegendItem is an item of a legend.
type LegendItem struct {
	Style    themes.Style
	Text     string
	AreaName string // name of the [ClickArea] of the item
}

// ClickArea is a part of the screen that can be clicked: the cells from From to To-1 of a line. Name
// identifies the item that is drawn there.
type ClickArea struct {
	Line, From, To int
	Name           string
}

// ClickAreas lists the parts of the screen that can be clicked.
type ClickAreas []ClickArea

// At returns the name of the area at a position, or "" if there is none.
func (s ClickAreas) At(x, line int) string {
	for _, spot := range s {
		if line == spot.Line && x >= spot.From && x < spot.To {
			return spot.Name
		}
	}
	return ""
}

// Offset returns a copy of the areas, moved right by x cells and down by line lines.
func (s ClickAreas) Offset(x, line int) ClickAreas {
	out := make(ClickAreas, len(s))
	for i, spot := range s {
		out[i] = ClickArea{spot.Line + line, spot.From + x, spot.To + x, spot.Name}
	}
	return out
}

// Legend draws items side by side on one line, or on up to maxLines lines if one is not enough.
// Items that do not fit are replaced with an ellipsis. spots are the click areas of the items.
func (lk *Look) Legend(items []LegendItem, w, maxLines int) (out []string, spots ClickAreas) {
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
		if need > l.RemainingWidth() && len(out)+1 < lines {
			out = append(out, l.Finish(themes.Style{}))
			l = NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		}
		if need > l.RemainingWidth() {
			l.Add(lk.Style(themes.Dim), lk.Glyphs.Ellipsis)
			break
		}
		spots = append(spots, ClickArea{len(out), l.UsedWidth(), l.UsedWidth() + Width(it.Text), it.AreaName})
		l.Add(it.Style, it.Text).Space(themes.Style{}, gap)
	}
	return append(out, l.Finish(themes.Style{})), spots
}
