package cli

import (
	"fmt"
	"log/slog"
	"os"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/alert/alertfile"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/report/headless"
	"wallboard/model"
)

// newEngine returns an alert engine for a configuration.
func newEngine(c *config.Config, names model.Names) (*alert.Engine, error) {
	return newAlertEngine(c.AlertOptions(names))
}

func newAlertEngine(o alert.Options) (*alert.Engine, error) {
	e, err := alert.New(o)
	if err != nil { // cannot happen: the configuration was checked when it was loaded
		return nil, cmdutil.Usage(fmt.Errorf("figures and alerts: %w", err))
	}
	return e, nil
}

// newViewer returns a screenless viewer with a feed of its own. It shares the snoozes of
// this user's boards.
func newViewer(c *config.Config, feed *feeds.Feed, log *slog.Logger, recalled ...alert.Alert) (*headless.Viewer, error) {
	v, err := headless.New(c, feed, !cmdutil.UnicodeLocale(os.Getenv), log, recalled)
	if err != nil {
		return nil, cmdutil.Usage(err)
	}
	return v, nil
}

// openAlerts loads the stored alerts of a platform and stores new ones until they are
// stopped. A kiosk, where no alert can be taken over, only loads them.
func (b *commandSetup) openAlerts(c *config.Config, log *slog.Logger) *alertfile.Store {
	if b.simulated {
		return alertfile.NoStore()
	}
	f := alertfile.New(alertfile.Path(c.RTD.URL), log)
	if c.Kiosk.Enabled {
		return f.OpenReadOnly()
	}
	return f.Open()
}
