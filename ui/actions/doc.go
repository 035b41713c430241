// Package actions is what a supervisor can have the platform do, and look up there:
// calls of an agent, campaigns, lists, runs, contacts, tickets and text messages.
//
// [Actions] is all of it for one board. An action begins with a key on what is
// selected, or with a command of the palette; a dialog asks what has to be known,
// and whether it is meant. What is then asked of the platform is an order: it is
// written down as a record, which the log of actions shows, and it is pending on
// the row that it concerns until the feed shows what it did. What the platform
// answers is no proof of that, and a missing answer is no failure.
//
// Each subject has a type of its own, which knows its forms and what they mean to
// the platform; all of them give their orders to one [Controller], through one
// type. Everything belongs to the goroutine of the board's Update but for the
// commands, which run on their own and call nothing but the Controller.
package actions
