package cluster

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// outdatedTimeout is how long another node may be silent before its state is shown as outdated.
const outdatedTimeout = 5 * time.Second

// Text describes the node and the other nodes in lines for users.
func (s *Status) Text(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cluster %s, %sepoch %d, led by %s\n", s.Cluster, s.PlatformPrefix(", "), s.Epoch, cmp.Or(s.Leader, "none"))
	fmt.Fprintf(&b, "%s (this node): %s for %s, %s\n", s.Node, s.Role, roundedAge(now, s.Since), s.Version)
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if now.Sub(n.LastHeard) > outdatedTimeout { // its state is outdated
			fmt.Fprintf(&b, "%s: not heard for %s, was %s", n.Node, roundedAge(now, n.LastHeard), n.Role)
			fmt.Fprintln(&b)
			continue
		}
		role := string(n.Role)
		if n.Role == RoleLeading && n.Node != s.Leader { // another node has replaced it since its last report
			role = "no longer leading"
		}
		fmt.Fprintf(&b, "%s: %s, %s, %d viewers, heard %s ago", n.Node, role, n.Version, n.Viewers, roundedAge(now, n.LastHeard))
		if n.ClockAhead != 0 {
			fmt.Fprintf(&b, ", its clock differs by %s", n.ClockAhead.Abs().Round(100*time.Millisecond))
		}
		b.WriteByte('\n')
	}
	if !s.HasMajority {
		b.WriteString("no majority of the nodes is heard\n")
	}
	if !s.StoreAnswers {
		b.WriteString("the lease does not answer\n")
	}
	switch {
	case s.CutOff && s.ActAlone:
		b.WriteString("actions go on here without asking the others (act_alone)\n")
	case s.CutOff:
		b.WriteString("actions wait here until a majority is reached\n")
	}
	if s.Problem != "" {
		b.WriteString(s.Problem + "\n")
	}
	return b.String()
}

// PlatformPrefix returns the platform's name followed by suffix, or "" if there is only one
// platform.
func (s *Status) PlatformPrefix(suffix string) string {
	if s.Platform == "" {
		return ""
	}
	return s.Platform + suffix
}

func roundedAge(now, t time.Time) time.Duration {
	d := now.Sub(t)
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

// maxClockDifference is the tolerated difference between the clocks of two nodes. With a larger
// difference, snapshots are still correct, but the logs of the nodes are hard to compare.
const maxClockDifference = 5 * time.Second

// Problems returns the problems of the node and its cluster, one sentence each. lease is the time
// that a leader may be silent; peers is the configured number of nodes, or 0 if it is unknown.
func (s *Status) Problems(lease time.Duration, peers int, now time.Time) []string {
	var out []string
	add := func(format string, v ...any) { out = append(out, fmt.Sprintf(format, v...)) }
	if s.Leader == "" || s.Role == RoleAlone || s.Role == RoleJoining {
		add("Node %s is %s: %s.", s.Node, s.Role, cmp.Or(s.Reason, "it follows no leader"))
	}
	switch {
	case s.CutOff && s.ActAlone:
		add("Node %s acts by itself (act_alone): a user of another node may do the same at the same moment.", s.Node)
	case s.CutOff:
		add("Actions at node %s wait until it reaches a majority of the nodes.", s.Node)
	}
	if !s.HasMajority {
		add("No majority of the nodes is heard.")
	}
	if !s.StoreAnswers {
		add("The lease does not answer: a leader that fails could not be replaced now.")
	}
	if s.Problem != "" {
		add("%s.", s.Problem)
	}
	heardCount := 1
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if silence := now.Sub(n.LastHeard); silence > 3*lease {
			add("Node %s has sent nothing for %s.", n.Node, silence.Round(time.Second))
			continue
		}
		heardCount++
		if n.Role == RoleAlone {
			add("Node %s follows no leader: its boards show the reason.", n.Node)
		}
		if n.Version != s.Version {
			add("Node %s has version %s, this one %s: bring all to the same.", n.Node, n.Version, s.Version)
		}
		if n.ClockAhead.Abs() > maxClockDifference {
			add("The clock of node %s differs by %s: have all keep the network's time.", n.Node, n.ClockAhead.Abs().Round(time.Second))
		}
		if n.Epoch != s.Epoch && n.Role != RoleJoining {
			add("Node %s goes by epoch %d, this one by %d.", n.Node, n.Epoch, s.Epoch)
		}
	}
	if heardCount < peers {
		add("%d of %d nodes are heard.", heardCount, peers)
	}
	return out
}

// MetricsText returns the metrics of a node for all platforms, in the OpenMetrics text format.
func MetricsText(all []*Status, now time.Time) string {
	var b strings.Builder
	family := func(name, kind, help string, value func(st *Status) float64) {
		fmt.Fprintf(&b, "# TYPE wallboard_cluster_%s %s\n# HELP wallboard_cluster_%s %s\n", name, kind, name, help)
		if kind == "counter" {
			name += "_total"
		}
		for _, st := range all {
			label := ""
			if st.Platform != "" {
				label = fmt.Sprintf("{platform=%q}", st.Platform)
			}
			fmt.Fprintf(&b, "wallboard_cluster_%s%s %g\n", name, label, value(st))
		}
	}
	truth := map[bool]float64{true: 1}
	family("leading", "gauge", "Whether this node has the connection to the platform.", func(st *Status) float64 { return truth[st.Role == RoleLeading] })
	family("alone", "gauge", "Whether this node cannot reach the others.", func(st *Status) float64 { return truth[st.Role == RoleAlone] })
	family("epoch", "gauge", "The epoch of the shown snapshot.", func(st *Status) float64 { return float64(st.Epoch) })
	family("nodes", "gauge", "Nodes that were heard in the last ten seconds, including this one.", func(st *Status) float64 {
		heardCount := 1.0
		for i := range st.Nodes {
			if now.Sub(st.Nodes[i].LastHeard) < 10*time.Second {
				heardCount++
			}
		}
		return heardCount
	})
	family("lease_answers", "gauge", "Whether the lease answers.", func(st *Status) float64 { return truth[st.StoreAnswers] })
	family("role_changes", "counter", "Times this node had another role.", func(st *Status) float64 { return float64(st.Stats.RoleChanges) })
	family("frames", "counter", "Snapshots sent to the other nodes.", func(st *Status) float64 { return float64(st.Stats.Frames) })
	family("messages", "counter", "Messages sent for these snapshots.", func(st *Status) float64 { return float64(st.Stats.Messages) })
	family("bytes", "counter", "Bytes sent for these snapshots.", func(st *Status) float64 { return float64(st.Stats.Bytes) })
	family("telling_seconds", "counter", "Time spent on sending.", func(st *Status) float64 { return st.Stats.SendTime.Seconds() })
	family("gaps", "counter", "Times that a frame was missing or invalid.", func(st *Status) float64 { return float64(st.Stats.Gaps) })
	family("foreign", "counter", "Messages of an unknown form or of another platform.", func(st *Status) float64 { return float64(st.Stats.ForeignMessages) })
	b.WriteString("# EOF\n")
	return b.String()
}
