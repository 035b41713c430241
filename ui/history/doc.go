// Package history is the page History: a day and its baseline, weeks by hour, contacts per
// group, searches for contacts and people, and recorded intervals. It requests its data
// from the statistical data service ([Reader]) and the recording ([Recording]), not from the live
// feed. Each view is a type of its own; a requester sends its requests and keeps the last answer.
//
// The [Baseline] compares today with earlier days for the rest of the board.
//
// The package is not safe for concurrent use: everything except [Typical] runs in Update.
// Commands send requests; each answer arrives once as a [Msg], and answers to superseded
// requests are dropped.
package history
