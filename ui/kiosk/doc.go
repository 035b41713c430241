// Package kiosk is what makes a board one that hangs on a wall: its pages rotate,
// what is wrong brings its page to the front, nobody can do anything but turn the page,
// and no name stands on it that may not.
//
// A [Wall] moves on the clock of the board only, turns the pages that it is given,
// and draws what is different around them.
package kiosk
