package cli

import (
	"os"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/themes"
	"wallboard/ui"
)

// uiOptions returns the board's options for this terminal.
func uiOptions(c *config.Config, engine ui.Engine) (ui.Options, error) {
	o, err := boardOptions(c, engine, os.Getenv)
	o.Refresh = c.UI.Refresh // a server sets its own rate
	o.Memory = app.ArchiveOf(c)
	return o, err
}

// boardOptions returns the board's options for a terminal with the environment getenv.
func boardOptions(c *config.Config, engine ui.Engine, getenv func(string) string) (ui.Options, error) {
	names := c.Names()
	goal := c.AlertOptions(names).Goal
	o := ui.Options{
		Names: names, Title: c.UI.Site, Breaks: c.BreakLimits(), Alerts: engine,
		User: app.ViewerName(c), ServiceLevel: goal.Formula, SLTarget: goal.ServiceLevel.Or(c.UI.ServiceLevelTarget),
		ASCII: c.UI.ASCII || !cmdutil.UnicodeLocale(getenv), Mouse: c.UI.Mouse, ChangeSignals: ui.ChangeSignals{Flash: c.UI.Flash, RecoveryBell: c.UI.RecoveryBell}, Navigation: ui.Navigation{StartPage: c.UI.Page, Keys: c.Keys}, Pages: pageSpecs(c),
		MarkInsecure: c.RTD.InsecureSkipVerify || c.REST.InsecureSkipVerify, Kiosk: kioskOptions(c),
	}
	if o.Kiosk != nil {
		o.Location = c.Kiosk.Location()
	}
	lib, _ := themes.Open(commands.ThemesDir()) // only broken themes that are used are reported
	o.Themes = lib.Themes()
	name := c.UI.Theme
	var err error
	if name == "auto" {
		name = themes.Default
		if o.LightTheme, err = lib.Load("light"); err != nil {
			return o, cmdutil.Usage(err)
		}
	}
	if o.Theme, err = lib.Load(name); err != nil {
		return o, cmdutil.Usage(err)
	}
	return o, nil
}
