package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// callStepDown asks a node to give the lead up.
const callStepDown = "step-down"

// callWait is how long another node is waited for.
const callWait = 3 * time.Second

// obey does what another node asks for.
func (n *Node) obey(msg *nats.Msg) {
	answer := "it is not known what that is"
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
		n.o.Logger.Debug("an answer is lost", "error", err)
	}
}

// errNotLeading says that there is nothing to give up.
var errNotLeading = errors.New("it does not lead")

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

// StepDown has the node that leads give the lead up to another one, wherever it is.
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

// keepApart moves what is kept together away from this node as soon as it leads, and
// whenever it comes back.
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

// moveStore has another server than this node's lead what is kept together, while this
// node leads: if both went at once, the others could not take the lease for seconds.
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
		n.o.Logger.Debug("another server does not take over what is kept together", "error", err)
	}
}
