// Package simulator runs a complete contact-center platform in one process: the configuration REST
// service of document 1 in both editions, the real-time display service of document 2, and the
// statistical data service of document 3. The services listen on real sockets. They show the
// contact center that package world simulates.
//
// The package shares no code with the wallboard and encodes messages from the schema definition.
// The same mistake in the wallboard's decoder and in the simulator's encoder is therefore unlikely.
//
// A [Server] owns the world and its clock, the accounts, the data of the REST service and every
// connection. One of its goroutines steps the world every [Options.Tick] and passes the changes to
// the subscriptions. The others belong to the HTTP server and the real-time display service. All
// goroutines have ended when [Server.Close] returns.
//
// The first two services have their own packages, rest and rtd; the third is a [StatisticsService].
// Their options cover the behavior that documents 1 to 3 leave open. Messages are lost, repeated,
// delayed or damaged only if [Faults] requests it.
package simulator
