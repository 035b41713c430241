package cli

import (
	"log/slog"
	"os"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/report/headless"
)

// newViewer returns a screenless viewer with a feed of its own. It shares the snoozes of
// this user's boards.
func newViewer(c *config.Config, feed *feeds.Feed, log *slog.Logger, recalled ...alert.Alert) (*headless.Viewer, error) {
	v, err := headless.New(c, feed, !cmdutil.UnicodeLocale(os.Getenv), log, recalled)
	if err != nil {
		return nil, cmdutil.Usage(err)
	}
	return v, nil
}
