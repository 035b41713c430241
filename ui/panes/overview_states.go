package panes

import (
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// drawStates draws the bar of the agents' states as a part of the page. It omits the heading if the
// tables below need the room.
func (o *overviewPane) drawStates(sc *Scene, w, h int) []string {
	hasTables := h > minServicesHeight+widgets.MaxStateLines
	if heading := h >= widgets.MaxStateLines && !hasTables || h >= minStatesHeadingHeight; !heading {
		lines, spots := widgets.DrawStates(sc.Look, sc.Floor, &o.floor, w, h)
		o.stateClickAreas = spots
		return lines
	}
	sideCells, extraLines := sc.frameMargins()
	lines, spots := widgets.DrawStates(sc.Look, sc.Floor, &o.floor, w-sideCells, h-1)
	o.stateClickAreas = spots.Offset(sideCells/2, 1)
	position := style.HeadingStatus{}
	if n, known := o.floor.LoggedIn().Get(); known {
		position.Text = sc.translate(words.PlotLoggedIn(string(sc.Floor.FormatOf(sc.Look, model.OpUserStats).Count(nil, n))))
	}
	return drawPart(sc, &o.frameCaches.states, w, len(lines)+extraLines, sc.translate(words.PaneStates()), position, false, lines)
}
