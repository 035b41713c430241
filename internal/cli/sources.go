package cli

import (
	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
)

// configSources reads the configuration of the platforms that a command uses.
type configSources struct {
	setup        *cmdutil.Setup
	kiosk        bool // kiosk mode
	kioskDecided bool // kiosk no longer changes
}

// readConfigured reads the configuration of the selected or only platform. It is an
// [app.ConfigSource].
func (s *configSources) readConfigured() (*config.Config, feeds.Options, error) {
	c, err := s.setup.Load(false)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	return c, app.FeedOptions(c), nil
}

// allSources returns the configuration sources of all platforms. They do not apply kiosk mode.
func (s *configSources) allSources() ([]app.ConfigSource, error) {
	c, err := s.setup.LoadAll(false)
	if err != nil {
		return nil, err
	}
	return s.platformSources(c), nil
}

// boardSources returns the configuration sources of all platforms, with kiosk mode applied. It
// returns a single source if the configuration has no [[platform]] or if one platform is selected.
func (s *configSources) boardSources() ([]app.ConfigSource, error) {
	all, err := s.allSources()
	for i, read := range all {
		all[i] = s.withKioskMode(read)
	}
	return all, err
}

// platformSources returns a configuration source for each platform of c. A source reads the
// file again each time it is called.
func (s *configSources) platformSources(c *config.Config) []app.ConfigSource {
	if !c.MultiPlatform() {
		return []app.ConfigSource{s.readConfigured}
	}
	var out []app.ConfigSource
	for _, name := range c.PlatformNames() {
		out = append(out, func() (*config.Config, feeds.Options, error) {
			c, err := s.setup.LoadPlatform(name)
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
func (s *configSources) withKioskMode(read app.ConfigSource) app.ConfigSource {
	return func() (*config.Config, feeds.Options, error) {
		c, fo, err := read()
		if err == nil {
			s.applyKioskMode(c)
		}
		return c, fo, err
	}
}

// applyKioskMode sets kiosk mode in c. The first call determines the mode from the flags and
// the configuration. Later calls use the same mode, because reloading the configuration of a
// wall display must not enable actions.
func (s *configSources) applyKioskMode(c *config.Config) {
	if !s.kioskDecided { // later reads may run concurrently, so do not write the fields again
		s.kiosk, s.kioskDecided = s.kiosk || c.Kiosk.Enabled, true
	}
	c.Kiosk.Enabled = s.kiosk
	c.ReadOnly = c.ReadOnly || c.Kiosk.Enabled
}
