// Package history implements the page History: a day and its baseline, weeks by hour, contacts per
// group, searches for contacts and people, and recorded intervals. It requests its data from the
// statistical data service ([Reader]) and the recording ([Recording]), not from the live feed. Each
// view has its own type. A requester sends the requests of a view and stores the last answer.
//
// The [Baseline] compares today with earlier days. Other parts of the board use it.
//
// Except for [VolumeEstimator], the package is not safe for concurrent use: everything else runs in Update.
// Commands send requests. Each answer arrives once as a [Msg]. Answers to superseded requests are
// ignored.
package history
