// Package history is the page about what has been: a day against its baseline, the
// weeks by the hour, who had how many contacts, searches for contacts and people.
// What it shows is asked of the statistical data service ([Reader]); the live figures
// have no part in it. Each view of the page is a type of its own, and an asker beside
// it keeps what it has asked and was told.
//
// The [Baseline] is what the rest of the board knows of other days: how today
// compares with them.
//
// Nothing here is safe for concurrent use: the board calls it from Update. Answers
// come as a [Msg].
package history
