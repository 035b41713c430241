package cluster

import (
	"time"
)

// peer is what another node said of itself last.
type peer struct {
	Presence
	heard time.Time
	clock skew
}

// Presence is what a node says of itself.
type Presence struct {
	Node     string    `json:"node"`
	Run      string    `json:"run"` // which life of that node
	Version  string    `json:"version"`
	Role     Role      `json:"role"`
	Epoch    uint64    `json:"epoch"`
	Platform string    `json:"platform"` // a hash
	Viewers  int       `json:"viewers"`
	Sent     time.Time `json:"sent"` // on its clock
	HostKey  string    `json:"hostKey,omitempty"`
	SSHPort  string    `json:"sshPort,omitempty"`
}

// mostPeers bounds whom a node remembers, mostPresence what one may say.
const (
	mostPeers    = 64
	mostPresence = 4 << 10
	mostHostKey  = 2 << 10
)

// forgetPeer is when a node that says nothing is not listed any more.
const forgetPeer = 10 * time.Minute

// crowd is the other nodes.
type crowd struct {
	peers map[string]*peer
	lease time.Duration
	told  time.Time // when they were told last what this node is
}

// meet takes over what a node says of itself, and reports whether it has just begun: it
// knows nobody yet.
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
	was.clock.read(p.Sent, now)
	return begun
}

// hear notes that a node said something else, if it is known.
func (c *crowd) hear(node string, now time.Time) {
	if p := c.peers[node]; p != nil {
		p.heard = now
	}
}

// heard is how many nodes were heard of so lately that they are there.
func (c *crowd) heard(now time.Time) int {
	n := 0
	for _, p := range c.peers {
		if now.Sub(p.heard) < c.lease*3/4 {
			n++
		}
	}
	return n
}

// first reports whether of the nodes that are there one has the first name.
func (c *crowd) first(node string, now time.Time) bool {
	for name, p := range c.peers {
		if name < node && now.Sub(p.heard) < c.lease {
			return false
		}
	}
	return true
}
