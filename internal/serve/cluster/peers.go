package cluster

import (
	"time"
)

// peerNode is another node and its last presence message.
type peerNode struct {
	Presence
	lastHeard time.Time
	skew      clockSkew
}

// Presence is a message in which a node describes itself to the others.
type Presence struct {
	Node     string    `json:"node"`
	RunID    string    `json:"run"` // ID of this run of the node; differs after each start
	Version  string    `json:"version"`
	Role     Role      `json:"role"`
	Epoch    uint64    `json:"epoch"`
	Platform string    `json:"platform"` // hash of the platform's address
	Viewers  int       `json:"viewers"`
	Sent     time.Time `json:"sent"` // on the clock of the node
	HostKey  string    `json:"hostKey,omitempty"`
	SSHPort  string    `json:"sshPort,omitempty"`
}

// Limits on other nodes: maxPeers limits their number, maxPresenceBytes the size of a presence
// message, and maxHostKeyBytes the size of the host key in it.
const (
	maxPeers         = 64
	maxPresenceBytes = 4 << 10
	maxHostKeyBytes  = 2 << 10
)

// peerRetention is how long another node may be silent before it is forgotten.
const peerRetention = 10 * time.Minute

// peerSet holds the other nodes that this node knows.
type peerSet struct {
	byName       map[string]*peerNode
	leaseTime    time.Duration
	presenceSent time.Time // time of the last presence message that this node sent
}

// update stores the presence of a node and forgets nodes that were silent for peerRetention. It
// returns true if this run of the node was unknown; the node then may not know the other nodes yet.
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
		known = &peerNode{}
		c.byName[p.Node] = known
	}
	justStarted = known.RunID != p.RunID
	known.Presence, known.lastHeard = *p, now
	known.skew.observe(p.Sent, now)
	return justStarted
}

// recordMessage records that a known node sent another message.
func (c *peerSet) recordMessage(node string, now time.Time) {
	if p := c.byName[node]; p != nil {
		p.lastHeard = now
	}
}

// countReachable returns the number of other nodes that were heard recently.
func (c *peerSet) countReachable(now time.Time) int {
	n := 0
	for _, p := range c.byName {
		if now.Sub(p.lastHeard) < c.leaseTime*3/4 {
			n++
		}
	}
	return n
}

// isFirst reports whether node is the first by name among itself and the nodes that were heard
// recently.
func (c *peerSet) isFirst(node string, now time.Time) bool {
	for name, p := range c.byName {
		if name < node && now.Sub(p.lastHeard) < c.leaseTime {
			return false
		}
	}
	return true
}
