package look

import (
	"strings"

	"wallboard/themes"
)

// Box lays a box with a title over the middle of a frame of a width, and returns
// where its top left corner is.
func (lk *Look) Box(lines []string, width int, title string, content []string) (x, y int) {
	inner := 0
	for _, c := range content {
		inner = max(inner, Width(c))
	}
	inner = min(inner, width-4)
	content = content[:min(len(content), max(len(lines)-3, 0))]
	border := lk.Style(themes.BorderFocus)
	g := boxGlyphs(lk.ASCII)
	box := make([]string, 0, len(content)+2)
	top := NewLine(inner+4, lk.Glyphs.Ellipsis)
	top.Add(border, g.topLeft+g.rule+" ").Add(lk.Style(themes.Title), title).Add(border, " ")
	top.Add(border, strings.Repeat(g.rule, max(top.Room()-1, 0))+g.topRight)
	box = append(box, top.End(border))
	for _, c := range content {
		box = append(box, border.Render(g.side)+" "+Fit(c, inner, lk.Glyphs.Ellipsis)+" "+border.Render(g.side))
	}
	box = append(box, border.Render(g.bottomLeft+strings.Repeat(g.rule, inner+2)+g.bottomRight))
	x = max((width-inner-4)/2, 0)
	y = max((len(lines)-len(box))/2, 1)
	if x > 0 && x+inner+4 < width { // what is behind keeps its distance
		for i := range box {
			box[i] = " " + box[i] + " "
		}
		Overlay(lines, box, x-1, y, width)
		return x, y
	}
	Overlay(lines, box, x, y, width)
	return x, y
}

// boxes are the characters of a box.
type boxes struct{ topLeft, topRight, bottomLeft, bottomRight, rule, side string }

func boxGlyphs(ascii bool) boxes {
	if ascii {
		return boxes{"+", "+", "+", "+", "-", "|"}
	}
	return boxes{"╭", "╮", "╰", "╯", "─", "│"}
}
