// Package cluster lets several machines show one platform over a single connection to it.
// The nodes communicate over NATS: each embeds a server, or they use existing servers.
//
// A lease in a replicated bucket decides which node leads. Only the leader connects to the
// platform. It publishes its snapshots to the other nodes as frames of package record.
// Each node rebuilds the snapshots in its own store and serves them to its viewers like a
// feed. The revision of the lease determines the epoch of the frames: if two nodes believe
// that they lead, the followers believe the one with the higher epoch.
//
// The cluster does not affect the correctness of the snapshots, which come from the
// platform and carry their age. A node that is cut off from the others shows that, and
// connects to the platform itself if its options allow it.
package cluster
