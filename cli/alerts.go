package cli

import (
	"fmt"
	"log/slog"
	"os"

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
)

// newEngine makes an alert engine by a configuration.
func newEngine(c *config.Config, names model.Names) (*alert.Engine, error) {
	return engineOf(c.AlertOptions(names))
}

func engineOf(o alert.Options) (*alert.Engine, error) {
	e, err := alert.New(o)
	if err != nil { // a configuration that loaded has none
		return nil, command.Usage(fmt.Errorf("figures and alerts: %w", err))
	}
	return e, nil
}

// newViewer makes a viewer without a screen that has a feed to itself, and goes by what the
// boards of this user have snoozed.
func newViewer(c *config.Config, feed *feeds.Feed, log *slog.Logger, recalled ...alert.Alert) (*headless.Viewer, error) {
	v, err := headless.New(c, feed, !command.UnicodeLocale(os.Getenv), log, recalled)
	if err != nil {
		return nil, command.Usage(err)
	}
	return v, nil
}

// openAlerts reads the alerts of a platform that were kept, and keeps others until
// they are stopped. A kiosk, where nobody takes anything over, only reads.
func (b *board) openAlerts(c *config.Config, log *slog.Logger) *alertfile.Kept {
	if b.played {
		return alertfile.None()
	}
	f := alertfile.New(alertfile.Path(c.RTD.URL), log)
	if c.Kiosk.Enabled {
		return f.OpenReadOnly()
	}
	return f.Open()
}
