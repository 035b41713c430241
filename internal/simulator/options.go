package simulator

import (
	"cmp"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"time"

	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Options configures a [Server]: the simulated contact center, and the address of the server.
// The zero Options is a small contact center at real speed on a free port of 127.0.0.1.
type Options struct {
	World world.Options

	Addr     string       // TCP address; default 127.0.0.1:0
	Listener net.Listener // used instead of Addr; the server closes the listener
	Path     string       // path of the real-time display service; default /rtd
	TLS      *tls.Config  // nil: HTTP and ws without TLS

	Speed float64       // simulated seconds per second; default 1
	Tick  time.Duration // interval between steps of the world, after which changes are delivered; default 100 ms

	// UpdatesPerSecond is the number of updates of userStats that the world makes per second
	// for load tests, if it is positive.
	UpdatesPerSecond int
	// UpdatesPerMessage is the maximum number of records in a message. 0 means no limit.
	UpdatesPerMessage int

	// FullRate is the number of records per second that the platform can collect for full
	// states, that is, for query answers and first messages. The platform collects for one
	// request at a time. 0 means no delay.
	FullRate int

	// Arrivals selects the content of the message about a record when it begins to match a
	// filter. The default is [rtd.ArrivalsWhole].
	Arrivals rtd.Arrivals
	// GatherTime is the time for which a subscription collects updates before it sends them. 0
	// means that it sends them at once.
	GatherTime time.Duration

	// ReplicaLag, if it is positive, makes replicas answer queries. The data of a replica may
	// be older than that of the subscriptions by up to ReplicaLag.
	ReplicaLag time.Duration

	Switches rtd.Switches
	REST     rest.Options
	Stat     StatisticsOptions
	// HostileTexts inserts attacks on terminals, web pages and shells into names and other
	// free text.
	HostileTexts bool

	Faults FaultRates           // rates of random faults; default none
	Users  []webservice.Account // users of the platform; default [webservice.DefaultAccounts]

	SessionLifetime time.Duration // time since the last request after which a session ends; default 30 min
	TokenLifetime   time.Duration // lifetime of tokens that a login returns; default 24 h
	InitTimeout     time.Duration // timeout for connection_init; default 3 s
	KeepAlive       time.Duration // interval of ka messages and of pings; default 15 s

	Logger *slog.Logger     // default: discard
	Now    func() time.Time // clock of sessions, replicas and the rate limit; default time.Now
}

func (o Options) withDefaults() Options {
	o.Addr = cmp.Or(o.Addr, "127.0.0.1:0")
	o.Path = cmp.Or(o.Path, "/rtd")
	o.Speed = cmp.Or(o.Speed, 1)
	if o.World.Pace == 0 {
		o.World.Pace = o.Speed // both clocks then run at the same speed
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
		o.Users = webservice.DefaultAccounts()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Validate returns an error that describes all invalid options. The zero value of an option
// means its default and is valid.
func (o Options) Validate() error {
	o = o.withDefaults()
	return errors.Join(
		o.REST.Validate(), o.Stat.Validate(),
		webservice.CheckOneOf("arrivals", o.Arrivals, rtd.ArrivalsWhole, rtd.ArrivalsKeys),
		webservice.CheckOneOf("longest wait", cmp.Or(o.World.LongestWait, world.LongestNow), world.LongestWaits()...),
		o.Switches.Validate(), validateScenario(o.World.Scenario),
	)
}

// rtdOptions returns the options of the real-time display service.
func (o *Options) rtdOptions() rtd.Options {
	return rtd.Options{
		Switches: o.Switches, Arrivals: o.Arrivals, GatherTime: o.GatherTime, ReplicaLag: o.ReplicaLag,
		FullRate: o.FullRate, MaxRows: o.UpdatesPerMessage, Seed: o.World.Seed, Now: o.Now,
		HostileTexts: o.HostileTexts, Secure: o.TLS != nil,
		InitTimeout: o.InitTimeout, KeepAlive: o.KeepAlive, Logger: o.Logger,
	}
}
