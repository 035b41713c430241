package ui

import (
	"math"
	"time"

	"wallboard/model"
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

const (
	trendStep = 5 * time.Second
	trendLen  = 720 // samples: the last hour
)

// trends remembers the floor's figures of the last hour, a sample every
// trendStep. The platform keeps no history of them; what the board has not
// seen is a gap.
type trends struct {
	last     time.Time // of the last sample, on the server's clock
	channels map[model.Channel]*[numKPIs]ring
}

// ring holds the last trendLen samples; NaN is a gap.
type ring struct {
	samples []float64
	next    int
}

func newTrends() *trends { return &trends{channels: make(map[model.Channel]*[numKPIs]ring)} }

// sample takes the figures of every channel if it is time to.
func (t *trends) sample(sc *scene) {
	if sc.newest == nil {
		return
	}
	now := sc.server(sc.ours)
	steps := int64(1)
	if !t.last.IsZero() {
		if steps = int64(now.Sub(t.last) / trendStep); steps < 1 {
			return
		}
	}
	t.last = now
	gaps := min(steps-1, trendLen)
	stale := sc.doubtAbout(subServices, subAgents).stale
	for _, ch := range sc.channelsOf(sc.newest) {
		rings := t.channels[ch]
		if rings == nil {
			rings = new([numKPIs]ring)
			t.channels[ch] = rings
		}
		var figures [numKPIs]model.Figure
		if !stale {
			f := model.FloorOf(sc.newest, ch, nil, nil)
			figures = figuresOf(&f, sc.Alerts.Goal("").Formula)
		}
		for k := range rings {
			for range gaps {
				rings[k].push(math.NaN())
			}
			v, ok := figures[k].Get()
			if !ok {
				v = math.NaN()
			}
			rings[k].push(v)
		}
	}
}

// of returns the samples of a figure, the newest last.
func (t *trends) of(ch model.Channel, k kpi) []float64 {
	rings := t.channels[ch]
	if rings == nil {
		return nil
	}
	return rings[k].values()
}

// clone returns a copy that does not move.
func (t *trends) clone() *trends {
	out := newTrends()
	out.last = t.last
	for ch, rings := range t.channels {
		c := new([numKPIs]ring)
		for k := range rings {
			c[k] = ring{samples: append([]float64(nil), rings[k].samples...), next: rings[k].next}
		}
		out.channels[ch] = c
	}
	return out
}

func (r *ring) push(v float64) {
	if len(r.samples) < trendLen {
		r.samples = append(r.samples, v)
		return
	}
	r.samples[r.next] = v
	r.next = (r.next + 1) % trendLen
}

func (r *ring) values() []float64 {
	if r.next == 0 {
		return r.samples
	}
	out := make([]float64, 0, len(r.samples))
	return append(append(out, r.samples[r.next:]...), r.samples[:r.next]...)
}
