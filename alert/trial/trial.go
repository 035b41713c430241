// Package trial tries rules on what was: the engine that judges a live floor goes through
// the pictures of a recording, once by each set of rules, and what they would have raised
// is compared. Pure.
package trial

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// Set is rules under a name.
type Set struct {
	Name    string
	Options alert.Options
}

// Episode is one alert that rules would have raised.
type Episode struct {
	Rule  string
	Key   alert.Key
	Text  string
	Level alert.Level // the worst
	// Raised is when the alert was raised, Ended when it ended, or the last picture. Open
	// reports whether it had not ended then, Before whether it was raised before what is
	// tried begins.
	Raised, Ended time.Time
	Open, Before  bool
	Lasted        time.Duration // of pictures that there are
	Reds          []Span        // while it was critical, likewise
}

// Outcome is what one set of rules would have raised.
type Outcome struct {
	Set      Set
	Episodes []Episode // in the order of their beginnings
}

// Result is what sets of rules come to.
type Result struct {
	From, To time.Time // of the first and the last picture that was tried on
	Pictures int
	Seen     time.Duration // between pictures; what is not recorded does not count
	Gaps     []Span        // of which there are no pictures
	Outcomes []Outcome     // in the order of the sets
}

// Span is a part of the time.
type Span struct{ From, To time.Time }

const (
	// longestPause is how far two pictures may be apart without a gap between them.
	longestPause = 15 * time.Second
	// warmUp is how much of what was before the beginning is looked at: rules want proof
	// for as long as their durations.
	warmUp = 15 * time.Minute
	// batch is how many pictures engines are handed at a time, ahead how many batches may
	// wait.
	batch = 64
	ahead = 4
)

// WarmUp is how long before the beginning pictures are wanted.
const WarmUp = warmUp

// Run has each set of rules judge the pictures of a time, which are in the order of time
// and begin [WarmUp] before it if there are such. progress is called now and then with
// the time of a picture; nil: nobody wants to know. The end of ctx is its error.
func Run(ctx context.Context, pictures iter.Seq2[*model.Snapshot, error], from time.Time, sets []Set, progress func(at time.Time)) (Result, error) {
	judges := make([]*judge, len(sets))
	for i, set := range sets {
		set.Options.Silences = nil // who is told is another matter
		engine, err := alert.New(set.Options)
		if err != nil {
			return Result{}, err //nolint:wrapcheck // [alert.Problems] say everything
		}
		judges[i] = &judge{set: set, engine: engine, from: from, open: make(map[string]*episode)}
	}
	out := Result{}
	var work sync.WaitGroup
	feeds := make([]chan []*model.Snapshot, len(judges))
	for i, j := range judges {
		feeds[i] = make(chan []*model.Snapshot, ahead)
		work.Go(func() {
			for some := range feeds[i] {
				for _, s := range some {
					if ctx.Err() != nil { // what waits is of no use to anybody
						break
					}
					j.take(s)
				}
			}
		})
	}
	var err error
	var some []*model.Snapshot
	send := func() {
		for i := range feeds {
			feeds[i] <- some
		}
		if progress != nil && len(some) > 0 {
			progress(some[len(some)-1].At)
		}
		some = make([]*model.Snapshot, 0, batch)
	}
	var last time.Time
	for s, broken := range pictures {
		if err = errors.Join(broken, ctx.Err()); err != nil {
			break
		}
		if s.At.Before(last) {
			continue // a clock was set back: it is another telling of the same time
		}
		last = s.At
		out.take(s.At, from)
		if some = append(some, s); len(some) == batch {
			send()
		}
	}
	send()
	for i := range feeds {
		close(feeds[i])
	}
	work.Wait()
	if err != nil {
		return Result{}, err
	}
	for _, j := range judges {
		out.Outcomes = append(out.Outcomes, Outcome{j.set, j.done()})
	}
	return out, nil
}

// take notes that there is a picture of a time.
func (r *Result) take(at, from time.Time) {
	if at.Before(from) {
		return
	}
	if r.Pictures++; r.Pictures == 1 {
		r.From = at
	} else if step := at.Sub(r.To); step > longestPause {
		r.Gaps = append(r.Gaps, Span{r.To, at})
	} else {
		r.Seen += step
	}
	r.To = at
}

// judge goes through the pictures by one set of rules.
type judge struct {
	set    Set
	engine *alert.Engine
	from   time.Time
	begun  time.Time // the first picture that counts
	last   time.Time
	seen   time.Duration       // between pictures that count
	open   map[string]*episode // by the alert's ID
	ended  []Episode
}

// episode is one that has not ended.
type episode struct {
	Episode
	begun time.Duration // what was seen when it began
	red   time.Time     // since when it is critical; zero: it is not
}

func (j *judge) take(s *model.Snapshot) {
	step := s.At.Sub(j.last)
	switch {
	case j.begun.IsZero():
		if !s.At.Before(j.from) {
			j.begun = s.At
		}
	case step > longestPause:
		for _, e := range j.open {
			if !e.red.IsZero() {
				j.fade(e)
				e.red = s.At
			}
		}
	default:
		j.seen += step
	}
	j.last = s.At
	for _, c := range j.engine.Evaluate(s, s.At) {
		j.change(&c)
	}
}

// fade notes that an alert was critical until the last picture.
func (j *judge) fade(e *episode) {
	from := e.red
	e.red = time.Time{}
	if from.IsZero() || j.begun.IsZero() {
		return
	}
	if from.Before(j.begun) {
		from = j.begun
	}
	if from.Before(j.last) {
		e.Reds = append(e.Reds, Span{from, j.last})
	}
}

// redden notes from when on an alert is critical, or that it is not any more.
func (j *judge) redden(e *episode) {
	switch {
	case e.Level != alert.Critical:
		j.fade(e)
	case e.red.IsZero():
		e.red = j.last
	}
}

func (j *judge) change(c *alert.Change) {
	a := &c.Alert
	e := j.open[a.ID]
	switch c.Kind {
	case alert.Raised:
		e = &episode{begun: j.seen, Episode: Episode{
			Rule: a.Rule, Key: a.Key, Text: a.Text, Level: a.Level, Raised: a.Raised, Before: a.Raised.Before(j.from),
		}}
		j.open[a.ID] = e
		j.redden(e)
	case alert.Escalated, alert.Eased:
		if e != nil {
			e.Level, e.Text = a.Level, a.Text // until it is worse again
			j.redden(e)
		}
	case alert.Cleared, alert.Vanished:
		if e != nil {
			delete(j.open, a.ID)
			j.fade(e)
			if e.Ended = a.Ended; !e.Ended.Before(j.from) {
				e.Level, e.Lasted = a.Worst, j.seen-e.begun
				j.ended = append(j.ended, e.Episode)
			}
		}
	case alert.Resumed:
	}
}

// done returns what was raised.
func (j *judge) done() []Episode {
	for _, e := range j.open {
		j.fade(e)
		e.Open, e.Ended, e.Lasted = true, j.last, j.seen-e.begun
		if len(e.Reds) > 0 {
			e.Level = alert.Critical
		}
		j.ended = append(j.ended, e.Episode)
	}
	slices.SortFunc(j.ended, func(a, b Episode) int {
		if by := a.Raised.Compare(b.Raised); by != 0 {
			return by
		}
		return compareKeys(a.Key, b.Key)
	})
	return j.ended
}
