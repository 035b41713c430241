package cluster

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCutOffIsAProblem checks the output of check and status for a node without a majority.
func TestCutOffIsAProblem(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		name            string
		cutOff, acts    bool
		check, inStatus string
	}{
		{"by itself, a majority heard", false, false, "", ""},
		{"cut off", true, false, "Actions at node wb1 wait until it reaches a majority of the nodes.", "actions wait here"},
		{"cut off and acting", true, true, "Node wb1 acts by itself (act_alone): a user of another node may do the same at the same moment.", "actions go on here"},
	} {
		st := &Status{Node: "wb1", Role: RoleAlone, CutOff: c.cutOff, ActAlone: c.acts}
		found := st.Problems(time.Second, 0, now)
		acting := slices.DeleteFunc(found, func(s string) bool { return !strings.Contains(s, "act") && !strings.Contains(s, "Actions") })
		if got := strings.Join(acting, ""); got != c.check {
			t.Errorf("%s: check says %q", c.name, got)
		}
		if said := st.Text(now); !strings.Contains(said, c.inStatus) || c.inStatus == "" && strings.Contains(said, "actions") {
			t.Errorf("%s: status says %q", c.name, said)
		}
	}
}

// TestSilentNodeIsNotLeading checks that status does not show a silent former leader as leading.
func TestSilentNodeIsNotLeading(t *testing.T) {
	t.Parallel()
	now := time.Now()
	node := func(leader string, silent time.Duration) *Status {
		return &Status{Node: "wb2", Leader: leader, Nodes: []NodeStatus{
			{Presence: Presence{Node: "wb1", Role: RoleLeading}, LastHeard: now.Add(-silent)},
		}}
	}
	if said := node("wb3", 12*time.Second).Text(now); strings.Contains(said, "wb1: leading") || !strings.Contains(said, "wb1: not heard for 12s") {
		t.Errorf("of a node that is gone: %q", said)
	}
	for _, leader := range []string{"wb3", ""} {
		if said := node(leader, time.Second).Text(now); !strings.Contains(said, "wb1: no longer leading,") {
			t.Errorf("of a node that was replaced a second ago: %q", said)
		}
	}
	if said := node("wb1", time.Second).Text(now); !strings.Contains(said, "wb1: leading") {
		t.Errorf("of a node that is there: %q", said)
	}
}
