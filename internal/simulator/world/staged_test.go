package world

import (
	"testing"
	"time"
)

// Each scenario must be visible where it says, as long waits or as a campaign
// without contacts, and must end.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, s := range Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			w := New(Options{Seed: 1, Agents: 120})
			_, at, err := w.StartScenario(s.Name, 10*time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			w.Step(10 * time.Minute)
			var longest, first time.Duration
			most := 0
			for began := w.now; w.now < began+s.Duration; {
				w.Step(time.Second)
				if at.Campaign != 0 {
					if c := w.dialer.byID[at.Campaign]; c.stat.ToDoContacts == 0 {
						most, longest = 10, time.Hour
					}
					continue
				}
				l := w.lineOf(at)
				most = max(most, len(l.waiting))
				if len(l.waiting) > 0 {
					longest = max(longest, w.now-l.waiting[0].startedAt)
				}
				if first == 0 && longest >= 30*time.Second {
					first = w.now - began
				}
			}
			t.Logf("%d waiting, longest %v; first wait of 30 s after %v", most, longest, first)
			if longest < time.Minute || most < 2 {
				t.Errorf("%d waited at most, %v at most", most, longest)
			}
		})
	}
	if _, _, err := New(Options{Agents: 2}).StartScenario("nothing", 0); err == nil {
		t.Error("Stage accepted an unknown scenario")
	}
}

func (w *World) lineOf(at ScenarioLocation) *serviceChannel {
	for ch, l := range w.serviceByCode[at.Service].channels {
		if l != nil && channel(ch).String() == at.Channel {
			return l
		}
	}
	return nil
}
