package diagnosis_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

var anna = model.UserStatKey{Username: "anna", Channel: model.Call}

// strip formats an hour with a letter for each step, without leading unknown steps.
func strip(h diagnosis.AgentHour) string {
	letters := map[model.UserStatus]string{"": ".", model.Ready: "r", model.Busy: "b", model.NotReady: "n"}
	var b strings.Builder
	for _, s := range h.States {
		b.WriteString(letters[s])
	}
	return strings.TrimLeft(b.String(), ".")
}

func TestHourOfAnAgent(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(1, 1, 1)
	f.agent("anna", model.Ready)
	f.looks(5 * 60)
	f.agent("anna", model.Busy)
	f.looks(2*60 + 1)
	want := strings.Repeat("r", 10) + strings.Repeat("b", 5)
	if got := strip(f.track.AgentHour(anna, f.now)); got != want {
		t.Errorf("the hour is %q, want %q", got, want)
	}
	if got := strip(f.track.AgentHour(model.UserStatKey{Username: "nobody", Channel: model.Call}, f.now)); got != "" {
		t.Errorf("hour of an unknown agent: %q", got)
	}

	// Two minutes without observation are unknown, not the previous state.
	f.health.Link.State = model.LinkBackoff
	f.looks(2 * 60)
	seen := want[:len(want)-1] // the last step had not ended when the connection was lost
	if got := strip(f.track.AgentHour(anna, f.now)); !strings.HasPrefix(got, seen+"....") {
		t.Errorf("without a connection the hour is %q", got)
	}
	f.health.Link.State = model.LinkUp
	f.agent("anna", model.NotReady)
	f.looks(60)
	if got := strip(f.track.AgentHour(anna, f.now)); !strings.HasPrefix(got, seen+"....n") || strings.Contains(got[len(seen):], "b") {
		t.Errorf("after the cut the hour is %q", got)
	}

	// A state of more than an hour fills the whole hour.
	f.looks(61 * 60)
	if got := strip(f.track.AgentHour(anna, f.now)); got != strings.Repeat("n", 120) {
		t.Errorf("after an hour it is %q", got)
	}

	// After the clock was set back there are no later steps.
	f.look(-70 * time.Minute)
	f.looks(30)
	if got := strip(f.track.AgentHour(anna, f.now)); len(got) > 2 || !strings.HasSuffix(got, "n") {
		t.Errorf("after the clock was set back it is %q", got)
	}
}
