package cluster

import (
	"context"
	"fmt"
	"sync/atomic"
)

// LocalCluster is the part of a cluster on this machine. The nodes of all platforms share its
// server. The server stops when the last node has ended.
type LocalCluster struct {
	server *embeddedServer // nil: the nodes use Options.Servers
	nodes  atomic.Int64    // number of running nodes
}

// Open starts the embedded server of this machine, unless the options name other servers.
// scopes are the names of the platforms. Open ignores the options of a single platform.
func Open(ctx context.Context, o Options, scopes ...string) (*LocalCluster, error) {
	o = o.withDefaults()
	if err := o.checkCluster(); err != nil {
		return nil, err
	}
	if err := CheckBuild(o.Servers); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if err := checkExposure(ctx, &o); err != nil {
		return nil, err
	}
	m := &LocalCluster{}
	if len(o.Servers) > 0 {
		return m, nil
	}
	var err error
	if m.server, err = startEmbedded(&o, scopes); err != nil {
		return nil, err
	}
	return m, nil
}

// problem returns a problem of this machine that requires an administrator, or "" if there is none.
func (m *LocalCluster) problem() string {
	if m.server == nil {
		return ""
	}
	return m.server.problem()
}

// nodeEnded records that a node has ended. It stops the server after the last node.
func (m *LocalCluster) nodeEnded() {
	if m.nodes.Add(-1) <= 0 && m.server != nil {
		m.server.stop()
	}
}
