package cluster

import (
	"cmp"
	"slices"
	"time"
)

// Stats counts the events of a node since its start.
type Stats struct {
	RoleChanges        uint64        `json:"roleChanges"`
	Frames             uint64        `json:"frames"`     // frames sent to other nodes
	Messages           uint64        `json:"messages"`   // messages that contained the frames
	Bytes              uint64        `json:"bytes"`      // bytes of the messages
	SendTime           time.Duration `json:"telling"`    // time spent on encoding and sending
	FullStateRequests  uint64        `json:"asked"`      // full frames sent because a node requested the full state
	Gaps               uint64        `json:"gaps"`       // frames that were missing or invalid
	StaleMessages      uint64        `json:"old"`        // messages from leaders with an older epoch
	ForeignMessages    uint64        `json:"foreign"`    // messages of an unknown form or for a different platform
	UnansweredRequests uint64        `json:"unanswered"` // requests about the lease that were not answered
}

// Status describes the cluster from the point of view of a node.
type Status struct {
	Cluster      string        `json:"cluster"`
	Platform     string        `json:"platform,omitempty"` // Options.Scope
	Node         string        `json:"node"`
	Version      string        `json:"version"`
	Role         Role          `json:"role"`
	Since        time.Time     `json:"since"`
	Reason       string        `json:"reason"` // reason for the role, as the end of a sentence
	Leader       string        `json:"leader"` // the last known leader
	Epoch        uint64        `json:"epoch"`
	LeaderHeard  time.Time     `json:"heard"`      // time of the last message from the leader; zero unless this node follows
	ClockAhead   time.Duration `json:"clockAhead"` // how far this node's clock is ahead of the leader's
	HasMajority  bool          `json:"majority"`
	StoreAnswers bool          `json:"stored"` // the bucket of the lease answers
	CutOff       bool          `json:"cutOff"` // the node hears no majority; its users cannot act unless ActAlone is true
	ActAlone     bool          `json:"actAlone"`
	Problem      string        `json:"trouble,omitempty"`
	Nodes        []NodeStatus  `json:"nodes"`
	Stats        Stats         `json:"stats"`
}

// NodeStatus describes another node from the point of view of this node.
type NodeStatus struct {
	Presence
	LastHeard  time.Time     `json:"heard"`
	ClockAhead time.Duration `json:"clockAhead"` // how far this node's clock is ahead of the other node's
}

// Status returns the cluster's status from the point of view of this node.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.options.Now()
	s := Status{
		Cluster: n.options.Name, Platform: n.options.Scope, Node: n.options.Node, Version: n.options.Version, Role: n.role, Since: n.roleSince, Reason: n.roleReason, Leader: n.leader.node, Epoch: n.leader.epoch,
		HasMajority: n.hasMajority(now), StoreAnswers: n.isStoreAnswering(now), CutOff: n.role == RoleAlone && !n.hasMajority(now), ActAlone: n.options.ActWithoutMajority, Problem: n.log.problem(), Stats: n.stats,
	}
	if n.role == RoleFollowing {
		s.LeaderHeard, s.ClockAhead = n.leader.lastHeard, n.leader.leaderClock.offset()
	}
	for _, p := range n.peers.byName {
		s.Nodes = append(s.Nodes, NodeStatus{p.Presence, p.lastHeard, p.skew.offset()})
	}
	slices.SortFunc(s.Nodes, func(a, b NodeStatus) int { return cmp.Compare(a.Node, b.Node) })
	return s
}
