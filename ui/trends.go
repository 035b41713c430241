package ui

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/render"
)

// kpi is a figure of the floor, in the order of the overview's tiles.
type kpi int

const (
	kpiWaiting kpi = iota
	kpiLongest
	kpiServiceLevel
	kpiAbandon
	kpiASA
	kpiAHT
	kpiTalking
	kpiReady
	kpiWrapUp
	kpiNotReady
	kpiLogged
	kpiOccupancy

	numKPIs
)

// name is what rules call the figure.
func (k kpi) name() string {
	return [...]string{
		kpiWaiting: "queuedCalls", kpiLongest: "longestWait", kpiServiceLevel: "serviceLevel", kpiAbandon: "abandonRate",
		kpiASA: "asa", kpiAHT: "aht", kpiTalking: "busyOnServUsers", kpiReady: "readyUsers", kpiWrapUp: "postCallUsers",
		kpiNotReady: "notReadyUsers", kpiLogged: "loggedUsers", kpiOccupancy: "occupancy",
	}[k]
}

// figuresOf returns the figures of a floor. Head counts are unknown when no
// user is known, and 0 only when users are.
func figuresOf(f *model.Floor, formula model.ServiceLevelFormula) [numKPIs]model.Figure {
	c := &f.Calls
	heads := func(states ...model.UserStatus) model.Figure {
		if f.Users == 0 {
			return model.Figure{}
		}
		n := 0
		for _, s := range states {
			n += f.States[s]
		}
		return model.FigureOf(float64(n))
	}
	logged := model.Figure{}
	if f.Users > 0 {
		logged = model.FigureOf(float64(f.Users - f.States[""]))
	}
	return [numKPIs]model.Figure{
		kpiWaiting:      figureOf(c.QueuedCalls),
		kpiLongest:      longestOf(c),
		kpiServiceLevel: c.ServiceLevel(formula),
		kpiAbandon:      c.AbandonRate(),
		kpiASA:          c.ASA(),
		kpiAHT:          f.Agents.AHT(),
		kpiOccupancy:    f.Agents.Occupancy(),
		kpiTalking:      heads(model.Busy),
		kpiReady:        heads(model.Ready),
		kpiWrapUp:       heads(model.WNR),
		kpiNotReady:     heads(model.NotReady, model.NotReadyBusy),
		kpiLogged:       logged,
	}
}

func figureOf(v model.Int) model.Figure {
	if n, ok := v.Get(); ok {
		return model.FigureOf(float64(n))
	}
	return model.Figure{}
}

// longestOf is the longest wait. Of an empty queue it is 0: what the platform
// sends then is the wait of somebody who has gone.
func longestOf(c *model.ServiceCalls) model.Figure {
	if c.QueuedCalls == model.IntOf(0) {
		return model.FigureOf(0)
	}
	return figureOf(c.MaxTimeCallOnQueue)
}

var (
	_ render.Trends = (*alert.Engine)(nil)
	_ render.Trends = (*alert.Trends)(nil)
)

// floorSpan is how far back the trends of the floor's tiles go.
const floorSpan = time.Hour

// floorTrend returns the samples of a figure of the floor, from the first known
// one on.
func (sc *scene) floorTrend(name string) alert.Trend {
	t := sc.floorSamples(nil, name)
	t.Samples = t.Samples[begun(t.Samples):]
	return t
}

// floorSamples is floorTrend from the beginning of its hour on, appended to dst.
func (sc *scene) floorSamples(dst []float64, name string) alert.Trend {
	return sc.trends.Trend(dst, name, alert.Key{Scope: alert.Floor, Channel: sc.floor.Channel}, floorSpan)
}
