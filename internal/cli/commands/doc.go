// Package commands implements the commands of wallboard that open no live board: administration,
// configuration, recordings, reports and the simulator. The name of a file begins with the name of
// its command. The commands run on the caller's goroutine.
package commands
