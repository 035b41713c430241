package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/internal/simulator/world"
)

// platformFault is a scenario that needs a server: callers wait, and then the
// platform sends no updates of services.
const platformFault = "platform-fault"

// baseScenario returns the scenario of package world on which a scenario is based.
func baseScenario(name string) string {
	if name == platformFault {
		return "surge"
	}
	return name
}

// Times of the fault in the platformFault scenario: its start after the surge
// begins, and its duration.
const (
	outageDelay    = 90 * time.Second
	outageDuration = 3 * time.Minute
)

// Scenarios returns all scenarios.
func Scenarios() []world.Scenario {
	return append(world.Scenarios(), world.Scenario{
		Name: platformFault, Description: "the platform sends nothing about services for three minutes while callers wait",
		Causes: []world.Cause{world.PlatformFault}, Duration: 6 * time.Minute,
	})
}

// ScenarioNames returns the names of all scenarios.
func ScenarioNames() []string {
	var names []string
	for _, s := range Scenarios() {
		names = append(names, s.Name)
	}
	return names
}

func validateStage(name string) error {
	if name == "" || slices.Contains(ScenarioNames(), name) {
		return nil
	}
	return fmt.Errorf("stage: unknown scenario %q, want one of %s", name, strings.Join(ScenarioNames(), ", "))
}

// StartScenario starts a scenario after the given delay and returns it with the place where
// it becomes visible. Errors wrap [world.ErrInvalid].
func (s *Server) StartScenario(name string, after time.Duration) (staged world.Scenario, scene world.ScenarioLocation, err error) {
	err = s.world.Update(func(w *world.World) error {
		staged, scene, err = w.StartScenario(baseScenario(name), after)
		return err
	})
	if err != nil {
		return staged, scene, fmt.Errorf("simulator: %w", err)
	}
	if name == platformFault {
		all := Scenarios()
		staged = all[len(all)-1]
		s.faults.scheduleOutage(s.world.Now().Add(after + outageDelay))
	}
	return staged, scene, nil
}

// scheduleOutage schedules the time at which serviceStats updates stop.
func (f *Faults) scheduleOutage(start time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.outageStart = start
}

// runOutage starts and ends the scheduled fault; now is the world's clock.
func (f *Faults) runOutage(now time.Time) {
	f.mu.Lock()
	start, isOn := f.outageStart, f.isOutageOn
	f.mu.Unlock()
	isDue := !start.IsZero() && !now.Before(start) && now.Before(start.Add(outageDuration))
	if isDue == isOn {
		return
	}
	f.mu.Lock()
	f.isOutageOn = isDue
	f.mu.Unlock()
	f.RTD.SetUnavailable("serviceStats", isDue)
}
