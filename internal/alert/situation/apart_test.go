package situation_test

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestAgentWithoutServiceComesLast checks that an agent who serves no service is listed
// after the queues at any level, and that an unknown activity is not mentioned.
func TestAgentWithoutServiceComesLast(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("S", 3, 35, 4, 1)
	f.agent("visor", model.NotReady, nil, nil)
	f.look(0)
	f.service("T", 0, 0, 4, 1)
	f.look(72 * time.Minute)
	if len(f.view.Live) != 2 {
		t.Fatalf("%+v", f.view.Live)
	}
	queue, visor := f.view.Live[0], f.view.Live[1]
	if queue.Place.Key.Scope != alert.Service || visor.Level != alert.Critical || queue.Level != alert.Warning {
		t.Errorf("first %v %s, then %v %s", queue.Place, queue.Level, visor.Place, visor.Level)
	}
	if want := "Not ready for 1:12:00."; visor.Headline != want {
		t.Errorf("%q, want %q", visor.Headline, want)
	}
	// Agents with a service are sorted by level.
	f.agent("visor", model.NotReady, []string{"X"}, nil)
	if f.look(72*time.Minute + time.Second); f.view.Live[0].Place.Key.Scope != alert.User {
		t.Errorf("first %v", f.view.Live[0].Place)
	}
}
