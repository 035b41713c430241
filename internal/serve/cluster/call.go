package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// requestStepDown is the request to a leader to step down.
const requestStepDown = "step-down"

// requestTimeout is the timeout of a request to another node.
const requestTimeout = 3 * time.Second

// handleRequest handles a request of another node. The answer is an error text, empty for success.
func (n *Node) handleRequest(msg *nats.Msg) {
	answer := "unknown request"
	if string(msg.Data) == requestStepDown {
		answer = ""
		if err := n.stepDown(); err != nil {
			answer = err.Error()
		}
	}
	if msg.Reply == "" {
		return
	}
	if err := msg.Respond([]byte(answer)); err != nil {
		n.o.Logger.Debug("answer not sent", "error", err)
	}
}

// errNotLeading is returned by a node that does not lead and is asked to step down.
var errNotLeading = errors.New("it does not lead")

// stepDown requests that this node gives the lease back.
func (n *Node) stepDown() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.role != Leading {
		return errNotLeading
	}
	n.stepDownRequested = true
	n.leaseWorkDue.notify()
	return nil
}

// StepDown asks the leader, which may be this node, to step down, and returns its name.
func (n *Node) StepDown(ctx context.Context) (leader string, err error) {
	n.mu.Lock()
	leader, role := n.leader, n.role
	n.mu.Unlock()
	switch {
	case role == Leading:
		return leader, n.stepDown()
	case role != Following:
		return "", errors.New("cluster: the leader is unknown")
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	reply, err := n.nc.RequestWithContext(ctx, n.subjects.call(leader), []byte(requestStepDown))
	if err != nil {
		return leader, fmt.Errorf("cluster: node %s does not answer: %w", leader, err)
	}
	if len(reply.Data) > 0 {
		return leader, fmt.Errorf("cluster: node %s: %s", leader, cleanName(string(reply.Data)))
	}
	return leader, nil
}

// keepStoreLeaderElsewhere calls moveStoreLeader when this node begins to lead and periodically while it
// leads, until the context ends.
func (n *Node) keepStoreLeaderElsewhere(ctx context.Context) {
	ticker := time.NewTicker(5 * n.o.Lease)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-n.startedLeading:
		}
		n.mu.Lock()
		leads := n.role == Leading
		n.mu.Unlock()
		if leads {
			n.moveStoreLeader(ctx)
		}
	}
}

// moveStoreLeader makes another server the leader of the lease stream if the embedded server of
// this node is. If the leading node and the leader of the stream failed together, the
// other nodes could not take the lease for seconds.
func (n *Node) moveStoreLeader(ctx context.Context) {
	if n.machine.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	name := "KV_" + n.subjects.bucket(bucketLease)
	stream, err := n.js.Stream(ctx, name)
	if err != nil || stream.CachedInfo().Cluster == nil || stream.CachedInfo().Cluster.Leader != n.o.Node {
		return
	}
	reply, err := n.nc.RequestWithContext(ctx, "$JS.API.STREAM.LEADER.STEPDOWN."+name, nil)
	var response struct {
		Success bool `json:"success"`
	}
	if err != nil || json.Unmarshal(reply.Data, &response) != nil || !response.Success {
		n.o.Logger.Debug("leader of the lease stream not moved to another server", "error", err)
	}
}
