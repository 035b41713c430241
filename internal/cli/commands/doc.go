// Package commands implements the subcommands of wallboard that need no board: alerts try,
// config, record, simulator, themes, view, and those of serve and cluster. The name of a file
// begins with that of its command.
//
// [Feed] runs a server as a node of a cluster: snapshots come from the node that is
// connected to the platform, and the newest wins. [Feed.Run] runs the node and, on the first
// feed, a goroutine that answers the commands of this user. [VisitLog] has one goroutine
// until Close. The rest runs on the caller's goroutine.
package commands
