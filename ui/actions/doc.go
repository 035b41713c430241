// Package actions lets a supervisor act on the platform and look up its data: calls of an agent,
// campaigns, lists, runs, contacts, tickets and text messages.
//
// [Actions] holds the actions of one board. An action starts with a key that applies to the
// selected record, or with a command of the palette. A dialog asks for input and confirmation. The
// resulting order is stored as a record in the log of actions. Its target's row shows the action as
// pending until the feed shows the effect. Neither the platform's answer nor a missing answer
// proves the effect.
//
// Each subject, such as campaigns, has its own type with its forms. These types send their orders
// through orderSender to a [Controller].
//
// All types belong to the goroutine of the board's Update. Only commands run in other goroutines:
// they call the Controller, measure effects or run configured programs. Each order is sent once and
// never repeated automatically. Its outcome arrives once.
package actions
