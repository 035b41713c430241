// Package usercommand runs configured programs and opens configured links with values of the
// selected record. It uses no shell. A value of a record can never become an option. The
// environment contains no secrets. The audit file records every command. [Runner.Run] runs in the
// caller's goroutine.
//
// [NewProcess] is also used for other configured programs, such as those of notifications, so none
// of them has access to the board's terminal.
package usercommand
