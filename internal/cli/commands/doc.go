// Package commands implements the commands of wallboard that need no board: alerts, backup, config,
// doctor, man, mark, record, simulator, themes, version and view, and the subcommands of serve and
// cluster. The name of a file begins with the name of its command. The commands run on the caller's
// goroutine.
package commands
