package world

import (
	"sync"
	"time"
)

// LockedWorld guards a world with a mutex for use by several services. Its methods are safe
// for concurrent use.
type LockedWorld struct {
	onChange func(*Changes)

	mu             sync.Mutex // guards the fields below
	world          *World
	isFrozen       bool
	frozenAt       time.Time
	pendingUpdates float64 // number of forced updates still to make, with fractions
}

// NewLockedWorld returns a [LockedWorld] for w. onChange is called with the changes of each step and
// action, in order and while the world is locked.
func NewLockedWorld(w *World, onChange func(*Changes)) *LockedWorld {
	return &LockedWorld{world: w, onChange: onChange}
}

// Read calls f with the world locked, and returns the error of f. f must not change the world.
func (s *LockedWorld) Read(f func(*World) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f(s.world)
}

// Update calls f with the world locked, and returns the error of f. f may change the world.
// Update passes changes to onChange even if f returns an error.
func (s *LockedWorld) Update(f func(*World) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := f(s.world)
	s.onChange(s.world.TakeChanges())
	return err
}

// Step advances the world by d. It also forces the given number of user updates
// ([World.ForceUpdate]); fractions of an update accumulate over several steps. Step does
// nothing while the world is frozen.
func (s *LockedWorld) Step(d time.Duration, forced float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isFrozen {
		return
	}
	s.world.Step(d)
	s.pendingUpdates += forced
	if n := int(s.pendingUpdates); n > 0 {
		s.pendingUpdates -= float64(n)
		s.world.ForceUpdate(n)
	}
	s.onChange(s.world.TakeChanges())
}

// SetFrozen freezes or resumes the world. [LockedWorld.Now] continues while the world is frozen. On
// resuming, all missed events run at once. When SetFrozen returns, no step is running.
func (s *LockedWorld) SetFrozen(frozen bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case frozen == s.isFrozen:
		return
	case frozen:
		s.frozenAt = time.Now()
	default:
		s.world.Step(time.Since(s.frozenAt))
		s.onChange(s.world.TakeChanges())
	}
	s.isFrozen = frozen
}

// Now returns the time on the platform's clock, which continues while the world is frozen.
func (s *LockedWorld) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.world.Now()
	if s.isFrozen {
		now = now.Add(time.Since(s.frozenAt))
	}
	return now
}

// State returns all current records.
func (s *LockedWorld) State() *State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.State()
}

// ProfileSite returns the site of a user profile ([World.ProfileSite]).
func (s *LockedWorld) ProfileSite(id int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.ProfileSite(id)
}
