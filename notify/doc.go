// Package notify tells people outside of the house about alerts: a command, a
// webhook or an SMS for each target of the configuration.
//
// # Goroutines
//
// [Notifier.Run] has one goroutine per target until its context ends, so that a
// slow one holds up no other. [Notifier.Tell] never waits: what a target cannot
// keep up with is counted and said with the next message.
//
// # Delivery
//
// A target is told of an alert once when it begins or becomes critical and, if
// it wants, once when it ends. What cannot be said now, because the rate is
// reached, it is quiet time, or the last try failed, is held back; what is over
// before its turn is never said, and what is left then goes out as one message
// ("and 7 more"). A failed delivery is tried again with a growing pause, five
// times in all; one that may have arrived ([ErrUnknown]) is not. Nothing is kept
// over a restart: a new process tells once of what stands then.
package notify
