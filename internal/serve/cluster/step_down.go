package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// requestStepDown is the payload of a request that asks the leader to step down.
const requestStepDown = "step-down"

// requestTimeout is the timeout of a request to another node or server.
const requestTimeout = 3 * time.Second

// handleRequest handles a request from another node. It responds with an error message, which
// is empty on success.
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
		n.options.Logger.Debug("answer not sent", "error", err)
	}
}

// errNotLeading is the response of a node that does not lead to a request to step down.
var errNotLeading = errors.New("it does not lead")

// stepDown makes this node give the lease back soon. It returns an error if this node does not
// lead.
func (n *Node) stepDown() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.role != RoleLeading {
		return errNotLeading
	}
	n.stepDownRequested = true
	n.signals.leaseWorkDue.notify()
	return nil
}

// StepDown asks the leader to step down, and returns the leader's name. The leader may be this
// node.
func (n *Node) StepDown(ctx context.Context) (leader string, err error) {
	n.mu.Lock()
	leader, role := n.leader.node, n.role
	n.mu.Unlock()
	switch {
	case role == RoleLeading:
		return leader, n.stepDown()
	case role != RoleFollowing:
		return "", errors.New("cluster: the leader is unknown")
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	reply, err := n.natsConn.RequestWithContext(ctx, n.subjects.requestSubject(leader), []byte(requestStepDown))
	if err != nil {
		return leader, fmt.Errorf("cluster: node %s does not answer: %w", leader, err)
	}
	if len(reply.Data) > 0 {
		return leader, fmt.Errorf("cluster: node %s: %s", leader, cleanName(string(reply.Data)))
	}
	return leader, nil
}

// keepLeaseStreamElsewhere calls [leaseStream.moveLeader] when this node begins to lead, and
// periodically while it leads, until the context ends.
func (n *Node) keepLeaseStreamElsewhere(ctx context.Context) {
	ticker := time.NewTicker(5 * n.options.Lease)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-n.signals.startedLeading:
		}
		n.mu.Lock()
		leads := n.role == RoleLeading
		n.mu.Unlock()
		if leads {
			n.leases.moveLeader(ctx)
		}
	}
}
