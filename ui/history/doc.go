// Package history implements the page History: a day and its baseline, weeks by hour, contacts per
// group, searches for contacts and people, and recorded intervals. It requests its data from the
// statistical data service ([Reader]) and the recording ([Recording]), not from the live feed. Each
// view is a type of its own. A requester sends the requests of a view and keeps the last answer.
//
// The [Baseline] compares today with earlier days. Other parts of the board use it.
//
// The package is not safe for concurrent use, except [Typical]: everything else runs in Update.
// Commands send requests. Each answer arrives once as a [Msg]. Answers to superseded requests are
// dropped.
package history
