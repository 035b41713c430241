// Package usercommand runs configured programs and opens configured links with the selected
// record. It uses no shell, no value can become an option, the environment contains no
// secrets, and the audit file records every command. [Runner.Run] runs in the caller's
// goroutine. [NewProcess] is for all configured programs, also those of notifications: they have
// no access to the board's terminal.
package usercommand
