package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// platformFaultScenario is a scenario in which the platform sends no updates of services while callers
// wait. Package world does not know it, because only a server can simulate it.
const platformFaultScenario = "platform-fault"

// baseScenario returns the name of the scenario of package world on which the named scenario
// is based.
func baseScenario(name string) string {
	if name == platformFaultScenario {
		return "surge"
	}
	return name
}

// outageDelay is the time from the start of the surge to the outage in the scenario
// platformFaultScenario. outageDuration is the duration of the outage.
const (
	outageDelay    = 90 * time.Second
	outageDuration = 3 * time.Minute
)

// Scenarios returns all scenarios: those of package world and those that need a server.
func Scenarios() []world.Scenario {
	return append(world.Scenarios(), world.Scenario{
		Name: platformFaultScenario, Description: "the platform sends nothing about services for three minutes while callers wait",
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

func validateScenario(name string) error {
	if name == "" || slices.Contains(ScenarioNames(), name) {
		return nil
	}
	return fmt.Errorf("stage: unknown scenario %q, want one of %s", name, strings.Join(ScenarioNames(), ", "))
}

// StartScenario starts the named scenario after a delay. It returns the scenario and the place
// where it becomes visible. Errors wrap [world.ErrInvalid].
func (s *Server) StartScenario(name string, after time.Duration) (staged world.Scenario, scene world.ScenarioLocation, err error) {
	err = s.world.Update(func(w *world.World) error {
		staged, scene, err = w.StartScenario(baseScenario(name), after)
		return err
	})
	if err != nil {
		return staged, scene, fmt.Errorf("simulator: %w", err)
	}
	if name == platformFaultScenario {
		all := Scenarios()
		staged = all[len(all)-1]
		s.faults.scheduleOutage(s.world.Now().Add(after + outageDelay))
	}
	return staged, scene, nil
}

// scheduleOutage sets the time at which the updates of serviceStats stop, on the world's clock.
func (f *Faults) scheduleOutage(start time.Time) { webservice.SetLocked(&f.mu, &f.outageStart, start) }

// runOutage starts or ends the scheduled outage when its time has come. now is on the world's
// clock.
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
