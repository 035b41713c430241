package cli

import (
	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/config"
)

// readConfigured reads the configuration of the selected or only platform. It is an
// [app.ConfigSource].
func (b *commandSetup) readConfigured() (*config.Config, feeds.Options, error) {
	c, err := b.Load(false)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	return c, app.FeedOptions(c), nil
}

// allSources returns the configuration sources of all platforms. They do not apply kiosk mode.
func (b *commandSetup) allSources() ([]app.ConfigSource, error) {
	c, err := b.LoadAll(false)
	if err != nil {
		return nil, err
	}
	return b.platformSources(c), nil
}

// boardSources returns the configuration sources of all platforms, with kiosk mode applied. It
// returns a single source if the configuration has no [[platform]] or if one platform is selected.
func (b *commandSetup) boardSources() ([]app.ConfigSource, error) {
	all, err := b.allSources()
	for i, read := range all {
		all[i] = b.withKioskMode(read)
	}
	return all, err
}

// platformSources returns a configuration source for each platform of c. A source reads the
// file again each time it is called.
func (b *commandSetup) platformSources(c *config.Config) []app.ConfigSource {
	if !c.MultiPlatform() {
		return []app.ConfigSource{b.readConfigured}
	}
	var out []app.ConfigSource
	for _, name := range c.PlatformNames() {
		out = append(out, func() (*config.Config, feeds.Options, error) {
			c, err := b.LoadPlatform(name)
			if err != nil {
				return nil, feeds.Options{}, err
			}
			return c, app.FeedOptions(c), nil
		})
	}
	return out
}

// withKioskMode returns a source that reads a configuration with read and then applies kiosk
// mode to it.
func (b *commandSetup) withKioskMode(read app.ConfigSource) app.ConfigSource {
	return func() (*config.Config, feeds.Options, error) {
		c, fo, err := read()
		if err == nil {
			b.applyKioskMode(c)
		}
		return c, fo, err
	}
}

// applyKioskMode sets kiosk mode in c. The first call determines the mode from the flags and
// the configuration. Later calls use the same mode, because reloading the configuration of a
// wall display must not enable actions.
func (b *commandSetup) applyKioskMode(c *config.Config) {
	if !b.kioskDecided { // later reads may run concurrently, so do not write the fields again
		b.kiosk, b.kioskDecided = b.kiosk || c.Kiosk.Enabled, true
	}
	c.Kiosk.Enabled = b.kiosk
	c.ReadOnly = c.ReadOnly || c.Kiosk.Enabled
}
