package cluster

import (
	"context"
	"sync/atomic"
)

// Machine is this machine's part of a cluster. The nodes of all its platforms share its
// server, which stops when the last node ends.
type Machine struct {
	server *embeddedServer // nil: Options.Servers are used
	nodes  atomic.Int64    // number of running nodes
}

// Open starts the server of a machine for the platforms with these scopes, unless the
// options name other servers. It ignores the options that belong to one platform.
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
	if m.server, err = startEmbedded(&o, scopes); err != nil {
		return nil, err
	}
	return m, nil
}

// problem returns the problem of this machine that an administrator has to solve, "" for none.
func (m *Machine) problem() string {
	if m.server == nil {
		return ""
	}
	return m.server.problem()
}

// nodeEnded counts a node that has ended. After the last node it stops the server.
func (m *Machine) nodeEnded() {
	if m.nodes.Add(-1) <= 0 && m.server != nil {
		m.server.stop()
	}
}
