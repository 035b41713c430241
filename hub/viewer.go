package hub

import (
	"context"
	"sync/atomic"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/track"
)

// Viewer is what one viewer sees of a hub: the pictures at their own pace, and the
// engine as if it were theirs alone. It belongs to one board.
type Viewer struct {
	p            atomic.Pointer[picture]
	hub          *Hub
	source       Source
	told         int // changes
	every, phase time.Duration
	now          func() time.Time
}

// Look has the viewer see something else from now on.
func (v *Viewer) Look(sight Sight) error {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	return v.look(sight)
}

// look is that, for who holds the lock of the hub.
func (v *Viewer) look(sight Sight) error {
	p, err := v.hub.picture(sight)
	if err != nil || p == v.p.Load() {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v.told = p.first + len(p.changes)
	v.p.Store(p)
	return nil
}

func (v *Viewer) picture() *picture { return v.p.Load() }

// Names are what people call the platform's codes.
func (v *Viewer) Names() model.Names {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	return v.hub.o.Names
}

// Keeps reports whether what happens to alerts outlives the hub.
func (v *Viewer) Keeps() bool { return v.hub.keeps }

// Public is a text of somebody who may see more, without what may not be read here.
func (v *Viewer) Public(text string) string {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text(text)
}

// early is how long before the frame that is due its picture comes.
const early = 10 * time.Millisecond

// Latest returns the newest picture, nil before the first.
func (v *Viewer) Latest() *model.Snapshot { return v.picture().of(v.source.Latest()) }

// Wait returns the newest picture when the next frame is due and there is one newer
// than the one with number after, or the context's error. The first comes at once.
func (v *Viewer) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	s, err := v.source.Wait(ctx, after)
	if err != nil {
		return nil, err //nolint:wrapcheck // it is the source to who waits
	}
	if after > 0 && v.every > 0 {
		now := v.now()
		due := now.Add(early - v.phase).Truncate(v.every).Add(v.every + v.phase - early).Sub(now)
		t := time.NewTimer(due)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return nil, ctx.Err() //nolint:wrapcheck // as above
		}
		if newest := v.source.Latest(); newest != nil && newest.Seq > s.Seq {
			s = newest
		}
	}
	return v.picture().of(s), nil
}

// Evaluate judges a picture, unless it was, and returns what has changed since this
// viewer asked.
func (v *Viewer) Evaluate(s *model.Snapshot, now time.Time) []alert.Change {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.judge(s, now)
	news := p.changes[max(v.told-p.first, 0):]
	v.told = p.first + len(p.changes)
	return append([]alert.Change(nil), news...)
}

// Once returns what is made of the alerts, those that are not over first: once for all
// who see them and not again before the picture was judged anew, unless it is to be
// fresh. before is what was made of them last, nil at first.
func (v *Viewer) Once(fresh bool, made func(active, ended []alert.Alert, before any) any) any {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	if fresh || p.made == nil || p.judged {
		p.made, p.judged = made(p.engine.Active(), p.engine.History(), p.made), false
	}
	return p.made
}

// Situations are those of the picture, shared with everybody who sees it.
func (v *Viewer) Situations() Situations { return Situations{v.picture()} }

// Situations tell what a person has to know of a picture.
type Situations struct{ p *picture }

// Look returns what was found when the picture was judged. What it is given decides
// nothing: everybody is told the same.
func (s Situations) Look(_ *model.Snapshot, _ []alert.Alert, _ []alert.Change, now time.Time) *situation.View {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	if s.p.view == nil {
		return &situation.View{At: now}
	}
	return s.p.view
}

// Hour tells what an agent did in the hour before a time on a channel.
func (s Situations) Hour(k model.UserStatKey, now time.Time) track.Hour {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	return s.p.watch.Hour(k, now)
}

// with calls a function of the engine.
func with[T any](v *Viewer, do func(*alert.Engine) T) T {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return do(p.engine)
}

// with2 is with for what may fail.
func with2[T any](v *Viewer, do func(*alert.Engine) (T, error)) (T, error) {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return do(p.engine)
}

// Active returns the alerts that are not over.
func (v *Viewer) Active() []alert.Alert { return with(v, (*alert.Engine).Active) }

// History returns those that are.
func (v *Viewer) History() []alert.Alert { return with(v, (*alert.Engine).History) }

// Of returns the active alerts about a record.
func (v *Viewer) Of(k alert.Key) []alert.Alert {
	return with(v, func(e *alert.Engine) []alert.Alert { return e.Of(k) })
}

// Acknowledge notes who has taken an alert over, for all who see it.
func (v *Viewer) Acknowledge(id, who, note string, now time.Time) (alert.Alert, error) {
	return v.picture().acknowledge(id, who, note, now)
}

// Silencer keeps alerts quiet, for all who see them.
func (v *Viewer) Silencer() *alert.Silencer { return with(v, (*alert.Engine).Silencer) }

// Unjudged says why a record that looks bad has no alert.
func (v *Viewer) Unjudged(k alert.Key) []alert.Unjudged {
	return with(v, func(e *alert.Engine) []alert.Unjudged { return e.Unjudged(k) })
}

// KPIs returns the figures of a scope.
func (v *Viewer) KPIs(s alert.Scope) []alert.KPI {
	return with(v, func(e *alert.Engine) []alert.KPI { return e.KPIs(s) })
}

// Charted returns the figures of a scope that there are samples of.
func (v *Viewer) Charted(s alert.Scope) []alert.KPI {
	return with(v, func(e *alert.Engine) []alert.KPI { return e.Charted(s) })
}

// Hold returns the samples as they are now.
func (v *Viewer) Hold() *alert.Trends { return with(v, (*alert.Engine).Hold) }

// Goal is what a service is measured by; "" is the floor.
func (v *Viewer) Goal(service string) alert.Goal {
	return with(v, func(e *alert.Engine) alert.Goal { return e.Goal(service) })
}

// Value is the present value of a figure of a record.
func (v *Viewer) Value(name string, k alert.Key) model.Figure {
	return with(v, func(e *alert.Engine) model.Figure { return e.Value(name, k) })
}

// Trend returns the samples of a figure of a record.
func (v *Viewer) Trend(dst []float64, name string, k alert.Key, span time.Duration) alert.Trend {
	return with(v, func(e *alert.Engine) alert.Trend { return e.Trend(dst, name, k, span) })
}

// ExplainAlert says how an alert came about.
func (v *Viewer) ExplainAlert(id string) (alert.Explanation, error) {
	return with2(v, func(e *alert.Engine) (alert.Explanation, error) { return e.ExplainAlert(id) })
}

// ExplainKPI says how a figure came about.
func (v *Viewer) ExplainKPI(name string, k alert.Key) (alert.Explanation, error) {
	return with2(v, func(e *alert.Engine) (alert.Explanation, error) { return e.ExplainKPI(name, k) })
}
