package app

import (
	"fmt"
	"log/slog"

	"wallboard/internal/config"
	"wallboard/internal/config/usercommand"
	"wallboard/internal/control/audit"
)

// openUserCommands returns a runner of the user's configured commands, and a function that closes
// the runner. If there are no commands, the runner is nil.
func openUserCommands(c *config.Config, log *slog.Logger) (*usercommand.Runner, func(), error) {
	if len(c.Commands) == 0 {
		return nil, func() {}, nil
	}
	o := c.Audit.LogOptions(c, log)
	o.User = ViewerName(c)
	file, err := audit.Open(o)
	if err != nil {
		return nil, nil, fmt.Errorf("audit file: %w", err)
	}
	d := &usercommand.Runner{Commands: c.UserCommands(), Audit: file}
	return d, func() {
		d.Wait() // the context of the commands has ended, so the commands end soon
		if err := file.Close(); err != nil {
			log.Warn("the audit log cannot be closed", "error", err)
		}
	}, nil
}
