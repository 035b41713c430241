package cluster

import (
	"context"
	"sync/atomic"
)

// Machine is this machine's part of a cluster: what the nodes of all platforms that it
// shows speak over. It ends with the last of them.
type Machine struct {
	own   *embedded    // nil: servers of others
	nodes atomic.Int64 // that have joined and not ended
}

// Open starts the server of a machine for the platforms with these scopes, where the
// options name no other servers. Of the options everything but what is of one platform
// is meant.
func Open(ctx context.Context, o Options, scopes ...string) (*Machine, error) {
	o = o.withDefaults()
	if err := o.checkCluster(); err != nil {
		return nil, err
	}
	if err := checkExposure(ctx, &o); err != nil {
		return nil, err
	}
	m := &Machine{}
	if len(o.Servers) > 0 {
		return m, nil
	}
	var err error
	if m.own, err = embed(&o, scopes); err != nil {
		return nil, err
	}
	return m, nil
}

// said is what a person has to put right about this machine, "" for nothing.
func (at *Machine) said() string {
	if at.own == nil {
		return ""
	}
	return at.own.said()
}

// leave tells that a node has ended, or that there is none.
func (at *Machine) leave() {
	if at.nodes.Add(-1) <= 0 && at.own != nil {
		at.own.stop()
	}
}
