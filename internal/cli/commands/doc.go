// Package commands implements the subcommands of wallboard that need no board: alerts try,
// config, record, simulator, themes, view, and those of serve and cluster. The name of a file
// begins with that of its command. They run on the caller's goroutine.
package commands
