// Package sshterminal provides terminals over SSH: a [Server], and a client for it ([RunClient]).
//
// The server only admits users with known keys. It refuses everything except terminals: passwords,
// anonymous logins, commands, file transfer, forwarding, agents and X11. [Options.RunSession]
// determines what a terminal shows.
//
// The client reconnects automatically. It covers the screen when the server is silent, so that no
// outdated board stays visible.
//
// The server and the client use no algorithms with SHA-1. Their connections leave no goroutines
// behind. In golang.org/x/crypto v0.58.0, the goroutines of a connection can block forever: if the
// library rejects a packet and then receives more packets than its channel can hold, readLoop waits
// to send to a channel that nothing reads any more, and all other goroutines wait for readLoop.
// closeConn and acceptConn therefore read this channel until it is closed. Before the
// authentication, the channel cannot be reached, so acceptConn reads too few bytes to fill it.
package sshterminal
