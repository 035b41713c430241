package app

import (
	"cmp"
	"os"
	"strconv"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
)

// UIOptions returns the options of a board on this terminal.
func UIOptions(c *config.Config, engine alerts.Engine) (ui.Options, error) {
	o, err := boardOptions(c, engine, os.Getenv)
	o.Display.Refresh = c.UI.Refresh // set only here because a server has its own refresh rate
	o.Archive = NewArchive(c, LocalVisibility(c))
	return o, err
}

// boardOptions returns the options of a board on a terminal. getenv returns the environment
// variables of the terminal.
func boardOptions(c *config.Config, engine alerts.Engine, getenv func(string) string) (ui.Options, error) {
	names := c.Names()
	goal := c.AlertOptions(names).Goal
	o := ui.Options{
		Names:      names,
		Title:      c.UI.Site,
		Alerts:     engine,
		Alarm:      ui.AlarmSignals{RecoveryBell: c.UI.RecoveryBell, Title: c.UI.WindowTitle, Desktop: c.UI.DesktopNotify},
		Kiosk:      kioskOptions(c),
		Display:    ui.Display{ASCII: c.UI.ASCII || !terminal.IsUnicodeLocale(getenv), Mouse: c.UI.Mouse, Flash: c.UI.Flash, Language: words.AvailableLanguages.Choose(c.UI.Language, getenv)},
		Targets:    ui.Targets{Breaks: c.BreakLimits(), Playbooks: c.Playbooks(), ServiceLevel: goal.Formula, SLTarget: goal.ServiceLevel.Or(c.UI.ServiceLevelTarget)},
		Navigation: ui.Navigation{StartPage: c.UI.Page, Keys: c.Keys, Pages: pageSpecs(c)},
		Actions:    ui.Actions{User: ViewerName(c)},
		Process:    ui.Process{ShowInsecureBadge: c.RTD.InsecureSkipVerify || c.REST.InsecureSkipVerify || c.History.InsecureSkipVerify},
	}
	if o.Kiosk != nil {
		o.Display.Location = c.Kiosk.Location()
	}
	lib, _ := themes.OpenLibrary(config.ThemesDir()) // a broken theme is reported only when it is used
	o.Display.Themes = lib.Themes()
	name := c.UI.Theme
	var err error
	if name == "auto" {
		name = themes.DefaultName
		if o.Display.LightTheme, err = lib.Load("light"); err != nil {
			return o, ConfigError{err}
		}
	}
	if o.Display.Theme, err = lib.Load(name); err != nil {
		return o, ConfigError{err}
	}
	return o, nil
}

// kioskOptions returns the options of a kiosk, or nil for an interactive board.
func kioskOptions(c *config.Config) *kiosk.Options {
	k := &c.Kiosk
	if !k.Enabled {
		return nil
	}
	o := &kiosk.Options{
		Pages: k.Pages, Dwell: k.Dwell, DwellByPage: k.Dwells,
		QuitKey: k.Quit, FullNames: model.NameMode(k.Names) == model.NamesFull,
	}
	switch k.Front {
	case "critical":
		o.FrontLevel = alert.Critical
	case "warning":
		o.FrontLevel = alert.Warning
	}
	if hours := k.Hours(); hours != nil {
		o.IsActive = hours.Contains
	}
	return o
}

// pageSpecs returns the pages in the configuration, or nil if there are none.
func pageSpecs(c *config.Config) []panes.PageSpec {
	var out []panes.PageSpec
	for i := range c.Pages {
		p := &c.Pages[i]
		spec := panes.PageSpec{Name: cmp.Or(p.Name, p.Builtin), Key: p.Key, Builtin: p.Builtin}
		for _, row := range p.Rows {
			r := panes.RowSpec{Weight: row.Weight}
			for j := range row.Panes {
				r.Panes = append(r.Panes, paneSpec(&row.Panes[j]))
			}
			spec.Rows = append(spec.Rows, r)
		}
		out = append(out, spec)
	}
	return out
}

func paneSpec(p *config.Pane) panes.PaneSpec {
	s := panes.PaneSpec{
		Kind: p.Kind, Title: p.Title, Weight: p.Weight, Priority: p.Priority,
		Channel: model.Channel(p.Channel), Site: int64(p.Site), Services: p.Services, Groups: p.Groups, Filter: p.Filter,
		Columns: p.Columns, Sort: p.Sort, Descending: p.Descending,
		KPIs: p.KPIs, Digits: p.Digits, GroupBy: p.By, Target: p.Target.Value, Text: p.Text, ScrollInterval: p.Speed,
		Span: map[string]time.Duration{"15m": 15 * time.Minute, "1h": time.Hour, "shift": 8 * time.Hour}[p.Span],
	}
	for _, id := range p.Campaigns {
		s.Campaigns = append(s.Campaigns, strconv.Itoa(id))
	}
	if p.Zone != "" {
		s.Zone, _ = time.LoadLocation(p.Zone) // checked when the configuration was read; nil means the board's zone
	}
	return s
}
