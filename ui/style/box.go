package style

import "wallboard/themes"

// Box draws a box with a title and content over the middle of lines, in place. The lines are width
// cells wide. x and y are the position of the top left corner of the box within lines.
func (lk *Look) Box(lines []string, width int, title string, content []string) (x, y int) {
	inner := 0
	for _, c := range content {
		inner = max(inner, Width(c))
	}
	inner = min(inner, width-PanelSideCells)
	content = content[:min(len(content), max(len(lines)-3, 0))]
	box := lk.Frame(inner+PanelSideCells, Panel{Title: title, TitleToken: themes.Title, EdgeToken: themes.BorderFocus}, content)
	x = max((width-inner-PanelSideCells)/2, 0)
	y = max((len(lines)-len(box))/2, 1)
	if x > 0 && x+inner+PanelSideCells < width { // a gap between the box and the text behind it
		for i := range box {
			box[i] = " " + box[i] + " "
		}
		Overlay(lines, box, x-1, y, width)
		return x, y
	}
	Overlay(lines, box, x, y, width)
	return x, y
}

type boxChars struct{ topLeft, topRight, bottomLeft, bottomRight, rule, side string }

// frame returns lines with a side at both ends, between the upper line top and the lower line foot.
// edge is the style of the sides.
func (g boxChars) frame(edge themes.Style, top string, lines []string, foot string) []string {
	side := edge.Render(g.side)
	out := make([]string, 0, len(lines)+PanelFrameLines)
	out = append(out, top)
	for _, l := range lines {
		out = append(out, side+l+side)
	}
	return append(out, foot)
}

func lightBoxChars(ascii bool) boxChars {
	if ascii {
		return boxChars{"+", "+", "+", "+", "-", "|"}
	}
	return boxChars{"╭", "╮", "╰", "╯", "─", "│"}
}

// heavyBoxChars returns the characters of a box that differs from other boxes even without colors.
func heavyBoxChars(ascii bool) boxChars {
	if ascii {
		return boxChars{"#", "#", "#", "#", "=", "#"}
	}
	return boxChars{"┏", "┓", "┗", "┛", "━", "┃"}
}
