package hub

import (
	"context"
	"iter"
	"sync"
	"time"

	"wallboard/internal/record"
	"wallboard/model"
)

// Replay is a replay of a recording, restricted to the part of the floor that a viewer may
// see. It masks names like the live view.
type Replay struct {
	*record.Replay
	visibility Visibility
	showsMarks bool // the viewer may see the marks
	close      func() error
	maskCopy   func() *model.Mask

	mu         sync.Mutex // guards partFilter and mask
	partFilter *model.PartFilter
	mask       *model.Mask
}

// NewReplay returns a replay of f, restricted to the part of the floor that this viewer may see.
// It has marks only if the viewer may see the whole floor and all names. If nameless is true,
// the recording contains no names, and the marks depend only on the part of the floor.
// [Replay.Close] calls done.
func (v *Viewer) NewReplay(f *record.Replay, nameless bool, done func() error) *Replay {
	p := v.currentView()
	whole := p.visibility.Part.IsWholeFloor() && (nameless || p.mask == nil)
	return &Replay{
		Replay: f, visibility: p.visibility, showsMarks: whole, close: done, maskCopy: p.maskCopy,
		partFilter: model.NewPartFilter(p.visibility.Part), mask: p.maskCopy(),
	}
}

func (f *Replay) restrict(s *model.Snapshot) *model.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mask.Apply(f.partFilter.Apply(s))
}

// Latest returns the snapshot at the current time of the replay, or nil before the first snapshot.
func (f *Replay) Latest() *model.Snapshot { return f.restrict(f.Replay.Latest()) }

// Wait waits for a snapshot with a Seq greater than after and returns it. If the context ends
// first, it returns the error of the context.
func (f *Replay) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	s, err := f.Replay.Wait(ctx, after)
	return f.restrict(s), err
}

// SampledSnapshots returns the snapshots between two instants like [record.Replay.SampledSnapshots], masked
// and restricted to the visible part of the floor.
func (f *Replay) SampledSnapshots(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		part, mask := model.NewPartFilter(f.visibility.Part), f.maskCopy()
		if !f.visibility.Part.IsWholeFloor() || mask != nil { // restricting or masking a snapshot may need any table
			only = nil
		}
		for s, err := range f.Replay.SampledSnapshots(from, to, step, only...) {
			if !yield(mask.Apply(part.Apply(s)), err) {
				return
			}
		}
	}
}

// Marks returns the marks of the recording, or nil if the viewer may not see them.
func (f *Replay) Marks() []model.Mark {
	if !f.showsMarks {
		return nil
	}
	return f.Replay.Marks()
}

// Close calls the function done that was passed to [Viewer.NewReplay].
func (f *Replay) Close() error { return f.close() }
