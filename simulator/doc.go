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
// hands the changes to the subscriptions; the HTTP server's; and for each
// WebSocket one reader, one writer and, for each running operation, those that
// execute it. All of them have ended when [Server.Close] returns.
//
// A REST request is executed at once and alone, whether or not its answer
// arrives, and what it changes goes out to the subscriptions with it.
// [Server.Executions] tells what was executed.
//
// Delivery: a subscription sends first everything it selects and then what
// changed, null for what did not ([Switches] bend both). Changes of one tick go
// out in one message. A consumer that is slower than the world loses nothing:
// what it did not take yet is coalesced per record, so that the memory it can
// hold is bounded by the size of the world. Loss, repetition, delay and garbage
// happen only where [Faults] were asked for them.
package simulator
