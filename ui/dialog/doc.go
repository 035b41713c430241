// Package dialog is what lies on top of the board and has the keyboard: the
// [Stack] of open dialogs, and the kinds of dialog that every subject is asked
// and told by. A [Question] asks before something that is hard to undo, a [Form]
// is filled in, a [Sheet] shows what was read, a [Reading] waits for what the
// next dialog needs to know, a [Warning] must not be overlooked.
//
// It knows neither the floor nor what can be done on the platform: whoever opens
// a dialog brings functions for that. A dialog asks its [Host] for the little
// that it needs of the board, and returns commands; it reaches for nothing else.
//
// Everything in it belongs to the goroutine of the board's Update, but for the
// commands, which run on their own.
package dialog
