package hub

import (
	"context"
	"iter"
	"time"

	"wallboard/alert"
	"wallboard/alert/usual"
	"wallboard/hindsight"
	"wallboard/model"
)

// The baseline is computed once an hour, before the hour begins.
const (
	usualEvery = time.Hour
	usualAhead = usual.Quarter
)

// habit is the baseline of a picture's figures, computed from earlier days.
type habit struct {
	book   usual.Book
	until  time.Time // end of the computed or requested time; zero: none yet
	gone   bool      // the recorded days belong to another platform
	lesson int       // increases when running computations become invalid
}

// forget drops the baseline. It is computed again unless the recorded days no longer apply.
func (b *habit) forget(gone bool) {
	b.book, b.until, b.lesson, b.gone = usual.Book{}, time.Time{}, b.lesson+1, b.gone || gone
}

// wants returns the time range for which a baseline is due, if any.
func (p *picture) wants(now time.Time) (from, to time.Time, lesson int, is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := &p.habit
	if b.gone || !p.recalled || now.Add(usualAhead).Before(b.until) {
		return from, to, lesson, false
	}
	if to = now.Add(usualAhead).Truncate(usualEvery).Add(usualEvery); b.until.IsZero() {
		from = now.Truncate(usualEvery).Add(-hindsight.Shift)
	} else {
		from = b.until
	}
	b.until = to
	return from, to, b.lesson, true
}

// learn computes due baselines in the background, one after the other.
func (h *Hub) learn(ctx context.Context, now time.Time) {
	if h.o.Before.Days == nil || now.IsZero() {
		return
	}
	for _, p := range h.all() {
		from, to, lesson, is := p.wants(now)
		if !is {
			continue
		}
		h.looking.Go(func() {
			h.inTurn(ctx, func() { h.lookAtDays(ctx, p, from, to, lesson) })
		})
	}
}

// lookAtDays computes the baseline of a picture for a time range.
func (h *Hub) lookAtDays(ctx context.Context, p *picture, from, to time.Time, lesson int) {
	h.mu.Lock()
	engine, err := h.o.Engine(p.sight.Part)
	h.mu.Unlock()
	if err != nil {
		return // there is no baseline then
	}
	l := usual.NewLesson(engine, from, to, time.Local)
	l.Learn(p.asSeen(h.o.Before.Days(ctx, l.Instants())))
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.habit.lesson == lesson {
		p.habit.book.Take(l)
	}
}

// asSeen returns recorded snapshots as the viewers of this picture may see them.
func (p *picture) asSeen(pictures iter.Seq[*model.Snapshot]) iter.Seq[*model.Snapshot] {
	part, mask := model.NewNarrower(p.sight.Part), p.twin()
	return func(yield func(*model.Snapshot) bool) {
		for s := range pictures {
			if !yield(mask.Apply(part.Apply(s))) {
				return
			}
		}
	}
}

// Usually returns the baseline of a figure of a record along its trend, from the same time
// of earlier days. It is empty if there are too few days.
func (v *Viewer) Usually(name string, k alert.Key, over alert.Trend) usual.Band {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.habit.book.Band(name, k, over)
}
