package admin

import (
	"cmp"
	"path/filepath"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/timeunit"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/internal/textformat"
	"wallboard/model/resource"
)

// UseSimulator makes c describe the simulated platform. It keeps the settings of the screen.
// name is the name of the platform, or "" if there is only one.
func UseSimulator(c *config.Config, srv *simulator.Server, o *simulator.Options, name string) {
	c.RTD = config.Default().RTD
	c.RTD.URL, c.RTD.WSOverride = srv.HTTPURL(), srv.WSURL()
	c.REST, c.Audit, c.History = simulatorRESTConfig(srv), demoAuditConfig(c.Audit), simulatorHistoryConfig(srv)
	if c.Platform != "" { // the configured title is that of a real platform
		c.UI.Site = ""
	}
	c.Platform, c.Platforms = name, nil
	if c.UI.Site = cmp.Or(name, c.UI.Site); c.UI.Site == "" {
		c.UI.Site = "Demo"
	}
	if o.Switches.RenamedRoots && o.Switches.NoIntrospection {
		c.RTD.Dialect.Roots = make(map[string]string)
		for _, op := range srv.RTD().Roots() {
			c.RTD.Dialect.Roots[op.Query] = op.Subscription
		}
	}
	if o.Switches.DurationUnit != rtd.DurationsInMilliseconds {
		c.RTD.Dialect.Units = SimulatorTimeUnits()
	}
	if o.World.LongestWait == "" || o.World.LongestWait == world.LongestNow { // the meaning cannot be detected if simulated time runs faster than real time
		c.RTD.Dialect.Meanings = map[string]string{dialect.LongestWaitField: config.MeaningCurrent}
	}
	if w := srv.WorldOptions(); len(c.Hours) == 0 {
		if at := demo.ClockAt(w, demo.ClosingTime).Round(30 * time.Minute); at.Day() == w.Clock.Day() {
			c.Hours = []config.Closing{{Close: textformat.Clock(at, nil)}}
		}
	}
	for _, n := range srv.DisplayNames() {
		c.RTD.Names = append(c.RTD.Names, config.Name{Kind: n.Kind, Code: n.Code, Name: n.Name})
	}
}

// SimulatorTimeUnits returns the units of the simulator's durations, for the configuration.
// Without them, the feed would need seconds to detect the units, and could not detect them at
// all if simulated time runs faster than real time.
func SimulatorTimeUnits() map[string]string {
	units := make(map[string]string)
	for _, f := range []timeunit.Field{timeunit.FieldHoldTotal, timeunit.FieldCodes, timeunit.FieldQueueLongest, timeunit.FieldQueueAverage} {
		units[f.String()] = timeunit.Seconds.String()
	}
	return units
}

// simulatorRESTConfig returns a configuration for the simulated configuration service.
func simulatorRESTConfig(srv *simulator.Server) config.REST {
	account := webservice.DefaultAccount()
	r := config.Default().REST
	r.URL, r.Username, r.Password = srv.RESTURL(), account.Username, secret.New(account.Password)
	r.Paths = map[string]string{string(resource.OpMessageHistory): rest.MessagesPath}
	return r
}

// demoAuditConfig returns the configuration of the demo's own audit file, which is in the same
// directory as the real one.
func demoAuditConfig(a config.Audit) config.Audit {
	a.File = filepath.Join(filepath.Dir(a.Path()), "demo-audit.jsonl")
	return a
}

// simulatorHistoryConfig returns a configuration for the simulated statistical data service.
// It disables the cache, because answers are only valid during one run of the simulator.
func simulatorHistoryConfig(srv *simulator.Server) config.History {
	h := config.Default().History
	h.CacheSize = 0
	h.URL, h.APIKey = srv.StatURL(), secret.New(simulator.DefaultAPIKey)
	return h
}
