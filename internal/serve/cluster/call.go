package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// callStepDown is the request to a leader to step down.
const callStepDown = "step-down"

// callWait is the timeout of a request to another node.
const callWait = 3 * time.Second

// obey handles a request of another node. The answer is an error text, empty for success.
func (n *Node) obey(msg *nats.Msg) {
	answer := "unknown request"
	if string(msg.Data) == callStepDown {
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
	n.yield = true
	n.due.give()
	return nil
}

// StepDown asks the leader, which may be this node, to step down, and returns its name.
func (n *Node) StepDown(ctx context.Context) (who string, err error) {
	n.mu.Lock()
	who, role := n.leader, n.role
	n.mu.Unlock()
	switch {
	case role == Leading:
		return who, n.stepDown()
	case role != Following:
		return "", errors.New("cluster: no node is known to lead")
	}
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	m, err := n.nc.RequestWithContext(ctx, n.sub.call(who), []byte(callStepDown))
	if err != nil {
		return who, fmt.Errorf("cluster: node %s does not answer: %w", who, err)
	}
	if len(m.Data) > 0 {
		return who, fmt.Errorf("cluster: node %s: %s", who, clean(string(m.Data)))
	}
	return who, nil
}

// keepApart calls moveStore when this node begins to lead and periodically while it
// leads, until the context ends.
func (n *Node) keepApart(ctx context.Context) {
	again := time.NewTicker(5 * n.o.Lease)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		case <-n.led:
		}
		n.mu.Lock()
		leads := n.role == Leading
		n.mu.Unlock()
		if leads {
			n.moveStore(ctx)
		}
	}
}

// moveStore makes another server the leader of the lease stream if the embedded server of
// this node is. If the leading node and the leader of the stream failed together, the
// other nodes could not take the lease for seconds.
func (n *Node) moveStore(ctx context.Context) {
	if n.at.own == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	name := "KV_" + n.sub.bucket(bucketLease)
	stream, err := n.js.Stream(ctx, name)
	if err != nil || stream.CachedInfo().Cluster == nil || stream.CachedInfo().Cluster.Leader != n.o.Node {
		return
	}
	m, err := n.nc.RequestWithContext(ctx, "$JS.API.STREAM.LEADER.STEPDOWN."+name, nil)
	var said struct {
		Success bool `json:"success"`
	}
	if err != nil || json.Unmarshal(m.Data, &said) != nil || !said.Success {
		n.o.Logger.Debug("leader of the lease stream not moved to another server", "error", err)
	}
}
