package clustering

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/cluster"
	"wallboard/config"
	"wallboard/internal/output"
)

// New returns the commands about a cluster.
func New(s *command.Setup) *cobra.Command {
	return command.Group("cluster", "Say how the servers of a cluster are, check them, and move the connection",
		newStatus(s), newCheck(s), newStepDown(s), newAudit(s), newMetrics(s))
}

// nodeOf is the node that a configuration describes.
func nodeOf(s *command.Setup) (*config.Cluster, error) {
	c, err := s.Load(false)
	if err != nil {
		return nil, err
	}
	if !c.Cluster.Enabled() {
		return nil, command.Usage(errors.New("[cluster] has no name: this server is by itself"))
	}
	return &c.Cluster, nil
}

// statusOf asks the node of this user how it is.
func statusOf(ctx context.Context, s *command.Setup) (*cluster.Status, error) {
	c, err := nodeOf(s)
	if err != nil {
		return nil, err
	}
	var got *cluster.Status
	err = ask(ctx, c.Name, c.NodeName(), "status", func(a *answered) error { got = a.Status; return nil })
	if err == nil && got == nil {
		err = errNoNode
	}
	return got, err
}

func newStatus(s *command.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say who has the connection, and what this node knows of the others", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := statusOf(cmd.Context(), s)
			if err != nil {
				return err
			}
			if s.JSON {
				return output.Failed(json.NewEncoder(s.Streams.Out).Encode(st))
			}
			_, err = fmt.Fprint(s.Streams.Out, told(st, time.Now()))
			return output.Failed(err)
		},
	}
}

// told is a status in words.
func told(st *cluster.Status, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cluster %s, epoch %d, led by %s\n", st.Cluster, st.Epoch, orNobody(st.Leader))
	fmt.Fprintf(&b, "%s (this node): %s for %s, %s\n", st.Node, st.Role, ago(now, st.Since), st.Version)
	for i := range st.Nodes {
		n := &st.Nodes[i]
		fmt.Fprintf(&b, "%s: %s, %s, %d viewers, heard %s ago", n.Node, n.Role, n.Version, n.Viewers, ago(now, n.Heard))
		if n.Ahead != 0 {
			fmt.Fprintf(&b, ", its clock differs by %s", n.Ahead.Abs().Round(100*time.Millisecond))
		}
		b.WriteByte('\n')
	}
	if !st.Majority {
		b.WriteString("no majority of the nodes is heard\n")
	}
	if !st.Stored {
		b.WriteString("the lease does not answer\n")
	}
	if st.Trouble != "" {
		b.WriteString(st.Trouble + "\n")
	}
	return b.String()
}

func orNobody(name string) string {
	if name == "" {
		return "nobody"
	}
	return name
}

func ago(now, t time.Time) time.Duration {
	d := now.Sub(t)
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

// clockSlack is how far clocks may differ: what lies between is still told rightly, but
// the log files of two nodes cannot be read side by side.
const clockSlack = 5 * time.Second

func newCheck(s *command.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Say what is wrong with the cluster: nodes that are not heard, clocks, versions", Args: cobra.NoArgs,
		Long: "Check asks the node of this user what it knows, and says what is wrong. It ends with 1 where something is.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := nodeOf(s)
			if err != nil {
				return err
			}
			st, err := statusOf(cmd.Context(), s)
			if err != nil {
				return err
			}
			wrong := problems(st, c, time.Now())
			for _, w := range wrong {
				if _, err := fmt.Fprintln(s.Streams.Out, w); err != nil {
					return output.Failed(err)
				}
			}
			if len(wrong) > 0 {
				return fmt.Errorf("the cluster has %d problems", len(wrong))
			}
			_, err = fmt.Fprintf(s.Streams.Out, "all %d nodes are well, %s leads\n", len(st.Nodes)+1, st.Leader)
			return output.Failed(err)
		},
	}
}

// problems is what is wrong, in sentences.
func problems(st *cluster.Status, c *config.Cluster, now time.Time) []string {
	var out []string
	add := func(format string, v ...any) { out = append(out, fmt.Sprintf(format, v...)) }
	if st.Leader == "" || st.Role == cluster.Alone || st.Role == cluster.Joining {
		add("Node %s is %s: it does not follow anybody.", st.Node, st.Role)
	}
	if !st.Majority {
		add("No majority of the nodes is heard.")
	}
	if !st.Stored {
		add("The lease does not answer: a leader that goes could not be replaced now.")
	}
	if st.Trouble != "" {
		add("%s.", st.Trouble)
	}
	heard := 1
	for i := range st.Nodes {
		n := &st.Nodes[i]
		if silent := now.Sub(n.Heard); silent > 3*c.Lease {
			add("Node %s has said nothing for %s.", n.Node, silent.Round(time.Second))
			continue
		}
		heard++
		if n.Version != st.Version {
			add("Node %s has version %s, this one %s: bring all to the same.", n.Node, n.Version, st.Version)
		}
		if n.Ahead.Abs() > clockSlack {
			add("The clock of node %s differs by %s: have all keep the network's time.", n.Node, n.Ahead.Abs().Round(time.Second))
		}
		if n.Epoch != st.Epoch && n.Role != cluster.Joining {
			add("Node %s goes by epoch %d, this one by %d.", n.Node, n.Epoch, st.Epoch)
		}
	}
	if want := len(c.Peers); len(c.Servers) == 0 && heard < want {
		add("%d of %d nodes are heard.", heard, want)
	}
	return out
}

func newStepDown(s *command.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "step-down", Short: "Have the node with the connection hand it to another one, before it is stopped", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := nodeOf(s)
			if err != nil {
				return err
			}
			return ask(cmd.Context(), c.Name, c.NodeName(), "step-down", func(a *answered) error {
				_, err := fmt.Fprintf(s.Streams.Out, "%s hands the connection over\n", a.Node)
				return output.Failed(err)
			})
		},
	}
}

func newAudit(s *command.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "audit", Short: "Print the cluster's copy of all audit files, a line of JSON each", Args: cobra.NoArgs,
		Long: "Audit prints what the nodes have copied of their audit files: the name of the node, and its line. The file of\n" +
			"each node is the proof; the copy is for reading.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := nodeOf(s)
			if err != nil {
				return err
			}
			return ask(cmd.Context(), c.Name, c.NodeName(), "audit", func(a *answered) error {
				if a.Line == "" {
					return nil
				}
				line := json.RawMessage(a.Line)
				if !json.Valid(line) {
					return nil // torn, as a machine left it that died
				}
				return output.Failed(json.NewEncoder(s.Streams.Out).Encode(struct {
					Node string          `json:"node"`
					Line json.RawMessage `json:"line"`
				}{a.Node, line}))
			})
		},
	}
}

func newMetrics(s *command.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Print the figures of this node in the OpenMetrics text format", Args: cobra.NoArgs,
		Long: "Metrics prints the figures of this node once, for a collector that reads text files or runs commands.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := statusOf(cmd.Context(), s)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(s.Streams.Out, exposition(st, time.Now()))
			return output.Failed(err)
		},
	}
}

// exposition writes a status in the OpenMetrics text format.
func exposition(st *cluster.Status, now time.Time) string {
	var b strings.Builder
	family := func(name, kind, help string, value float64) {
		suffix := ""
		if kind == "counter" {
			suffix = "_total"
		}
		fmt.Fprintf(&b, "# TYPE wallboard_cluster_%s %s\n# HELP wallboard_cluster_%s %s\nwallboard_cluster_%s%s %g\n", name, kind, name, help, name, suffix, value)
	}
	truth := map[bool]float64{true: 1}
	heard := 1
	for i := range st.Nodes {
		if now.Sub(st.Nodes[i].Heard) < 10*time.Second {
			heard++
		}
	}
	family("leading", "gauge", "Whether this node has the connection to the platform.", truth[st.Role == cluster.Leading])
	family("alone", "gauge", "Whether this node cannot reach the others.", truth[st.Role == cluster.Alone])
	family("epoch", "gauge", "The epoch of what is shown.", float64(st.Epoch))
	family("nodes", "gauge", "Nodes that were heard in the last ten seconds, this one too.", float64(heard))
	family("lease_answers", "gauge", "Whether the lease answers.", truth[st.Stored])
	family("role_changes", "counter", "Times this node had another role.", float64(st.Stats.Changes))
	family("frames", "counter", "Pictures told to the others.", float64(st.Stats.Frames))
	family("messages", "counter", "Messages that these took.", float64(st.Stats.Messages))
	family("bytes", "counter", "Bytes that these took.", float64(st.Stats.Bytes))
	family("telling_seconds", "counter", "Time that telling them took.", st.Stats.Telling.Seconds())
	family("gaps", "counter", "Times that something was missed.", float64(st.Stats.Gaps))
	family("foreign", "counter", "Messages that were not understood, or of another platform.", float64(st.Stats.Foreign))
	b.WriteString("# EOF\n")
	return b.String()
}
