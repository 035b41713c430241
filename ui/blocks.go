package ui

import "wallboard/ui/dialog"

// beside puts two blocks of lines next to each other, two cells apart.
func beside(left, right []string, lw, rw, h int) []string {
	left, right = fitHeight(left, lw, h), fitHeight(right, rw, h)
	out := make([]string, h)
	for i := range out {
		out[i] = left[i] + "  " + right[i]
	}
	return out
}

// inset puts a blank on both sides of each line.
func inset(lines []string) {
	for i, l := range lines {
		lines[i] = " " + l + " "
	}
}

// placeIn says which lines of a text are in view, where they are not all.
func placeIn(sc *scene, text *dialog.Scroller) standing {
	at := text.Place(sc.look)
	if at == "" {
		return standing{}
	}
	return standing{text: at + " lines", brief: at}
}
