// Package sshterminal provides terminals over SSH: a [Server], and its client ([RunClient]).
//
// The server admits users with known keys. It refuses everything else: passwords, anonymous
// logins, commands, file transfer, forwarding, agents and X11. [Options.RunSession] decides
// what a terminal shows.
//
// The client reconnects automatically. It covers the screen when the server is silent, so
// that no outdated board stays visible.
//
// Both use algorithms without SHA-1, and connections that leave no goroutines behind. In
// golang.org/x/crypto v0.58.0, a packet that the library rejects, followed by more packets
// than its channel can hold, blocks its goroutines forever: readLoop in a send to a channel
// that is no longer read, and all others waiting for readLoop. During authentication and
// after the login, closeConn and acceptConn drain that channel. Before that it cannot be
// reached, so acceptConn reads too few bytes to fill it.
package sshterminal
