// Package commands implements the subcommands of wallboard that need no board: alerts try, config,
// record, simulator, themes and view, and the subcommands of serve and cluster. The name of a file
// begins with the name of its command. The commands run on the caller's goroutine.
package commands
