package hub

import (
	"context"
	"iter"
	"sync"
	"time"

	"wallboard/model"
	"wallboard/record"
)

// Film is a recording as a viewer may see it: everything else is taken out of its pictures
// before anybody looks at them. Everybody is called as in the picture of now.
type Film struct {
	*record.Film
	sight  Sight
	marked bool // the marks may be seen
	close  func() error
	twin   func() *model.Mask

	mu   sync.Mutex // of what takes out
	part *model.Narrower
	mask *model.Mask
}

// Film returns a recording as this viewer may see it. What its marks say is for who sees
// the whole floor, and who may not see names only where the recording has none: nameless.
// done lets go of it.
func (v *Viewer) Film(f *record.Film, nameless bool, done func() error) *Film {
	p := v.picture()
	whole := p.sight.Part.All() && (nameless || p.mask == nil)
	return &Film{
		Film: f, sight: p.sight, marked: whole, close: done, twin: p.twin,
		part: model.NewNarrower(p.sight.Part), mask: p.twin(),
	}
}

func (f *Film) seen(s *model.Snapshot) *model.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mask.Apply(f.part.Apply(s))
}

// Latest returns the picture of the film's time, nil before the first.
func (f *Film) Latest() *model.Snapshot { return f.seen(f.Film.Latest()) }

// Wait returns the newest picture as soon as there is one with a Seq greater than after, or
// the context's error.
func (f *Film) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	s, err := f.Film.Wait(ctx, after)
	return f.seen(s), err
}

// Through returns the pictures from one instant to another, as [record.Film.Through] does.
func (f *Film) Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		part, mask := model.NewNarrower(f.sight.Part), f.twin()
		if !f.sight.Part.All() || mask != nil { // what is taken out may go by any table
			only = nil
		}
		for s, err := range f.Film.Through(from, to, step, only...) {
			if !yield(mask.Apply(part.Apply(s)), err) {
				return
			}
		}
	}
}

// Marks are what happened, as far as that may be seen.
func (f *Film) Marks() []model.Mark {
	if !f.marked {
		return nil
	}
	return f.Film.Marks()
}

// Close lets go of the recording.
func (f *Film) Close() error { return f.close() }
