package commands

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/serve/cluster"
)

// ClusterCommand returns `wallboard cluster` and its subcommands.
func ClusterCommand(s *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("cluster", "Show and check the servers of a cluster, and move the connection",
		newClusterStatus(s), newClusterCheck(s), newClusterStepDown(s), newClusterAudit(s), newClusterMetrics(s))
}

// nodeQuery asks the node of this machine about a platform, or about all platforms if platform is
// "".
type nodeQuery struct {
	*config.Cluster
	platform string
}

func newNodeQuery(s *cmdutil.Setup) (nodeQuery, error) {
	c, err := s.LoadAll(false)
	if err != nil {
		return nodeQuery{}, err
	}
	if !c.Cluster.Enabled() {
		return nodeQuery{}, cmdutil.NewUsageError(errors.New("[cluster] has no name: this server is not in a cluster"))
	}
	n := nodeQuery{Cluster: &c.Cluster}
	if !c.MultiPlatform() {
		n.platform = c.Platform
	}
	return n, nil
}

// send sends a question with the platform to the running node of this user. It calls handle for
// each answer.
func (n *nodeQuery) send(ctx context.Context, question string, handle func(*app.ClusterAnswer) error) error {
	if n.platform != "" {
		question += " " + n.platform
	}
	return app.AskNode(ctx, n.Name, n.NodeName(), question, handle)
}

// statuses asks the node for its status, one for each platform.
func (n *nodeQuery) statuses(ctx context.Context) ([]*cluster.Status, error) {
	var statuses []*cluster.Status
	err := n.send(ctx, "status", func(a *app.ClusterAnswer) error {
		if a.Status != nil {
			statuses = append(statuses, a.Status)
		}
		return nil
	})
	if err == nil && len(statuses) == 0 {
		err = app.ErrNoNode
	}
	return statuses, err
}

// NodeHost describes the SSH server of another node of a cluster.
type NodeHost struct {
	Node string
	Key  string // in the format of authorized_keys; "" if the node has an earlier version
	Port string
}

// QueryNodeHosts asks the running node of this user for the SSH servers of the other nodes that the
// node knows.
func QueryNodeHosts(ctx context.Context, c *config.Config) ([]NodeHost, error) {
	n := nodeQuery{Cluster: &c.Cluster}
	all, err := n.statuses(ctx)
	if err != nil {
		return nil, err
	}
	var hosts []NodeHost
	for i := range all[0].Nodes { // every platform has the same nodes
		n := &all[0].Nodes[i]
		hosts = append(hosts, NodeHost{Node: n.Node, Key: n.HostKey, Port: n.SSHPort})
	}
	return hosts, nil
}

// queryNodeStatuses reads the configuration and asks the running node of this user for its status,
// one for each platform.
func queryNodeStatuses(ctx context.Context, s *cmdutil.Setup) ([]*cluster.Status, error) {
	n, err := newNodeQuery(s)
	if err != nil {
		return nil, err
	}
	return n.statuses(ctx)
}

func newClusterStatus(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show which node has the connection, and the state of the others", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := queryNodeStatuses(cmd.Context(), s)
			if err != nil {
				return err
			}
			for _, st := range all {
				if s.JSON {
					err = cmdutil.WriteJSONLine(s.Streams.Out, st)
				} else {
					err = cmdutil.WriteText(s.Streams.Out, describeStatus(st, time.Now()))
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// outdatedAfter is the age from which the state of another node is shown as outdated.
const outdatedAfter = 5 * time.Second

// describeStatus returns the status of a node and of the other nodes as text for users.
func describeStatus(st *cluster.Status, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cluster %s, %sepoch %d, led by %s\n", st.Cluster, platformPrefix(st, ", "), st.Epoch, nameOrNone(st.Leader))
	fmt.Fprintf(&b, "%s (this node): %s for %s, %s\n", st.Node, st.Role, roundedAge(now, st.Since), st.Version)
	for i := range st.Nodes {
		n := &st.Nodes[i]
		if now.Sub(n.LastHeard) > outdatedAfter { // its state is outdated
			fmt.Fprintf(&b, "%s: not heard for %s, was %s", n.Node, roundedAge(now, n.LastHeard), n.Role)
			fmt.Fprintln(&b)
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %s, %d viewers, heard %s ago", n.Node, n.Role, n.Version, n.Viewers, roundedAge(now, n.LastHeard))
		if n.ClockAhead != 0 {
			fmt.Fprintf(&b, ", its clock differs by %s", n.ClockAhead.Abs().Round(100*time.Millisecond))
		}
		b.WriteByte('\n')
	}
	if !st.HasMajority {
		b.WriteString("no majority of the nodes is heard\n")
	}
	if !st.StoreAnswers {
		b.WriteString("the lease does not answer\n")
	}
	switch {
	case st.CutOff && st.ActAlone:
		b.WriteString("actions go on here without asking the others (act_alone)\n")
	case st.CutOff:
		b.WriteString("actions wait here until a majority is reached\n")
	}
	if st.Problem != "" {
		b.WriteString(st.Problem + "\n")
	}
	return b.String()
}

// platformPrefix returns the platform's name followed by suffix, or "" if there is only one
// platform.
func platformPrefix(st *cluster.Status, suffix string) string {
	if st.Platform == "" {
		return ""
	}
	return st.Platform + suffix
}

func nameOrNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

func roundedAge(now, t time.Time) time.Duration {
	d := now.Sub(t)
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

// maxClockDifference is the tolerated difference between the clocks of two nodes. With a larger
// difference snapshots are still correct, but the logs of the nodes are hard to compare.
const maxClockDifference = 5 * time.Second

func newClusterCheck(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the cluster for silent nodes, clock differences and different versions", Args: cobra.NoArgs,
		Long: "Check queries the node of this user and prints the problems. The exit code is 1 if there are any.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := newNodeQuery(s)
			if err != nil {
				return err
			}
			all, err := n.statuses(cmd.Context())
			if err != nil {
				return err
			}
			if err := cmdutil.WriteText(s.Streams.Out, n.AuthText()+"\n"); err != nil {
				return err
			}
			problemCount := 0
			for _, st := range all {
				found := statusProblems(st, n.Cluster, time.Now())
				problemCount += len(found)
				if len(found) == 0 {
					found = []string{fmt.Sprintf("all %d nodes are well, %s leads", len(st.Nodes)+1, st.Leader)}
				}
				for _, say := range found {
					if err := cmdutil.WriteText(s.Streams.Out, platformPrefix(st, ": ")+say+"\n"); err != nil {
						return err
					}
				}
			}
			if problemCount > 0 {
				return fmt.Errorf("the cluster has %d problems", problemCount)
			}
			return nil
		},
	}
}

// statusProblems returns the problems of a node and its cluster, one sentence each.
func statusProblems(st *cluster.Status, c *config.Cluster, now time.Time) []string {
	var out []string
	add := func(format string, v ...any) { out = append(out, fmt.Sprintf(format, v...)) }
	if st.Leader == "" || st.Role == cluster.Alone || st.Role == cluster.Joining {
		add("Node %s is %s: %s.", st.Node, st.Role, cmp.Or(st.Reason, "it follows no leader"))
	}
	switch {
	case st.CutOff && st.ActAlone:
		add("Node %s acts by itself (act_alone): a user of another node may do the same at the same moment.", st.Node)
	case st.CutOff:
		add("Actions at node %s wait until it reaches a majority of the nodes.", st.Node)
	}
	if !st.HasMajority {
		add("No majority of the nodes is heard.")
	}
	if !st.StoreAnswers {
		add("The lease does not answer: a leader that fails could not be replaced now.")
	}
	if st.Problem != "" {
		add("%s.", st.Problem)
	}
	heardCount := 1
	for i := range st.Nodes {
		n := &st.Nodes[i]
		if silence := now.Sub(n.LastHeard); silence > 3*c.Lease {
			add("Node %s has sent nothing for %s.", n.Node, silence.Round(time.Second))
			continue
		}
		heardCount++
		if n.Role == cluster.Alone {
			add("Node %s follows no leader: its boards show the reason.", n.Node)
		}
		if n.Version != st.Version {
			add("Node %s has version %s, this one %s: bring all to the same.", n.Node, n.Version, st.Version)
		}
		if n.ClockAhead.Abs() > maxClockDifference {
			add("The clock of node %s differs by %s: have all keep the network's time.", n.Node, n.ClockAhead.Abs().Round(time.Second))
		}
		if n.Epoch != st.Epoch && n.Role != cluster.Joining {
			add("Node %s goes by epoch %d, this one by %d.", n.Node, n.Epoch, st.Epoch)
		}
	}
	if want := len(c.Peers); len(c.Servers) == 0 && heardCount < want {
		add("%d of %d nodes are heard.", heardCount, want)
	}
	return out
}

func newClusterStepDown(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "step-down", Short: "Hand the connection over to another node, before a node is stopped", Args: cobra.NoArgs,
		Long: "Step-down makes the node with the connection hand it over, whichever node that is. With several platforms in the\n" +
			"configuration, this node hands over all of its connections; with --platform any node hands over that one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := newNodeQuery(s)
			if err != nil {
				return err
			}
			return n.send(cmd.Context(), "step-down", func(a *app.ClusterAnswer) error {
				return cmdutil.Printf(s.Streams.Out, "%s%s hands the connection over\n", platformPrefix(&cluster.Status{Platform: a.Platform}, ": "), a.Node)
			})
		},
	}
}

func newClusterAudit(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "audit", Short: "Print the cluster's copy of all audit logs as lines of JSON", Args: cobra.NoArgs,
		Long: "Audit prints the copied audit logs of the nodes: the name of the node and the line. The log of each node is the\n" +
			"authoritative one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := newNodeQuery(s)
			if err != nil {
				return err
			}
			return n.send(cmd.Context(), "audit", func(a *app.ClusterAnswer) error {
				if a.Line == "" {
					return nil
				}
				line := json.RawMessage(a.Line)
				if !json.Valid(line) {
					return nil // a line that a crash cut off
				}
				return cmdutil.WriteJSONLine(s.Streams.Out, struct {
					Node string          `json:"node"`
					Line json.RawMessage `json:"line"`
				}{a.Node, line})
			})
		},
	}
}

func newClusterMetrics(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Print the metrics of this node in the OpenMetrics text format", Args: cobra.NoArgs,
		Long: "Metrics prints the metrics of this node once, for a collector that reads text files or runs commands.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := queryNodeStatuses(cmd.Context(), s)
			if err != nil {
				return err
			}
			return cmdutil.WriteText(s.Streams.Out, metricsText(all, time.Now()))
		},
	}
}

// metricsText returns the metrics of a node for all platforms, in the OpenMetrics text format.
func metricsText(all []*cluster.Status, now time.Time) string {
	var b strings.Builder
	family := func(name, kind, help string, value func(st *cluster.Status) float64) {
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
	family("leading", "gauge", "Whether this node has the connection to the platform.", func(st *cluster.Status) float64 { return truth[st.Role == cluster.Leading] })
	family("alone", "gauge", "Whether this node cannot reach the others.", func(st *cluster.Status) float64 { return truth[st.Role == cluster.Alone] })
	family("epoch", "gauge", "The epoch of the shown snapshot.", func(st *cluster.Status) float64 { return float64(st.Epoch) })
	family("nodes", "gauge", "Nodes that were heard in the last ten seconds, including this one.", func(st *cluster.Status) float64 {
		heardCount := 1.0
		for i := range st.Nodes {
			if now.Sub(st.Nodes[i].LastHeard) < 10*time.Second {
				heardCount++
			}
		}
		return heardCount
	})
	family("lease_answers", "gauge", "Whether the lease answers.", func(st *cluster.Status) float64 { return truth[st.StoreAnswers] })
	family("role_changes", "counter", "Times this node had another role.", func(st *cluster.Status) float64 { return float64(st.Stats.RoleChanges) })
	family("frames", "counter", "Snapshots sent to the other nodes.", func(st *cluster.Status) float64 { return float64(st.Stats.Frames) })
	family("messages", "counter", "Messages sent for these snapshots.", func(st *cluster.Status) float64 { return float64(st.Stats.Messages) })
	family("bytes", "counter", "Bytes sent for these snapshots.", func(st *cluster.Status) float64 { return float64(st.Stats.Bytes) })
	family("telling_seconds", "counter", "Time spent on sending.", func(st *cluster.Status) float64 { return st.Stats.SendTime.Seconds() })
	family("gaps", "counter", "Times that a frame was missing or invalid.", func(st *cluster.Status) float64 { return float64(st.Stats.Gaps) })
	family("foreign", "counter", "Messages of an unknown form or of another platform.", func(st *cluster.Status) float64 { return float64(st.Stats.ForeignMessages) })
	b.WriteString("# EOF\n")
	return b.String()
}
