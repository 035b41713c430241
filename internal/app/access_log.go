package app

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/ui/replay"
)

// accessRepeat is how long a viewer may look at the same part of a recording again without another
// line in the log.
const accessRepeat = 10 * time.Minute

// Kinds of visits that are about what a viewer looks at, beside those of the server.
const (
	replayVisit = "replay" // a replay of a recording
	shiftVisit  = "shift"  // the recorded shift of an agent
	exportVisit = "export" // a part of a recording that was written to a file
)

// newAccessLog returns a function that logs what a viewer looks at in the recording. usernameOf
// returns the user name of the agent that the viewer sees under another name, or "" if it is unknown.
// write adds a line to the log of visits; it may block.
func newAccessLog(now func() time.Time, usernameOf func(shown string) string, write func(kind, target string)) func(replay.Access) {
	var mu sync.Mutex
	lastLogged := make(map[replay.Access]time.Time)
	return func(a replay.Access) {
		mu.Lock()
		at := now()
		repeated := at.Sub(lastLogged[a]) < accessRepeat
		if !repeated {
			maps.DeleteFunc(lastLogged, func(_ replay.Access, logged time.Time) bool { return at.Sub(logged) >= accessRepeat })
			lastLogged[a] = at
		}
		mu.Unlock()
		switch {
		case repeated:
		case a.ShiftOf != "":
			write(shiftVisit, "agent "+cmp.Or(usernameOf(a.ShiftOf), a.ShiftOf))
		default:
			write(replayVisit, "recording from "+a.ReplayFrom.UTC().Format(time.RFC3339))
		}
	}
}

// newLocalAccessLog returns a function that adds a line about the user of a local board to the log of
// visits.
func newLocalAccessLog(c *config.Config, log *slog.Logger) func(kind, target string) {
	return func(kind, target string) {
		if err := audit.Append(c.Audit.VisitsOptions(c, log), audit.Intent{Action: viewerActions + kind, Target: target}); err != nil {
			log.Warn("cannot write the log of visits", "what", kind, "error", err)
		}
	}
}

// LogAccess makes the archive of a local board log replays, shifts and excerpts.
func LogAccess(a *replay.Archive, c *config.Config, log *slog.Logger) {
	write := newLocalAccessLog(c, log)
	a.LogAccess = newAccessLog(time.Now, func(shown string) string { return shown }, write)
	if save := a.Save; save != nil {
		a.Save = func(ctx context.Context, from, to time.Time) (string, error) {
			path, err := save(ctx, from, to)
			if err == nil {
				write(exportVisit, "recording from "+from.UTC().Format(time.RFC3339)+" to "+to.UTC().Format(time.RFC3339))
			}
			return path, err
		}
	}
}
