package cli

import (
	"context"
	"log/slog"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/model"
)

// openControls connects a board with the configuration service until stop, unless the command
// or the configuration is read-only.
func (b *commandSetup) openControls(ctx context.Context, c *config.Config, feed func() *model.Snapshot, log *slog.Logger) (*app.Connection, error) {
	readOnly := ""
	if b.ReadOnly || c.ReadOnly {
		readOnly = "read-only: " + cmdutil.ReadOnlyReason(b.ReadOnly)
	}
	return app.OpenConnection(ctx, c, readOnly, control.Options{Feed: feed, Lock: b.locks[c.Platform], Logger: log})
}
