// Package cluster lets several machines show one platform with a single connection to it. The
// nodes of a cluster communicate over NATS. Each node embeds a NATS server, or the nodes use
// existing servers.
//
// A lease in a replicated bucket decides which node leads. Only the leader connects to the
// platform. It publishes its snapshots to the other nodes, the followers, as frames of package
// record. Each node rebuilds the snapshots in its own store and serves them to its viewers like a
// feed. The epoch of the frames comes from the lease and increases with every change of the leader.
// If two nodes believe that they lead, the followers believe the one with the higher epoch.
//
// The snapshots come from the platform and carry their age, so a failure of the cluster cannot
// make them wrong. A node that is cut off from the others tells its viewers. It connects to the
// platform itself if its options allow it.
//
// # Goroutines
//
// [Node.Run] uses six until its context ends, fewer without an audit file, and two more while the
// node has the connection to the platform. The port for the other nodes has one, and one for each
// pending connection. A [Lock] has one that renews it until it is released or lost. The NATS client and
// server have their own.
package cluster
