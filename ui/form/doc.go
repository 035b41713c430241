// Package form is a widget to fill in fields: text, numbers, choices, dates and
// longer texts, with their problems shown while one types.
//
// It knows nothing of what the fields mean, draws only within the room it is
// given and starts no goroutine. A [Form] belongs to the program's Update and
// View; the styles it draws with come from outside, as does the function that
// cleans what is typed or pasted.
package form
