// Package breaks reports which agents are on a break, the kind of each break, how long it has
// lasted, whether it exceeds a limit, and when the agents are likely to return.
//
// The platform has no kinds of breaks. An agent who is not ready has an activity code, whose name
// is free text. The package guesses the kind from this name in six languages, and only if the name
// is unambiguous. The configuration overrides the guess. [Allowance.Source] tells whether a limit
// was guessed or configured.
//
// The package uses no goroutine, no clock and no I/O. An [Allowances] is safe for concurrent use.
// Unknown values stay unknown: a state without a start time has no duration, and a code without
// observed breaks has no typical length.
package breaks
