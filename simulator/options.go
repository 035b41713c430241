package simulator

import (
	"cmp"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"time"

	"wallboard/simulator/accounts"
	"wallboard/simulator/rest"
	"wallboard/simulator/rtd"
	"wallboard/simulator/stat"
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

// Options say what a [Server] simulates and where it listens. The zero value
// is a small contact center at real speed on a free port of 127.0.0.1.
type Options struct {
	World world.Options

	Addr     string       // TCP address; default 127.0.0.1:0
	Listener net.Listener // used instead of Addr; the server closes it
	Path     string       // of the real-time display service; default /rtd
	TLS      *tls.Config  // nil is plain HTTP and ws

	Speed float64       // simulated seconds per second; default 1
	Tick  time.Duration // between two steps of the world and deliveries of their changes; default 100 ms

	// UpdatesPerSecond, when positive, forces that many userStats updates per
	// second, for load tests.
	UpdatesPerSecond int
	// UpdatesPerMessage bounds the records in one message; 0 is no bound:
	// whatever changed in a tick.
	UpdatesPerMessage int

	// FullRate, when positive, is how many records of full states, of answers and
	// of first messages alike, the platform puts together per second, one request
	// after the other. Zero is no time at all.
	FullRate int

	// Arrivals says how a record is told of that comes under a filter; default
	// [rtd.ArrivalsWhole].
	Arrivals rtd.Arrivals
	// Gather is how long each subscription gathers its updates before it sends
	// them; 0 is not at all.
	Gather time.Duration

	// ReplicaLag, when positive, makes queries be answered by replicas that are
	// up to so much behind what the subscriptions tell.
	ReplicaLag time.Duration

	Switches rtd.Switches
	REST     rest.Options
	Stat     stat.Options
	// HostileTexts fills every name and text with what attacks terminals, pages
	// and shells.
	HostileTexts bool

	Faults FaultRates         // random faults; default none
	Users  []accounts.Account // who may log in; default [accounts.Defaults]

	SessionLifetime time.Duration // from the last request; default 30 min
	TokenLifetime   time.Duration // of tokens that a login returned; default 24 h
	InitTimeout     time.Duration // for connection_init; default 3 s
	KeepAlive       time.Duration // between ka messages and between pings; default 15 s

	Logger *slog.Logger     // default none
	Now    func() time.Time // for sessions; default time.Now
}

func (o Options) withDefaults() Options {
	o.Addr = cmp.Or(o.Addr, "127.0.0.1:0")
	o.Path = cmp.Or(o.Path, "/rtd")
	o.Speed = cmp.Or(o.Speed, 1)
	if o.World.Pace == 0 {
		o.World.Pace = o.Speed // the platform's clock runs as the viewer's does
	}
	o.Tick = cmp.Or(o.Tick, 100*time.Millisecond)
	o.SessionLifetime = cmp.Or(o.SessionLifetime, 30*time.Minute)
	o.TokenLifetime = cmp.Or(o.TokenLifetime, 24*time.Hour)
	o.InitTimeout = cmp.Or(o.InitTimeout, 3*time.Second)
	o.KeepAlive = cmp.Or(o.KeepAlive, 15*time.Second)
	o.Faults.SlowPause = cmp.Or(o.Faults.SlowPause, 20*time.Millisecond)
	o.Arrivals = cmp.Or(o.Arrivals, rtd.ArrivalsWhole)
	o.Switches, o.REST, o.Stat = o.Switches.WithDefaults(), o.REST.WithDefaults(), o.Stat.WithDefaults()
	if len(o.Users) == 0 {
		o.Users = accounts.Defaults()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Validate says which option has no such value. The zero value of each is its
// default.
func (o Options) Validate() error {
	o = o.withDefaults()
	return errors.Join(
		o.REST.Validate(), o.Stat.Validate(),
		wire.OneOf("arrivals", o.Arrivals, rtd.ArrivalsWhole, rtd.ArrivalsKeys),
		wire.OneOf("longest wait", cmp.Or(o.World.LongestWait, world.LongestNow), world.LongestWaits()...),
		o.Switches.Validate(), checkStage(o.World.Stage),
	)
}

// realTime are the options of the real-time display service.
func (o *Options) realTime() rtd.Options {
	return rtd.Options{
		Switches: o.Switches, Arrivals: o.Arrivals, Gather: o.Gather, ReplicaLag: o.ReplicaLag,
		FullRate: o.FullRate, MostRows: o.UpdatesPerMessage, Seed: o.World.Seed, Now: o.Now,
		HostileTexts: o.HostileTexts, Secure: o.TLS != nil,
		InitTimeout: o.InitTimeout, KeepAlive: o.KeepAlive, Logger: o.Logger,
	}
}
