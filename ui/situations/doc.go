// Package situations draws situations in words: a panel with the situations that need
// action, and their details. It also computes the end-of-day forecast of a floor, and when
// agents are likely to return from a break. Everything runs on the board's goroutine.
package situations
