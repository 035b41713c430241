// Package cluster has several machines show one platform on one connection to it. The
// nodes speak over NATS, whose server each of them embeds, or which they are given.
//
// A lease in a replicated bucket decides which node leads: it alone connects to the
// platform, and tells the others what it is shown, as frames of package record. Each
// node rebuilds the same pictures in a store of its own, and is to its viewers what a
// feed is. The revision of the lease is the epoch of what is told: of two nodes that
// both believe to lead, the one with the higher epoch is believed.
//
// Nothing true depends on it. Pictures come from the platform and carry their age; a
// node that is cut off from the others says so, and connects itself where it may.
package cluster
