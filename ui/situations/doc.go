// Package situations draws situations as text: a panel with the situations that need action,
// and their details. It also holds a board's [Outlook]: the end-of-day forecasts, and the likely
// ends of breaks. Everything runs on the board's goroutine.
package situations
