package ui

import (
	"context"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/ui/task"
)

// recall is how a board gets to know of the time before it began, so that its charts,
// trends and explanations do not begin at nothing. It looks at that beside the board.
type recall struct {
	began  time.Time          // the first picture, on the server's clock; zero: there is none
	asked  bool               // somebody looks, or has looked
	memory Memory             // where: a change of the configuration meanwhile has no say in it
	ctx    context.Context    //nolint:containedctx // while somebody looks
	cancel context.CancelFunc // nil: nobody looks
}

// The time before is looked at in two parts, the later one first: charts show an hour at
// most unless somebody asks for more. Samples are kept as finely as pictures are looked at.
const (
	lately    = time.Hour
	lateEvery = 10 * time.Second
	shift     = 8 * time.Hour
	everyOld  = time.Minute
)

// part is a part of the time before an instant.
type part struct {
	old    bool // the earlier one
	from   time.Time
	to     time.Time
	step   time.Duration
	judged time.Time // the pictures from here on are judged, of the others samples are taken
}

// partOf returns a part of the time before an instant: the earlier one, or the later one up
// to a time, which is judged from another on.
func partOf(old bool, at, to, judged time.Time) part {
	if old {
		return part{true, at.Add(-shift), at.Add(-lately), everyOld, at}
	}
	return part{false, at.Add(-lately), to, lateEvery, judged}
}

// recalledMsg brings what was seen of a part of the time before.
type recalledMsg struct {
	warmed warmedMsg // of a reel: what it goes on from
	part   part
	past   *alert.Past
	watch  *situation.Watch
}

// begin looks back as soon as the board has the whole picture of what is.
func (r *recall) begin(sc *scene) tea.Cmd {
	if r.asked || sc.Memory.Before == nil || sc.Memory.Engine == nil || sc.floor.Past || sc.floor.Newest == nil {
		return nil
	}
	if r.began.IsZero() {
		r.began = sc.floor.Server(sc.floor.Ours)
	}
	if !arrived(&sc.floor.Newest.Health) {
		return nil
	}
	r.asked, r.memory = true, sc.Memory
	r.ctx, r.cancel = context.WithCancel(sc.Context)
	return r.look(sc, false)
}

// look looks at a part of the time before.
func (r *recall) look(sc *scene, old bool) tea.Cmd {
	ctx, memory, names := r.ctx, r.memory, sc.Names
	p := partOf(old, r.began, r.began, r.began.Add(-warmFor))
	return task.Guard(func() tea.Msg { return lookBack(ctx, memory, names, p, memory.Before(ctx, p.from, p.to, p.step)) })
}

// arrived reports whether all has come that will come soon.
func arrived(h *model.Health) bool {
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // the others have come, or will not
		case model.SubConnecting, model.SubSyncing:
			return false
		}
	}
	return h.Link.State == model.LinkUp && h.HadData()
}

// forget lets go of what was before: the floor is of another platform from now on.
func (r *recall) forget() {
	r.asked = true
	if r.cancel != nil {
		r.cancel()
		r.cancel = nil
	}
}

// take has the board know what was before.
func (r *recall) take(sc *scene, msg recalledMsg) tea.Cmd {
	engine, is := sc.Alerts.(*alert.Engine)
	if r.cancel == nil || !is {
		return nil
	}
	nameless := r.memory.Nameless || sc.wall.Hides()
	if nameless {
		msg.past.Forget(alert.User)
	}
	msg.past.Tell(engine)
	sc.alerts.Remember(msg.watch, nameless)
	if !msg.part.old {
		return r.look(sc, true)
	}
	r.forget()
	return nil
}

// lookBack looks at pictures of what was. It returns nothing where somebody has gone
// elsewhere meanwhile.
func lookBack(ctx context.Context, m Memory, names model.Names, p part, pictures iter.Seq[*model.Snapshot]) tea.Msg {
	fresh, err := m.Engine()
	engine, is := fresh.(*alert.Engine)
	if err != nil || !is {
		return nil // what is, is known all the same
	}
	past, watch := alert.NewPast(engine), situation.New(situation.Options{Names: names})
	for s := range pictures {
		if ctx.Err() != nil {
			return nil
		}
		if !s.At.Before(p.to) { // of now there are samples
			break
		}
		watch.Observe(s, s.At)
		if s.At.Before(p.judged) {
			past.Observe(s, s.At)
		} else {
			engine.Evaluate(s, s.At)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return recalledMsg{part: p, past: past, watch: watch}
}

// readable are the pictures up to the first that cannot be read.
func readable(pictures iter.Seq2[*model.Snapshot, error]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for s, err := range pictures {
			if err != nil || !yield(s) {
				return
			}
		}
	}
}
