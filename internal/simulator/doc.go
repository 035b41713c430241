// Package simulator runs a complete contact-center platform in one process: the
// configuration REST service of document 1 in both editions, the real-time display
// service of document 2 and the statistical data service of document 3. They listen
// on real sockets and show the contact center that package world simulates.
//
// The package shares no code with the wallboard. It encodes messages from the schema
// definition, so that a mistake in the wallboard's decoder cannot hide behind the
// same mistake in the encoder.
//
// A [Server] owns the world and its clock, the accounts, the data of the REST
// service and every connection. It runs one goroutine that steps the world every
// [Options.Tick] and passes the changes to the subscriptions, the goroutines of the
// HTTP server and those of the real-time display service. All of them have ended
// when [Server.Close] returns.
//
// Each service has its own package: rtd, rest and stat. Their options cover the
// behaviour that documents 1 to 3 leave open. Messages are lost, repeated, delayed
// or damaged only if the [Faults] say so.
package simulator
