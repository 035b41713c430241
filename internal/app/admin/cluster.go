package admin

import (
	"context"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
	"wallboard/internal/serve/cluster"
)

// NodeClient queries the node on this machine about a platform, or about all platforms if
// Platform is "".
type NodeClient struct {
	*config.Cluster
	Platform string
}

// Send sends a question about the platform to this user's running node, and calls handle with
// each part of the answer.
func (n *NodeClient) Send(ctx context.Context, question string, handle func(*app.ClusterAnswer) error) error {
	if n.Platform != "" {
		question += " " + n.Platform
	}
	return app.AskNode(ctx, n.Name, n.NodeName(), question, handle)
}

// ExpectedPeers returns the number of configured nodes, or 0 if the nodes use existing NATS
// servers.
func (n *NodeClient) ExpectedPeers() int {
	if len(n.Servers) > 0 {
		return 0
	}
	return len(n.Peers)
}

// Statuses asks the node for the status of each platform.
func (n *NodeClient) Statuses(ctx context.Context) ([]*cluster.Status, error) {
	var statuses []*cluster.Status
	err := n.Send(ctx, "status", func(a *app.ClusterAnswer) error {
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

// ExamineCluster asks this user's running node about the servers of the cluster.
func ExamineCluster(ctx context.Context, c *config.Cluster) doctor.Site {
	site := doctor.Site{Name: "cluster " + c.Name, Verdict: doctor.VerdictOK}
	fail := func(text string) {
		site.Verdict = doctor.VerdictFail
		site.Problems = append(site.Problems, doctor.Finding{About: "Cluster", Verdict: doctor.VerdictFail, Text: text})
	}
	n := NodeClient{Cluster: c}
	all, err := n.Statuses(ctx)
	if err != nil {
		fail(err.Error())
	}
	for _, st := range all {
		for _, problem := range st.Problems(c.Lease, n.ExpectedPeers(), time.Now()) {
			fail(st.PlatformPrefix(": ") + problem)
		}
	}
	return site
}
