// Package dialog implements the [Stack] of dialogs on top of the board, the common kinds of
// dialogs, and the command [Palette]. A [Question] asks for confirmation of an action that is hard
// to undo. A [Form] has [Fields] to fill in. A [Sheet] shows data of the platform. A [Loading]
// waits for the data of the next dialog. A [Warning] must be acknowledged.
//
// The package is independent of the floor and of the actions on the platform: the code that opens a
// dialog supplies functions for them. A dialog uses only its [Host], and returns commands.
//
// [Fields] is a widget for entering text, numbers, choices, dates and longer texts. It shows
// problems while the user types. [FieldOptions] supplies its styles and the function that cleans
// input.
//
// All types belong to the goroutine of the board's Update. Commands run in their own goroutines.
// [RecoverPanic] and [DelayMsg] create commands that report a panic as a [PanicMsg].
package dialog
