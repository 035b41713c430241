package panes

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/ui/render"
	"wallboard/ui/widgets"
)

// Figures of the floor that this package handles specially.
const (
	figureWaiting      = "queuedCalls"
	figureServiceLevel = "serviceLevel"
	figureLoggedIn     = "loggedUsers"
	wrapUpFigure       = "postCallUsers"
)

var (
	_ render.Trends = (*alert.Engine)(nil)
	_ render.Trends = (*alert.FrozenTrends)(nil)
)

// FloorTrendSpan is the period that the trends on the tiles of the floor show.
const FloorTrendSpan = time.Hour

// FloorTrend returns the samples of a figure of the floor during FloorTrendSpan, beginning with the
// first known sample.
func (sc *Scene) FloorTrend(name string) alert.Trend {
	t := sc.floorSamples(nil, name)
	t.Samples = t.Samples[widgets.FirstKnown(t.Samples):]
	return t
}

// floorSamples appends the samples of a figure of the floor during FloorTrendSpan to dst and
// returns the result. Unlike FloorTrend, it includes unknown samples at the beginning.
func (sc *Scene) floorSamples(dst []float64, name string) alert.Trend {
	return sc.Alarms.Trends.Trend(dst, name, alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}, FloorTrendSpan)
}
