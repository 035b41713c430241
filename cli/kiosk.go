package cli

import (
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/config"
	"wallboard/ui/kiosk"
)

// kioskConfig makes a configuration that of a kiosk, if it is to be one. What a
// board was opened as it stays, whatever becomes of its configuration: nobody may
// act at a screen on the wall.
func (b *board) kioskConfig(c *config.Config) {
	if !b.opened { // later it is asked for beside the board, for several platforms at once
		b.kiosk, b.opened = b.kiosk || c.Kiosk.Enabled, true
	}
	c.Kiosk.Enabled = b.kiosk
	c.ReadOnly = c.ReadOnly || c.Kiosk.Enabled
}

// kioskOptions are the kiosk's part of the board's options, nil for a board that
// somebody operates.
func kioskOptions(c *config.Config) *kiosk.Options {
	k := &c.Kiosk
	if !k.Enabled {
		return nil
	}
	o := &kiosk.Options{
		Pages: k.Pages, Dwell: k.Dwell, Dwells: make(map[string]time.Duration),
		Quit: k.Quit,
	}
	for page, d := range k.Dwells {
		o.Dwells[strings.ToLower(page)] = d
	}
	switch k.Front {
	case "critical":
		o.Front = alert.Critical
	case "warning":
		o.Front = alert.Warning
	}
	if hours := k.Hours(); hours != nil {
		o.Active = hours.Contains
	}
	return o
}
