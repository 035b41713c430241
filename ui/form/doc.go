// Package form is a widget for filling in fields: text, numbers, choices, dates and
// longer texts. It shows problems while the user types.
//
// It does not know the meaning of the fields, draws only within the given room and
// starts no goroutines. A [Form] belongs to the program's Update and View; its styles
// and the function that cleans input come from the caller.
package form
