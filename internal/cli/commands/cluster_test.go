package commands

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/serve/cluster"
)

// TestCutOffIsAProblem checks check and status on a node without a majority.
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
		st := &cluster.Status{Node: "wb1", Role: cluster.Alone, CutOff: c.cutOff, ActAlone: c.acts}
		found := statusProblems(st, &config.Cluster{Lease: time.Second}, now)
		acting := slices.DeleteFunc(found, func(s string) bool { return !strings.Contains(s, "act") && !strings.Contains(s, "Actions") })
		if got := strings.Join(acting, ""); got != c.check {
			t.Errorf("%s: check says %q", c.name, got)
		}
		if said := describeStatus(st, now); !strings.Contains(said, c.inStatus) || c.inStatus == "" && strings.Contains(said, "actions") {
			t.Errorf("%s: status says %q", c.name, said)
		}
	}
}

// TestSilentNodeIsNotLeading checks the status of a silent former leader.
func TestSilentNodeIsNotLeading(t *testing.T) {
	t.Parallel()
	now := time.Now()
	node := func(silent time.Duration) *cluster.Status {
		return &cluster.Status{Node: "wb2", Role: cluster.Leading, Nodes: []cluster.NodeStatus{
			{Presence: cluster.Presence{Node: "wb1", Role: cluster.Leading}, LastHeard: now.Add(-silent)},
		}}
	}
	if said := describeStatus(node(12*time.Second), now); strings.Contains(said, "wb1: leading") || !strings.Contains(said, "wb1: not heard for 12s") {
		t.Errorf("of a node that is gone: %q", said)
	}
	if said := describeStatus(node(time.Second), now); !strings.Contains(said, "wb1: leading") {
		t.Errorf("of a node that is there: %q", said)
	}
}
