// Package simulator is a whole contact-center platform in one process: the
// configuration REST service of document 1, in either edition, and the real-time
// display service of document 2, over real sockets, on top of the simulated
// contact center of package world.
//
// It shares no code with the wallboard: it encodes from the schema definition,
// so that one mistake cannot sit on both sides of the wire.
//
// A [Server] owns the world, its clock, the accounts, what the REST service
// stores besides, and every connection.
// Its goroutines are: one engine that steps the world every [Options.Tick] and
// hands the changes to the subscriptions; the HTTP server's; and those of the
// real-time display service. All of them have ended when [Server.Close] returns.
//
// The services are packages of their own: rtd, rest and stat. What documents 1
// to 3 leave open is in their options. Loss, repetition, delay and garbage
// happen only where [Faults] were asked for them.
package simulator
