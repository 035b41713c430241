package situation_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// TestThinInWords checks the sentences about spare agents for each state of a service.
func TestThinInWords(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	key := model.ServiceKey{Code: "S", Channel: model.Call}
	var plan *diagnosis.ReleasePlan
	says := func(want ...string) {
		t.Helper()
		f.look(time.Second)
		s := f.store.Publish(f.now, f.health)
		var lines []string
		for _, text := range situation.SpareLines(s, model.Names{}, key, f.now, plan) {
			lines = append(lines, text.In(nil))
		}
		got := strings.Join(lines, "\n")
		if got != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f.service("S", 0, 0, 0, 0)
	says("No agents logged in – no one can be released.")
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.agent("b", model.WNR, []string{"S"}, nil)
	says(
		"No one available: the next caller waits.",
		"Next free: b (in after-call work 0:01).", "Next free: a (on a call 0:01).",
	)
	for _, name := range []string{"a", "b"} {
		f.agent(name, model.Ready, []string{"S"}, nil)
	}
	says("2 agents available. 1 can be released: release 2 and the next caller waits.")
	spare := &diagnosis.FloorSpare{
		Waiting: map[string]model.Int{"S": model.IntOf(0)}, Releasable: 2, Services: map[string]diagnosis.SpareCapacity{"S": {Free: 2}},
	}
	plan = &diagnosis.ReleasePlan{ReleasableByService: map[string]int{}, Target: 0.8, Spare: spare}
	says("2 agents available. No one can be released without missing a target.")
	plan = &diagnosis.ReleasePlan{ReleasableByService: map[string]int{"S": 1}}
	says("2 agents available. 1 can be released: release 2 and the next caller waits.")
	plan = &diagnosis.ReleasePlan{MissingReason: words.ReleaseNoAgents()}
	says("2 agents available. 1 can be released: release 2 and the next caller waits.")
	plan = nil
	for _, name := range []string{"a", "b"} {
		f.agent(name, model.Ready, []string{"S", "V"}, nil)
	}
	f.service("V", 3, 10, 2, 1)
	says("2 agents available (1 shared with other services). Release one and the next caller may wait.")
	f.agent("c", model.Ready, []string{"S", "V"}, nil)
	says("3 agents available (1 shared with other services). No one can be released while callers are waiting, or may have to wait, for other services that the same agents handle.")
	f.service("V", 3, 0, 0, 0)
	f.agent("c", model.Busy, nil, nil)
	f.agent("b", model.Ready, []string{"S"}, nil)
	f.agent("a", model.Ready, []string{"S", "T"}, nil)
	says("2 agents available (1 shared with other services). Release one and the next caller may wait.")
	f.agent("b", model.NotReady, []string{"S"}, nil)
	says("1 agent available, shared with services that have no one else: the next caller may wait.")
	f.service("S", 3, 10, 2, 1)
	says("3 callers waiting – no one can be released.")
	for i := range f.health.Subscriptions {
		f.health.Subscriptions[i].State = model.SubStale
	}
	says("The figures are not current: how many agents can be released is unknown.")
}
