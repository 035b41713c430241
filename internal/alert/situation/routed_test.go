package situation_test

import (
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// TestNothingClearsThatIsNotRouted checks that no estimates are given for a queue whose
// contacts do not reach the agents.
func TestNothingClearsThatIsNotRouted(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Ready, []string{"S"}, nil)
	f.agent("b", model.Ready, []string{"S"}, nil)
	for s := range 90 {
		f.service("S", int64(1+s/10), int64(s), 2, 2)
		f.look(time.Second)
	}
	sit := f.view.Live[0]
	h := sit.Help
	if h.ClearTimeKnown || h.Needed != (situation.Staffing{}) || h.Estimate != (situation.ClearEstimate{}) || len(h.Assumptions) != 1 {
		t.Errorf("%s %+v", sit.Headline, h)
	}
}

// TestAgentsWhoCameBackAreNotUnrouted lets six agents come back to a queue: they are about to get
// contacts, so routing is not the cause.
func TestAgentsWhoCameBackAreNotUnrouted(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	for s := range 140 {
		state, ready := model.NotReady, int64(0)
		if s >= 122 {
			state, ready = model.Ready, 6
		}
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			f.agent(name, state, []string{"S"}, nil)
		}
		f.service("S", int64(1+s/30), int64(s), 6, ready)
		f.look(time.Second)
	}
	for _, c := range f.view.Live[0].Causes {
		if c.Kind == diagnosis.Routing {
			t.Errorf("the cause is %q", c.Text)
		}
	}
}

// TestManyQueuesAtOnceAreTold checks that queues become visible sooner if many services
// have one.
func TestManyQueuesAtOnceAreTold(t *testing.T) {
	t.Parallel()
	for name, queues := range map[string]int{"seven": 7, "two": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newStand(t)
			f.watch = situation.New(situation.Options{Hold: time.Minute})
			codes := []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"}
			put := func(second int) {
				for i, code := range codes {
					waiting, ready := int64(0), int64(1)
					if i < queues {
						waiting, ready = 2, 0
					}
					f.service(code, waiting, int64(min(second, 25)), 8, ready)
				}
			}
			f.look(time.Second)
			told := -1
			for s := range 100 {
				put(s)
				if v := f.look(time.Second); len(v.Live) > 0 {
					told = s
					break
				}
			}
			if soon := told >= 0 && told <= 55; soon != (queues == 7) {
				t.Errorf("visible after %d s", told)
			}
		})
	}
}
