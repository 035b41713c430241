package hub

import (
	"context"
	"iter"
	"time"

	"wallboard/alert"
	"wallboard/hindsight"
	"wallboard/model"
)

// Before is the time before a hub began: its charts, trends and explanations do not begin
// at nothing then. It is looked at beside the boards.
type Before struct {
	// Pictures returns those from one instant to another, in the order of time and about
	// a step apart; nil: nobody knows them. It may take its time.
	Pictures func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot]
	// Days returns pictures of earlier days, in the order of time: of each of some instants,
	// which ascend, one of the next minutes if there is any; nil: nobody knows them.
	Days func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot]
	// Nameless: agents are called otherwise in them than on the platform.
	Nameless bool
}

// looksBack reports whether it is time to look back for a picture: once, when all has come.
func (p *picture) looksBack(s *model.Snapshot, now time.Time) (began time.Time, era int, is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.began.IsZero() {
		p.began = now
	}
	if p.recalled || !hindsight.Arrived(&s.Health) {
		return began, 0, false
	}
	p.recalled = true
	return p.began, p.era, true
}

// recall has the pictures know what was before, one after the other.
func (h *Hub) recall(ctx context.Context, s *model.Snapshot, now time.Time) {
	if h.o.Before.Pictures == nil || s == nil {
		return
	}
	for _, p := range h.all() {
		began, era, is := p.looksBack(s, now)
		if !is {
			continue
		}
		h.looking.Go(func() {
			h.inTurn(ctx, func() {
				if h.lookBack(ctx, p, era, hindsight.Late(began, began, began.Add(-hindsight.Lately))) {
					h.lookBack(ctx, p, era, hindsight.Old(began))
				}
			})
		})
	}
}

// lookBack has a picture know a part of the time before, as its viewers may see it. It
// reports whether that came to an end, and the floor is still the same.
func (h *Hub) lookBack(ctx context.Context, p *picture, era int, of hindsight.Part) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h.mu.Lock()
	engine, err := h.o.Engine(p.sight.Part)
	names := h.o.Names
	h.mu.Unlock()
	if err != nil {
		return false // what is, is known all the same
	}
	pictures := func(yield func(*model.Snapshot) bool) {
		for s := range p.asSeen(h.o.Before.Pictures(ctx, of.From, of.To, of.Step)) {
			if p.isOver(era) || !yield(s) {
				return
			}
		}
	}
	seen, all := hindsight.Look(ctx, engine, names, of, pictures)
	return all && p.remember(era, seen, h.o.Before.Nameless)
}

// twin is a mask like that of the picture, for somebody else's goroutine.
func (p *picture) twin() *model.Mask {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mask.Twin()
}

func (p *picture) isOver(era int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.era != era
}

// remember takes over what was before, unless the floor is another one by now.
func (p *picture) remember(era int, seen hindsight.Seen, nameless bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.era != era {
		return false
	}
	if nameless {
		seen.Past.Forget(alert.User)
	}
	seen.Past.Tell(p.engine)
	p.watch.Remember(seen.Watch, nameless)
	p.seq, p.second = 0, 0 // it is judged anew
	return true
}

// Usual tells how many contacts a minute usually come for a service of a picture; false:
// nobody knows. It must not call the hub.
type Usual func(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool)

// Usual has everybody who sees the same be told by what is usual.
func (v *Viewer) Usual(of Usual) {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.usual = of
}

// inTurn does something when nobody else reads what was, unless the context ends before that.
func (h *Hub) inTurn(ctx context.Context, do func()) {
	select {
	case h.recalling <- struct{}{}:
		defer func() { <-h.recalling }()
		do()
	case <-ctx.Done():
	}
}
