package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/simulator/world"
)

// platformFault is the situation that only a server can stage: callers wait, and then
// the platform tells nothing of services any more.
const platformFault = "platform-fault"

// ofWorld is the situation of the world that a server makes more of.
func ofWorld(name string) string {
	if name == platformFault {
		return "surge"
	}
	return name
}

// When the platform ceases to tell of services, after the calls began to surge.
const (
	ceasesAfter = 90 * time.Second
	ceasesFor   = 3 * time.Minute
)

// AllStaged returns the situations that can be staged.
func AllStaged() []world.Staged {
	return append(world.AllStaged(), world.Staged{
		Name: platformFault, About: "the platform tells nothing of services for three minutes while callers wait",
		Causes: []world.Cause{world.PlatformFault}, Lasts: 6 * time.Minute,
	})
}

// StageNames are the situations that can be staged.
func StageNames() []string {
	var names []string
	for _, s := range AllStaged() {
		names = append(names, s.Name)
	}
	return names
}

func checkStage(name string) error {
	if name == "" || slices.Contains(StageNames(), name) {
		return nil
	}
	return fmt.Errorf("stage: %q is none of %s", name, strings.Join(StageNames(), ", "))
}

// Stage has a situation begin after a while, and says where it shows. The error is
// [world.ErrInvalid].
func (s *Server) Stage(name string, after time.Duration) (staged world.Staged, scene world.Scene, err error) {
	err = s.world.Act(func(w *world.World) error {
		staged, scene, err = w.Stage(ofWorld(name), after)
		return err //nolint:wrapcheck // below
	})
	if err != nil {
		return staged, scene, fmt.Errorf("simulator: %w", err)
	}
	if name == platformFault {
		all := AllStaged()
		staged = all[len(all)-1]
		s.faults.ceaseAt(s.world.Now().Add(after + ceasesAfter))
	}
	return staged, scene, nil
}

// ceaseAt has the platform tell nothing of services for a while.
func (f *Faults) ceaseAt(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ceases = at
}

// stage makes the faults that are staged for a time of the world.
func (f *Faults) stage(now time.Time) {
	f.mu.Lock()
	at, on := f.ceases, f.ceased
	f.mu.Unlock()
	due := !at.IsZero() && !now.Before(at) && now.Before(at.Add(ceasesFor))
	if due == on {
		return
	}
	f.mu.Lock()
	f.ceased = due
	f.mu.Unlock()
	f.RTD.Cease("serviceStats", due)
}
