// Package dialog contains the [Stack] of dialogs on top of the board, and the common
// kinds of dialogs. A [Question] asks before an action that is hard to undo, a [Form]
// has [Fields] to fill in, a [Sheet] shows data of the platform, a [Loading] waits for
// the data of the next dialog, a [Warning] must be acknowledged.
//
// The package knows neither the floor nor the actions on the platform: the opener of a
// dialog supplies functions for them. A dialog uses only its [Host], and returns
// commands.
//
// [Fields] is a widget for filling in text, numbers, choices, dates and longer texts. It
// shows problems while the user types, and does not know the meaning of the fields.
// [FieldOptions] supplies its styles and the function that cleans input.
//
// Everything belongs to the goroutine of the board's Update, except the commands, which
// run in goroutines of their own. All commands of the board use [Guard] or [After].
package dialog
