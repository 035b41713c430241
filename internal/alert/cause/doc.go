// Package cause explains why contacts wait. It compares the present with the time before the
// problem began and expresses each change in the same unit, the work of an agent.
//
// Arriving work is the number of contacts per minute times the minutes for each. Capacity is the
// number of agents at work for the service. More contacts, longer talks and longer after-call work
// increase the work; agents who went to a break, to other work or home reduce the capacity. The
// share of a cause is its part of the missing agents. Unknown figures and periods without
// observations are left out.
//
// The package is pure: no goroutine, no clock, no I/O.
package cause
