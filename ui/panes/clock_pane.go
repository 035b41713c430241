package panes

import (
	"time"

	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/widgets"
)

// clockPane shows the time of day and the date. If zone is nil, they are in the board's time zone.
type clockPane struct{ zone *time.Location }

func (clockPane) Refresh(*Scene) {}
func (clockPane) SizeHint(*Scene, int) frame.SizeHint {
	return frame.SizeHint{MinWidth: 10, MinHeight: 1, WantedHeight: 1, UsefulHeights: []int{1, 2, chart.DigitRows, chart.DigitRows + 2}}
}

// View implements [Pane].
func (c clockPane) View(sc *Scene, _, _, w, h int) []string {
	return widgets.DrawClock(sc.Look, sc.Floor.ToServerTime(sc.Floor.LocalNow), c.zone, w, h)
}

func clockKind() paneKind {
	return paneKind{
		name: "clock", settings: []string{"zone"},
		make: func(_ *Scene, s PaneSpec) Pane { return clockPane{s.Zone} },
	}
}
