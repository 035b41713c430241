package config

import (
	"slices"
	"strings"
)

// OldNames returns the places in the file that use a name from an earlier version, each with the
// line to write instead. Such names are still accepted.
func (c *Config) OldNames() []Problem { return slices.Clone(c.loaded.oldNames) }

// renameAlertsPage replaces the name Alerts with Situations in page.builtin, ui.page and kiosk.pages, because
// the page Situations was called Alerts in earlier versions. If a configured page is named Alerts, it changes
// nothing.
func (c *Config) renameAlertsPage(r *report) {
	const oldName, newName = "Alerts", "Situations"
	for i := range c.Pages {
		if strings.EqualFold(c.Pages[i].Name, oldName) {
			return
		}
	}
	rename := func(key string, name *string) {
		if !strings.EqualFold(*name, oldName) {
			return
		}
		last := key[strings.LastIndexByte(key, '.')+1:]
		r.addOldName(key, *name, newName, last+" = "+Quoted(newName))
		*name = newName
	}
	for i := range c.Pages {
		rename(elementKey("page", i)+".builtin", &c.Pages[i].Builtin)
	}
	rename("ui.page", &c.UI.Page)
	i := slices.IndexFunc(c.Kiosk.Pages, func(name string) bool { return strings.EqualFold(name, oldName) })
	if i < 0 {
		return
	}
	old := c.Kiosk.Pages[i]
	for j := range c.Kiosk.Pages {
		if strings.EqualFold(c.Kiosk.Pages[j], oldName) {
			c.Kiosk.Pages[j] = newName
		}
	}
	r.addOldName("kiosk.pages", old, newName, "pages = "+QuotedList(c.Kiosk.Pages))
}
