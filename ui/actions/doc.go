// Package actions lets a supervisor act on the platform and look up its data: calls of an
// agent, campaigns, lists, runs, contacts, tickets and text messages.
//
// [Actions] holds the actions of one board. An action starts with a key on the selection or
// a command of the palette; a dialog asks for its values and for confirmation. The
// resulting order is stored as a record for the log of actions, and is marked as pending on
// its row until the feed shows the effect. Neither the platform's answer nor a missing
// answer is proof of the effect.
//
// Each subject, such as campaigns, has a type of its own with its forms. All of them send their
// orders through the same type to a [Controller].
//
// Everything belongs to the goroutine of the board's Update except commands, which only
// call the Controller. Each order is sent once and never repeated automatically; its
// outcome arrives once as a [OutcomeMsg].
package actions
