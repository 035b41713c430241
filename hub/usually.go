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

// What is usual is looked for once an hour, and soon enough before the hour begins.
const (
	usualEvery = time.Hour
	usualAhead = usual.Quarter
)

// habit is what the figures of a picture usually are, as far as the days before tell.
type habit struct {
	book   usual.Book
	until  time.Time // it is known, or looked for; zero: it never was
	gone   bool      // the days before are those of another floor
	lesson int       // grows when what was learnt is of no use any more
}

// forget forgets what is usual, which is looked for anew unless the days are gone.
func (b *habit) forget(gone bool) {
	b.book, b.until, b.lesson, b.gone = usual.Book{}, time.Time{}, b.lesson+1, b.gone || gone
}

// wants reports which time it is to be looked for, if any.
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

// learn has the pictures know what is usual, one after the other and beside the boards.
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

// lookAtDays has a picture know what is usual from one instant to another, as its viewers
// may see it.
func (h *Hub) lookAtDays(ctx context.Context, p *picture, from, to time.Time, lesson int) {
	h.mu.Lock()
	engine, err := h.o.Engine(p.sight.Part)
	h.mu.Unlock()
	if err != nil {
		return // nothing is said of what is usual
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

// asSeen returns pictures of before as the viewers of this one may see them.
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

// Usually tells what a figure of a record usually is along its course, as the same time of
// earlier days tells. Nothing is known where there are too few of those.
func (v *Viewer) Usually(name string, k alert.Key, over alert.Trend) usual.Band {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.habit.book.Band(name, k, over)
}
