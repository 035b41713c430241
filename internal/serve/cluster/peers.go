package cluster

import (
	"time"
)

// peer is another node with its last presence.
type peer struct {
	Presence
	heard time.Time
	clock skew
}

// Presence is the message in which a node describes itself.
type Presence struct {
	Node     string    `json:"node"`
	Run      string    `json:"run"` // differs after each start of the node
	Version  string    `json:"version"`
	Role     Role      `json:"role"`
	Epoch    uint64    `json:"epoch"`
	Platform string    `json:"platform"` // a hash
	Viewers  int       `json:"viewers"`
	Sent     time.Time `json:"sent"` // by its clock
	HostKey  string    `json:"hostKey,omitempty"`
	SSHPort  string    `json:"sshPort,omitempty"`
}

// mostPeers bounds the number of remembered nodes, mostPresence and mostHostKey the size
// of a presence and of its host key.
const (
	mostPeers    = 64
	mostPresence = 4 << 10
	mostHostKey  = 2 << 10
)

// forgetPeer is the silence after which a node is no longer listed.
const forgetPeer = 10 * time.Minute

// crowd holds the other nodes.
type crowd struct {
	peers map[string]*peer
	lease time.Duration
	told  time.Time // when this node last published its presence
}

// meet stores the presence of a node. It reports whether the node has just started and
// does not know the others yet.
func (c *crowd) meet(p *Presence, now time.Time) (begun bool) {
	for name, old := range c.peers {
		if now.Sub(old.heard) > forgetPeer {
			delete(c.peers, name)
		}
	}
	was := c.peers[p.Node]
	if was == nil {
		if len(c.peers) >= mostPeers {
			return false
		}
		was = &peer{}
		c.peers[p.Node] = was
	}
	begun = was.Run != p.Run
	was.Presence, was.heard = *p, now
	was.clock.observe(p.Sent, now)
	return begun
}

// hear notes that a known node sent another message.
func (c *crowd) hear(node string, now time.Time) {
	if p := c.peers[node]; p != nil {
		p.heard = now
	}
}

// heard returns the number of nodes that were heard recently.
func (c *crowd) heard(now time.Time) int {
	n := 0
	for _, p := range c.peers {
		if now.Sub(p.heard) < c.lease*3/4 {
			n++
		}
	}
	return n
}

// first reports whether no node that was heard recently has a name before node's.
func (c *crowd) first(node string, now time.Time) bool {
	for name, p := range c.peers {
		if name < node && now.Sub(p.heard) < c.lease {
			return false
		}
	}
	return true
}
