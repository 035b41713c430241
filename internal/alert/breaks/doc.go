// Package breaks reports which agents are on a break, what kind of break it is, for how long,
// whether they exceed a limit, and when they are likely to be back.
//
// The platform has no kinds of break: an agent who is not ready has an activity code whose name is
// free text. The package guesses the kind from that name in six languages, and only if the name is
// unambiguous. The configuration overrides the guess. [Allowance.Source] says whether a limit was
// guessed or configured.
//
// The package is pure: no goroutine, no clock, no I/O. An [Allowances] is safe for concurrent use.
// Unknown values stay unknown: a state without a start time has no duration, and a code without
// observed breaks has no typical length.
package breaks
