package cli

import (
	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/ui/kiosk"
)

// kioskConfig sets kiosk mode in a configuration. The mode is decided when the board opens
// and survives reloads: a wall display must never become able to act.
func (b *commandSetup) kioskConfig(c *config.Config) {
	if !b.kioskDecided { // later reads may run concurrently for several platforms
		b.kiosk, b.kioskDecided = b.kiosk || c.Kiosk.Enabled, true
	}
	c.Kiosk.Enabled = b.kiosk
	c.ReadOnly = c.ReadOnly || c.Kiosk.Enabled
}

// kioskOptions returns the kiosk's options, nil for an interactive board.
func kioskOptions(c *config.Config) *kiosk.Options {
	k := &c.Kiosk
	if !k.Enabled {
		return nil
	}
	o := &kiosk.Options{
		Pages: k.Pages, Dwell: k.Dwell, Dwells: k.Dwells,
		Quit: k.Quit,
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
