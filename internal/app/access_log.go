package app

import (
	"context"
	"log/slog"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/ui/replay"
)

// LogAccess makes the archive of a local board write to the log of visits what the viewer opens in the
// archive and what the viewer exports from it.
func LogAccess(a *replay.Archive, c *config.Config, log *slog.Logger) {
	write := func(kind, target string) {
		if err := audit.Append(c.Audit.VisitsOptions(c, log), audit.Intent{Action: audit.ViewerActionPrefix + kind, Target: target}); err != nil {
			log.Warn("cannot write the log of visits", "what", kind, "error", err)
		}
	}
	a.LogAccess = replay.NewAccessLog(time.Now, func(a replay.RecordingAccess) { write(a.Kind(), a.Subject()) })
	if save := a.Save; save != nil {
		a.Save = func(ctx context.Context, from, to time.Time) (string, error) {
			path, err := save(ctx, from, to)
			if err == nil {
				write("export", "recording from "+from.UTC().Format(time.RFC3339)+" to "+to.UTC().Format(time.RFC3339))
			}
			return path, err
		}
	}
}
