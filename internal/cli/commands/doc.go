// Package commands implements the subcommands of wallboard that need no board, such as alerts try,
// config, record, simulator, themes and view. It also implements the subcommands of serve and
// cluster. The name of a file begins with the name of the command in it. The commands run on the
// caller's goroutine.
package commands
