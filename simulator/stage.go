package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/simulator/world"
)

// StageNames are the situations that can be staged.
func StageNames() []string {
	var names []string
	for _, s := range world.AllStaged() {
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
		staged, scene, err = w.Stage(name, after)
		return err //nolint:wrapcheck // below
	})
	if err != nil {
		return staged, scene, fmt.Errorf("simulator: %w", err)
	}
	return staged, scene, nil
}
