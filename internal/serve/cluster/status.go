package cluster

import (
	"cmp"
	"slices"
	"time"
)

// Stats counts what a node did since it began.
type Stats struct {
	Changes    uint64        `json:"roleChanges"`
	Frames     uint64        `json:"frames"`     // told to others
	Messages   uint64        `json:"messages"`   // the same, in pieces
	Bytes      uint64        `json:"bytes"`      // the same
	Telling    time.Duration `json:"telling"`    // what that took
	Asked      uint64        `json:"asked"`      // times that another node asked for all there is
	Gaps       uint64        `json:"gaps"`       // times that this one missed something
	Old        uint64        `json:"old"`        // messages of a leader that leads no more
	Foreign    uint64        `json:"foreign"`    // messages that were not understood, or of another platform
	Unanswered uint64        `json:"unanswered"` // times that what the nodes keep together did not answer
}

// Status is what a node knows of the cluster.
type Status struct {
	Cluster  string        `json:"cluster"`
	Platform string        `json:"platform,omitempty"` // of several, what this one is called
	Node     string        `json:"node"`
	Version  string        `json:"version"`
	Role     Role          `json:"role"`
	Since    time.Time     `json:"since"`
	Reason   string        `json:"reason"` // of the role, as the end of a sentence
	Leader   string        `json:"leader"` // whom the pictures are of
	Epoch    uint64        `json:"epoch"`
	Heard    time.Time     `json:"heard"`      // when the leader was heard last; zero where that is this node
	Ahead    time.Duration `json:"clockAhead"` // of this node's clock, of the leader's
	Majority bool          `json:"majority"`
	Stored   bool          `json:"stored"` // what the nodes keep together answers
	CutOff   bool          `json:"cutOff"` // no majority can be reached: nothing is acted on here, unless
	ActAlone bool          `json:"actAlone"`
	Trouble  string        `json:"trouble,omitempty"`
	Nodes    []NodeStatus  `json:"nodes"`
	Stats    Stats         `json:"stats"`
}

// NodeStatus is another node as this one knows it.
type NodeStatus struct {
	Presence
	Heard time.Time     `json:"heard"`
	Ahead time.Duration `json:"clockAhead"` // of this node's clock, of that one's
}

// Status tells what this node knows.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	s := Status{
		Cluster: n.o.Name, Platform: n.o.Scope, Node: n.o.Node, Version: n.o.Version, Role: n.role, Since: n.since, Reason: n.reason, Leader: n.leader, Epoch: n.epoch,
		Majority: n.majority(now), Stored: n.stored(now), CutOff: n.role == Alone && !n.majority(now), ActAlone: n.o.ActAlone, Trouble: n.log.said(), Stats: n.stats,
	}
	if n.role == Following {
		s.Heard, s.Ahead = n.heard, n.clock.ahead()
	}
	for _, p := range n.crowd.peers {
		s.Nodes = append(s.Nodes, NodeStatus{p.Presence, p.heard, p.clock.ahead()})
	}
	slices.SortFunc(s.Nodes, func(a, b NodeStatus) int { return cmp.Compare(a.Node, b.Node) })
	return s
}
