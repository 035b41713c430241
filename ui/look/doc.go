// Package look is how the board draws, whatever it draws: lines that never grow
// beyond their width, blocks of them, and the look of the moment.
//
// It knows no record and no page. Nothing in it changes after it was made.
package look
