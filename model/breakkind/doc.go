// Package breakkind determines the kind of break that an agent is on, and how long such a break may
// take.
//
// The platform has no kinds of break: an agent who is not ready has an activity code whose name is
// free text. The kind is guessed from that name in six languages, and only if it is unambiguous.
// The configuration overrides the guess, and [Allowance] says which of the two a limit comes from.
//
// The package is pure: no clock, no I/O. An [Allowances] is safe for concurrent use.
package breakkind
