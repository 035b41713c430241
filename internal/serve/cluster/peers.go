package cluster

import (
	"time"
)

// peer is another node with its last presence.
type peer struct {
	Presence
	lastHeard time.Time
	skew      clockSkew
}

// Presence is the message in which a node describes itself.
type Presence struct {
	Node     string    `json:"node"`
	RunID    string    `json:"run"` // differs after each start of the node
	Version  string    `json:"version"`
	Role     Role      `json:"role"`
	Epoch    uint64    `json:"epoch"`
	Platform string    `json:"platform"` // a hash
	Viewers  int       `json:"viewers"`
	Sent     time.Time `json:"sent"` // by its clock
	HostKey  string    `json:"hostKey,omitempty"`
	SSHPort  string    `json:"sshPort,omitempty"`
}

// maxPeers bounds the number of remembered nodes, maxPresenceBytes and maxHostKeyBytes the size
// of a presence and of its host key.
const (
	maxPeers         = 64
	maxPresenceBytes = 4 << 10
	maxHostKeyBytes  = 2 << 10
)

// peerRetention is the silence after which a node is no longer listed.
const peerRetention = 10 * time.Minute

// peerSet holds the other nodes.
type peerSet struct {
	byName       map[string]*peer
	leaseTime    time.Duration
	presenceSent time.Time // time of the last presence message of this node
}

// update stores the presence of a node. It reports whether the node has just started and
// does not know the others yet.
func (c *peerSet) update(p *Presence, now time.Time) (justStarted bool) {
	for name, other := range c.byName {
		if now.Sub(other.lastHeard) > peerRetention {
			delete(c.byName, name)
		}
	}
	known := c.byName[p.Node]
	if known == nil {
		if len(c.byName) >= maxPeers {
			return false
		}
		known = &peer{}
		c.byName[p.Node] = known
	}
	justStarted = known.RunID != p.RunID
	known.Presence, known.lastHeard = *p, now
	known.skew.observe(p.Sent, now)
	return justStarted
}

// recordHeard notes that a known node sent another message.
func (c *peerSet) recordHeard(node string, now time.Time) {
	if p := c.byName[node]; p != nil {
		p.lastHeard = now
	}
}

// countHeard returns the number of nodes that were heard recently.
func (c *peerSet) countHeard(now time.Time) int {
	n := 0
	for _, p := range c.byName {
		if now.Sub(p.lastHeard) < c.leaseTime*3/4 {
			n++
		}
	}
	return n
}

// isFirst reports whether no node that was heard recently has a name before node's.
func (c *peerSet) isFirst(node string, now time.Time) bool {
	for name, p := range c.byName {
		if name < node && now.Sub(p.lastHeard) < c.leaseTime {
			return false
		}
	}
	return true
}
