package ui

import (
	"context"

	"wallboard/internal/alert"
	"wallboard/internal/config/usercommand"
	"wallboard/ui/alerts"
)

// Engine is the alert engine of a board. An engine that several boards share evaluates each
// snapshot once, and returns to each board the changes since that board's last call. The board
// calls the engine only from Update. It retains no result of the engine, except the trends of a
// frozen board.
type Engine = alerts.Engine

var _ Engine = (*alert.Engine)(nil)

// CommandRunner runs the commands of the configuration. [usercommand.Runner] implements it; a nil
// Runner has no commands.
type CommandRunner interface {
	// List returns all commands.
	List() []usercommand.Command
	// Run runs a command for a record and returns the last line of the command's output.
	Run(ctx context.Context, c *usercommand.Command, r usercommand.Record) (string, error)
}
