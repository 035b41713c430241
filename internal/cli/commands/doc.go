// Package commands implements the commands of wallboard that open no live board: administration,
// configuration, recordings, reports and the simulator. The name of a file begins with the name of
// its command, except continued_*.go. The only goroutine is that of a replay, which ends with the command.
package commands
