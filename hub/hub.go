// Package hub stands between one feed and many viewers: one picture of the floor for
// each part of it and each way to name people, with everything else taken out before
// anybody sees it, and for each of them one engine that judges it and one watch over
// what is going on. Who has taken something over, and what is snoozed, is known on all
// of them.
//
// An engine and a mask belong to one goroutine each; here that is whoever holds the
// lock of their picture. What a viewer gets is a copy, or does not change.
package hub

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/breaks"
)

// Source is where the pictures come from, the feed.
type Source interface {
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Options make a hub. Source and Engine are needed.
type Options struct {
	Source Source
	// Engine makes an engine for a part of the floor, by the rules that are in force.
	Engine func(model.Part) (*alert.Engine, error)
	// Names are what people call the platform's codes, Salt and Secrets those of
	// [model.NewMask].
	Names   model.Names
	Salt    string
	Secrets []string
	// Breaks are what breaks may take.
	Breaks breaks.Limits
	// Begin is called with the engine of the picture that has everything, before it
	// judges anything, to tell it what was before; nil: nobody knows. Keep is called
	// with alerts of that picture that ended, were taken over or are nobody's any more,
	// and must return at once; nil: they are kept nowhere.
	Begin func(*alert.Engine)
	Keep  func([]alert.Alert)
	// Before is the time before the hub began.
	Before Before
	// Changed is told what becomes of the situations of the picture that has everything,
	// once the feed is live, and must return at once; nil: nobody asks.
	Changed func([]situation.Change)
	// After is how long a critical situation may be nobody's before Untaken is told of
	// it, and again when that is over; 0: for ever. Untaken must return at once.
	After   time.Duration
	Untaken func(Untaken)
	// Acted is called when somebody has done something about alerts, as soon as every
	// picture has it but not more often than five times a second, and must return at
	// once; nil: nobody asks.
	Acted func()
	// Now is the clock; nil is [time.Now].
	Now func() time.Time
}

// Hub is safe for concurrent use.
type Hub struct {
	o     Options
	keeps bool // what happens to alerts

	mu       sync.Mutex
	whole    *picture // that has everything, which the others go by
	pictures map[string]*picture

	acts chan struct{} // somebody has done something about alerts

	looking   sync.WaitGroup // at the time before
	recalling chan struct{}  // full while one of them has its turn
}

// Sight is what somebody may see of the floor: a part of it, and how people are named.
type Sight struct {
	Names model.NameMode
	Part  model.Part
}

// Key tells sights apart.
func (s Sight) Key() string {
	return fmt.Sprintf("%s %q %q %d", s.Names, s.Part.Services, s.Part.Groups, s.Part.Sites)
}

// New returns a hub. Its error is that of Options.Engine.
func New(o Options) (*Hub, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Untaken == nil {
		o.Untaken = func(Untaken) {}
	}
	if o.Acted == nil {
		o.Acted = func() {}
	}
	keeps := o.Keep != nil
	if !keeps {
		o.Keep = func([]alert.Alert) {}
	}
	h := &Hub{o: o, keeps: keeps, pictures: make(map[string]*picture), acts: make(chan struct{}, 1), recalling: make(chan struct{}, 1)}
	var err error
	if h.whole, err = h.picture(Sight{Names: model.NamesFull}); err != nil {
		return nil, err
	}
	if o.Begin != nil {
		o.Begin(h.whole.engine)
	}
	h.whole.share()
	return h, nil
}

// actPause is how long after somebody has done something about alerts, at the least, it
// is told that somebody has again.
const actPause = 200 * time.Millisecond

// Run judges the pictures once a second, also when nobody looks, until the context
// ends: an alert that needs ten minutes to be one must not wait for a viewer. What
// somebody does about alerts is on all pictures at once.
func (h *Hub) Run(ctx context.Context) {
	defer h.looking.Wait()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	var acts <-chan struct{} // nil during the pause
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := h.look()
			h.recall(ctx, h.o.Source.Latest(), now)
			h.learn(ctx, now)
		case <-pause.C:
			acts = h.acts
		case <-acts:
			acts = nil
			pause.Reset(actPause)
			h.look()
			h.o.Acted()
		}
	}
}

// acted notes that somebody has done something about alerts.
func (h *Hub) acted() {
	select {
	case h.acts <- struct{}{}:
	default: // it knows
	}
}

// look judges all pictures, that of everything first, and returns when on the server's
// clock.
func (h *Hub) look() (now time.Time) {
	s := h.o.Source.Latest()
	if s == nil {
		return now
	}
	now = h.o.Now().Add(s.Health.ClockOffset)
	for _, p := range h.all() {
		p.evaluate(p.of(s), now)
		if p.agree() {
			p.evaluate(p.of(s), now)
		}
		for _, u := range p.untaken(h.after(), now) {
			h.o.Untaken(u)
		}
	}
	return now
}

func (h *Hub) after() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.o.After
}

func (h *Hub) all() []*picture {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []*picture{h.whole}
	for _, p := range h.pictures {
		if p != h.whole {
			out = append(out, p)
		}
	}
	return out
}

// Change is what a changed configuration makes of a hub.
type Change struct {
	Engine func(model.Part) (*alert.Engine, error)
	Names  model.Names
	// Secrets are hidden from now on, beside those of before.
	Secrets []string
	Breaks  breaks.Limits
	After   time.Duration
	// Elsewhere: the source has turned to another platform. What is known of alerts and
	// earlier figures is of the one before.
	Elsewhere bool
}

// Follow has the engines go by other rules and names, with what they know.
func (h *Hub) Follow(c Change) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := make(map[*picture]*alert.Engine, len(h.pictures))
	for _, p := range h.pictures {
		e, err := c.Engine(p.sight.Part)
		if err != nil {
			return fmt.Errorf("hub: %w", err)
		}
		next[p] = e
	}
	c.Secrets = slices.Concat(h.o.Secrets, c.Secrets)
	slices.Sort(c.Secrets)
	c.Secrets = slices.Compact(c.Secrets)
	h.o.Engine, h.o.Names, h.o.Secrets, h.o.Breaks, h.o.After = c.Engine, c.Names, c.Secrets, c.Breaks, c.After
	if c.Elsewhere && h.o.Begin != nil {
		h.o.Begin(next[h.whole]) // nobody else has it yet
	}
	for p, e := range next {
		p.follow(e, &c)
	}
	return nil
}

// Viewer returns a new viewer of a sight. every and phase are when pictures come: see
// [Viewer.Wait].
func (h *Hub) Viewer(sight Sight, every, phase time.Duration) (*Viewer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := &Viewer{hub: h, source: h.o.Source, every: every, phase: phase, now: h.o.Now}
	return v, v.look(sight)
}

// picture returns that of a sight. The caller holds mu, or is New.
func (h *Hub) picture(sight Sight) (*picture, error) {
	if p := h.pictures[sight.Key()]; p != nil {
		return p, nil
	}
	e, err := h.o.Engine(sight.Part)
	if err != nil {
		return nil, fmt.Errorf("hub: %w", err)
	}
	p := &picture{
		engine: e, sight: sight, whole: h.whole, listeners: listeners{heard: h.acted}, part: model.NewNarrower(sight.Part),
		mask: model.NewMask(sight.Names, h.o.Salt, h.o.Names, h.o.Secrets...),
	}
	if p.whole == nil {
		p.keep, p.changed = h.o.Keep, h.o.Changed
	} else {
		p.share()
	}
	p.watch = p.newWatch(h.o.Names, h.o.Breaks)
	e.Silencer().Guard(&p.mu)
	h.pictures[sight.Key()] = p
	return p, nil
}

// keptChanges is how many changes wait for viewers who come late. Who comes later
// still sees what is wrong, but hears no bell of it.
const keptChanges = 1000

// picture is the floor as some viewers may see it.
type picture struct {
	mu     sync.Mutex
	sight  Sight
	part   *model.Narrower // nil: everything is seen
	mask   *model.Mask     // nil: of full names
	raw    *model.Snapshot // that shown was made of
	shown  *model.Snapshot
	engine *alert.Engine
	watch  watch

	seq     uint64 // of the picture that was judged last
	second  int64
	judged  bool        // since made was
	anew    atomic.Bool // somebody has done something about alerts since it was judged
	made    any         // what viewers have made of the alerts
	changes []alert.Change
	first   int // how many are forgotten that came before them
	view    *situation.View
	usual   Usual              // nil: nobody has told
	live    bool               // the feed has been: what becomes of situations is news
	passed  map[string]Untaken // what was told of that is nobody's, by id

	listeners

	whole   *picture // that of everything; nil: it is this one
	snoozes atomic.Pointer[alert.Snoozes]

	recollection
}

// recollection is what a picture knows of the time before it, or is about to.
type recollection struct {
	began    time.Time // the first picture, on the server's clock; zero: there is none
	recalled bool      // somebody looks at the time before, or has
	era      int       // grows when the floor is another one
	habit    habit
}

// listeners are told of a picture. keep and changed are nil but for that of everything.
type listeners struct {
	keep    func([]alert.Alert)
	changed func([]situation.Change)
	heard   func() // that somebody has done something about alerts
}

// of returns a picture of the feed as these viewers may see it. One that is older
// than what they have seen is not made again.
func (p *picture) of(s *model.Snapshot) *model.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil || p.raw == s || p.raw != nil && s.Seq < p.raw.Seq {
		return p.shown
	}
	p.raw, p.shown = s, p.mask.Apply(p.part.Apply(s))
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
	if s == nil || s.Seq < p.seq || s.Seq == p.seq && (second < p.second || second == p.second && !p.anew.Load()) {
		return
	}
	tick, anew := second > p.second, p.anew.Swap(false)
	p.seq, p.second = s.Seq, max(second, p.second)
	news := p.engine.Evaluate(s, now)
	if kept := alert.Lasting(news); p.keep != nil && len(kept) > 0 {
		p.keep(kept)
	}
	p.changes = append(p.changes, news...)
	if over := len(p.changes) - keptChanges; over > 0 {
		p.changes = append([]alert.Change(nil), p.changes[over:]...)
		p.first += over
	}
	if len(news) == 0 && !tick && !anew { // what alerts say changes all the time: once a second is enough to read it
		return
	}
	before := p.view
	if tick {
		p.watch.remember(s, now, p.engine)
	}
	p.view, p.judged = p.watch.Look(s, p.engine.Active(), news, now), true
	if became := situation.Changes(before, p.view); p.live && p.changed != nil && len(became) > 0 {
		p.changed(became)
	}
	p.live = p.live || s.Health.Live()
}

// follow goes by another engine and a change, whose secrets are all that there are.
func (p *picture) follow(e *alert.Engine, c *Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch.breaks.Limit(c.Breaks)
	if c.Elsewhere {
		p.engine = e
		p.leave(c)
	} else {
		ended := e.Adopt(p.engine)
		p.engine = e
		p.changes = append(p.changes, ended...)
		if kept := alert.Lasting(ended); p.keep != nil && len(kept) > 0 {
			p.keep(kept)
		}
	}
	p.habit.forget(c.Elsewhere)
	e.Silencer().Guard(&p.mu)
	if p.mask != nil {
		p.mask.Follow(p.sight.Names, c.Names, c.Secrets...)
	}
	p.raw = nil
	p.seq = 0 // it is judged anew
}

// leave lets go of what is known of another platform.
func (p *picture) leave(c *Change) {
	p.first += len(p.changes)
	p.changes, p.view, p.made, p.passed, p.usual = nil, nil, nil, nil, nil
	p.live, p.recalled, p.began, p.second = false, true, time.Time{}, 0
	p.era++
	p.watch = p.newWatch(c.Names, c.Breaks)
	p.share()
}

// share has the snoozes of an engine that nobody else has yet be common: those of the
// picture that has everything are its own.
func (p *picture) share() {
	of := p.engine.Silencer().Snoozes()
	if p.whole != nil {
		of = new(alert.Snoozes)
		of.OnAdd(p.snoozed)
		p.engine.Silencer().Share(of)
	}
	of.OnChange(p.acted)
	p.snoozes.Store(of)
}

// acted notes that somebody has done something about the alerts of this picture.
func (p *picture) acted() {
	p.anew.Store(true)
	p.heard()
}
