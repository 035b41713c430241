package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/control/audit"
	"wallboard/internal/serve/cluster"
)

// ClusterCommand returns `wallboard cluster` and its subcommands.
func ClusterCommand(s *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("cluster", "Show and check the servers of a cluster, and move the connection",
		newClusterStatus(s), newClusterCheck(s), newClusterStepDown(s), newClusterAudit(s), newClusterMetrics(s))
}

func newNode(s *cmdutil.Setup) (admin.NodeClient, error) {
	c, err := s.LoadAll(false)
	if err != nil {
		return admin.NodeClient{}, err
	}
	if !c.Cluster.Enabled() {
		return admin.NodeClient{}, cmdutil.NewUsageError(errors.New("[cluster] has no name: this server is not in a cluster"))
	}
	n := admin.NodeClient{Cluster: &c.Cluster}
	if !c.MultiPlatform() {
		n.Platform = c.Platform
	}
	return n, nil
}

// queryNodeStatuses reads the configuration and asks this user's running node for the status
// of each platform.
func queryNodeStatuses(ctx context.Context, s *cmdutil.Setup) ([]*cluster.Status, error) {
	n, err := newNode(s)
	if err != nil {
		return nil, err
	}
	return n.Statuses(ctx)
}

func newClusterStatus(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show which node has the connection, and the state of the others",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := queryNodeStatuses(cmd.Context(), s)
			if err != nil {
				return err
			}
			for _, st := range all {
				if s.JSON {
					err = cmdutil.WriteJSONLine(s.Streams.Out, st)
				} else {
					err = cmdutil.WriteText(s.Streams.Out, st.Text(time.Now()))
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newClusterCheck(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the cluster for silent nodes, clock differences and different versions",
		Long: "Check queries the node of this user and prints the problems. The exit code is 1 if there are any.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := newNode(s)
			if err != nil {
				return err
			}
			all, err := n.Statuses(cmd.Context())
			if err != nil {
				return err
			}
			if err := cmdutil.WriteText(s.Streams.Out, n.AuthText()+"\n"); err != nil {
				return err
			}
			problemCount := 0
			for _, st := range all {
				found := st.Problems(n.Lease, n.ExpectedPeers(), time.Now())
				problemCount += len(found)
				if len(found) == 0 {
					found = []string{fmt.Sprintf("all %d nodes are well, %s leads", len(st.Nodes)+1, st.Leader)}
				}
				for _, say := range found {
					if err := cmdutil.WriteText(s.Streams.Out, st.PlatformPrefix(": ")+say+"\n"); err != nil {
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

func newClusterStepDown(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "step-down", Short: "Hand the connection over to another node, before a node is stopped",
		Long: "Step-down makes the node with the connection hand it over, whichever node that is. With several platforms in the\n" +
			"configuration, this node hands over all of its connections; with --platform any node hands over that one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := newNode(s)
			if err != nil {
				return err
			}
			return n.Send(cmd.Context(), "step-down", func(a *app.ClusterAnswer) error {
				return cmdutil.Printf(s.Streams.Out, "%s%s hands the connection over\n", (&cluster.Status{Platform: a.Platform}).PlatformPrefix(": "), a.Node)
			})
		},
	}
}

func newClusterAudit(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "audit", Short: "Print the cluster's copy of all audit logs as lines of JSON",
		Long: "Audit prints the copied audit logs of the nodes: the name of the node, the line and its hash. The log of each node is the\n" +
			"authoritative one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := newNode(s)
			if err != nil {
				return err
			}
			return n.Send(cmd.Context(), "audit", func(a *app.ClusterAnswer) error {
				if a.Line == "" {
					return nil
				}
				line := json.RawMessage(a.Line)
				if !json.Valid(line) {
					return nil // ignore a line that is incomplete because of a crash
				}
				return cmdutil.WriteJSONLine(s.Streams.Out, struct {
					Node string          `json:"node"`
					Hash string          `json:"hash"` // hash of the line as it is in the audit file
					Line json.RawMessage `json:"line"`
				}{a.Node, audit.HashLine([]byte(a.Line)), line})
			})
		},
	}
}

func newClusterMetrics(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Print the metrics of this node in the OpenMetrics text format",
		Long: "Metrics prints the metrics of this node once, for a collector that reads text files or runs commands.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := queryNodeStatuses(cmd.Context(), s)
			if err != nil {
				return err
			}
			return cmdutil.WriteText(s.Streams.Out, cluster.MetricsText(all, time.Now()))
		},
	}
}
