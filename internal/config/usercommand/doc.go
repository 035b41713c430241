// Package usercommand runs configured programs and opens configured links with the selected record.
// It uses no shell, no value of a record can become an option, the environment contains no secrets,
// and the audit file records every command. [Runner.Run] runs in the caller's goroutine.
// [NewProcess] also serves other configured programs, such as those of notifications, so that none
// of them has access to the board's terminal.
package usercommand
