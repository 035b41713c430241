// Package hub stands between one feed and many viewers: one picture of the floor for
// each way to name people, masked before anything else sees it, and for each of them
// one engine that judges it and one watch over what is going on.
//
// An engine and a mask belong to one goroutine each; here that is whoever holds the
// lock of their picture. What a viewer gets is a copy, or does not change.
package hub

import (
	"context"
	"fmt"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
)

// Source is where the pictures come from, the feed.
type Source interface {
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Options make a hub. Source and Engine are needed.
type Options struct {
	Source Source
	// Engine makes an engine, by the rules that are in force.
	Engine func() (*alert.Engine, error)
	// Names are what people call the platform's codes, Salt and Secrets those of
	// [model.NewMask].
	Names   model.Names
	Salt    string
	Secrets []string
	// Now is the clock; nil is [time.Now].
	Now func() time.Time
}

// Hub is safe for concurrent use.
type Hub struct {
	o Options

	mu       sync.Mutex
	pictures map[model.NameMode]*picture
}

// New returns a hub.
func New(o Options) *Hub {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Hub{o: o, pictures: make(map[model.NameMode]*picture)}
}

// Run judges the pictures once a second, also when nobody looks, until the context
// ends: an alert that needs ten minutes to be one must not wait for a viewer.
func (h *Hub) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, p := range h.all() {
			if s := h.o.Source.Latest(); s != nil {
				p.evaluate(p.of(s), h.o.Now().Add(s.Health.ClockOffset))
			}
		}
	}
}

func (h *Hub) all() []*picture {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*picture, 0, len(h.pictures))
	for _, p := range h.pictures {
		out = append(out, p)
	}
	return out
}

// Follow has the engines go by other rules and names, with what they know.
func (h *Hub) Follow(engine func() (*alert.Engine, error), names model.Names) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := make(map[*picture]*alert.Engine, len(h.pictures))
	for _, p := range h.pictures {
		e, err := engine()
		if err != nil {
			return fmt.Errorf("hub: %w", err)
		}
		next[p] = e
	}
	h.o.Engine, h.o.Names = engine, names
	for p, e := range next {
		p.follow(e, names, h.o.Secrets)
	}
	return nil
}

// Viewer returns a new viewer of the picture that names people in a way. every and
// phase are when pictures come: see [Viewer.Wait].
func (h *Hub) Viewer(names model.NameMode, every, phase time.Duration) (*Viewer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pictures[names]
	if p == nil {
		e, err := h.o.Engine()
		if err != nil {
			return nil, fmt.Errorf("hub: %w", err)
		}
		p = &picture{engine: e, mode: names, mask: model.NewMask(names, h.o.Salt, h.o.Names, h.o.Secrets...)}
		p.watch = situation.New(situation.Options{Names: h.o.Names, Hold: time.Minute, Goal: e.Goal})
		e.Silencer().Guard(&p.mu)
		h.pictures[names] = p
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return &Viewer{p: p, source: h.o.Source, told: p.first + len(p.changes), every: every, phase: phase, now: h.o.Now}, nil
}

// keptChanges is how many changes wait for viewers who come late. Who comes later
// still sees what is wrong, but hears no bell of it.
const keptChanges = 1000

// picture is the floor as some viewers may see it.
type picture struct {
	mu     sync.Mutex
	mode   model.NameMode
	mask   *model.Mask     // nil: of full names
	raw    *model.Snapshot // that shown was made of
	shown  *model.Snapshot
	engine *alert.Engine
	watch  *situation.Watch

	seq     uint64 // of the picture that was judged last
	second  int64
	changes []alert.Change
	first   int // how many are forgotten that came before them
	view    *situation.View
}

// of returns a picture of the feed as these viewers may see it. One that is older
// than what they have seen is not made again.
func (p *picture) of(s *model.Snapshot) *model.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil || p.raw == s || p.raw != nil && s.Seq < p.raw.Seq {
		return p.shown
	}
	p.raw, p.shown = s, p.mask.Apply(s)
	return p.shown
}

// evaluate judges a picture at a time of the server's, once.
func (p *picture) evaluate(s *model.Snapshot, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.judge(s, now)
}

func (p *picture) judge(s *model.Snapshot, now time.Time) {
	second := now.Unix()
	if s == nil || s.Seq < p.seq || s.Seq == p.seq && second <= p.second {
		return
	}
	p.seq, p.second = s.Seq, max(second, p.second)
	news := p.engine.Evaluate(s, now)
	p.changes = append(p.changes, news...)
	if over := len(p.changes) - keptChanges; over > 0 {
		p.changes = append([]alert.Change(nil), p.changes[over:]...)
		p.first += over
	}
	p.view = p.watch.Look(s, p.engine.Active(), news, now)
}

// follow goes by another engine.
func (p *picture) follow(e *alert.Engine, names model.Names, secrets []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changes = append(p.changes, e.Adopt(p.engine)...)
	p.engine = e
	e.Silencer().Guard(&p.mu)
	if p.mask != nil {
		p.mask.Follow(p.mode, names, secrets...)
	}
	p.raw = nil
	p.seq = 0 // it is judged anew
}
