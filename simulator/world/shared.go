package world

import (
	"sync"
	"time"
)

// Shared is a world that goes on while several services look at it and change
// it, one at a time. Its methods are safe for concurrent use.
type Shared struct {
	tell func(*Changes)

	mu       sync.Mutex // guards what follows
	world    *World
	paused   bool
	pausedAt time.Time
	owed     float64 // forced updates not made yet
}

// Share returns a world to be shared. tell gets the changes of each step and of
// each action, in order, while nobody else has the world.
func Share(w *World, tell func(*Changes)) *Shared { return &Shared{world: w, tell: tell} }

// Look lets f read the world.
func (s *Shared) Look(f func(*World) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f(s.world)
}

// Act lets f change the world, and tells the changes, whatever f returns.
func (s *Shared) Act(f func(*World) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := f(s.world)
	s.tell(s.world.Changed())
	return err
}

// Step lets d of simulated time pass, in which a number of user figures are
// forced to change, unless the world is frozen. Fractions of updates add up.
func (s *Shared) Step(d time.Duration, forced float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused {
		return
	}
	s.world.Step(d)
	s.owed += forced
	if n := int(s.owed); n > 0 {
		s.owed -= float64(n)
		s.world.ForceUpdate(n)
	}
	s.tell(s.world.Changed())
}

// Freeze stops the world, or lets it go on: what it has missed happens at once then, because
// its clock went on. No step is under way when it returns.
func (s *Shared) Freeze(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case on == s.paused:
		return
	case on:
		s.pausedAt = time.Now()
	default:
		s.world.Step(time.Since(s.pausedAt))
		s.tell(s.world.Changed())
	}
	s.paused = on
}

// Now returns the platform's clock, which is the world's. It goes on while the
// world is frozen.
func (s *Shared) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.world.Now()
	if s.paused {
		now = now.Add(time.Since(s.pausedAt))
	}
	return now
}

// State returns what the platform knows now.
func (s *Shared) State() *State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.State()
}

// ProfileSite returns the site of a user profile ([World.ProfileSite]).
func (s *Shared) ProfileSite(id int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.ProfileSite(id)
}
