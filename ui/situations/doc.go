// Package situations draws situations as text: a panel with the situations that need action, and
// the details of a situation. It also provides the [Outlook] of a board: the end-of-day forecasts
// and the likely ends of breaks. All its values belong to the goroutine of the board.
package situations
